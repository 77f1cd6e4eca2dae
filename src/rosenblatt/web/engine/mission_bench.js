// What checks of missions on the plane share: the run of the usual rule, and which points were changed.

import { run } from "./answer.js";
import { Problem } from "./problem.js";
import { number } from "./wanted.js";

const PLAIN = { ties: "mistake", bias: true, alpha: 1, margin: 0, order: "given", start: null };

// A number that was typed.
export function typed(label, value, low, high) {
  if (value === null || value === undefined || value === "") throw new Problem(`type a number for ${label}.`);
  return number(label, value, low, high);
}

export const told = (done, said) => ({ done, said });

// The points that lie on the bench; a mission is about two classes.
export function laid({ bench }) {
  if (!bench || !Array.isArray(bench.points)) throw new Problem("there are no points on the plane.");
  return bench;
}

// A run over points by the usual rule from 0, whatever else was chosen on the page.
export function usual({ points, labels }, more = {}) {
  return run({ points, labels, settings: { ...PLAIN, ...more } });
}

export function allRight({ points, labels }, [bias, ...weights]) {
  const score = (point) => point.reduce((sum, x, j) => sum + x * weights[j], bias);
  return points.filter((point, i) => (labels[i] ? score(point) > 0 : score(point) < 0)).length;
}

const key = (bench, i) => `${bench.points[i].join()} ${bench.labels[i]}`;

// Points of one bench that are not in the other, each counted as often as it lies there.
export function changed(bench, before) {
  const left = before.points.map((_, i) => key(before, i));
  return bench.points.filter((_, i) => {
    const at = left.indexOf(key(bench, i));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  }).length;
}
