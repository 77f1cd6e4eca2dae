// Mission: a curve for the moons that needs few support points.

import { run } from "./answer.js";
import { changed, laid, told } from "./mission_bench.js";
import { presets } from "./presets.js";

const [MARGIN, MOST] = [0.5, 18];
const { points, labels } = presets({ seed: 0 }).presets.find(({ name }) => name === "moons");

export const name = "curve";
export const title = "A curve that needs few points";
export const asks = [
  `What must a machine remember to tell these two moons apart? Now it remembers nearly everything: the ringed points are its support points. Find a curve that gets every point right with at most ${MOST} of them.`,
  `Change the sharpness γ of its hills, in the card “Try changing”. The kernel stays rbf and the margin ${MARGIN}. The line below the plane counts the rings.`,
];
export const hints = [
  "Each support point is a hill or a hollow. If hills are very sharp, no point speaks for its neighbours.",
  "Make γ smaller, but not too small: wide hills are all alike, and many are needed again. Try the values around 1.",
];
export const learned =
  "A curve is made of support points. Hills too sharp learn by heart, hills too wide cannot tell neighbours apart; in between few points speak for all. Few of them make a model that answers quickly and holds less of its data.";
export const bench = {
  points,
  labels,
  settings: { kernel: "rbf", gamma: 16, margin: MARGIN },
  step: "end", // where all rings are
};

export function check(given) {
  const now = laid(given);
  if (changed(now, bench) || now.points.length !== points.length) {
    return told(false, "These are other points. Press “Reset the points”, and change γ alone.");
  }
  const { kernel = "line", gamma = 1, margin = 0, shuffle = false, seed = 0 } = now.settings ?? {};
  if (kernel === "line") return told(false, "This is a line, and no line parts the moons. Choose “curve”, and rbf.");
  if (kernel !== "rbf" || margin !== MARGIN) {
    return told(false, `The kernel must be rbf and the margin ${MARGIN}, so that all curves are asked for the same.`);
  }
  const found = run({ points, labels, settings: { kernel, gamma, margin, shuffle, seed, passes: 300 } });
  const needs = `With γ = ${gamma} the curve has ${found.n_support} support points of ${points.length}`;
  if (!found.separated) return told(false, `${needs}, and still not every point is right.`);
  return found.n_support <= MOST ? told(true, `${needs}.`) : told(false, `${needs}; at most ${MOST} are asked for.`);
}
