// The ten scores of one digit, and what each of its pixels adds to the score of a chosen class.

import { html, svg, twin } from "./draw.js";
import { Signed, written } from "./digits_images.js";

export class Scores {
  constructor(story) {
    this.story = story;
    this.chosen = null; // a class that the person chose; otherwise the one that was said
    this.image = html("div", { class: "big" });
    this.adds = new Signed(story.side, "");
    this.caption = html("figcaption");
    this.lines = story.classes.map((name, c) => this.line(name, c));
    const bars = html(
      "div",
      { class: "scores", role: "radiogroup", "aria-label": "Scores; choose a class to see what each pixel adds to it" },
      ...this.lines.map((line) => line.element),
    );
    bars.addEventListener("keydown", (event) => this.move(event));
    this.table = twin("The scores as a table", ["digit", "score", ""], () =>
      this.said.scores.map((score, c) => [story.classes[c], String(score), this.remark(c)]),
    );
    this.pixels = twin(
      "What each pixel adds, row by row",
      ["", ...Array.from({ length: story.side }, (_, x) => `${x + 1}`)],
      () =>
        Array.from({ length: story.side }, (_, y) => [
          `row ${y + 1}`,
          ...Array.from(this.values.subarray(y * story.side, (y + 1) * story.side), String),
        ]),
    );
    const pictures = html(
      "div",
      { class: "pair" },
      html("figure", {}, this.image, html("figcaption", {}, "the digit")),
      html("figure", {}, html("div", { class: "big" }, this.adds.element), this.caption),
    );
    this.element = html(
      "div",
      {},
      html("div", { class: "reading" }, pictures, bars),
      this.table.element,
      this.pixels.element,
    );
  }

  line(name, c) {
    const bar = svg("rect", { y: 3, height: 10, class: "bar" });
    const zero = svg("line", { x1: 100, y1: 0, x2: 100, y2: 16, class: "zero" });
    const picture = svg(
      "svg",
      { viewBox: "0 0 200 16", preserveAspectRatio: "none", "aria-hidden": "true" },
      bar,
      zero,
    );
    const score = html("span", { class: "num" });
    const note = html("span", { class: "tag" });
    const element = html(
      "button",
      { type: "button", role: "radio", class: "score" },
      html("b", {}, name),
      picture,
      score,
      note,
    );
    element.addEventListener("click", () => this.choose(c));
    return { element, bar, score, note };
  }

  choose(c) {
    this.chosen = c;
    this.draw();
  }

  move(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const count = this.lines.length;
    this.choose((this.shown + by + count) % count);
    this.lines[this.shown].element.focus();
  }

  show(digit, place) {
    const { side, ink, images } = this.story;
    if (this.digit !== digit) {
      const size = side * side;
      this.image.replaceChildren(
        written(
          images.subarray(digit.row * size, (digit.row + 1) * size),
          side,
          ink,
          `Digit ${digit.row + 1}, a ${this.story.classes[digit.true]}`,
        ),
      );
      this.chosen = null;
    }
    Object.assign(this, { digit, place, said: digit.moments[place] });
    this.draw();
  }

  remark(c) {
    return [c === this.said.predicted && "said", c === this.digit.true && "true"].filter(Boolean).join(", ");
  }

  draw() {
    const { scores, predicted } = this.said;
    const { classes, side } = this.story;
    const largest = Math.max(1, ...scores.map(Math.abs));
    this.shown = this.chosen ?? predicted;
    this.lines.forEach((line, c) => {
      const size = (Math.abs(scores[c]) / largest) * 96;
      line.bar.setAttribute("x", scores[c] < 0 ? 100 - size : 100);
      line.bar.setAttribute("width", size);
      line.bar.setAttribute("class", `bar ${scores[c] < 0 ? "against" : "for"}`);
      line.score.textContent = scores[c];
      line.note.textContent = this.remark(c);
      line.element.setAttribute("aria-checked", c === this.shown);
      line.element.tabIndex = c === this.shown ? 0 : -1;
    });
    const size = side * side;
    const start = (this.place * classes.length + this.shown) * size;
    this.values = this.digit.adds.subarray(start, start + size);
    const most = Math.max(1, ...this.values.map(Math.abs));
    this.adds.show(this.values, most);
    this.adds.name(`What each pixel adds to the score of ${classes[this.shown]}`);
    this.caption.textContent = `adds to ${classes[this.shown]}: ${scores[this.shown]}, bias ${this.said.bias[this.shown]} included`;
    this.table.draw();
    this.pixels.draw();
  }
}
