// Points under a kernel. No weights exist: the score of a point is a sum over the updates so far, in their order, of the
// kernel with the point updated on (reference/kernel.py). Every point keeps its scores, so only an update costs anything.
//
// Instead of weights there is a count for each point and line of scores: how often it was added, less how often taken
// away. Points with a count are the support points; the curve is made of them alone.

import { checkSize, kernelOf } from "./kernels.js";
import { Look, squares } from "./rows.js";

// Two classes have one line of scores, that of the second; more have one for each.
export class CurveRows {
  #values = new Map();

  constructor(points, codes, classes, kernel) {
    const vectors = classes === 2 ? 1 : classes;
    Object.assign(this, { points, truth: codes, classes, vectors, kernel, n: points.length, bias: false });
    this.size = vectors * points.length;
    this.squares = points.map(squares);
    this.value = kernelOf(kernel);
    checkSize(kernel, Math.max(...this.squares));
  }

  // The kernel of any place with each point.
  beside(place) {
    const own = squares(place);
    return Float64Array.from(this.points, (point, j) => this.value(product(place, point), own, this.squares[j]));
  }

  // The kernel of point i with each point; kept, since points are updated on again and again.
  valuesOf(i) {
    if (!this.#values.has(i)) this.#values.set(i, this.beside(this.points[i]));
    return this.#values.get(i);
  }

  // Adds a multiple of the kernel of point i to the scores of every point, for its class and against the rival.
  apply(i, rival, amount, scores) {
    const { n, truth, vectors } = this;
    const values = this.valuesOf(i);
    if (vectors === 1) {
      const signed = rival === 0 ? amount : -amount;
      for (let r = 0; r < n; r++) scores[r] += signed * values[r];
      return;
    }
    const [gains, loses] = [truth[i] * n, rival * n];
    for (let r = 0; r < n; r++) {
      const part = amount * values[r];
      scores[gains + r] += part;
      scores[loses + r] -= part;
    }
  }
}

function product(x, z) {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += x[j] * z[j];
  return sum;
}

// Looks at points whose scores are kept. `state` is what comes back when a run goes round.
export class CurveLook extends Look {
  constructor(rows, weights, by) {
    super(rows, weights, by);
    this.state = new Float64Array(rows.size);
  }

  score(i, v) {
    return this.state[v * this.rows.n + i];
  }

  learn(i, amount) {
    this.rows.apply(i, this.rival, amount, this.state);
    count(this.rows, i, this.rival, amount, this.weights);
  }
}

// Adds an amount to the counts of point i: for its class, and against the rival.
export function count({ n, truth, vectors }, i, rival, amount, counts) {
  if (vectors === 1) counts[i] += rival === 0 ? amount : -amount;
  else {
    counts[truth[i] * n + i] += amount;
    counts[rival * n + i] -= amount;
  }
}

// The counts after the first so many updates of a list. With `steps`, of which there were so many, they are those of the
// mean of all scores met: an update counts the share of the steps from its own on.
export function countsAfter(rows, { updated, rivals, steps }, updates, mean = 0) {
  const counts = new Float64Array(rows.size);
  for (let u = 0; u < updates; u++) {
    count(rows, updated[u], rivals[u], mean ? (mean - steps[u]) / mean : 1, counts);
  }
  return counts;
}

// The points of the first so many updates, in the order of their first.
export function supportOf(updated, updates = updated.length) {
  const found = new Set();
  for (let u = 0; u < updates; u++) found.add(updated[u]);
  return [...found];
}

// R of the convergence theorem in feature space.
export function curveRadius({ n, squares: lengths, value, classes }) {
  let longest = 0;
  for (let i = 0; i < n; i++) longest = Math.max(longest, value(lengths[i], lengths[i], lengths[i]));
  return Math.sqrt(classes === 2 ? longest : 2 * longest);
}

// The length of the weights in feature space before each update and after the last. An update adds a signed point, so the
// square of the length grows by twice its lead and by its own square.
export function lengthsOf({ run, rows }) {
  const { vectors, truth, squares: lengths, value } = rows;
  let square = 0;
  const found = run.steps.map((step, u) => {
    const before = Math.sqrt(Math.max(0, square));
    const [row, at] = [run.updated[u], step * vectors];
    const own = value(lengths[row], lengths[row], lengths[row]);
    const score = run.scores[at];
    const lead =
      vectors > 1 ? run.scores[at + truth[row]] - run.scores[at + run.rivals[u]] : truth[row] ? score : -score;
    square += 2 * lead + (vectors > 1 ? 2 * own : own);
    return before;
  });
  return [...found, Math.sqrt(Math.max(0, square))];
}

const UNIT = 64; // coordinates are whole numbers of 1/64

// Whether these updates cancel exactly under a poly kernel: in feature space a sum is 0 just where its square is, and the
// square is a sum over pairs of points, in whole numbers here (learn/kernel/cycle.py).
export function cancel(rows, updated, rivals, most = 300) {
  const own = supportOf(updated);
  if (own.length > most || rows.kernel.kernel !== "poly") return false;
  const gram = exactKernels(rows, own);
  const counts = new Float64Array(rows.size);
  updated.forEach((row, u) => count(rows, row, rivals[u], 1, counts));
  for (let v = 0; v < rows.vectors; v++) {
    const line = own.map((row) => BigInt(counts[v * rows.n + row]));
    let square = 0n;
    line.forEach((a, i) => line.forEach((b, j) => (square += a * b * gram[i][j])));
    if (square !== 0n) return false;
  }
  return true;
}

// (γ x·z + coef0)^degree of points with each other, as whole numbers of one and the same unit.
function exactKernels({ points, kernel }, which) {
  const whole = which.map((row) => points[row].map((x) => BigInt(Math.round(x * UNIT))));
  const [[gamma, fine], [coef0, grain]] = [kernel.gamma, kernel.coef0].map(dyadic);
  const constant = (coef0 * BigInt(UNIT) ** 2n) << BigInt(fine);
  return whole.map((x) =>
    whole.map((z) => {
      const base = ((gamma * x.reduce((sum, value, j) => sum + value * z[j], 0n)) << BigInt(grain)) + constant;
      return base ** BigInt(kernel.degree);
    }),
  );
}

// A number as a whole one and how often it is to be halved.
function dyadic(value) {
  let [top, halvings] = [value, 0];
  for (; !Number.isInteger(top); halvings++) top *= 2;
  return [BigInt(top), halvings];
}
