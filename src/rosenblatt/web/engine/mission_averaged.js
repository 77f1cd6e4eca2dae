// Mission: points on which the average of all weights is better than the last ones.

import { laid, told, usual } from "./mission_bench.js";

const PASSES = 5;
const LEAST = 8;

export const name = "averaged";
export const title = "Averaged beats final";
export const asks = [
  `Why do so few people use the last weights of a perceptron? Make points on which, after ${PASSES} passes from 0, the averaged weights get more right than the final ones.`,
  `At least ${LEAST} points. Add, move or relabel them as you like; “averaged” in the card “Try changing” shows its line too.`,
];
export const hints = [
  "The final weights forget: the last mistake moves them by a whole point. Give the run a point to stumble over at its end.",
  "Add a circle in the middle of the squares. As the last point of every pass it moves the weights just before the end.",
];
export const learned =
  "The average keeps what held for long, so one odd point at the end of a pass cannot spoil it. On noisy data it is nearly always the better choice.";
export const bench = {
  points: [
    [-3, -2],
    [3, 2],
    [-2, -3],
    [2, 3],
    [-4, -3],
    [4, 3],
    [-3, -4],
    [3, 4],
    [-2, -2],
    [2, 2],
  ],
  labels: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
};

export function check(given) {
  const now = laid(given);
  if (now.points.length < LEAST) return told(false, `There are ${now.points.length} points; ${LEAST} are the fewest.`);
  const { averaged, final } = usual(now, { passes: PASSES }).final.right;
  const both = `averaged ${averaged}, final ${final} of ${now.points.length} right`;
  return averaged > final ? told(true, `Yes: ${both}.`) : told(false, `Not yet: ${both}.`);
}
