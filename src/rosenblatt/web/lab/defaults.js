// What the bench begins with, and its limits. A link leaves out whatever equals these.

export const CLASSES = 6; // as many shapes and colours as there are
export const MOST_POINTS = 2000;

export const CHOICES = {
  ties: "mistake",
  bias: true,
  alpha: 1,
  shuffle: false,
  seed: 0,
  margin: 0,
  start: null,
  passes: 300,
  kernel: "line",
  gamma: 1,
  degree: 3,
  coef0: 1,
};

// The parts of the page, by the names of their elements.
export const TABS = ["bench", "views", "xor", "likelihood", "bayes", "digits", "mail", "labels", "lessons", "missions"];

// What is drawn in the plane.
export const SHOWN = {
  final: true,
  averaged: false,
  voted: false,
  pocket: false,
  regions: true,
  band: true,
  normal: true,
  proof: true,
};

// Long data in many passes would be more steps than anybody watches; the server refuses beyond its own limit.
const MOST_STEPS = 100_000;

export function passesFor(points) {
  return Math.max(1, Math.min(CHOICES.passes, Math.floor(MOST_STEPS / Math.max(1, points))));
}
