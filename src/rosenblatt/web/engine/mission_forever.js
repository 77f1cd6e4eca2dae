// Mission: one point is moved so that no line is left.

import { changed, laid, told } from "./mission_bench.js";
import { proof } from "./proof.js";

export const name = "forever";
export const title = "Move one point so that it never ends";
export const asks = [
  "How much damage can one wrong measurement do? These six points are separated after a few mistakes. Move one of them, and only one, so that the perceptron never stops.",
  "Drag it, or type its place into the table “Every point” further down. Play shows what comes of it.",
];
export const hints = [
  "It never stops where no straight line can part the two classes.",
  "Move a circle between the squares: into the triangle that they span.",
];
export const learned =
  "A point of one class among points of the other leaves no line: these points then cancel each other exactly, and the perceptron goes on for ever. One wrong measurement is enough.";
export const bench = {
  points: [
    [1, 1],
    [3, 1],
    [1, 3],
    [5, 5],
    [6, 4],
    [4, 6],
  ],
  labels: [0, 0, 0, 1, 1, 1],
};

export function check(given) {
  const now = laid(given);
  const moved = changed(now, bench);
  if (now.points.length !== bench.points.length) {
    return told(
      false,
      `There are ${now.points.length} points; move one of the ${bench.points.length}, add and remove none.`,
    );
  }
  if (moved !== 1) return told(false, `${moved} points are not where they were. Move exactly one.`);
  if (now.labels.filter(Boolean).length !== 3) return told(false, "Its class must stay as it was.");
  const found = proof({ points: now.points, labels: now.labels });
  return found.kind === "inseparable"
    ? told(true, found.words)
    : told(false, "A line still separates the classes, so the run will stop.");
}
