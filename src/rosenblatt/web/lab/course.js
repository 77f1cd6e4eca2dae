// A run as the engine tells it: weights, scores and bounds at any step. Nothing is computed here but places in lists.
//
// It has the face of the player's Run (classes, features, rows, moment, …), so the player's drawings work on it.

import { lookOf } from "./draw.js";

// What the engine is asked with about points and choices.
export function question({ data, choices }) {
  return { ...data, settings: choices };
}

export class Course {
  constructor(answer, data, choices) {
    Object.assign(this, { answer, data, choices });
    this.question = question({ data, choices });
    this.numbers = Array.from(answer.classes); // the page's numbers of the classes that have points
    this.classes = this.numbers.map((number) => data.classes[number]);
    this.features = answer.features;
    this.bias = choices.bias;
    this.rate = choices.alpha;
    this.margin = choices.margin;
    this.ties = choices.ties;
    this.width = answer.features.length;
    this.vectors = answer.vectors;
    this.size = this.width * answer.vectors;
    this.rows = data.points.map((point) => (choices.bias ? [1, ...point] : point));
    this.place = new Map(Array.from(answer.classes, (number, k) => [number, k]));
    this.truth = data.labels.map((number) => this.place.get(number));
    this.length = answer.n_steps;
    this.updates = answer.n_updates;
    this.passes = answer.passes;
    this.updateSteps = answer.updates.step;
    this.#count(answer.steps);
  }

  // The run in the terms of a line, for proofs, which are about lines.
  get line() {
    return this;
  }

  // How many updates there are in the first so many steps, and where passes end.
  #count({ update, pass }) {
    this.updatesBy = new Int32Array(this.length + 1);
    this.passEnds = [];
    for (let i = 0; i < this.length; i++) {
      this.updatesBy[i + 1] = update[i] < 0 ? this.updatesBy[i] : update[i] + 1;
      if (i + 1 === this.length || pass[i] !== pass[i + 1]) this.passEnds.push(i + 1);
    }
  }

  // The weights of this kind after so many updates: "weights" (those of the run), "averaged" or "pocket".
  weightsAfterUpdates(count, kind = "weights") {
    return this.answer[kind].slice(count * this.size, (count + 1) * this.size);
  }

  // What people call a step. Those of a recorded model have numbers of their own; here every step is there.
  number(step) {
    return step;
  }

  weightsAfter(step) {
    return this.weightsAfterUpdates(this.updatesBy[step]);
  }

  // Averaged weights move at every step; they are told at every update and at the end of the run.
  other(kind, step) {
    return step === this.length ? this.answer.final[kind] : this.weightsAfterUpdates(this.updatesBy[step], kind);
  }

  // Everything about one step; step 0 is the start, where nothing has happened yet.
  moment(step) {
    const { steps, updates, margin_at_most, mistakes, bracket } = this.answer;
    const count = this.updatesBy[step];
    const after = this.weightsAfterUpdates(count);
    const shared = { step, after, updates: count, marginAtMost: margin_at_most[count], mistakes: mistakes[count] };
    shared.low = count === this.updates ? bracket[0] : 0; // known of the last weights alone
    if (step === 0) return { ...shared, before: after, row: -1, rival: -1, pass: 0 };
    const [i, k] = [step - 1, this.vectors];
    const row = steps.row[i];
    const changed = steps.update[i] >= 0;
    const scores = steps.score.slice(i * k, step * k);
    return {
      ...shared,
      row,
      scores,
      features: this.rows[row],
      pass: steps.pass[i],
      truth: this.truth[row],
      predicted: this.place.get(steps.predicted[i]),
      rival: changed ? this.place.get(updates.rival[count - 1]) : -1,
      before: changed ? this.weightsAfterUpdates(count - 1) : after,
      scoresAfter: !changed ? scores : (updates.score_after?.slice((count - 1) * k, count * k) ?? null),
      words: changed ? updates.words[count - 1] : null,
    };
  }

  nextUpdate(step) {
    const count = this.updatesBy[step];
    return count < this.updates ? this.updateSteps[count] : this.length;
  }

  previousUpdate(step) {
    const count = step === 0 ? 0 : this.updatesBy[step - 1];
    return count > 0 ? this.updateSteps[count - 1] : 0;
  }

  nextPass(step) {
    return this.passEnds.find((end) => end > step) ?? this.length;
  }

  previousPass(step) {
    return this.passEnds.findLast((end) => end < step) ?? 0;
  }

  look(place) {
    return lookOf(this.numbers[place]);
  }

  vector(weights, number) {
    return weights.slice(number * this.width, (number + 1) * this.width);
  }
}
