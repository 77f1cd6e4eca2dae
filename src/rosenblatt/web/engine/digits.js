// The calls `digits` and `digit`: ten weight images while one perceptron learns handwritten digits, and what it makes of
// a digit it never saw. The run is made once, on first use. Weights are whole numbers, as pixels are.

import { builtin } from "./builtin.js";
import { bytesOf, fixed, repr } from "./formats.js";
import { orders } from "./order.js";
import { Problem } from "./problem.js";

export const SIDE = 8;
const INK = 16; // the darkest pixel
const BITS = 5; // of a pixel
const PIXELS = SIDE * SIDE;
const WIDTH = PIXELS + 1; // the bias last
const EARLY = [1, 2, 3, 5, 10, 20, 50, 100, 200]; // updates of the first pass after which the images are looked at
const PASSES = 200; // a limit; the run separates its rows long before
const EVERY_PASS = 10; // later on the images change little from one pass to the next
const SEED = 0;

let made = null;

// {classes, nTrain, test, truth, moments, stopped}: the run over the training rows, and the rows kept for the test.
export function learned() {
  const data = builtin("digits");
  if (made?.data === data) return made;
  const labels = Uint8Array.from(data.labels);
  const pixels = unpacked(bytesOf(data.pixels), labels.length * PIXELS);
  const train = { pixels: pixels.subarray(0, data.train * PIXELS), truth: labels.subarray(0, data.train) };
  const [test, truth] = [pixels.subarray(data.train * PIXELS), labels.subarray(data.train)];
  const { snapshots, stopped } = learn(train, data.classes.length);
  const moments = snapshots.map((shot) => {
    const predicted = Array.from(truth, (_, i) => decide(scoresOf(shot.weights, test, i * PIXELS)));
    return { ...shot, predicted, right: predicted.filter((says, i) => says === truth[i]).length };
  });
  made = { data, classes: data.classes, nTrain: data.train, test, truth, moments, stopped };
  return made;
}

// Numbers of five bits, one after the other.
function unpacked(bytes, count) {
  const found = new Uint8Array(count);
  for (let k = 0; k < count; k++) {
    const [byte, bit] = [(k * BITS) >> 3, (k * BITS) & 7];
    found[k] = (((bytes[byte] << 8) | (bytes[byte + 1] ?? 0)) >> (16 - BITS - bit)) & (2 ** BITS - 1);
  }
  return found;
}

// The score of each class for the pixels of one digit, by weights of all classes one after the other.
export function scoresOf(weights, pixels, from = 0) {
  const scores = [];
  for (let begin = 0; begin < weights.length; begin += WIDTH) {
    let score = weights[begin + PIXELS];
    for (let j = 0; j < PIXELS; j++) score += weights[begin + j] * pixels[from + j];
    scores.push(score);
  }
  return scores;
}

// The class of the highest score, the first of equals.
export const decide = (scores) => scores.indexOf(Math.max(...scores));

// The perceptron in a shuffled order until a pass is clean: its weights at the start, after some updates of the first
// pass, and after passes.
function learn({ pixels, truth }, nClasses) {
  const [n, weights, order] = [truth.length, new Int32Array(nClasses * WIDTH), orders(truth.length, SEED)];
  const snapshots = [{ updates: 0, passes: 0, whole: true, weights: weights.slice() }];
  const keep = (updates, passes, whole) => snapshots.push({ updates, passes, whole, weights: weights.slice() });
  let updates = 0;
  for (let pass = 1; ; pass++) {
    const before = updates;
    order(pass - 1).forEach((row, step) => {
      if (!learnRow(weights, pixels, row * PIXELS, truth[row])) return;
      updates++;
      if (pass === 1 && EARLY.includes(updates) && step + 1 < n) keep(updates, 1, false);
    });
    const last = updates === before || pass === PASSES;
    if (last || pass <= EVERY_PASS || pass % 5 === 0) keep(updates, pass, true);
    if (last) return { snapshots, stopped: updates === before ? "separated" : "limit" }; // a tie counts as a mistake
  }
}

// One visit; true if the weights changed, those of the true class and of the best other.
function learnRow(weights, pixels, from, own) {
  const scores = scoresOf(weights, pixels, from);
  const score = scores[own];
  scores[own] = Number.NEGATIVE_INFINITY;
  const rival = decide(scores);
  if (score > scores[rival]) return false;
  for (let j = 0; j < PIXELS; j++) {
    weights[own * WIDTH + j] += pixels[from + j];
    weights[rival * WIDTH + j] -= pixels[from + j];
  }
  weights[own * WIDTH + PIXELS]++;
  weights[rival * WIDTH + PIXELS]--;
  return true;
}

