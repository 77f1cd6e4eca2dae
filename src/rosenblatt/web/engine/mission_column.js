// Mission: a third feature with which XOR can be separated.

import { told, typed } from "./mission_bench.js";
import { CORNERS } from "./presets.js";
import { proof } from "./proof.js";

const XOR = [0, 1, 1, 0];

export const name = "column";
export const title = "One column that makes XOR separable";
export const asks = [
  "XOR: a point is +1 where just one of its two numbers is 1. In 1969 it was the proof that perceptrons are too weak. Are they? Give each of the four points one more number, x3, so that a perceptron can learn XOR. At most one of the four may differ from 0; a box left empty counts as 0.",
];
export const hints = [
  "The two points of a class lie on a diagonal. Lift one corner out of the plane, and a flat surface can pass between.",
  "Try the product x1·x2: it is 1 at (1, 1), and 0 elsewhere.",
];
export const learned =
  "What a line cannot do in two features it may do in three: features decide what is separable. The product x1·x2 is the column that everybody uses.";
export const fields = CORNERS.map((point) => ({ name: point.join(""), label: `x3 of (${point.join(", ")})` }));
export const bench = { points: CORNERS, labels: XOR };

export function check({ fields: given }) {
  const column = fields.map(({ name: field, label }) => typed(label, given[field] ?? 0, -1000, 1000));
  const other = column.filter((x) => x !== 0).length;
  if (other > 1) return told(false, `${other} of the four numbers differ from 0; one is enough.`);
  const points = CORNERS.map((point, i) => [...point, column[i]]);
  const found = proof({ points, labels: XOR });
  return found.kind === "separable"
    ? told(true, `With the column ${column.join(", ")} the proof finds weights that get all four rows right.`)
    : told(false, "Still no flat surface separates them: some rows cancel exactly.");
}
