// The run of a bench, with everything the page may ask about it: each moment, each kind of weights.

import { countRight, decide, givenScore, Look, makeRows, rule } from "./rows.js";
import { learn } from "./run.js";
import { averagedOf, pocketsOf, weightsOf } from "./variants.js";
import { chapterOf, votesAt } from "./votes.js";

export const MOST_STEPS = 100_000;
export const MOST_UPDATES = 10_000;
const AT_ONCE = 5_000; // steps between looks at how many updates there are

// A bench and its run. Weights here are unscaled; `shown` makes them what people see.
export class Course {
  constructor(bench) {
    const { points, passes } = bench;
    const n = points.length;
    this.bench = bench;
    this.rows = this.makeRows(bench);
    const limits = {
      passes: Math.max(1, Math.floor(MOST_STEPS / n)),
      updates: MOST_UPDATES,
      every: Math.max(1, Math.floor(AT_ONCE / n)),
    };
    this.run = learn(this.rows, bench, limits);
    // Whether the lab's limits ended the run, not the person's.
    const asked = this.run.chosen ? this.run.steps.length >= passes * n : this.run.passes >= passes;
    this.limited = this.run.stopped === "limit" && !asked;
    this.kept = new Map();
  }

  makeRows({ points, codes, classes, bias }) {
    return makeRows(points, codes, classes.length, bias);
  }

  #once(name, make) {
    if (!this.kept.has(name)) this.kept.set(name, make(this));
    return this.kept.get(name);
  }

  // The weights before each update and after the last, one after the other.
  get raw() {
    return this.#once("raw", weightsOf);
  }

  // The average of the weights after every step so far: at the start, and at each update just after it.
  get averaged() {
    return this.#once("averaged", averagedOf);
  }

  // What is in the pocket at the start, after each update and at the end: as weights of which update.
  get pockets() {
    return this.#once("pockets", pocketsOf);
  }

  // All weights of the run, to vote.
  get chapter() {
    return this.#once("chapter", chapterOf);
  }

  rawAfter(updates) {
    return this.raw.subarray(updates * this.rows.size, (updates + 1) * this.rows.size);
  }

  // Final, averaged or pocket weights after so many updates, or at the end of the run.
  weights(variant, updates = null) {
    const { size } = this.rows;
    const { run } = this;
    const all = updates === null || updates >= run.steps.length;
    if (variant === "pocket") return this.rawAfter(this.pockets[all ? run.steps.length + 1 : updates]);
    if (variant === "final") return all ? run.weights : this.rawAfter(updates);
    if (!all) return this.averaged.among.subarray(updates * size, (updates + 1) * size);
    return this.averaged.end;
  }

  shown(weights) {
    return this.run.scale === 1 ? weights : weights.map((w) => w * this.run.scale);
  }

  // The scores of a place under weights, one for two classes and otherwise one for each.
  scores(place, weights) {
    const { vectors, width, bias } = this.rows;
    return Array.from({ length: vectors }, (_, v) => givenScore(weights, v * width, place, bias));
  }

  // For each place the number of its class among those in use.
  decide(places, variant, updates = null) {
    const { ties } = this.bench;
    if (variant === "voted") return votesAt(this, places).map((votes) => decide(votes, ties));
    const weights = this.weights(variant, updates);
    return places.map((place) => decide(this.scores(place, weights), ties));
  }

  // How many points these weights get right; a tie is right only where the tie rule says so.
  right(variant) {
    return this.#once(`right ${variant}`, () => {
      const { points, codes, ties } = this.bench;
      if (variant !== "voted") return countRight(this.rows, this.weights(variant), rule(ties));
      return this.decide(points, "voted").filter((code, i) => code === codes[i]).length;
    });
  }

  look(weights, by = rule(this.bench.ties)) {
    return new Look(this.rows, weights, by);
  }
}
