// Digits: ten weight images while one perceptron learns, and one digit that it never saw, scored before their eyes.

import { card, html } from "./draw.js";
import { Choice } from "./digits_choice.js";
import { Images } from "./digits_images.js";
import { Scores } from "./digits_scores.js";
import { begin, introduce, latest, slider } from "./parts.js";

const TITLE = "Digits: ten weight images, learned from mistakes";
const TEXT =
  "Each class has one weight for each of the 64 pixels, so its weights are an image: where ink speaks for the digit, and where it speaks against it. " +
  "Move through the run to see them grow out of nothing, one mistake after the other; then choose a digit that was kept apart and see what each of its pixels adds.";

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
    const cards = [
      card(
        "The ten images",
        html("div", { class: "slide" }, this.time.range, this.time.shown),
        this.course,
        this.images.element,
        html("p", { class: "note", "data-fact": "run" }, story.words),
      ),
      card("A digit to read", this.choice.element, this.problem, this.verdict, this.scores.element),
    ];
    this.ready = false;
    this.time.set(story.moments.length - 1);
    this.cards = this.choose(story.wrong.at(-1)[0] ?? 0, false).then(() => cards);
  }

  // A digit that the server does not know leaves the chosen one as it is.
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
    this.images.show(place);
    this.choice.mark(place);
    this.course.textContent = `After ${moment.updates} mistakes: ${moment.right} of ${this.story.test} unseen digits right, ${moment.accuracy}.`;
    if (this.digit) {
      const said = this.digit.moments[place];
      this.verdict.textContent = said.words;
      this.scores.show(this.digit, place);
    }
    if (speak && this.ready) this.lab.say(`${moment.name}. ${this.course.textContent}`);
    this.ready = true;
  }
}