// The weight images of every moment, and the test digits as small images.
export function digits() {
  const { classes, nTrain, test, truth, moments, stopped } = learned();
  const last = moments.at(-1);
  const clean = stopped === "separated" ? ", the last of them clean" : "";
  return {
    classes,
    side: SIDE,
    ink: INK,
    train: nTrain,
    test: truth.length,
    stopped,
    moments: moments.map((moment) => ({
      name: nameOf(moment),
      updates: moment.updates,
      right: moment.right,
      accuracy: `${fixed((100 * moment.right) / truth.length, 1)}%`,
      largest: Math.max(...images(moment).map(Math.abs)),
      bias: biases(moment),
      strongest: classes.map((_, c) => strongest(images(moment).slice(c * PIXELS, (c + 1) * PIXELS))),
    })),
    weights: shaped(Int32Array.from(moments.flatMap(images)), [moments.length, classes.length, PIXELS]),
    said: moments.map(({ predicted }) => predicted),
    wrong: moments.map(({ predicted }) => predicted.flatMap((says, i) => (says === truth[i] ? [] : [i]))),
    images: shaped(Uint8Array.from(test), [truth.length, PIXELS]),
    truth: Array.from(truth),
    words:
      `${last.updates} mistakes in ${last.passes} passes over ${nTrain} digits${clean}. ` +
      `Of ${truth.length} digits kept apart it gets ${last.right} right.`,
  };
}

function shaped(array, shape) {
  return Object.assign(array, { shape });
}

const images = ({ weights }) => Array.from(weights).filter((_, k) => k % WIDTH !== PIXELS);
export const biases = ({ weights }) => Array.from(weights).filter((_, k) => k % WIDTH === PIXELS);

function nameOf({ updates, passes, whole }) {
  return updates ? `mistake ${updates}, ${whole ? "after" : "in"} pass ${passes}` : "before the first digit";
}

// The pixels that speak most for and against a class, in words: the images' table.
function strongest(line) {
  const order = Array.from(line.keys()).sort((a, b) => line[b] - line[a]);
  const told = (which) =>
    which
      .map((j) => `row ${Math.floor(j / SIDE) + 1}, column ${(j % SIDE) + 1}: ${line[j] > 0 ? "+" : ""}${line[j]}`)
      .join("; ") || "none";
  const top = order.slice(0, 3).filter((j) => line[j] > 0);
  const bottom = order
    .slice(-3)
    .reverse()
    .filter((j) => line[j] < 0);
  return { for: told(top), against: told(bottom) };
}

// One digit of the test part at every moment: its ten scores, what each pixel adds to each, and what is said.
export function digit(body) {
  const { classes, test, truth, moments } = learned();
  const { row } = body;
  if (!Number.isInteger(row) || row < 0 || row >= truth.length) {
    const got = Number.isInteger(row) ? row + 1 : repr(row);
    throw new Problem(`there are digits 1 to ${truth.length} to choose from; got ${got}.`);
  }
  const pixels = test.subarray(row * PIXELS, (row + 1) * PIXELS);
  const own = truth[row];
  const told = moments.map((moment) => {
    const [scores, says] = [scoresOf(moment.weights, pixels), moment.predicted[row]];
    const words = verdict(classes, scores, says, own);
    return { scores, predicted: says, right: says === own, bias: biases(moment), words };
  });
  const adds = moments.flatMap((moment) => images(moment).map((weight, k) => weight * pixels[k % PIXELS]));
  return {
    row,
    true: own,
    moments: told,
    adds: shaped(Int32Array.from(adds), [moments.length, classes.length, PIXELS]),
  };
}

function verdict(classes, scores, says, own) {
  const highest = scores[says];
  const level = scores.filter((score) => score === highest).length;
  const best =
    level > 1
      ? `${level} classes have the highest score, ${highest}; the first is ${classes[says]}`
      : `${classes[says]} has the highest score, ${highest}`;
  if (says !== own) return `${best}, and the digit is a ${classes[own]}, with ${scores[own]}: wrong.`;
  const next = Math.max(...scores.filter((_, c) => c !== own));
  return `${best}, ${highest - next} ahead of the next: right.`;
}
