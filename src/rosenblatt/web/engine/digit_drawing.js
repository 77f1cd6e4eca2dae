// A digit that a person drew, brought to the form of the digits that were learned, and what is made of it.
//
// Those digits (NIST, by way of UCI) were set upright, scaled to a height of 32 pixels, centred, their strokes thickened or
// thinned until about 312 of 32 × 32 pixels were ink, and counted in blocks of 4 × 4. The same is done here, whatever the
// size of the canvas, the pen and the place.

import { decide, learned, scoresOf, SIDE } from "./digits.js";
import { Problem } from "./problem.js";

const FINE = 32; // pixels on a side before they are counted
const BLOCK = FINE / SIDE;
const TARGET = 312; // of those pixels are ink
const WIDEST = 22; // of them, which the learned digits seldom exceed
const GRID = 64; // places on a side of the drawing that are looked at
const STEEPEST = 0.7; // slant, as places to the side for each one down
const INK = 0.5; // from here on a place counts as ink

// The 64 counts from 0 to 16 of a square canvas, row after row, of numbers from 0 (paper) to 1 (ink).
export function features(canvas, frame = frameOf(canvas)) {
  const counts = Array(SIDE * SIDE).fill(0);
  if (!frame) return counts;
  distances(canvas, frame).forEach((far, k) => {
    const [row, column] = [Math.floor(k / FINE), k % FINE];
    if (far <= frame.reach) counts[Math.floor(row / BLOCK) * SIDE + Math.floor(column / BLOCK)]++;
  });
  return counts;
}

// Where the drawing lies and how it is turned and scaled, in places of the canvas; `reach` is how far strokes are
// thickened, or below 0 thinned. So parts of a drawing can be looked at in the frame of the whole. Null without ink.
export function frameOf(canvas) {
  const box = boxOf(canvas);
  if (!box) return null;
  let frame = fitted(box, 0);
  for (let k = 0; k < 2; k++) frame = fitted(box, reachOf(canvas, frame)); // thicker strokes need room
  return { ...frame, reach: reachOf(canvas, frame) };
}

// The slant of the drawing, as places to the side for each one down, and the box of its ink once that is taken out.
function boxOf(canvas) {
  const side = sideOf(canvas);
  const ink = Array.from(canvas.keys()).filter((k) => canvas[k] >= INK);
  if (!ink.length) return null;
  const [xs, ys] = [ink.map((k) => k % side), ink.map((k) => Math.floor(k / side))];
  const [x0, y0] = [xs, ys].map((values) => values.reduce((a, b) => a + b) / ink.length);
  const sum = (one, other) => one.reduce((so, value, k) => so + value * other[k], 0);
  const [dx, dy] = [xs.map((x) => x - x0), ys.map((y) => y - y0)];
  const slant = Math.max(-STEEPEST, Math.min(STEEPEST, sum(dx, dy) / (sum(dy, dy) || 1)));
  const upright = xs.map((x, k) => x - slant * dy[k]);
  const [left, right] = ends(upright);
  const [top, bottom] = ends(ys);
  return { slant, y0, left, right, top, bottom };
}

const ends = (values) =>
  values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [values[0], values[0]]);

function sideOf(canvas) {
  const side = Math.sqrt(canvas.length);
  if (!Number.isInteger(side) || side < 1) {
    throw new Problem(`a drawing must be a square of numbers; got ${canvas.length} of them.`);
  }
  return side;
}

// The box in the middle of 32 × 32 pixels, `reach` of them free above and below it.
function fitted({ slant, y0, left, right, top, bottom }, reach) {
  const [width, height] = [right - left + 1, bottom - top + 1];
  const room = FINE - 2 * Math.max(0, Math.min(reach, FINE / 4));
  const down = Math.max(height, width / 4) / room; // a dash is no tall digit
  const across = Math.max(down, width / (WIDEST - (FINE - room)));
  const middle = FINE / 2;
  return {
    slant,
    y0,
    across,
    down,
    left: (left + right + 1) / 2 - middle * across,
    top: (top + bottom + 1) / 2 - middle * down,
  };
}

