// The calls `regions` and `surface`: what the weights say all over the plane.

import { column } from "./answer.js";
import { courseOf } from "./course.js";
import { Problem } from "./problem.js";
import { decide, givenScore } from "./rows.js";
import { votesAt } from "./variants.js";
import { number, oneOf, several, whole } from "./wanted.js";

export const VARIANTS = ["final", "averaged", "voted", "pocket"];
const MOST_CELLS = 160; // on a side
const MOST_BALLOTS = 3e7; // cells times votes times vectors that are counted one by one
const MOST_REFINED = 1e8; // the same, for the cells of blocks whose corners differ
const COARSE = 4; // cells on a side of a block that is counted at its corners first

// For each variant the class of each cell of a window, judged at its centre, and how many points it gets right.
export function regions(body) {
  const course = planar(courseOf(body));
  const [columns, rows] = ["columns", "rows"].map((name) => whole(name, body[name] ?? 100, 2, MOST_CELLS));
  const wanted = several("variants", body.variants ?? ["final"], VARIANTS.length, 1);
  const variants = wanted.map((name) => oneOf("variants", name, VARIANTS));
  const updates = updatesOf(course, body);
  const cells = centres(windowOf(body), columns, rows);
  const right = Object.fromEntries(variants.map((name) => [name, course.right(name)]));
  const found = { columns, rows, right };
  const classes = (codes) =>
    column(
      codes.map((code) => course.bench.classes[code]),
      "uint8",
    );
  for (const name of variants) {
    if (name === "voted") {
      const votes = votesOver(course, cells, columns, rows);
      found.voted = classes(votes.map((shares) => decide(shares, course.bench.ties)));
      if (course.rows.vectors === 1) found.voted_values = column(votes.map(([share]) => share));
    } else found[name] = classes(course.decide(cells, name, updates));
  }
  return found;
}

// The activation over the plane without and with the bias, and the boundary as a plane through the origin.
//
// Grids have one entry for each corner of the cells, rows from the bottom. In the space of (1, x1, x2) the boundary is
// what is perpendicular to the weights: `across` and `up` are two directions of length 1 in it.
export function surface(body) {
  const course = planar(courseOf(body));
  const cells = whole("cells", body.cells ?? 12, 1, 40);
  const [low, high, bottom, top] = windowOf(body);
  const [x, y] = [evenly(low, high, cells), evenly(bottom, top, cells)];
  const { width, vectors, bias } = course.rows;
  const weights = course.shown(course.weights("final", updatesOf(course, body)));
  const normals = Array.from({ length: vectors }, (_, v) => {
    const line = Array.from(weights.slice(v * width, (v + 1) * width));
    return bias ? line : [0, ...line];
  });
  const plain = normals.map((normal) => [0, ...normal.slice(1)]);
  const grid = (line) => y.map((b) => x.map((a) => givenScore(line, 0, [a, b], true)));
  return { x, y, without: plain.map(grid), with: normals.map(grid), normals, planes: normals.map(planeOf) };
}

// Two directions in the plane perpendicular to the weights: what a reflection that turns the weights into the first
// axis makes of the other two. None where the weights are 0.
function planeOf(normal) {
  const length = Math.hypot(...normal);
  if (!length) return null;
  const v = normal.slice();
  v[0] += v[0] < 0 ? -length : length;
  const size = v.reduce((sum, value) => sum + value * value, 0);
  const turned = (k) => v.map((value, j) => (j === k ? 1 : 0) - (2 * v[k] * value) / size);
  return { across: turned(1), up: turned(2) };
}

function planar(course) {
  const width = course.bench.points[0].length;
  if (width !== 2) throw new Problem(`only points in a plane can be drawn; these have ${width} numbers.`);
  return course;
}

function windowOf(body) {
  const edges = several("window", body.window, 4, 4).map((edge) => number("window", edge, -1e10, 1e10));
  if (!(edges[0] < edges[1] && edges[2] < edges[3])) {
    throw new Problem("window must be [left, right, low, high] with left < right and low < high.");
  }
  return edges;
}

function updatesOf(course, { update = null }) {
  return update === null ? null : whole("update", update, 0, course.run.steps.length);
}

function evenly(low, high, parts) {
  const step = (high - low) / parts;
  return Array.from({ length: parts + 1 }, (_, k) => (k === parts ? high : k * step + low));
}

// The centres of the cells, row after row from the bottom.
function centres([low, high, bottom, top], columns, rows) {
  const x = Array.from({ length: columns }, (_, i) => low + ((high - low) * (i + 0.5)) / columns);
  const y = Array.from({ length: rows }, (_, j) => bottom + ((top - bottom) * (j + 0.5)) / rows);
  return y.flatMap((b) => x.map((a) => [a, b]));
}

// The share of votes in each cell. A long run on a fine grid is counted at the corners of blocks first.
//
// Where all corners of a block agree, its cells take the votes of a corner; only the rest is counted one by one. If
// even that is too much, because the longest runs are those on points that no vote can sort, blocks stay as they are.
function votesOver(course, cells, columns, rows) {
  const each = (course.run.steps.length + 1) * course.rows.vectors;
  if (cells.length * each <= MOST_BALLOTS) return votesAt(course, cells);
  const [down, right] = [corners(rows), corners(columns)];
  const places = down.flatMap((j) => right.map((i) => cells[j * columns + i]));
  const counted = votesAt(course, places);
  const votes = cells.map((_, place) => {
    const [j, i] = [Math.floor(place / columns), place % columns];
    return counted[Math.floor(j / COARSE) * right.length + Math.floor(i / COARSE)];
  });
  const open = openCells(course, counted, down, right, columns);
  if (open.length * each <= MOST_REFINED) {
    const refined = votesAt(
      course,
      open.map((place) => cells[place]),
    );
    open.forEach((place, k) => (votes[place] = refined[k]));
  }
  return votes;
}

// Every fourth place and the last.
function corners(size) {
  const found = [];
  for (let k = 0; k < size; k += COARSE) found.push(k);
  if (found[found.length - 1] !== size - 1) found.push(size - 1);
  return found;
}

// The cells of blocks whose corners differ.
function openCells(course, counted, down, right, columns) {
  const decided = counted.map((shares) => decide(shares, course.bench.ties));
  const open = new Set();
  for (let a = 0; a + 1 < down.length; a++) {
    for (let b = 0; b + 1 < right.length; b++) {
      const begin = a * right.length + b;
      const block = [begin, begin + 1, begin + right.length, begin + right.length + 1].map((k) => decided[k]);
      if (block.every((code) => code === block[0])) continue;
      for (let j = down[a]; j <= down[a + 1]; j++) {
        for (let i = right[b]; i <= right[b + 1]; i++) open.add(j * columns + i);
      }
    }
  }
  return [...open];
}
