// From features to places in a picture of a plane, and the grid of that picture.

import { svg } from "./elements.js";
import { numeral } from "./engine/numerals.js";

export const SIZE = { width: 700, height: 540, left: 44, right: 14, top: 14, bottom: 34 };

let frames = 0;

// Ranges of the two features, { low, high, span }, shown in a picture of this size.
export class Frame {
  constructor(x, y, size = SIZE) {
    this.id = `rp-frame-${frames++}`;
    this.scale = [(size.width - size.left - size.right) / x.span, (size.height - size.top - size.bottom) / y.span];
    Object.assign(this, { x, y, size });
    this.box = [
      [x.low, y.low],
      [x.high, y.low],
      [x.high, y.high],
      [x.low, y.high],
    ];
  }

  // Room for every row. Equal scales unless one is `most` times the other: then w stands upright on the border.
  static around(run, size = SIZE, most = 2) {
    const [x, y] = [run.width - 2, run.width - 1].map((j) => range(run, j));
    const [w, h] = [size.width - size.left - size.right, size.height - size.top - size.bottom];
    const ratio = x.span / w / (y.span / h);
    if (ratio < most && ratio > 1 / most) {
      if (ratio > 1) widen(y, (x.span * h) / w);
      else widen(x, (y.span * w) / h);
    }
    return new Frame(x, y, size);
  }

  at([x, y]) {
    const { left, height, bottom } = this.size;
    return [left + (x - this.x.low) * this.scale[0], height - bottom - (y - this.y.low) * this.scale[1]];
  }

  // The features at a place of the picture.
  under([px, py]) {
    const { left, height, bottom } = this.size;
    return [this.x.low + (px - left) / this.scale[0], this.y.low + (height - bottom - py) / this.scale[1]];
  }

  clip() {
    const [left, bottom] = this.at([this.x.low, this.y.low]);
    const [right, top] = this.at([this.x.high, this.y.high]);
    const box = svg("rect", { x: left, y: top, width: right - left, height: bottom - top });
    return svg("defs", {}, svg("clipPath", { id: this.id }, box));
  }
}

function range(run, j) {
  let [low, high] = [Infinity, -Infinity];
  for (const row of run.rows) [low, high] = [Math.min(low, row[j]), Math.max(high, row[j])];
  if (!run.bias) [low, high] = [Math.min(low, 0), Math.max(high, 0)]; // every border goes through the origin
  const room = (high - low || 1) * 0.35;
  return { low: low - room, high: high + room, span: high - low + 2 * room };
}

function widen(axis, span) {
  const middle = (axis.low + axis.high) / 2;
  Object.assign(axis, { low: middle - span / 2, high: middle + span / 2, span });
}

function stepOf({ span }) {
  const power = 10 ** Math.floor(Math.log10(span / 5));
  return power * [1, 2, 5, 10].find((s) => span / (s * power) <= 7);
}

// Axes of one scale have ticks of one distance: the lines are squares. Otherwise each has its own.
export function commonStep(frame) {
  const equal = Math.abs(frame.scale[0] / frame.scale[1] - 1) < 1e-6;
  return equal ? Math.min(stepOf(frame.x), stepOf(frame.y)) : undefined;
}

export function ticks(axis, step = stepOf(axis)) {
  const { low, high } = axis;
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

export function grid(run, frame) {
  const { size } = frame;
  const lines = svg("g", { class: "rp-grid" });
  const step = commonStep(frame);
  for (const x of ticks(frame.x, step)) {
    const [at, bottom] = frame.at([x, frame.y.low]);
    lines.append(svg("line", { x1: at, x2: at, y1: size.top, y2: bottom }));
    lines.append(svg("text", { x: at, y: bottom + 18, "text-anchor": "middle" }, numeral(x)));
  }
  for (const y of ticks(frame.y, step)) {
    const [left, at] = frame.at([frame.x.low, y]);
    lines.append(svg("line", { x1: left, x2: size.width - size.right, y1: at, y2: at }));
    lines.append(svg("text", { x: left - 8, y: at + 4, "text-anchor": "end" }, numeral(y)));
  }
  const [across, up] = run.features.slice(-2);
  const corner = { x: size.width - size.right - 6, y: size.height - size.bottom - 6, "text-anchor": "end" };
  lines.append(svg("text", corner, across));
  lines.append(svg("text", { x: size.left + 6, y: size.top + 14 }, up));
  return lines;
}
