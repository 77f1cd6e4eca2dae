// The plane of two features: points, the regions and borders of the classes, the weight vector, and what was before.

import { colour, html, lookOf, mark, svg } from "./elements.js";
import { numeral } from "./words.js";

const WIDTH = 700;
const HEIGHT = 540;
const EDGE = { left: 44, right: 14, top: 14, bottom: 34 };
const MOST_POINTS = 5000;
const ARROW = 84;

export function makePlane(run) {
  const frame = new Frame(run);
  const layers = { regions: svg("g"), old: svg("g"), borders: svg("g"), ring: svg("g") };
  const note = html("p", { class: "rp-note" });
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const inner = svg("g", { "clip-path": `url(#${frame.id})` }, layers.old, layers.borders, layers.ring);
  picture.append(frame.clip(), layers.regions, grid(run, frame), points(run, frame), inner);
  const extra = run.rows.length > MOST_POINTS ? ` Shows ${MOST_POINTS} of ${run.rows.length} rows.` : "";
  const draw = (moment) => {
    const now = borders(run, frame, moment.after);
    layers.regions.replaceChildren(...regions(run, frame, moment.after));
    const changed = moment.rival >= 0;
    layers.old.replaceChildren(...(changed ? borders(run, frame, moment.before) : []).map((s) => line(s, "rp-old")));
    layers.borders.replaceChildren(...now.map((s) => line(s, "rp-new")), ...arrow(run, frame, moment.after, now));
    layers.ring.replaceChildren(...ring(frame, run, moment));
    note.textContent = remark(run, moment.after, now) + extra;
    picture.setAttribute("aria-label", label(run, moment, now));
  };
  return { element: html("div", {}, picture, note), draw };
}

function label(run, moment, now) {
  const drawn = now.length ? `${now.length} border${now.length > 1 ? "s" : ""}` : "no border in view";
  return `${run.rows.length} rows in the plane of ${run.features.slice(-2).join(" and ")} after step ${moment.step}: ${drawn}`;
}

function remark(run, weights, now) {
  if (weights.every((w) => w === 0)) return "All weights are 0: every score is 0, and there is no boundary.";
  if (run.vectors === 1 && affine(run, weights, 0).slice(1).every((w) => w === 0)) {
    return "Only the weight of the bias is not 0: every point gets the same class, and there is no boundary.";
  }
  return now.length ? "" : "The boundary lies outside the picture: every point in view is on the same side.";
}

let frames = 0;

// From features to places in the picture. Equal scales where that wastes little: then w stands upright on the border.
class Frame {
  constructor(run) {
    this.id = `rp-frame-${frames++}`;
    const [x, y] = [run.width - 2, run.width - 1].map((j) => range(run, j));
    const [w, h] = [WIDTH - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom];
    const ratio = x.span / w / (y.span / h);
    if (ratio < 2 && ratio > 1 / 2) {
      if (ratio > 1) widen(y, (x.span * h) / w);
      else widen(x, (y.span * w) / h);
    }
    this.scale = [w / x.span, h / y.span];
    Object.assign(this, { x, y });
    this.box = [[x.low, y.low], [x.high, y.low], [x.high, y.high], [x.low, y.high]];
  }

