// Points to begin with: those of the notes, and some that a seed draws by a rule of our own, so that a link stays true.
// All lie on multiples of 1/64, as everything on the plane does.

import { rounded } from "./bench.js";
import { hashed, keyOf } from "./order.js";
import { whole } from "./wanted.js";

export const SIGNS = ["−1", "+1"];
export const CORNERS = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];
export const FIVE = {
  points: [
    [1, 1],
    [3, 2],
    [2, 4],
    [3, 4],
    [2, 3],
  ],
  labels: [0, 1, 1, 1, 0],
};
const TWINS = {
  points: [
    [1, 1],
    [2, 1],
    [3, 3],
    [2, 3],
    [2, 2],
    [2, 2],
  ],
  labels: [0, 0, 1, 1, 0, 1],
};
// The table of the notes: how firm an apple is against its size, the two that can be drawn with fewest twins.
const SIZES = [2, 1, 0];
const APPLES = {
  points: Array.from({ length: 24 }, (_, row) => [SIZES[(row >> 1) % 3], row % 2 ? 0 : 1]),
  labels: [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1],
};
const CURVE = { kernel: "rbf" };
const ROOM = 1 / 64; // for rounding, which moves a point by less than that

// All of them; `seed` decides those that are drawn.
export function presets({ seed: given = 0 }) {
  const seed = whole("seed", given, 0, 2 ** 32 - 1);
  const corners = (labels) => ({ points: CORNERS, labels });
  const found = [
    preset(
      "notes",
      "The notes' five points",
      "Separable, but only just: from the weights of the notes, and all else as usual, it takes 232 passes and " +
        "446 mistakes.",
      FIVE,
      { start: [-1, 0, 0] },
    ),
    preset(
      "apples",
      "Apples",
      "Which apples taste good, by size (small 0 to large 2) and firmness (crunchy 1). Two features are not enough.",
      APPLES,
      { classes: ["not tasty", "tasty"], features: ["size", "firmness"] },
    ),
    preset("and", "AND", "True where both inputs are 1. One line does it.", corners([0, 0, 0, 1])),
    preset("or", "OR", "True where at least one input is 1. One line does it.", corners([0, 1, 1, 1])),
    preset("xor", "XOR", "True where the inputs differ. No line does it; a curve does.", corners([0, 1, 1, 0])),
    preset("wide", "Wide margin", "Two groups far apart: few mistakes are enough.", sides(seed, 40, 1.5, 1)),
    preset("thin", "Thin margin", "A narrow gap: many mistakes, within the bound.", sides(seed, 60, 0.06, 3)),
    preset("noise", "Noise", "Two groups that overlap: no line is right everywhere.", clouds(seed, 2, 40, 1.1)),
    preset(
      "three",
      "Three classes",
      "One weight vector for each class; the highest score decides.",
      clouds(seed, 3, 20, 0.55),
      { classes: ["a", "b", "c"] },
    ),
    preset(
      "circles",
      "Circles",
      "One group around the other: no line parts them. Each mistake puts a hill or a hollow around a point; their sum is the score.",
      bent(seed, 4, 60, 0.5, ringed),
      { settings: { ...CURVE, gamma: 1 } },
    ),
    preset(
      "moons",
      "Moons",
      "Two moons that reach into each other: no line parts them, a curve does. It is made of the ringed points alone.",
      bent(seed, 5, 60, 0.7, moon),
      { settings: { ...CURVE, gamma: 1 } },
    ),
    preset(
      "spirals",
      "Spirals",
      "Two arms that wind around each other: the curve must wind with them. Wider hills (a smaller γ) find it harder.",
      bent(seed, 6, 90, 0.25, arm),
      { settings: { ...CURVE, gamma: 4 } },
    ),
    preset(
      "duplicates",
      "Contradicting duplicates",
      "Two points lie in the same place and say different things. No boundary can be right on both.",
      TWINS,
    ),
  ];
  return { presets: found };
}

function preset(name, title, words, { points, labels }, more = {}) {
  const own = { points: points.map((point) => [...point]), labels: [...labels] }; // a page may change what it gets
  return { name, title, words, ...own, classes: SIGNS, features: ["x1", "x2"], start: null, settings: {}, ...more };
}

// Numbers from 0 to 1, one after the other, from the hash that also shuffles rows.
export function uniform(seed, stream) {
  const key = keyOf(seed * 16 + stream);
  let count = 0;
  return () => {
    const { high, low } = hashed(key, count++);
    return (high * 2 ** 32 + low) / 2 ** 64;
  };
}

// Points on both sides of a slanting line, none nearer to it than the gap; with more crowd, more of them near.
function sides(seed, count, gap, crowd) {
  const draw = uniform(seed, crowd);
  const angle = Math.PI * (0.15 + 0.7 * draw());
  const offset = 2 * draw() - 1;
  const [across, up] = [Math.cos(angle), Math.sin(angle)];
  const labels = Array.from({ length: count }, (_, place) => place % 2); // the classes in turn
  const points = labels.map((label) => {
    const along = 9 * draw() - 4.5;
    const far = gap + ROOM + 3.2 * draw() ** crowd;
    const away = offset + (label ? far : -far);
    return [rounded(away * across - along * up), rounded(away * up + along * across)];
  });
  return { points, labels };
}

// Points of two classes in turn, each at a place of its class and a little aside of it, on multiples of 1/16: they are easy
// to read.
function bent(seed, stream, count, spread, placeOf) {
  const draw = uniform(seed, stream);
  const labels = Array.from({ length: count }, (_, row) => row % 2);
  const aside = () => spread * (draw() + draw() + draw() - 1.5);
  const points = labels.map((label) => placeOf(label, draw()).map((x) => Math.round((x + aside()) * 16) / 16 + 0));
  return { points, labels };
}

function ringed(label, share) {
  const [far, angle] = [label ? 0.9 : 2.2, 2 * Math.PI * share];
  return [far * Math.cos(angle), far * Math.sin(angle)];
}

function moon(label, share) {
  const [x, y] = [Math.cos(Math.PI * share), Math.sin(Math.PI * share)];
  return label ? [2 * x - 1, 2 * y - 0.5] : [1 - 2 * x, 0.5 - 2 * y];
}

function arm(label, share) {
  const along = Math.sqrt(share); // as many points on each stretch of an arm
  const [far, angle] = [0.3 + 2.7 * along, 2.8 * Math.PI * along + (label ? 0 : Math.PI)];
  return [far * Math.cos(angle), far * Math.sin(angle)];
}

// Round clouds around the corners of a triangle, or around two places.
function clouds(seed, groups, count, spread) {
  const draw = uniform(seed, 8 + groups);
  const turn = 2 * Math.PI * draw();
  const labels = Array.from({ length: groups * count }, (_, place) => place % groups);
  // The sum of twelve uniform numbers is as good as normal here.
  const noise = () => spread * (Array.from({ length: 12 }, draw).reduce((sum, one) => sum + one, 0) - 6);
  const points = labels.map((group) => {
    const angle = turn + (2 * Math.PI * group) / groups;
    const [x, y] = [noise(), noise()];
    return [rounded(1.6 * Math.cos(angle) + x), rounded(1.6 * Math.sin(angle) + y)];
  });
  return { points, labels };
}
