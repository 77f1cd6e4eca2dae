// A run as data: the weights at any step, recomputed from the rows and the list of updates.
//
// Additions are done in the order of the run and in the same 64-bit arithmetic, so weights agree with the trace to the
// bit (with a rate other than 1 from a start that is not 0, to the last digits). As in the engine, a rate scales a run
// that starts at 0 as a whole. Weights are kept every so many updates only: the way to any step is at most one such
// stretch long.

import { lookOf } from "../elements.js";
import { MOST_SHOWN } from "../engine/numerals.js";

const CHECKPOINT = 256;
const MOST_KEPT = 4e6; // numbers, in all checkpoints together

export class Run {
  constructor(data) {
    this.recorded = data.kind === "rosenblatt recorded run"; // its steps are the updates of a longer run
    if ((data.kind !== "rosenblatt trace" && !this.recorded) || data.version !== 1) {
      throw new Error(`this player reads rosenblatt traces of version 1; got ${data.kind} ${data.version}.`);
    }
    Object.assign(this, { classes: data.classes, features: data.features, rows: data.rows, truth: data.truth });
    this.numbers = data.numbers ?? data.classes.map((_, place) => place); // as which the classes are drawn
    this.ties = data.ties;
    this.origins = data.origins ?? null; // where each row came from
    this.margin = data.margin ?? 0;
    this.rate = data.rate ?? 1;
    this.seed = data.seed ?? null; // of a shuffled order
    this.order = data.order ?? ""; // how rows were chosen one by one
    this.why = data.why ?? ""; // why the run stopped, in words
    this.losses = data.losses ?? null; // at the start and after each pass
    this.runSteps = data.run_steps ?? 0;
    this.bias = data.bias ?? data.features[0] === "bias";
    this.width = data.features.length;
    this.wide = this.recorded && this.width > MOST_SHOWN; // words, pixels: names say more than the first numbers
    this.vectors = data.classes.length === 2 ? 1 : data.classes.length;
    this.start = Float64Array.from(data.start.flat());
    this.scale = this.start.some((w) => w !== 0) ? 1 : this.rate;
    this.#readSteps(data.steps);
    this.#keepCheckpoints();
  }

  // Steps come as a list of records (Trace.to_json) or as columns (the file that Trace.to_html writes).
  #readSteps(steps) {
    const column = (name) => (Array.isArray(steps) ? steps.map((step) => step[name]) : steps[name]);
    this.passOf = Int32Array.from(column("pass"));
    this.rowOf = Int32Array.from(column("row"));
    this.rivalOf = Int32Array.from(column("rival"), (rival) => rival ?? -1);
    this.length = this.rowOf.length;
    this.numberOf = this.recorded ? column("step") : null;
    this.updatesBy = new Int32Array(this.length + 1); // updates in the first so many steps
    for (let i = 0; i < this.length; i++) this.updatesBy[i + 1] = this.updatesBy[i] + (this.rivalOf[i] >= 0 ? 1 : 0);
    this.updates = this.updatesBy[this.length];
    this.updateSteps = new Int32Array(this.updates); // counted from 1, as everywhere
    for (let i = 0, u = 0; i < this.length; i++) if (this.rivalOf[i] >= 0) this.updateSteps[u++] = i + 1;
  }

  #keepCheckpoints() {
    this.stretch = Math.max(CHECKPOINT, Math.ceil((this.updates * this.start.length) / MOST_KEPT));
    this.kept = [this.start];
    const weights = this.start.slice();
    for (let u = 0; u < this.updates; u++) {
      this.#add(u, weights);
      if ((u + 1) % this.stretch === 0) this.kept.push(weights.slice());
    }
    this.final = this.#scaled(weights);
  }

  #scaled(weights) {
    return this.scale === 1 ? weights : weights.map((w) => w * this.scale);
  }

  #add(update, weights) {
    const i = this.updateSteps[update] - 1;
    const row = this.rows[this.rowOf[i]];
    const truth = this.truth[this.rowOf[i]];
    const amount = this.rate / this.scale;
    if (this.vectors === 1) {
      for (let j = 0; j < row.length; j++) weights[j] += truth === 1 ? amount * row[j] : -amount * row[j];
      return;
    }
    const reward = truth * this.width;
    const punish = this.rivalOf[i] * this.width;
    for (let j = 0; j < row.length; j++) {
      weights[reward + j] += amount * row[j];
      weights[punish + j] -= amount * row[j];
    }
  }

  // What a step is called: in a recorded run not its place among the updates, but among all steps.
  number(step) {
    return this.numberOf && step > 0 ? (this.numberOf[step - 1] ?? this.runSteps + 1) : step;
  }

  weightsAfter(step) {
    return this.weightsAfterUpdates(this.updatesBy[step]);
  }

  weightsAfterUpdates(count) {
    const nearest = Math.floor(count / this.stretch);
    const weights = this.kept[nearest].slice();
    for (let u = nearest * this.stretch; u < count; u++) this.#add(u, weights);
    return this.#scaled(weights);
  }

  scores(weights, row) {
    const found = new Float64Array(this.vectors);
    for (let c = 0; c < this.vectors; c++) {
      for (let j = 0; j < this.width; j++) found[c] += weights[c * this.width + j] * row[j];
    }
    return found;
  }

  // No separator has a larger margin than this: |w - start| over the number of updates and their rate.
  marginAtMost(weights, updates) {
    let square = 0;
    for (let j = 0; j < weights.length; j++) square += (weights[j] - this.start[j]) ** 2;
    return updates ? Math.sqrt(square) / (updates * this.rate) : Infinity;
  }

  // Everything about one step; step 0 is the start, where nothing has happened yet.
  moment(step) {
    const after = this.weightsAfter(step);
    const updates = this.updatesBy[step];
    const shared = { step, after, updates, marginAtMost: this.marginAtMost(after, updates) };
    if (step === 0) return { ...shared, before: after, row: -1, rival: -1, pass: 0 };
    const row = this.rowOf[step - 1];
    const rival = this.rivalOf[step - 1];
    const before = rival < 0 ? after : this.weightsAfter(step - 1);
    const features = this.rows[row];
    return {
      ...shared,
      before,
      row,
      rival,
      features,
      pass: this.passOf[step - 1],
      truth: this.truth[row],
      scores: this.scores(before, features),
      scoresAfter: this.scores(after, features),
    };
  }

  // Passes that are over at this step.
  passesBy(step) {
    if (step === 0) return 0;
    return this.passOf[step - 1] - (step < this.length && this.passOf[step] === this.passOf[step - 1] ? 1 : 0);
  }

  // The nearest step with an update after (or before) this one; the ends of the run where there is none.
  nextUpdate(step) {
    const u = this.updatesBy[step];
    return u < this.updates ? this.updateSteps[u] : this.length;
  }

  previousUpdate(step) {
    const u = step === 0 ? 0 : this.updatesBy[step - 1];
    return u > 0 ? this.updateSteps[u - 1] : 0;
  }

  // The shape and colour of a class.
  look(place) {
    return lookOf(this.numbers[place]);
  }

  vector(weights, number) {
    return weights.subarray(number * this.width, (number + 1) * this.width);
  }
}