  at([x, y]) {
    return [EDGE.left + (x - this.x.low) * this.scale[0], HEIGHT - EDGE.bottom - (y - this.y.low) * this.scale[1]];
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

function ticks({ low, high, span }) {
  const power = 10 ** Math.floor(Math.log10(span / 5));
  const step = power * [1, 2, 5, 10].find((s) => span / (s * power) <= 7);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

function grid(run, frame) {
  const lines = svg("g", { class: "rp-grid" });
  for (const x of ticks(frame.x)) {
    const [at, bottom] = frame.at([x, frame.y.low]);
    lines.append(svg("line", { x1: at, x2: at, y1: EDGE.top, y2: bottom }));
    lines.append(svg("text", { x: at, y: bottom + 18, "text-anchor": "middle" }, numeral(x)));
  }
  for (const y of ticks(frame.y)) {
    const [left, at] = frame.at([frame.x.low, y]);
    lines.append(svg("line", { x1: left, x2: WIDTH - EDGE.right, y1: at, y2: at }));
    lines.append(svg("text", { x: left - 8, y: at + 4, "text-anchor": "end" }, numeral(y)));
  }
  const [across, up] = run.features.slice(-2);
  lines.append(svg("text", { x: WIDTH - EDGE.right, y: HEIGHT - 2, "text-anchor": "end" }, across));
  lines.append(svg("text", { x: 2, y: 12 }, up));
  return lines;
}

function pointSize(run) {
  return run.rows.length > 300 ? 5 : run.rows.length > 60 ? 7 : 10;
}

function points(run, frame) {
  const every = Math.ceil(run.rows.length / MOST_POINTS);
  const outlines = run.classes.map(() => []);
  const size = pointSize(run);
  for (let i = 0; i < run.rows.length; i += every) {
    const [x, y] = frame.at(run.rows[i].slice(-2));
    outlines[run.truth[i]].push(mark(lookOf(run.truth[i], run.classes.length), x, y, size));
  }
  const of = (d, c) => svg("path", { d: d.join(""), fill: colour(lookOf(c, run.classes.length)), class: "rp-points" });
  return svg("g", {}, ...outlines.map(of));
}

function ring(frame, run, moment) {
  if (moment.row < 0) return [];
  const [cx, cy] = frame.at(moment.features.slice(-2));
  const r = run.rows.length > 60 ? 15 : 20;
  const look = lookOf(moment.truth, run.classes.length);
  const own = svg("path", { d: mark(look, cx, cy, pointSize(run)), fill: colour(look), class: "rp-points" }); // on top
  return [own, svg("circle", { cx, cy, r, class: moment.rival >= 0 ? "rp-ring" : "rp-ring rp-right" })];
}

// --- Borders: where two classes score the same and no other scores more.

function affine(run, weights, c) {
  const w = run.vector(weights, c);
  return run.bias ? [w[0], w[1], w[2]] : [0, w[0], w[1]];
}

const minus = (a, b) => a.map((value, j) => value - b[j]);
const value = ([b, u, v], [x, y]) => b + u * x + v * y;

function planes(run, weights) {
  if (run.vectors > 1) return run.classes.map((_, c) => affine(run, weights, c));
  return [[0, 0, 0], affine(run, weights, 0)]; // two classes: + against nothing
}

// The part of a convex outline where the plane is not negative, and the points where it was cut.
function cut(outline, plane) {
  const kept = [];
  const edge = [];
  outline.forEach((p, i) => {
    const q = outline[(i + 1) % outline.length];
    const [a, b] = [value(plane, p), value(plane, q)];
    if (a >= 0) kept.push(p);
    if (a < 0 !== b < 0) {
      const t = a / (a - b);
      const between = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
      kept.push(between);
      edge.push(between);
    }
  });
  return { kept, edge };
}

function borders(run, frame, weights) {
  const all = planes(run, weights);
  const found = [];
  for (let a = 0; a < all.length; a++) {
    for (let b = a + 1; b < all.length; b++) {
      let ends = cut(frame.box, minus(all[b], all[a])).edge;
      if (ends.length !== 2) continue;
      for (let c = 0; c < all.length && ends.length; c++) {
        if (c !== a && c !== b) ends = shorten(ends, minus(all[a], all[c]));
      }
      if (ends.length) found.push(ends.map((end) => frame.at(end)));
    }
  }
  return found;
}

function shorten([p, q], plane) {
  const [a, b] = [value(plane, p), value(plane, q)];
  if (a < 0 && b < 0) return [];
  if (a >= 0 && b >= 0) return [p, q];
  const t = a / (a - b);
  const between = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
  return a >= 0 ? [p, between] : [between, q];
}

function regions(run, frame, weights) {
  if (weights.every((w) => w === 0)) return [];
  const all = planes(run, weights);
  return all.flatMap((plane, c) => {
    let outline = frame.box;
    all.forEach((other, k) => {
      if (k !== c && outline.length) outline = cut(outline, minus(plane, other)).kept;
    });
    if (outline.length < 3) return [];
    const d = `M${outline.map((p) => frame.at(p).map((z) => z.toFixed(1)).join(" ")).join("L")}Z`;
    return [svg("path", { d, class: "rp-region", fill: colour(lookOf(c, run.classes.length)) })];
  });
}

function line([[x1, y1], [x2, y2]], name) {
  return svg("line", { x1, y1, x2, y2, class: name });
}

// The weight vector, from the middle of the border: its direction is exact, its length is not to scale.
function arrow(run, frame, weights, now) {
  if (run.vectors > 1 || !now.length) return [];
  const [, u, v] = affine(run, weights, 0);
  const [dx, dy] = [u * frame.scale[0], -v * frame.scale[1]];
  const size = Math.hypot(dx, dy);
  if (!size) return [];
  const [[x1, y1], [x2, y2]] = now[0];
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const [ex, ey] = [dx / size, dy / size];
  const tip = [x + ex * ARROW, y + ey * ARROW];
  const wing = (side) => [tip[0] - ex * 13 - side * ey * 6, tip[1] - ey * 13 + side * ex * 6];
  const head = `M${[tip, wing(1), wing(-1)].map((p) => p.join(" ")).join("L")}Z`;
  const shaft = svg("line", { x1: x, y1: y, x2: tip[0] - ex * 10, y2: tip[1] - ey * 10, class: "rp-new" });
  return [shaft, svg("path", { d: head, class: "rp-tip" })];
}
