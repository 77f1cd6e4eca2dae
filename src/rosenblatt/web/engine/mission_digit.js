// Mission: one of twelve digits has a wrong label.

import { digit, digits } from "./digits.js";
import { told } from "./mission_bench.js";
import { Problem } from "./problem.js";

const ROWS = [28, 54, 46, 44, 20, 27, 117, 90, 40, 128, 59, 47]; // of the test digits
const WRONG = { row: 90, label: 5 };

export const name = "digit";
export const title = "Find the mislabelled digit";
export const asks = [
  "Labels are written by people, and people slip. Twelve digits that the perceptron never trained on, each with the label that somebody gave it. One label is wrong: which?",
];
export const hints = [
  "Look for a closed loop in the lower half under a label that has none.",
  "A perceptron that learned from other digits gives the wrong one a higher score for 6 than for its label.",
];
export const learned =
  "A model that did not train on a row can say that its label looks wrong. The tab Labels, and the command rosenblatt review, do so for a whole file.";

export function pictures() {
  const { images, truth, side, ink } = digits();
  const size = side * side;
  return {
    side,
    ink,
    each: ROWS.map((row) => ({
      pixels: Array.from(images.subarray(row * size, (row + 1) * size)),
      label: row === WRONG.row ? WRONG.label : truth[row],
    })),
  };
}

export function check({ fields: given }) {
  const row = ROWS[Number(given.picture)];
  if (row === undefined || given.picture === "") throw new Problem("choose one of the digits.");
  const says = digit({ row }).moments.at(-1);
  const own = row === WRONG.row ? WRONG.label : digit({ row }).true;
  const scores = `The perceptron scores it ${says.scores[says.predicted]} for ${says.predicted} and ${says.scores[own]} for the label ${own}`;
  return row === WRONG.row ? told(true, `${scores}.`) : told(false, `${scores}: that label is right.`);
}
