// Mission: five points that can be separated, and take long.

import { changed, laid, told, usual } from "./mission_bench.js";
import { FIVE } from "./presets.js";

const WANTED = 100;
const FARTHEST = 10;

export const name = "slow";
export const title = "Five points, more than 100 mistakes";
export const asks = [
  "A perceptron always stops if a line exists. But when? Lay five points that a line can separate and that cost more than 100 mistakes.",
  `Drag points, or type places into the table “Every point”. Places between −${FARTHEST} and ${FARTHEST}; the run starts at 0 and reads the points in their order.`,
];
export const hints = [
  "The number of mistakes grows with (radius / margin)². Far points and a narrow gap make it large.",
  "Put a square close to the straight line between two circles, but on the other side of every line you need. Close to a tie is slow.",
];
export const learned =
  "The number of mistakes does not depend on how many points there are, but on how narrow the gap is beside how far away they lie: at most (R/γ)², where R is how far the farthest point lies and γ half the width of the gap.";
export const bench = {
  points: [
    [1, 1],
    [2, 1],
    [1, 2],
    [4, 4],
    [5, 4],
  ],
  labels: [0, 0, 0, 1, 1],
};

export function check(given) {
  const now = laid(given);
  if (now.points.length !== 5) return told(false, `There are ${now.points.length} points; the mission is about five.`);
  if (now.points.flat().some((x) => Math.abs(x) > FARTHEST)) return told(false, `A point lies beyond ${FARTHEST}.`);
  if (!changed(now, FIVE)) return told(false, "These are the notes' five points. Move at least one of them.");
  const found = usual(now, { passes: 10_000 });
  if (found.stopped === "cycle") return told(false, "No line separates these points: the run goes round for ever.");
  if (!found.separated) return told(false, "After 10,000 passes there is no line yet. Make it a little easier.");
  const made = `It stops after ${found.n_mistakes} mistakes`;
  return found.n_mistakes > WANTED
    ? told(true, `${made}, and then every point is right.`)
    : told(false, `${made}. Make the gap narrower.`);
}
