// Digits: ten weight images while one perceptron learns, a digit that the person draws, and those that it never saw.

import { button, card, html } from "./draw.js";
import { Choice } from "./digits_choice.js";
import { Confused } from "./digits_confused.js";
import { Drawing } from "./digits_draw.js";
import { Images } from "./digits_images.js";
import { Scores } from "./digits_scores.js";
import { begin, introduce, latest, slider } from "./parts.js";

const TITLE = "Digits: ten weight images, learned from mistakes";
const TEXT =
  "Each class has one weight for each of the 64 pixels, so its weights are an image: where ink speaks for the digit, and where it speaks against it. " +
  "Draw a digit and see its scores. Press Play to see the images grow out of nothing, one mistake after the other.";
const PACE = 450; // milliseconds from one moment of the run to the next

export function mount(element, lab) {
  const body = introduce(element, TITLE, TEXT);
  return begin(body, lab, "digits", (story) => new Part(lab, story).cards);
}

class Part {
  constructor(lab, story) {
    Object.assign(this, { lab, story, newest: latest(), digit: null });
    this.images = new Images(story);
    this.scores = new Scores(story);
    this.problem = html("div");
    this.choice = new Choice(story, (row) => this.choose(row, true));
    this.verdict = html("p", { class: "say", "data-fact": "verdict" });
    this.course = html("p", { class: "note", "data-fact": "moment" });
    this.time = slider(
      "Moment of the run",
      story.moments.length,
      (place) => story.moments[place].name,
      (place) => this.show(place, true),
    );
    this.drawing = new Drawing(lab, story);
    this.confused = new Confused(story, (row) => this.choose(row, true));
    this.play = button("Play", () => (this.timer ? this.pause() : this.start()));
    this.time.range.addEventListener("pointerdown", () => this.pause());
    const cards = [
      this.drawing.card,
      card(
        "The ten images",
        html("div", { class: "slide" }, this.time.range, this.time.shown),
        html("div", { class: "row" }, this.play),
        this.course,
        this.images.element,
        html("p", { class: "note", "data-fact": "run" }, story.words),
      ),
      card("A digit to read", this.choice.element, this.problem, this.verdict, this.scores.element),
      card(
        "Which digits are mistaken for which",
        this.confused.element,
        html(
          "p",
          { class: "note" },
          "Digits kept apart, at the moment of the run above. Press a number to see one of them.",
        ),
      ),
    ];
    this.ready = false;
    this.time.set(story.moments.length - 1);
    this.cards = this.choose(story.wrong.at(-1)[0] ?? 0, false).then(() => cards);
  }

  // Through the run over the training digits, from its beginning if it is at the end.
  start() {
    const last = this.story.moments.length - 1;
    if (this.time.place === last) this.time.set(0);
    this.play.textContent = "Pause";
    this.timer = setInterval(() => {
      if (this.time.place < last) this.time.set(this.time.place + 1);
      if (this.time.place === last) this.pause();
    }, PACE);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.play.textContent = "Play";
  }

  // A digit that the engine does not know leaves the chosen one as it is.
  async choose(row, speak) {
    try {
      const digit = await this.newest(this.lab.call("digit", { row }));
      if (!digit) return;
      this.lab.problem(this.problem, "");
      this.digit = digit;
      this.choice.take(digit.row);
      this.show(this.time.place, false);
      if (speak) this.lab.say(`Digit ${digit.row + 1}. ${this.verdict.textContent}`);
    } catch (problem) {
      this.choice.restore();
      this.lab.problem(this.problem, problem.message);
    }
  }

  show(place, speak) {
    const moment = this.story.moments[place];
    const mistakes = moment.updates === 1 ? "1 mistake" : `${moment.updates} mistakes`;
    this.images.show(place);
    this.drawing.show(place);
    this.confused.show(place);
    this.choice.mark(place);
    this.course.textContent = `After ${mistakes}: ${moment.right} of ${this.story.test} unseen digits right, ${moment.accuracy}.`;
    if (this.digit) {
      const said = this.digit.moments[place];
      this.verdict.textContent = said.words;
      this.scores.show(this.digit, place);
    }
    if (speak && this.ready && !this.timer) this.lab.say(`${moment.name}. ${this.course.textContent}`);
    this.ready = true;
  }
}
