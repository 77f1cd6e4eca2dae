// Rows of the plane and weights against them. The constant feature, where there is one, and its weight stand first.
//
// Coordinates, rate, margin and start are multiples of 1/64. So all products and sums of a run are exact, in any order,
// as long as they stay below 2^53 of their units, and a browser finds the bits that the Python engine finds.

export const TIES = ["mistake", "positive", "negative"];

// Two classes have one vector of weights, more have one for each.
export function makeRows(points, codes, classes, bias) {
  const width = points[0].length + (bias ? 1 : 0);
  const values = Float64Array.from(points.flatMap((point) => (bias ? [1, ...point] : point)));
  const vectors = classes === 2 ? 1 : classes;
  return { values, truth: codes, n: points.length, width, bias, classes, vectors, size: vectors * width };
}

export function featuresOf(rows, i) {
  return rows.values.slice(i * rows.width, (i + 1) * rows.width);
}

// When a row counts as wrong: its lead, the true score less the best other, is at most one of two bounds. Which one
// depends on whether the true class comes earlier or later than the other (loops/ties.py). `last`: of equals the last.
export function rule(ties, margin = 0) {
  if (margin > 0 || ties === "mistake") return { earlier: margin, later: margin, last: ties === "positive" };
  const belowZero = -Number.MIN_VALUE;
  if (ties === "positive") return { earlier: 0, later: belowZero, last: true };
  return { earlier: belowZero, later: 0, last: false };
}

// Looks at row i under the weights: its scores, the best other class, and by how far the true class leads it.
export class Look {
  constructor(rows, weights, by) {
    Object.assign(this, { rows, weights, by, scores: new Float64Array(rows.vectors), rival: 0, lead: 0 });
    this.state = weights; // what comes back when a run goes round
  }

  // Whether the row is to be updated on.
  at(i) {
    const { rows, by } = this;
    const own = rows.truth[i];
    const score = this.score(i, 0);
    this.scores[0] = score;
    if (rows.vectors === 1) {
      this.rival = 1 - own;
      this.lead = own ? score : 0 - score;
    } else {
      for (let v = 1; v < rows.vectors; v++) this.scores[v] = this.score(i, v);
      this.rival = bestOther(this.scores, own, by.last);
      this.lead = this.scores[own] - this.scores[this.rival];
    }
    return this.lead <= (own > this.rival ? by.later : by.earlier);
  }

  // Adds a multiple of the row that was looked at last.
  learn(i, amount) {
    add(this.rows, i, this.rival, amount, this.weights);
  }

  // The score of row i under weight vector v.
  score(i, v) {
    const { weights, rows } = this;
    const { values, width } = rows;
    const [row, vector] = [i * width, v * width];
    let score = 0;
    for (let j = 0; j < width; j++) score += weights[vector + j] * values[row + j];
    return score;
  }
}

// The class other than `own` (−1: of all) whose score is highest; among equals the first, or the last.
export function bestOther(scores, own, last) {
  let best = own === 0 ? 1 : 0;
  for (let c = best + 1; c < scores.length; c++) {
    if (c !== own && (scores[c] > scores[best] || (last && scores[c] === scores[best]))) best = c;
  }
  return best;
}

// Adds a multiple of row i for its class: the weights of the rival lose what those of the true class gain.
export function add(rows, i, rival, amount, weights) {
  const { values, truth, width, vectors } = rows;
  const begin = i * width;
  if (vectors === 1) {
    const signed = rival === 0 ? amount : -amount;
    for (let j = 0; j < width; j++) weights[j] += signed * values[begin + j];
    return;
  }
  const [gains, loses] = [truth[i] * width, rival * width];
  for (let j = 0; j < width; j++) {
    const part = amount * values[begin + j];
    weights[gains + j] += part;
    weights[loses + j] -= part;
  }
}

// How many rows need no update under the rule.
export function countRight(rows, weights, by) {
  const look = new Look(rows, weights, by);
  let right = 0;
  for (let i = 0; i < rows.n; i++) if (!look.at(i)) right++;
  return right;
}

// How far the true class leads at least; 0 if any row is not strictly right.
export function lowestLead(look) {
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < look.rows.n; i++) {
    look.at(i);
    if (!(look.lead > 0)) return 0;
    lowest = Math.min(lowest, look.lead);
  }
  return lowest;
}

// The 0/1 loss and the perceptron loss of weights, means over the rows, with what they are made of: how far the true
// class of each row leads, and what the row adds to the perceptron loss.
//
// At weights 0 every score ties: the perceptron loss is 0, and the 0/1 loss is 1 where a tie counts as a mistake.
export function lossesOf(rows, weights, ties, scale) {
  const look = new Look(rows, weights, rule(ties));
  const [leads, losses] = [new Float64Array(rows.n), new Float64Array(rows.n)];
  let [right, total] = [0, 0];
  for (let i = 0; i < rows.n; i++) {
    if (!look.at(i)) right++;
    const lost = Math.max(0, 0 - look.lead);
    total += lost;
    leads[i] = look.lead * scale;
    losses[i] = lost * scale;
  }
  return { leads, losses, zero_one: 1 - right / rows.n, perceptron: (total / rows.n) * scale };
}

// R of the convergence theorem: the length of the longest signed row.
export function radiusOf(rows) {
  let longest = 0;
  for (let i = 0; i < rows.n; i++) longest = Math.max(longest, squares(featuresOf(rows, i)));
  return Math.sqrt(rows.classes === 2 ? longest : 2 * longest);
}

export function squares(values) {
  let sum = 0;
  for (let j = 0; j < values.length; j++) sum += values[j] * values[j];
  return sum;
}

// A score that is given out, of a place that need not be a multiple of 1/64: the order of its sum is fixed
// (reference/scores.py). Each of eight columns is a lane, lanes are added in pairs, and the constant comes last.
export function givenScore(weights, begin, place, bias) {
  const from = begin + (bias ? 1 : 0);
  if (place.length === 2) {
    const sum = weights[from] * place[0] + weights[from + 1] * place[1];
    return bias ? sum + weights[begin] : sum + 0;
  }
  const lanes = Array.from({ length: 8 }, (_, j) => (j < place.length ? weights[from + j] * place[j] : 0));
  for (let half = 4; half; half >>= 1) for (let j = 0; j < half; j++) lanes[j] += lanes[j + half];
  return lanes[0] + (bias ? weights[begin] : 0);
}

// The number of the class that scores decide for: one score for two classes, otherwise one for each.
export function decide(scores, ties) {
  if (scores.length === 1) return decideOne(scores[0], ties);
  return bestOther(scores, -1, ties === "positive");
}

export const decideOne = (score, ties) => (score > 0 || (score === 0 && ties === "positive") ? 1 : 0);
