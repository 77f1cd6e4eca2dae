// The part of the plane that is seen, and how finely a person can place points in it.

import { GRAIN } from "../engine/bench.js";
import { Frame } from "../frame.js";

export const SIZE = { width: 700, height: 470, left: 40, right: 12, top: 18, bottom: 34 };
const UNEQUAL = 4; // axes so many times apart get scales of their own
const EMPTY = [
  [0, 0],
  [5, 4],
];

export function frameOf(state) {
  const { points } = state.data;
  const held = state.now.window;
  if (held && points.every((point) => inside(held, point))) {
    return new Frame(axis(held[0], held[1]), axis(held[2], held[3]), SIZE);
  }
  const shown = points.length ? points : EMPTY;
  return Frame.around({ rows: shown, width: 2, bias: state.choices.bias }, SIZE, UNEQUAL);
}

const axis = (low, high) => ({ low, high, span: high - low });

export function inside([left, right, low, high], [x, y]) {
  return x >= left && x <= right && y >= low && y <= high;
}

export function windowOf(frame) {
  return [frame.x.low, frame.x.high, frame.y.low, frame.y.high];
}

// A power of two: about a hundredth of what is seen, and a multiple of the grid that the engine rounds to. Places by hand
// are multiples of it.
export function fineness(axis) {
  return Math.max(GRAIN, 2 ** Math.ceil(Math.log2(axis.span / 100)));
}

export function snapped(value, step) {
  return Number((Math.round(value / step) * step).toPrecision(12));
}

export function within(axis, value) {
  return Math.max(axis.low, Math.min(axis.high, value));
}
