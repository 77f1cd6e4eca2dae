// Numbers, vectors and sums as the notes write them: [-1, 0, 0] and -1·1 + 0·3 + 0·2 = -1.

import { general } from "./formats.js";

export const MOST_SHOWN = 12; // numbers of a vector, terms of a sum

// A whole number without a point, any other with at most six digits.
export function numeral(value) {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 53) return String(value + 0);
  return general(value);
}

// 12,345
export function thousands(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function vector(values) {
  return `[${vectorParts(values).join(", ")}]`;
}

export function vectorParts(values) {
  const shown = Array.from(values.slice(0, MOST_SHOWN), numeral);
  return values.length > MOST_SHOWN ? [...shown, `… ${values.length - MOST_SHOWN} more`] : shown;
}

// The score as a sum of products; a negative weight keeps its sign after the plus: -23·1 + 8·1 + -2·1 = -17.
export function expanded(weights, features, score) {
  return `${terms(weights, features).join(" + ")} = ${numeral(score)}`;
}

export function terms(weights, features) {
  const shown = Array.from(weights.slice(0, MOST_SHOWN), (w, j) => `${numeral(w)}·${numeral(features[j])}`);
  return weights.length > MOST_SHOWN ? [...shown, "…"] : shown;
}

// What is added to the weights: +[1, 3, 2] or -[1, 2, 3], with a factor unless it is 1.
export function change(amount, features) {
  const size = Math.abs(amount) === 1 ? "" : `${numeral(Math.abs(amount))}·`;
  return `${amount > 0 ? "+" : "-"}${size}${vector(features)}`;
}
