// A digit of the person's own: what they draw is read while they draw it. Ten smooth pictures of weights, each with its
// score, and what every stroke adds to the score that leads.

import { button, card, html, svg, twin } from "./draw.js";
import { written } from "./digits_images.js";
import { Pad } from "./digits_pad.js";
import { Smooth } from "./digits_smooth.js";

const EMPTY = "Nothing is drawn yet: each score is its bias alone.";
const signed = (value) => (value > 0 ? `+${value}` : `${value}`.replace("-", "−"));

export class Drawing {
  constructor(lab, story) {
    Object.assign(this, { lab, story, place: story.moments.length - 1, asked: 0, found: null });
    this.pad = new Pad(
      () => this.read(),
      () => this.read(true),
    );
    this.seen = html("div", { class: "big" });
    this.say = html("p", { class: "say", "data-fact": "drawn" }, EMPTY);
    this.sum = html("p", { class: "note", "data-fact": "strokes" });
    this.tiles = story.classes.map((name) => this.tile(name));
    this.table = twin("What each stroke adds to each score", ["", ...story.classes], () => this.lines());
    const pictures = html("div", { class: "images ten" }, ...this.tiles.map(({ element }) => element));
    const sheet = html(
      "div",
      {},
      this.pad.element,
      html(
        "div",
        { class: "row" },
        button("Clear", () => this.pad.clear()),
        button("Undo stroke", () => this.pad.undo()),
      ),
    );
    const sees = html("figure", {}, this.seen, html("figcaption", {}, "what the perceptron sees"));
    const key = "Smooth colour speaks for a digit, hatched colour against it.";
    this.card = card(
      "Draw a digit",
      html("div", { class: "drawing" }, html("div", { class: "sheet" }, sheet, sees), pictures),
      this.say,
      this.sum,
      html("p", { class: "note" }, key),
      this.table.element,
    );
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
  }

  tile(name) {
    const picture = new Smooth(this.story.side, `Weights of ${name}`);
    const bar = svg("rect", { y: 1, height: 8 });
    const zero = svg("line", { x1: 50, y1: 0, x2: 50, y2: 10, class: "zero" });
    const bars = svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, bar, zero);
    const score = html("span", { class: "num" });
    const caption = html("figcaption", {}, html("b", {}, name), score);
    return { picture, bar, score, element: html("figure", { class: "tile" }, picture.element, bars, caption) };
  }

  // Another moment of the run: other weights read the same drawing.
  show(place) {
    this.place = place;
    this.paint();
    this.read();
  }

  paint() {
    const { story, place } = this;
    const size = story.side ** 2;
    this.tiles.forEach(({ picture }, c) => {
      const start = (place * story.classes.length + c) * size;
      picture.show(story.weights.subarray(start, start + size), story.moments[place].largest);
    });
  }

  // Once for each picture of the screen, however fast the pen moves. The end of a stroke is spoken.
  read(ended = false) {
    this.speaks ||= ended;
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(async () => {
      this.waiting = 0;
      const mine = ++this.asked;
      const found = await this.lab.call("drawing", {
        strokes: this.pad.strokes.map(({ ink }) => ink),
        moment: this.place,
      });
      if (mine === this.asked) this.tell(found);
    });
  }

  tell(found) {
    const { classes, side, ink, moments } = this.story;
    const { scores, predicted } = found;
    const largest = Math.max(1, ...scores.map(Math.abs));
    this.found = found;
    this.seen.replaceChildren(written(found.pixels, side, ink, "The drawing as 8 times 8 counts of ink"));
    this.tiles.forEach(({ element, bar, score }, c) => {
      const size = (Math.abs(scores[c]) / largest) * 48;
      bar.setAttribute("x", scores[c] < 0 ? 50 - size : 50);
      bar.setAttribute("width", size);
      bar.setAttribute("class", scores[c] < 0 ? "against" : "for");
      score.textContent = signed(scores[c]);
      element.classList.toggle("leads", c === predicted);
    });
    this.say.textContent = predicted === null ? EMPTY : verdict(classes, scores, predicted);
    this.sum.textContent =
      predicted === null ? "" : sumOf(found, classes[predicted], moments[this.place].bias[predicted]);
    this.table.draw();
    if (this.speaks) this.lab.say(`${this.say.textContent} ${this.sum.textContent}`);
    this.speaks = false;
  }

  lines() {
    if (!this.found) return [];
    const { bias } = this.story.moments[this.place];
    const strokes = this.found.strokes.map((adds, k) => [`stroke ${k + 1}`, ...adds.map(signed)]);
    return [["bias", ...bias.map(signed)], ...strokes, ["score", ...this.found.scores.map(signed)]];
  }
}

function verdict(classes, scores, predicted) {
  const rest = scores.map((score, c) => (c === predicted ? Number.NEGATIVE_INFINITY : score));
  const next = Math.max(...rest);
  const lead = scores[predicted] - next;
  const second = classes[rest.indexOf(next)];
  if (!lead) return `${classes[predicted]} and ${second} have the same score, ${signed(next)}.`;
  return `This looks like a ${classes[predicted]}: score ${signed(scores[predicted])}, ${lead} ahead of ${second}.`;
}

function sumOf({ strokes, scores, predicted }, name, bias) {
  const parts = strokes.map((adds, k) => `stroke ${k + 1} ${signed(adds[predicted])}`);
  return `Score of ${name}: bias ${signed(bias)}, ${parts.join(", ")}, in all ${signed(scores[predicted])}.`;
}
