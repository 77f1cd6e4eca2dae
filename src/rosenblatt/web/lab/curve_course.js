// A run under a kernel as the engine tells it. In the place of weights it has what each point counts; `texts` say its
// steps in the words of the step table.

import { countsAfter, supportOf } from "../engine/curve.js";
import { courseOf } from "../engine/latest.js";
import { stepWords } from "../engine/words.js";
import { Course } from "./course.js";

const MOST_NAMED = 6; // support points in a line of the table

export class CurveCourse extends Course {
  #replay = { made: 0, scores: null };

  constructor(answer, data, choices) {
    super(answer, data, choices);
    const { row, rival, step } = answer.updates;
    this.kernel = answer.kernel;
    this.bias = false;
    this.rate = 1;
    this.rows = data.points;
    this.curve = courseOf(this.question).rows; // with the kernels that the engine has computed
    this.list = {
      updated: row,
      rivals: Array.from(rival, (number) => this.place.get(number)),
      steps: step.map((number) => number - 1),
    };
    this.texts = textsOf(this);
  }

  // Kernels do not touch what a line would have: a bias, if it is chosen, and a weight for each feature.
  get line() {
    const { bias } = this.choices;
    const features = bias ? ["bias", ...this.features] : this.features;
    return Object.assign(Object.create(Course.prototype), this, { bias, features, width: features.length });
  }

  weightsAfterUpdates(count) {
    return countsAfter(this.curve, this.list, count);
  }

  // What points count in the mean of all scores so far.
  other(_, step) {
    return countsAfter(this.curve, this.list, this.updatesBy[step], step);
  }

  supportAfter(count) {
    return supportOf(this.list.updated, count);
  }

  // The scores of every point after so many updates, in the order of the list: as the engine finds them.
  scoresAfter(count) {
    const { curve, list } = this;
    if (!this.#replay.scores || count < this.#replay.made) {
      this.#replay = { made: 0, scores: new Float64Array(curve.size) };
    }
    const { scores } = this.#replay;
    for (let u = this.#replay.made; u < count; u++) curve.apply(list.updated[u], list.rivals[u], 1, scores);
    this.#replay.made = count;
    return scores;
  }
}

function textsOf(course) {
  const told = (step) => stepWords(courseOf(course.question), step - 1);
  return {
    head: ["step", "support points", "score", "correct?", "update"],
    weightsText: (_, counts) => named(counts, course.curve),
    arithmetic: (_, moment) => told(moment.step).arithmetic,
    update: (_, moment) => told(moment.step).change,
  };
}

// "3: 1, 5, 8"
function named(counts, { n }) {
  const found = new Set();
  counts.forEach((count, k) => count && found.add(k % n));
  const rows = [...found].sort((a, b) => a - b);
  const more = rows.length > MOST_NAMED ? ", …" : "";
  const first = rows.slice(0, MOST_NAMED).map((row) => row + 1);
  return rows.length ? `${rows.length}: ${first.join(", ")}${more}` : "none";
}
