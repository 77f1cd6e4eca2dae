// Choosing a digit: a page of small images that arrow keys go through, a field for its number, and the next wrong one.

import { button, field, html } from "./draw.js";
import { written } from "./digits_images.js";

const AT_ONCE = 24;

export class Choice {
  constructor(story, choose) {
    Object.assign(this, { story, row: 0, aim: null, place: story.moments.length - 1 });
    this.choose = (row) => {
      this.aim = row; // keys pressed while an answer is on its way add up
      choose(row);
    };
    const step = (by) => this.choose(this.next(by));
    this.grid = html("div", { class: "thumbs", role: "radiogroup", "aria-label": "Digits kept apart" });
    this.number = html("input", { type: "text", inputmode: "numeric", size: 4, class: "num", autocomplete: "off" });
    this.number.addEventListener("change", () => this.choose(this.wanted()));
    this.grid.addEventListener("keydown", (event) => this.move(event));
    const bar = html(
      "div",
      { class: "row" },
      field(`Digit 1 to ${story.test}`, this.number),
      button("Previous", () => step(-1)),
      button("Next", () => step(1)),
      button("Next wrong one", () => this.choose(this.nextWrong())),
    );
    this.element = html("div", {}, bar, this.grid);
  }

  // The number of the row that is typed; what is no number goes to the server as it is, which says what it wants.
  wanted() {
    const typed = this.number.value.trim();
    return /^-?\d{1,9}$/.test(typed) ? Number(typed) - 1 : typed;
  }

  next(by) {
    const { test } = this.story;
    return ((this.aim ?? this.row) + by + test) % test;
  }

  nextWrong() {
    const wrong = this.story.wrong[this.place];
    return wrong.find((row) => row > this.row) ?? wrong[0] ?? this.row;
  }

  move(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.follow = true;
    this.choose(this.next(by));
  }

  restore() {
    this.aim = null;
    this.number.value = String(this.row + 1);
  }

  take(row) {
    const page = Math.floor(row / AT_ONCE);
    this.row = row;
    if (page !== this.page) this.turn(page);
    this.restore();
    for (const thumb of this.grid.children) {
      const chosen = Number(thumb.dataset.row) === row;
      thumb.setAttribute("aria-checked", chosen);
      thumb.tabIndex = chosen ? 0 : -1;
      if (chosen && this.follow) thumb.focus();
    }
    this.follow = false;
  }

  turn(page) {
    const { story } = this;
    const size = story.side * story.side;
    this.page = page;
    const rows = Array.from({ length: Math.min(AT_ONCE, story.test - page * AT_ONCE) }, (_, i) => page * AT_ONCE + i);
    this.grid.replaceChildren(
      ...rows.map((row) => {
        const image = written(story.images.subarray(row * size, (row + 1) * size), story.side, story.ink);
        const thumb = button("", () => this.choose(row), { class: "thumb", role: "radio", "data-row": row });
        thumb.append(image);
        return thumb;
      }),
    );
    this.mark(this.place);
  }

  // Wrong ones have a cross in the corner, at the moment of the run that is shown.
  mark(place) {
    this.place = place;
    const wrong = new Set(this.story.wrong[place]);
    for (const thumb of this.grid.children) {
      const row = Number(thumb.dataset.row);
      thumb.classList.toggle("wrong", wrong.has(row));
      const name = this.story.classes[this.story.truth[row]];
      thumb.setAttribute("aria-label", `Digit ${row + 1}, a ${name}, ${wrong.has(row) ? "read wrong" : "read right"}`);
    }
  }
}
