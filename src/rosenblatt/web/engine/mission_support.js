// Mission: the few points that the widest margin rests on.

import { changed, laid, told } from "./mission_bench.js";
import { proof } from "./proof.js";

const MOST = 3;

export const name = "support";
export const title = "Throw away what does not matter";
export const asks = [
  `How many examples does one really need? Of all lines between these ten points one leaves the most room, the widest margin. Remove points until at most ${MOST} are left, without changing that margin.`,
  "Click a point and press Delete or “Remove”, or use the table “Every point” further down. The tab Proof & views tells the margin.",
];
export const hints = [
  "Only points next to the gap can matter. Those far behind them may go.",
  "The certificate in Proof & views names the points that the margin rests on.",
];
export const learned =
  "The widest margin rests on few points, its support; all others could be missing. That is why curves, too, keep only some of their rows.";
export const bench = {
  points: [
    [1, 1],
    [0, 2],
    [2, 0],
    [1, 3],
    [3, 2],
    [5, 4],
    [6, 6],
    [4, 6],
    [7, 5],
    [6, 3],
  ],
  labels: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
};

const short = (margin) => (typeof margin === "number" ? margin.toPrecision(3) : margin);

export function check(given) {
  const now = laid(given);
  if (changed(now, bench)) return told(false, "A point was moved or added. Only remove points.");
  const left = now.points.length;
  if (left > MOST) return told(false, `${left} points are left; at most ${MOST} may be.`);
  const [before, after] = [bench, now].map(({ points, labels }) => proof({ points, labels }).margin);
  return before === after
    ? told(true, `${left} points are left, and the margin is ${short(after)} as before.`)
    : told(false, `The margin was ${short(before)} and is ${short(after)} now: something that mattered is gone.`);
}