function reachOf(canvas, frame) {
  return distances(canvas, frame).sort()[TARGET - 1];
}

// For each of 32 × 32 pixels how far it is from ink, in pixels; inside ink less than 0: how far from paper.
function distances(canvas, { slant, y0, left, top, across, down }) {
  const [side, step] = [sideOf(canvas), FINE / GRID];
  const ink = new Uint8Array(GRID * GRID);
  for (let k = 0; k < ink.length; k++) {
    const y = Math.floor(top + (Math.floor(k / GRID) + 0.5) * step * down);
    const x = Math.floor(left + ((k % GRID) + 0.5) * step * across + slant * (y - y0));
    ink[k] = x >= 0 && x < side && y >= 0 && y < side && canvas[y * side + x] >= INK ? 1 : 0;
  }
  const [toInk, toPaper] = [1, 0].map((wanted) => nearest(ink, wanted));
  const far = Float64Array.from(ink, (on, k) => (on ? -toPaper[k] : toInk[k]) * step);
  const at = (row, column) => far[row * GRID + column];
  return Float64Array.from({ length: FINE * FINE }, (_, k) => {
    const [row, column] = [Math.floor(k / FINE) / step, (k % FINE) / step];
    return (at(row, column) + at(row, column + 1) + at(row + 1, column) + at(row + 1, column + 1)) / 4;
  });
}

// For each place of the grid the distance to the nearest one of the kind wanted: along columns first, then along rows.
function nearest(ink, wanted) {
  const along = new Float64Array(ink.length).fill(4 * GRID);
  const found = new Float64Array(ink.length);
  for (let x = 0; x < GRID; x++) {
    for (const [start, step] of [
      [0, 1],
      [GRID - 1, -1],
    ]) {
      let since = 4 * GRID;
      for (let y = start; y >= 0 && y < GRID; y += step) {
        since = ink[y * GRID + x] === wanted ? 0 : since + 1;
        along[y * GRID + x] = Math.min(along[y * GRID + x], since);
      }
    }
  }
  for (let k = 0; k < along.length; k++) found[k] = nearestInRow(along, k - (k % GRID), k % GRID);
  return found;
}

// The shortest way from a place of a row, by any of its columns; those further away than the shortest so far are left out.
function nearestInRow(along, begin, x) {
  let least = along[begin + x] ** 2;
  for (let off = 1; off * off < least && off < GRID; off++) {
    if (x >= off) least = Math.min(least, off * off + along[begin + x - off] ** 2);
    if (x + off < GRID) least = Math.min(least, off * off + along[begin + x + off] ** 2);
  }
  return Math.sqrt(least);
}

// What the perceptron of some moment (the last, if none is named) makes of a drawing, given as one canvas for each
// stroke: the counts, the scores, what each pixel adds to them, and what each stroke added to the scores.
export function readDrawing({ strokes, moment }) {
  const { classes, moments } = learned();
  const { weights } = moments[moment ?? moments.length - 1];
  const sums = strokes.reduce((so, stroke) => [...so, stroke.map((ink, k) => Math.max(ink, so.at(-1)?.[k] ?? 0))], []);
  const whole = sums.at(-1) ?? [];
  const frame = whole.length ? frameOf(whole) : null;
  const steps = [
    scoresOf(weights, Array(SIDE * SIDE).fill(0)),
    ...sums.map((sum) => scoresOf(weights, features(sum, frame))),
  ];
  const pixels = features(whole, frame);
  const scores = steps.at(-1);
  const width = SIDE * SIDE + 1;
  return {
    pixels,
    scores,
    predicted: frame ? decide(scores) : null,
    strokes: strokes.map((_, k) => scores.map((_, c) => steps[k + 1][c] - steps[k][c])),
    adds: classes.map((_, c) => pixels.map((value, j) => value * weights[c * width + j])),
  };
}
