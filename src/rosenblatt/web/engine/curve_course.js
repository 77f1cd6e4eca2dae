// The run of a bench under a kernel, with what the page may ask about it: scores and classes of any place, and votes.

import { Course } from "./course.js";
import { countsAfter, CurveRows, supportOf } from "./curve.js";
import { Problem } from "./problem.js";
import { bestOther, decide } from "./rows.js";

export const NO_WEIGHTS =
  "A curve has no weights, and this is made of weights. Choose “line” beside the plane to see it.";

export class CurveCourse extends Course {
  makeRows({ points, codes, classes, kernel }) {
    return new CurveRows(points, codes, classes.length, kernel);
  }

  // There are none; what was to be made of them is refused.
  get raw() {
    throw new Problem(NO_WEIGHTS);
  }

  // The points that the first so many updates were on, or all updates.
  support(updates = this.run.steps.length) {
    return supportOf(this.run.updated, updates);
  }

  // What each point counts in the scores of the whole list, or in their mean.
  weights(variant, updates = this.run.steps.length) {
    const { run, rows } = this;
    const all = updates >= run.steps.length;
    const steps = all ? run.visited.length : (run.steps[updates - 1] ?? 0) + 1;
    return countsAfter(rows, run, updates, variant === "averaged" ? steps : 0);
  }

  // The scores of a place: a sum over the support points in the order of their first update.
  scores(place, counts) {
    const { vectors, n } = this.rows;
    const values = this.rows.beside(place);
    const scores = Array.from({ length: vectors }, () => 0);
    for (const row of this.support()) {
      for (let v = 0; v < vectors; v++) {
        const factor = counts[v * n + row];
        if (factor !== 0) scores[v] += factor * values[row];
      }
    }
    return scores;
  }

  decide(places, variant, updates = this.run.steps.length) {
    const { ties } = this.bench;
    if (variant === "voted") return places.map((place) => decide(this.votes(this.rows.beside(place)), ties));
    const counts = this.weights(variant, updates ?? this.run.steps.length);
    return places.map((place) => decide(this.scores(place, counts), ties));
  }

  // The share of votes of a place whose kernel with each point is given: for + less for − with two classes, otherwise of
  // each. Every state of the run votes as often as it lasted.
  votes(values) {
    const { run, rows, bench, chapter } = this;
    const last = bench.ties === "positive";
    const scores = Array.from({ length: rows.vectors }, () => 0);
    const total = scores.slice();
    chapter.survived.forEach((survived, v) => {
      if (v) {
        const [row, rival] = [run.updated[v - 1], run.rivals[v - 1]];
        if (rows.vectors === 1) scores[0] += rival === 0 ? values[row] : -values[row];
        else {
          scores[rows.truth[row]] += values[row];
          scores[rival] -= values[row];
        }
      }
      if (rows.vectors === 1) total[0] += survived * (Math.sign(scores[0]) || (last ? 1 : -1));
      else total[bestOther(scores, -1, last)] += survived;
    });
    return total.map((votes) => votes / run.visited.length);
  }

  // How many points are right: a tie is so only where the tie rule says so.
  right(variant) {
    const { codes, ties } = this.bench;
    const all = variant === "voted" ? null : this.#ofPoints(this.weights(variant));
    return Array.from(codes).filter((own, i) => {
      const scores = all ? all.map((line) => line[i]) : this.votes(this.rows.valuesOf(i));
      const best = Math.max(...scores);
      const tied = scores.length === 1 ? scores[0] === 0 : scores.filter((score) => score === best).length > 1;
      return !(tied && ties === "mistake") && decide(scores, ties) === own;
    }).length;
  }

  // The scores of all points, a line for each vector: as `scores` has them of one place.
  #ofPoints(counts) {
    const { vectors, n } = this.rows;
    const found = Array.from({ length: vectors }, () => new Float64Array(n));
    for (const row of this.support()) {
      const values = this.rows.valuesOf(row);
      found.forEach((line, v) => {
        const factor = counts[v * n + row];
        if (factor !== 0) for (let i = 0; i < n; i++) line[i] += factor * values[i];
      });
    }
    return found;
  }
}
