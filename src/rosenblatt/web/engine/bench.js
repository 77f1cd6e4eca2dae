// What lies on the bench: points, their classes and the choices of a run, checked. Coordinates, rate, margin and start
// become multiples of 1/64, so that every run is exact; what that changed is told.

import { general } from "./formats.js";
import { readKernel } from "./kernels.js";
import { thousands } from "./numerals.js";
import { Problem } from "./problem.js";
import { TIES } from "./rows.js";
import { ORDERS } from "./run.js";
import { number, oneOf, several, shown, text, truth, whole } from "./wanted.js";

export const MOST_POINTS = 2000;
const MOST_FEATURES = 8;
const MOST_CLASSES = 6; // as many as the page has shapes
const MOST_PASSES = 10_000;
const LARGEST = 1e9; // of a coordinate or a weight
const LONGEST_NAME = 80;
export const GRAIN = 1 / 64; // of coordinates, rate, margin and start weights
const LINES = ["bias", "alpha", "start"]; // of a line alone: a run under a kernel has no weights
const CURVES = ["kernel", "degree", "gamma", "coef0"];
const SETTINGS = ["ties", "margin", "shuffle", "order", "seed", "passes", ...LINES, ...CURVES];

// The nearest multiple of 1/64.
export function rounded(value) {
  return Math.round(value / GRAIN) * GRAIN + 0;
}

// The same, but never 0 for what is above it: a rate of 0 would learn nothing, a margin of 0 is none.
export function roundedUp(value) {
  return value > 0 ? Math.max(GRAIN, rounded(value)) : 0;
}

// Points and choices. Classes are the numbers in use, ascending; `codes` gives the place of each point's class.
export function readBench(body) {
  const given = readPoints(body.points);
  const labels = readLabels(body.labels, given.length);
  const classes = [...new Set(labels)].sort((a, b) => a - b);
  if (classes.length < 2) {
    throw new Problem("all points are of one class. Add a point of another; a perceptron needs two.");
  }
  const width = given[0].length;
  const names = namesOf("classes", body.classes, MOST_CLASSES, (k) => `class ${k}`, Math.max(...labels) + 1);
  const features = namesOf("features", body.features, width, (k) => `x${k + 1}`, width);
  const settings = readSettings(body.settings === undefined ? {} : body.settings, width, classes.length);
  const points = given.map((point) => point.map(rounded));
  const codes = Uint8Array.from(labels, (label) => classes.indexOf(label));
  const bench = { points, codes, classes, names: classes.map((c) => names[c]), features, ...settings };
  return { ...bench, rounded: changes(given, points, settings) };
}

// The names of the weights.
export function columnsOf(bench) {
  return [...(bench.bias ? ["bias"] : []), ...bench.features];
}

function readPoints(given) {
  if (Array.isArray(given) && given.length > MOST_POINTS) {
    const most = thousands(MOST_POINTS);
    throw new Problem(`the lab takes at most ${most} points; got ${thousands(given.length)}. Take a sample of them.`);
  }
  const rows = several("points", given, MOST_POINTS, 2);
  const width = Array.isArray(rows[0]) ? rows[0].length : 0;
  if (width < 1 || width > MOST_FEATURES) {
    throw new Problem(`a point must be a list of 1 to ${MOST_FEATURES} numbers.`);
  }
  return rows.map((row, i) => {
    if (!Array.isArray(row) || row.length !== width) {
      throw new Problem(`point ${i + 1} must have ${width} numbers, as the first has.`);
    }
    return row.map((value) => number(`a coordinate of point ${i + 1}`, value, -LARGEST, LARGEST));
  });
}

function readLabels(given, count) {
  const labels = several("labels", given, MOST_POINTS);
  if (labels.length !== count) {
    throw new Problem(`there are ${count} points but ${labels.length} labels; give one for each.`);
  }
  return labels.map((label) => whole("a label", label, 0, MOST_CLASSES - 1));
}

// Names as they are given, and made ones for the rest.
function namesOf(what, given, most, made, least) {
  const missing = given === undefined || given === null;
  const names = missing ? [] : several(what, given, most).map((name) => text(what, name, LONGEST_NAME));
  for (let k = names.length; k < least; k++) names.push(made(k));
  return names;
}

function readSettings(given, width, classes) {
  if (given === null || typeof given !== "object" || Array.isArray(given)) {
    throw new Problem("settings must be an object.");
  }
  const unknown = Object.keys(given).filter((name) => !SETTINGS.includes(name));
  if (unknown.length) throw new Problem(`there is no setting ${shown(unknown.sort()[0].slice(0, 40))}.`);
  const { ties = "mistake", bias = true, alpha = 1, margin = 0, shuffle = false, seed = 0, passes = 100 } = given;
  truth("bias", bias);
  const rate = number("alpha", alpha, 0, 1e6);
  if (rate < 1e-6) throw new Problem(`alpha must be at least 0.000001; got ${general(rate)}.`);
  whole("seed", seed, 0, 2 ** 32 - 1);
  oneOf("ties", ties, TIES);
  const wide = number("margin", margin, 0, LARGEST);
  const order = truth("shuffle", shuffle) ? "shuffled" : "given";
  const kernel = readKernel(given);
  const begun = readStart(given.start, width + (bias ? 1 : 0), classes);
  const [alone, start] = kernel ? [1, null] : [rate, begun];
  return {
    ties,
    bias,
    seed,
    kernel,
    rate: roundedUp(alone),
    margin: roundedUp(wide),
    order: oneOf("order", given.order ?? order, ORDERS),
    start: start && start.map((line) => line.map(rounded)),
    passes: whole("passes", passes, 1, MOST_PASSES),
    exactly: { rate: alone, margin: wide, start },
  };
}

// One line of weights for two classes, one for each class of more; null where none is given.
function readStart(given, width, classes) {
  if (given === undefined || given === null) return null;
  const lines = classes === 2 ? [given] : several("start", given, classes, classes);
  const found = lines.map((line) =>
    several("start", line, 64).map((w) => number("a start weight", w, -LARGEST, LARGEST)),
  );
  if (found.some((line) => line.length !== width)) {
    const each = classes === 2 ? "" : ` for each of ${classes} classes`;
    throw new Problem(`start must have ${width} weights${each}, the bias first if there is one.`);
  }
  return found;
}

// What rounding changed: the points with their new places, settings with their new values, and a line; null if nothing.
function changes(given, points, { exactly, rate, margin, start }) {
  const moved = points.flatMap((point, i) => (point.some((x, j) => x !== given[i][j]) ? [[i, point]] : []));
  const settings = {};
  if (rate !== exactly.rate) settings.alpha = rate;
  if (margin !== exactly.margin) settings.margin = margin;
  if (start?.some((line, v) => line.some((w, j) => w !== exactly.start[v][j]))) {
    settings.start = start.length === 1 ? start[0] : start;
  }
  const told = { alpha: "the rate", margin: "the margin", start: "the start weights" };
  const what = Object.keys(settings).map((name) => told[name]);
  if (moved.length) what.unshift(moved.length === 1 ? "1 point" : `${thousands(moved.length)} points`);
  if (!what.length) return null;
  const words = `Rounded to multiples of 1/64, so that every sum is exact: ${what.join(", ")}.`;
  return { points: moved, settings, words };
}
