// The state of the bench: points, choices, what is shown, and the step of the run at hand. Everything that changes it
// goes through here, so that undo, the link and the lessons see the same thing. `on(kind, act)` hears of changes:
//   "data" points or classes · "choices" · "show" · "run" a new run (or none) arrived · "settled" · "step" ·
//   "moved" in time · "pick" · "proof" · "vote"
//
// Points that a person edits change at once and the run follows. A whole new set, a link or a choice is tried
// first: if it is refused, the promise fails with the reason and everything stays as it was.

import { Course, question } from "./course.js";
import { CurveCourse } from "./curve_course.js";
import { CHOICES, MOST_POINTS, SHOWN, passesFor } from "./defaults.js";
import { Edits } from "./edits.js";
import { History } from "./history.js";

const SETTLE = 160; // milliseconds without a change, before slower questions are asked

export class State extends Edits {
  constructor(call) {
    super();
    this.call = call;
    this.now = {
      data: { points: [], labels: [], classes: ["-1", "1"], features: ["x1", "x2"] },
      choices: { ...CHOICES },
      window: null,
    };
    this.show = { ...SHOWN };
    this.step = 0;
    this.reached = 0; // the furthest step of the run at hand that was seen
    this.picked = -1;
    this.course = null;
    this.proof = null;
    this.history = new History();
    this.version = 0;
    this.trying = 0; // questions about wholesale changes that are not answered yet
  }

  // Whether the run at hand is of other points or choices than those at hand: its answer is awaited.
  get outdated() {
    return this.course !== null && (this.course.data !== this.data || this.course.choices !== this.choices);
  }

  bench() {
    return { ...this.now, show: this.show, step: this.step };
  }

  // --- Wholesale changes: tried first, kept only if they can be run.

  // Another set of points. `more` may hold start, passes and other choices.
  async setPoints(points, labels, { classes = ["-1", "1"], features = ["x1", "x2"], step = 0, ...more } = {}) {
    if (points.length > MOST_POINTS)
      throw new Error(`there are ${points.length} points; at most ${MOST_POINTS} can be shown.`);
    const kept = { ...this.choices, start: null, passes: passesFor(points.length), ...more };
    await this.#try({ data: { points, labels, classes, features }, choices: kept, window: null }, () => step);
  }

  // `again` for the further moves of one gesture, which is one undo.
  async setChoices(some, again = false) {
    const end = this.course && this.step === this.course.length;
    const now = { ...this.now, choices: { ...this.choices, ...some } };
    await this.#try(now, (course) => (end ? course.length : this.step), again);
  }

  // What `bench()` gave, or a link.
  async restore(bench) {
    const { show, step, ...now } = bench;
    await this.#try(now, () => step);
    this.setShow(show);
  }

  async #try(now, stepOf, again = false) {
    const version = ++this.version;
    let answer = null;
    this.trying++;
    try {
      answer = await this.call("run", question(now));
    } catch (problem) {
      // While the points themselves cannot be run, choices cannot be judged; they are kept for later.
      if (this.course || now.data !== this.data || version !== this.version) throw problem;
      this.#leave(now);
      this.tell("choices");
      return;
    } finally {
      this.trying--;
    }
    if (version !== this.version) return;
    const changed = now.data !== this.data;
    this.#leave(now, again);
    this.#arrive(answer, stepOf, changed);
  }

  #leave(now, again = false) {
    if (this.data.points.length && !again) this.history.leave(this.now);
    this.now = now;
  }

  #arrive(answer, stepOf, changed) {
    if (answer.rounded) this.#round(answer.rounded);
    this.course = new (answer.kernel ? CurveCourse : Course)(answer, this.data, this.choices);
    this.step = Math.max(0, Math.min(this.course.length, stepOf(this.course)));
    this.reached = this.step;
    this.proof = this.votedRight = null;
    if (changed) this.picked = -1;
    this.trouble = null;
    this.tell(...(changed || answer.rounded ? ["data", "pick"] : []), "choices", "run", "step");
    this.#settle();
  }

  // The run is of points and choices on a grid (engine/bench.js): what that changed is changed here too.
  #round({ points, settings }) {
    const all = this.data.points.slice();
    for (const [row, place] of points) all[row] = place;
    const data = points.length ? { ...this.data, points: all } : this.data;
    this.now = { ...this.now, data, choices: { ...this.choices, ...settings } };
  }

  // --- Back and forth.

  undo() {
    return this.#travel(this.history.undo(this.now));
  }

  redo() {
    return this.#travel(this.history.redo(this.now));
  }

  #travel(now) {
    if (!now) return false;
    this.now = now;
    this.picked = -1;
    this.tell("data", "pick", "choices");
    this.follow();
    return true;
  }

  // Asks for the run of the points as they are now; what was proved was of others. While one answer is awaited, only the
  // latest question waits.
  async follow() {
    this.version++;
    this.proof = null;
    this.tell("proof");
    if (this.following) return;
    this.following = true;
    let answered = -1;
    while (answered !== this.version) {
      answered = this.version;
      const end = !this.course || this.step === this.course.length;
      try {
        const answer = await this.call("run", this.question());
        if (answered === this.version) this.#arrive(answer, (course) => (end ? course.length : this.step), false);
      } catch (problem) {
        if (answered === this.version) this.#fail(problem);
      }
    }
    this.following = false;
  }

  #fail(problem) {
    this.course = null;
    this.proof = null;
    this.trouble = problem.message;
    this.tell("run", "step");
    this.#settle();
  }

  // Slower questions (the proof, the regions of the vote) wait until nothing has changed for a moment.
  #settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.tell("settled"), SETTLE);
  }

  setProof(proof) {
    this.proof = proof;
    this.tell("proof");
  }

  // How many points the vote gets right.
  setVoted(right) {
    this.votedRight = right;
    this.tell("vote");
  }

  // --- Time and what is shown.

  goTo(step) {
    const to = !this.course ? this.step : Math.max(0, Math.min(this.course.length, Math.round(step)));
    if (to === this.step) return;
    this.step = to;
    this.reached = Math.max(this.reached, to);
    this.tell("step", "moved");
  }

  goToMistake(number) {
    if (!this.course?.updates) return;
    const n = Math.max(1, Math.min(this.course.updates, Math.round(number)));
    this.goTo(this.course.updateSteps[n - 1]);
  }

  setShow(some) {
    this.show = { ...this.show, ...some };
    this.tell("show");
  }

  moment() {
    return this.course?.moment(this.step) ?? null;
  }
}
