// The shortest sum of signed rows, exactly: it decides whether rows can be separated, and how well.
//
// Problem  minimise |Σ c_i z_i| over c >= 0 with Σ c_i = 1, where z_i are the signed rows
// Answer   the sum is 0: the multiples c prove that no weights separate the rows (Gordan). Otherwise the sum itself, as
//          weights, separates them with the best margin there is, which is its length
// Way      Wolfe (1976): a few rows are held; a row that the sum leaves too near comes in, idle ones go out. Whole
//          numbers throughout, so each exchange shortens the sum, no set of rows comes back, and it ends
//
// A signed row is a pair [row, other class]: f(x) in the block of the true class, −f(x) in that of the other; two classes
// have one block. Features are whole numbers over one scale.

import { gcd } from "./ratios.js";

export class Signed {
  constructor(features, codes, nClasses, scale) {
    this.features = features; // a list of BigInt for each row
    this.floats = features.map((line) => Float64Array.from(line, Number));
    this.codes = codes;
    this.nClasses = nClasses;
    this.scale = scale;
    this.width = features[0].length;
    this.blocks = nClasses === 2 ? 1 : nClasses;
    this.pairs = [];
    for (let row = 0; row < codes.length; row++) {
      for (let other = 0; other < nClasses; other++) if (other !== codes[row]) this.pairs.push([row, other]);
    }
  }

  // How far the true class of the row is ahead of the other under weights by block.
  lead(weights, [row, other]) {
    const f = this.features[row];
    const own = this.codes[row];
    let total = 0n;
    for (let j = 0; j < this.width; j++) {
      total +=
        f[j] * (this.blocks === 1 ? weights[j] : weights[own * this.width + j] - weights[other * this.width + j]);
    }
    return this.blocks === 1 && own === 0 ? -total : total;
  }

  // The pair of the lowest lead, as floats see it.
  nearest(weights) {
    const { width, blocks, codes } = this;
    const shift = BigInt(Math.max(0, Math.max(...weights.map((w) => w.toString(16).length)) * 4 - 500));
    const w = Float64Array.from(weights, (value) => Number(value >> shift));
    const scores = new Float64Array(this.nClasses); // of two classes the first has 0
    let [best, lowest] = [[0, codes[0] ? 0 : 1], Number.POSITIVE_INFINITY];
    for (let row = 0; row < codes.length; row++) {
      const f = this.floats[row];
      for (let c = 0; c < blocks; c++) {
        let score = 0;
        for (let j = 0; j < width; j++) score += f[j] * w[c * width + j];
        scores[blocks === 1 ? 1 : c] = score;
      }
      const own = scores[codes[row]];
      for (let c = 0; c < scores.length; c++) {
        if (c !== codes[row] && own - scores[c] < lowest) [best, lowest] = [[row, c], own - scores[c]];
      }
    }
    return best;
  }

  // The sum of multiples of signed rows, block after block.
  sum(held, multiples) {
    const total = Array(this.blocks * this.width).fill(0n);
    held.forEach(([row, other], k) => {
      const own = this.codes[row];
      this.features[row].forEach((value, j) => {
        if (this.blocks === 1) total[j] += own ? multiples[k] * value : -multiples[k] * value;
        else {
          total[own * this.width + j] += multiples[k] * value;
          total[other * this.width + j] -= multiples[k] * value;
        }
      });
    });
    return total;
  }

  // The product of two signed rows, and 1 more: rows of which none follows from the others make a definite system.
  product([row, other], [second, rival]) {
    const [own, theirs] = [this.codes[row], this.codes[second]];
    const equal = (a, b) => (a === b ? 1 : 0);
    const both = equal(own, theirs) - equal(own, rival) - equal(other, theirs) + equal(other, rival);
    const factor = BigInt(this.blocks === 1 ? both / 2 : both);
    return factor * dot(this.features[row], this.features[second]) + this.scale * this.scale;
  }
}

export const dot = (a, b) => a.reduce((total, value, j) => total + value * b[j], 0n);

// {held, multiples, sum, total, square, decided}: `multiples` are positive whole numbers that sum to `total`, `square` is
// that of the sum. Not decided after so much work, the sum is the shortest so far: no margin exceeds its length
// over the total. Work is counted as the rows held to the fourth power: their cube in products, of numbers as long.
export function shortestSum(signed, most) {
  const first = signed.pairs.reduce((a, b) => (signed.product(b, b) < signed.product(a, a) ? b : a));
  let [held, multiples] = [[first], [1n]];
  for (let made = 0; ; made += held.length ** 4 + signed.pairs.length) {
    const sum = signed.sum(held, multiples);
    const total = multiples.reduce((a, b) => a + b);
    const square = dot(sum, sum);
    const near = square ? tooNear(signed, sum, square, total) : null;
    if (!near || made >= most) return { held, multiples, sum, total, square, decided: !near };
    [held, multiples] = settled(signed, [...held, near], [...multiples, 0n]);
  }
}

// A pair whose lead under the sum is below what the sum's own length asks for; none where the sum is the shortest.
function tooNear(signed, sum, square, total) {
  const guess = signed.nearest(sum);
  const isNear = (pair) => signed.lead(sum, pair) * total < square;
  return isNear(guess) ? guess : (signed.pairs.find(isNear) ?? null);
}

// The multiples of the shortest sum of the pairs held, after those have gone out that it would give less than nothing.
function settled(signed, given, from) {
  let [held, multiples] = [given, from];
  for (;;) {
    const target = solved(held.map((one) => held.map((other) => signed.product(one, other))));
    if (target.every((value) => value > 0n)) return [held, lowest(target)];
    multiples = towards(multiples, target);
    const stay = multiples.flatMap((value, k) => (value > 0n ? [k] : []));
    [held, multiples] = [stay.map((k) => held[k]), stay.map((k) => multiples[k])];
  }
}

// As far from the multiples towards the target as none falls below 0: the one that would fall first becomes 0.
function towards(multiples, target) {
  const [total, whole] = [multiples, target].map((values) => values.reduce((a, b) => a + b));
  let [top, bottom] = [1n, 1n]; // how far, as a share of the way
  multiples.forEach((from, k) => {
    if (target[k] > 0n) return;
    const [here, way] = [from * whole, from * whole - target[k] * total];
    if (way > 0n && here * bottom < top * way) [top, bottom] = [here, way];
    else if (way === 0n) [top, bottom] = [0n, 1n];
  });
  return lowest(multiples.map((from, k) => from * whole * (bottom - top) + target[k] * total * top));
}

function lowest(values) {
  const divisor = values.reduce(gcd, 0n) || 1n;
  return values.map((value) => value / divisor);
}

// Whole numbers v with system · v = d · (1, 1, …, 1) and d > 0, for a definite system (Bareiss 1968: every entry is a
// minor of the system, and divisions leave nothing over).
function solved(system) {
  const size = system.length;
  const lines = system.map((line) => [...line, 1n]);
  let last = 1n;
  for (let k = 0; k < size; k++) {
    const pivot = lines[k][k];
    for (let i = 0; i < size; i++) {
      if (i === k) continue;
      const factor = lines[i][k];
      for (let j = k + 1; j <= size; j++) lines[i][j] = (pivot * lines[i][j] - factor * lines[k][j]) / last;
      lines[i][k] = 0n;
      if (i < k) lines[i][i] = pivot;
    }
    last = pivot;
  }
  return lines.map((line) => line[size]);
}
