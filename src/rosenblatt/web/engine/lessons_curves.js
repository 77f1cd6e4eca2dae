// The lesson on curves: what goes around something, hills in the place of weights, and how sharp they should be.

import { figure } from "./curve_words.js";
import { follow, lay, option, PASSES, place, proved } from "./lessons_bench.js";
import { general } from "./formats.js";
import { CORNERS, presets } from "./presets.js";
import { stepWords } from "./words.js";

const XOR = { points: CORNERS, labels: [0, 1, 1, 0] };
const FEW_PASSES = 10; // of a line that goes nowhere
const MARGIN = 0.5;
const SHARPNESS = [16, 1, 1 / 8];

export function curves() {
  const drawn = Object.fromEntries(presets({ seed: 0 }).presets.map((preset) => [preset.name, preset]));
  const rings = lay(drawn.circles, { passes: FEW_PASSES });
  const around = lay(drawn.circles, { kernel: "rbf", passes: PASSES });
  const xor = lay(XOR, { kernel: "rbf", passes: PASSES });
  const [sharp, between, wide] = SHARPNESS.map((gamma) =>
    lay(drawn.moons, { kernel: "rbf", gamma, margin: MARGIN, passes: PASSES }),
  );
  const kept = [sharp, between, wide].map((laid) => follow(laid).answer.n_support);
  const separable = proved(rings).kind === "separable";
  return {
    benches: { rings, around, xor, sharp, between },
    facts: {
      options: [option("Yes.", separable), option("No.", !separable)],
      ringed: follow(around).answer.n_support,
      points: rings.points.length,
      ...hills(xor),
      margin: general(MARGIN),
      sharp: kept[0],
      all: sharp.points.length,
      kept: SHARPNESS.map((gamma, k) => ({ gamma: general(gamma), points: kept[k] })),
      fewest: SHARPNESS.map((gamma, k) => option(`γ = ${general(gamma)}.`, kept[k] === Math.min(...kept))),
    },
  };
}

// XOR under hills: its first two mistakes, and the sums at the end.
function hills(laid) {
  const { answer, course } = follow(laid);
  const { run, rows } = course;
  const [first, second] = run.updated;
  const score = answer.updates.score[1];
  return {
    first: place(laid.points[first]),
    second: place(laid.points[second]),
    height: figure(rows.valuesOf(first)[second]),
    asked: Number(figure(score)),
    words: stepWords(course, run.steps[1]).words,
    mistakes: answer.n_mistakes,
    sums: laid.points.map((point, i) => ({
      at: place(point),
      class: laid.classes[laid.labels[i]],
      sum: stepWords(course, run.visited.lastIndexOf(i)).arithmetic, // the last pass changes nothing
    })),
  };
}
