// What a lesson lays on the bench, and how its points, scores and choices are told.

import { run } from "./answer.js";
import { courseOf } from "./latest.js";
import { expanded, numeral } from "./numerals.js";
import { SIGNS } from "./presets.js";
import { proof } from "./proof.js";

export const PASSES = 300; // enough for every run here that ends by itself

// A bench as the calls of the page take it; settings that are not given are the usual ones.
export function lay({ points, labels }, settings, classes = SIGNS) {
  return { points, labels, classes: [...classes], features: ["x1", "x2"], settings };
}

// The answer of the call `run`, and the course behind it; `weights(u)` are those after so many updates.
export function follow(laid) {
  const [answer, course] = [run(laid), courseOf(laid)];
  const size = course.rows.size;
  return { answer, course, weights: (u) => Array.from(answer.weights.subarray(u * size, (u + 1) * size)) };
}

export const proved = proof;

export const place = (point) => `(${point.map(numeral).join(", ")})`;

// The score of a point, with the sum that it is; a weight more than the point has numbers is that of the bias.
export function scored(weights, point) {
  const features = weights.length > point.length ? [1, ...point] : point;
  const score = weights.reduce((sum, w, j) => sum + w * features[j], 0);
  return { at: place(point), score, text: numeral(score), sum: expanded(weights, features, score) };
}

// One answer that a person may choose.
export const option = (text, right) => ({ text, right });
