// Mission: weights by hand, for six points that a line can part.

import { vector } from "./numerals.js";
import { allRight, told, typed } from "./mission_bench.js";

export const name = "line";
export const title = "Three numbers that part the points";
export const asks = [
  "Could you do the perceptron's work yourself? Find three weights so that every blue circle scores above 0 and every orange square below 0.",
  "The score of a point is bias + w1·x1 + w2·x2. The line on the plane is where it is 0; it follows what you type.",
];
export const hints = [
  "Try w1 = 1 and w2 = 1 first. Then the score is x1 + x2 plus the bias, and the line runs from top left to bottom right.",
  "Add x1 and x2 for every point. All squares have a smaller sum than all circles; the bias is minus a number in between.",
];
export const learned =
  "A linear classifier is nothing but these three numbers. Learning means finding them; many triples will do, and all multiples of one draw the same line.";
export const fields = [
  { name: "bias", label: "bias" },
  { name: "w1", label: "w1" },
  { name: "w2", label: "w2" },
];
export const draws = true; // what is typed is drawn as the start of a run
export const bench = {
  points: [
    [1, 1],
    [2, 1],
    [1, 3],
    [4, 3],
    [3, 5],
    [5, 2],
  ],
  labels: [0, 0, 0, 1, 1, 1],
};

export function check({ fields: given }) {
  const weights = fields.map(({ name: field }) => typed(field, given[field], -1e6, 1e6));
  const right = allRight(bench, weights);
  if (right === bench.points.length) return told(true, `All ${right} points are right with ${vector(weights)}.`);
  return told(false, `${right} of ${bench.points.length} points are right. One whose score is 0 counts as wrong.`);
}
