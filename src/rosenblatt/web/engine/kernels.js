// Kernels: what takes the place of the product of two points, for boundaries that are curves (loops/kernels.py).
//
// rbf      e to the −γ|x − z|²
// poly     (γ x·z + coef0) to the degree
// cosine   the cosine of the angle between x and z, 0 where one of them is the origin, to the degree
//
// Sums, products, one division and one square root in the order of reference/kernel.py: the bits are those of Python.

import { general } from "./formats.js";
import { Problem } from "./problem.js";
import { number, oneOf, whole } from "./wanted.js";

export const KERNELS = ["line", "rbf", "poly", "cosine"]; // "line": none, and weights instead
const MOST_DEGREE = 30; // beyond it a point resembles nothing but itself
const LARGEST = 250 * Math.LN10; // of the logarithm of K(x, x): sums stay finite

const LOWEST = -708; // below it e^x would be no normal number; it is 0
const LOG2_E = 1.4426950408889634;
const [LN2_HIGH, LN2_LOW] = [0.6931471803691238, 1.9082149292705877e-10];
const TERMS = [1]; // 1/k!
for (let k = 1, factorial = 1; k <= 13; k++) TERMS.push(1 / (factorial *= k));
const HALVES = [1]; // 2 to the −k
while (HALVES.length < 1023) HALVES.push(HALVES.at(-1) / 2);

// e to the x, for x ≤ 0, by sums and products alone: a browser's own differs from others in the last bit.
export function exponential(x) {
  if (x < LOWEST) return 0;
  const n = Math.floor(x * LOG2_E + 0.5);
  const r = x - n * LN2_HIGH - n * LN2_LOW;
  let total = TERMS[13];
  for (let k = 12; k >= 0; k--) total = total * r + TERMS[k];
  return total * HALVES[-n];
}

export function power(base, degree) {
  let result = base;
  for (let k = 1; k < degree; k++) result *= base;
  return result;
}

// The kernel of two points, from their product and their squared lengths.
export function kernelOf({ kernel, degree, gamma, coef0 }) {
  if (kernel === "rbf") {
    return (product, one, other) => exponential(-(gamma * Math.max(one + other - 2 * product, 0)));
  }
  if (kernel === "poly") return (product) => power(gamma * product + coef0, degree);
  return (product, one, other) => {
    const lengths = one * other;
    return lengths > 0 ? power(product / Math.sqrt(lengths), degree) : 0;
  };
}

// The numbers of a kernel as the page gives them, checked; null for a line.
export function readKernel({ kernel = "line", degree = 3, gamma = 1, coef0 = 1 }) {
  oneOf("kernel", kernel, KERNELS);
  whole("degree", degree, 1, MOST_DEGREE);
  number("gamma", gamma, 0, 1e6);
  if (gamma < 1e-6) throw new Problem(`gamma must be at least 0.000001; got ${general(gamma)}.`);
  number("coef0", coef0, 0, 1e6);
  return kernel === "line" ? null : { kernel, degree, gamma, coef0 };
}

// A Problem where values of the kernel could overflow on points up to this length².
export function checkSize({ kernel, degree, gamma, coef0 }, longest) {
  if (kernel === "poly" && degree * Math.log(gamma * longest + coef0) > LARGEST) {
    throw new Problem(
      `degree ${degree} makes scores so large on points this far out that they overflow. Lower degree or gamma.`,
    );
  }
}
