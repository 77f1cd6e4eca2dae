// Where a perceptron says yes, as shapes in a window of the plane: half planes, and what a product makes of them.
//
// A window is [left, right, low, high]. Points are rounded to four digits: they are drawn and never calculated with.

import { round } from "./formats.js";

const COLUMNS = 96; // of a window, in which a curved boundary is sampled
const NEAR = 1e-6; // so close to where the boundary leaves for infinity it is looked at from either side

export function corners([left, right, low, high]) {
  return [
    [left, low],
    [right, low],
    [right, high],
    [left, high],
  ];
}

// Each point of a polygon with the next.
const edges = (polygon) => polygon.map((here, k) => [here, polygon[(k + 1) % polygon.length]]);
const scoreAt = ([b, w1, w2], [x, y]) => b + w1 * x + w2 * y;

function between([x, y], [u, v], share) {
  return [x + share * (u - x), y + share * (v - y)];
}

// The part of a convex polygon where b + w1 x1 + w2 x2 is above 0, or, with positive false, where it is not.
export function clip(polygon, weights, positive) {
  const signed = positive ? weights : weights.map((w) => -w);
  return edges(polygon).flatMap(([here, there]) => {
    const [score, next] = [scoreAt(signed, here), scoreAt(signed, there)];
    const kept = score >= 0 ? [here] : [];
    if (score * next < 0) kept.push(between(here, there, score / (score - next)));
    return kept;
  });
}

// The two ends of the boundary b + w1 x1 + w2 x2 = 0 in the window; empty where it does not cross it.
export function lineIn(window, weights) {
  const ends = new Map();
  for (const [here, there] of edges(corners(window))) {
    const [score, next] = [scoreAt(weights, here), scoreAt(weights, there)];
    if (score * next > 0 || score === next) continue;
    const [x, y] = between(here, there, score / (score - next));
    ends.set(`${x + 0},${y + 0}`, [x, y]);
  }
  const found = [...ends.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return found.length === 2 ? tidy(found) : [];
}

// Boundary lines, and polygons where b + w1 x1 + w2 x2 + w12 x1 x2 is above 0.
//
// In every column of the plane the score is a straight line in x2, a + c x2 with c = w2 + w12 x1, so its positive part is
// one interval: above −a/c where c is positive, below it where c is negative. Where c changes its sign the boundary goes
// to infinity, and the shapes are cut there.
export function productShapes(window, weights) {
  const [, , w2, w12] = weights;
  const [lines, regions] = [[], []];
  let part = [];
  const columns = columnsOf(window, weights);
  columns.forEach((x, k) => {
    part.push(x);
    const slope = Math.sign(w2 + w12 * x);
    if (k + 1 < columns.length && Math.sign(w2 + w12 * columns[k + 1]) === slope) return;
    if (slope) slanted(window, weights, part, slope, lines, regions);
    else upright(window, weights, part, lines, regions);
    part = [];
  });
  return { lines: lines.map(tidy), regions: regions.filter((region) => area(region) > NEAR).map(tidy) };
}

// Where to look: evenly, where the boundary crosses the lower and the upper edge, and beside where it leaves.
function columnsOf([left, right, low, high], [b, w1, w2, w12]) {
  const places = new Set(Array.from({ length: COLUMNS + 1 }, (_, k) => left + ((right - left) * k) / COLUMNS));
  for (const level of [low, high]) {
    if (w1 + w12 * level) places.add(-(b + w2 * level) / (w1 + w12 * level) + 0);
  }
  if (w12) for (const side of [-NEAR, NEAR]) places.add(-w2 / w12 + side);
  return [...places].filter((x) => x >= left && x <= right).sort((a, b) => a - b);
}

function upright([left, right, low, high], [b, w1], xs, lines, regions) {
  const yes = b || w1 ? xs.filter((x) => b + w1 * x >= 0) : [];
  if (yes.length > 1) regions.push(corners([yes[0], yes.at(-1), low, high]));
  const edge = -b / w1;
  if (w1 && left < edge && edge < right && xs.length > 1) {
    lines.push([
      [edge, low],
      [edge, high],
    ]);
  }
}

function slanted([, , low, high], [b, w1, w2, w12], xs, slope, lines, regions) {
  const levels = xs.map((x) => -(b + w1 * x) / (w2 + w12 * x));
  const cut = levels.map((level) => Math.min(Math.max(level, low), high));
  const edge = slope > 0 ? high : low;
  regions.push([...xs.map((x, k) => [x, cut[k]]), [xs.at(-1), edge], [xs[0], edge]]);
  const close = (a, b) => Math.abs(a - b) <= Math.max(1e-9 * Math.max(Math.abs(a), Math.abs(b)), 1e-9);
  const inside = xs.flatMap((x, k) => (close(cut[k], levels[k]) ? [[x, cut[k]]] : []));
  if (inside.length > 1) lines.push(inside);
}

function area(polygon) {
  return Math.abs(edges(polygon).reduce((sum, [[x, y], [u, v]]) => sum + x * v - u * y, 0)) / 2;
}

export const tidy = (points) => points.map(([x, y]) => [round(x, 4), round(y, 4)]);
