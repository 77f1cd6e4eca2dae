// The calls `regions` and `surface`: what the weights say all over the plane.

import { column } from "./answer.js";
import { NO_WEIGHTS } from "./curve_course.js";
import { courseOf } from "./latest.js";
import { Problem } from "./problem.js";
import { decide, givenScore } from "./rows.js";
import { votesAlong } from "./votes.js";
import { number, oneOf, several, whole } from "./wanted.js";

export const VARIANTS = ["final", "averaged", "voted", "pocket"];
const MOST_CELLS = 160; // on a side
const SLICE = 40; // milliseconds of counting votes, before the page draws and listens again
const AT_ONCE = 1e5; // votes between looks at the clock

// For each variant the class of each cell of a window, judged at its centre, and how many points it gets right. Votes of
// a long run take a while: they are counted in slices.
export async function regions(body) {
  const course = planar(courseOf(body));
  const [columns, rows] = ["columns", "rows"].map((name) => whole(name, body[name] ?? 100, 2, MOST_CELLS));
  const wanted = several("variants", body.variants ?? ["final"], VARIANTS.length, 1);
  const variants = wanted.map((name) => oneOf("variants", name, VARIANTS));
  const updates = updatesOf(course, body);
  const [left, end, bottom, top] = windowOf(body);
  const [x, y] = [centres(left, end, columns), centres(bottom, top, rows)];
  const found = { columns, rows, right: {} };
  const classes = (codes) =>
    column(
      codes.map((code) => course.bench.classes[code]),
      "uint8",
    );
  for (const name of variants) {
    if (name === "voted") {
      const along = course.rows.kernel ? curveVotes : votesAlong;
      const votes = (await inSlices(y, 1, (some) => some.flatMap((b) => along(course, x, b)))).flat();
      found.right.voted = await rightOfVote(course);
      found.voted = classes(votes.map((shares) => decide(shares, course.bench.ties)));
      if (course.rows.vectors === 1) found.voted_values = column(votes.map(([share]) => share));
    } else {
      const cells = y.flatMap((b) => x.map((a) => [a, b]));
      found.right[name] = course.right(name);
      found[name] = classes(course.decide(cells, name, updates));
    }
  }
  return found;
}

const curveVotes = (course, x, b) => x.map((a) => course.votes(course.rows.beside([a, b])));

async function rightOfVote(course) {
  const { points, codes } = course.bench;
  const few = Math.max(1, Math.floor(AT_ONCE / course.chapter.survived.length / course.rows.vectors));
  const decided = (await inSlices(points, few, (some) => course.decide(some, "voted"))).flat();
  return decided.filter((code, i) => code === codes[i]).length;
}

// What `work` makes of so many entries at once, one after the other; the page gets its turn in between.
async function inSlices(entries, few, work) {
  const found = [];
  let until = performance.now() + SLICE;
  for (let k = 0; k < entries.length; k += few) {
    found.push(work(entries.slice(k, k + few)));
    if (performance.now() < until) continue;
    await new Promise((go) => setTimeout(go));
    until = performance.now() + SLICE;
  }
  return found;
}

// The activation over the plane without and with the bias, and the boundary as a plane through the origin.
//
// Grids have one entry for each corner of the cells, rows from the bottom. In the space of (1, x1, x2) the boundary is
// what is perpendicular to the weights: `across` and `up` are two directions of length 1 in it.
export function surface(body) {
  const course = planar(courseOf(body));
  if (course.rows.kernel) throw new Problem(NO_WEIGHTS);
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

// The centres of so many cells between two edges.
function centres(low, high, count) {
  return Array.from({ length: count }, (_, i) => low + ((high - low) * (i + 0.5)) / count);
}
