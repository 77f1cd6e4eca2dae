// The mission at hand: what is asked, what is typed or chosen, hints one by one, whether it is solved, and what was learned.

import { written } from "./digits_images.js";
import { button, field, html } from "./draw.js";
import { lay, onColumns, paragraphs, standBeside, table } from "./lesson_kit.js";
import { readNumber } from "./lesson_question.js";
import { starred } from "./mission_progress.js";

const SIGNS = ["−1", "+1"];

export class MissionCard {
  constructor(lab, progress, { leave, next, solved }) {
    Object.assign(this, { lab, progress, leave, next, solved });
    this.name = html("h3", { id: "mission-name" });
    this.title = html("h4", { tabindex: "-1" });
    this.body = html("div", { class: "lesson-body" });
    this.feedback = html("div", { class: "feedback", role: "status" });
    this.check = html("button", { type: "submit", class: "main" }, "Check");
    this.hint = button("", () => this.showHint());
    this.again = button("Reset the points", () => this.set());
    this.onward = button("Next mission ▶", () => this.next(), { class: "main" });
    this.form = html(
      "form",
      { novalidate: "" },
      this.body,
      html("div", { class: "row" }, this.check, this.hint, this.again),
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.judge();
    });
    this.form.addEventListener("input", () => {
      this.forget();
      this.draw();
    });
    for (const kind of ["data", "choices"]) lab.state.on(kind, () => this.forget());
    const out = button("Leave", () => this.leave(), { "aria-label": "Leave the mission" });
    this.element = html(
      "section",
      { class: "card lesson mission", "aria-labelledby": "mission-name" },
      html("div", { class: "row apart" }, this.name, out),
      this.title,
      this.form,
      this.feedback,
      this.onward,
    );
    onColumns(() => this.mission?.bench && standBeside(this.element, "bench"));
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.leave();
    });
  }

  async open(mission, number, total) {
    this.mission = mission;
    this.name.textContent = `Mission ${number} of ${total}`;
    this.onward.textContent = number < total ? "Next mission ▶" : "All missions";
    this.judged = null;
    this.title.textContent = mission.title;
    this.inputs = new Map();
    const parts = [
      ...paragraphs(mission.asks),
      mission.quote && html("blockquote", {}, mission.quote),
      mission.table && table(mission.table.name, mission.table.head, mission.table.lines),
      mission.pictures && this.pictures(mission.pictures),
      mission.fields.length && html("div", { class: "row" }, ...mission.fields.map((one) => this.field(one))),
    ];
    this.hints = html("ul", { class: "hints" });
    this.body.replaceChildren(...parts.filter(Boolean), this.hints);
    this.feedback.replaceChildren();
    this.onward.hidden = true;
    this.again.hidden = !mission.bench;
    this.tellHints();
    this.lab.tabs.show(mission.bench ? "bench" : "missions");
    standBeside(this.element, mission.bench ? "bench" : "missions");
    this.title.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "start", behavior: "auto" });
    await this.set();
  }

  close() {
    this.mission = null;
    this.element.remove();
  }

  field({ name, label, kind }) {
    const attributes = kind === "text" ? { type: "text" } : { class: "figure", inputmode: "decimal" };
    const input = html("input", { ...attributes, autocomplete: "off", spellcheck: "false" });
    this.inputs.set(name, () => (kind === "text" ? input.value : readNumber(input.value)));
    return field(label, input);
  }

  pictures({ side, ink, each }) {
    const boxes = each.map((_, i) => html("input", { type: "radio", name: "mission-picture", value: i }));
    const figures = each.map(({ pixels, label }, i) =>
      html("label", { class: "labelled" }, written(pixels, side, ink, `Digit ${i + 1}`), boxes[i], ` “${label}”`),
    );
    this.inputs.set("picture", () => boxes.find((box) => box.checked)?.value ?? "");
    return html("div", { class: "labelled-digits" }, ...figures);
  }

  given() {
    const fields = Object.fromEntries(Array.from(this.inputs, ([name, read]) => [name, read()]));
    return { name: this.mission.name, fields, bench: this.mission.bench ? this.lab.state.question() : null };
  }

  // The points of the mission on the plane.
  async set() {
    const { bench } = this.mission;
    if (!bench) return;
    const { points, labels, settings = {}, step = 0 } = bench;
    await lay(this.lab, { points, labels, classes: SIGNS, features: ["x1", "x2"], settings }, step);
    this.draw();
  }

  // Weights that are typed are drawn at once, as the start of a run.
  async draw() {
    if (!this.mission?.draws) return;
    const start = Array.from(this.inputs.values(), (read) => read());
    if (start.some((value) => value === null)) return;
    try {
      await this.lab.state.setChoices({ start }, true);
      this.lab.state.goTo(0);
    } catch {
      // what cannot be drawn is told by Check
    }
  }

  // What was said of other points, choices or words is gone as soon as they are.
  forget() {
    if (this.judged && this.mission && this.judged !== JSON.stringify(this.given())) {
      this.judged = null;
      this.feedback.replaceChildren();
    }
  }

  async judge() {
    const { mission } = this;
    let found;
    this.judged = null;
    try {
      found = await this.lab.call("mission_check", this.given());
    } catch (problem) {
      found = { done: false, said: problem.message[0].toUpperCase() + problem.message.slice(1) };
    }
    if (this.mission !== mission) return; // the person is faster
    this.judged = JSON.stringify(this.given());
    if (!found.done) {
      this.feedback.replaceChildren(html("p", {}, html("b", { class: "bad" }, "Not yet. "), found.said));
      return;
    }
    const best = this.progress.solve(mission.name);
    const stars = html("span", { role: "img", "aria-label": `${best} of 3 stars` }, starred(best));
    this.feedback.replaceChildren(
      html("p", { class: "good" }, "✓ Solved. ", stars),
      html("p", {}, found.said),
      html("p", {}, html("b", {}, "What you learned. "), mission.learned),
    );
    this.judged = null; // what is solved stays so
    this.tellHints();
    if (mission.bench && !mission.fields.length) this.lab.state.goTo(this.lab.state.course.length);
    this.onward.hidden = false;
    this.onward.focus({ preventScroll: true });
    this.solved();
  }

  showHint() {
    this.progress.seeHint(this.mission.name);
    this.tellHints();
  }

  tellHints() {
    const { hints, name } = this.mission;
    const seen = Math.min(this.progress.hints(name), hints.length);
    this.hints.replaceChildren(...hints.slice(0, seen).map((hint) => html("li", {}, html("b", {}, "Hint. "), hint)));
    this.hint.hidden = seen === hints.length;
    const price = this.progress.stars(name) ? "" : ", a star less"; // stars that were earned stay
    this.hint.textContent = `Hint (${seen + 1} of ${hints.length}${price})`;
  }
}
