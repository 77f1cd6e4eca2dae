// Borders, where two classes score the same and no other scores more, the regions between them, and the weight vector.

import { colour, svg } from "./elements.js";

const ARROW = 84;

export function affine(run, weights, c) {
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
export function cut(outline, plane) {
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

export function borders(run, frame, weights) {
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

// The outline of a part of the plane, as a path.
export function outlined(frame, places) {
  const at = (place) =>
    frame
      .at(place)
      .map((z) => z.toFixed(1))
      .join(" ");
  return `M${places.map(at).join("L")}Z`;
}

export function regions(run, frame, weights) {
  if (weights.every((w) => w === 0)) return [];
  const all = planes(run, weights);
  return all.flatMap((plane, c) => {
    let outline = frame.box;
    all.forEach((other, k) => {
      if (k !== c && outline.length) outline = cut(outline, minus(plane, other)).kept;
    });
    if (outline.length < 3) return [];
    return [svg("path", { d: outlined(frame, outline), class: "rp-region", fill: colour(run.look(c)) })];
  });
}

export function line([[x1, y1], [x2, y2]], name) {
  return svg("line", { x1, y1, x2, y2, class: name });
}

// The weight vector, from the middle of the border: its direction is exact, its length is not to scale.
export function arrow(run, frame, weights, now) {
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
