// What is drawn over or beside points and lines: the row at hand, the picked point, rows that cancel, names.

import { numeral, svg } from "./draw.js";

// Names stand near the upper end, each kind a little further down than the one before, so that they seldom collide.
export function nameAt({ size }, ends, kind) {
  const t = { averaged: 0.06, voted: 0.13, pocket: 0.2 }[kind];
  const [from, to] = ends[0][1] < ends[1][1] ? ends : [ends[1], ends[0]];
  const [x, y] = [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])];
  const [place, anchor] = x > size.width - 90 ? [x - 6, "end"] : [x + 6, "start"];
  const level = Math.min(Math.max(y + 4, size.top + 14), size.height - size.bottom - 6);
  return svg("text", { x: place, y: level, class: "line-name", "text-anchor": anchor }, kind);
}

// The longest of some lines, if there is one.
export function longest(lines) {
  return lines.toSorted((one, other) => other.length - one.length).slice(0, 1);
}

// On a line that bends the names stand where nobody else's does.
export function nameOn(frame, line, kind) {
  const at = line[Math.floor({ averaged: 0.35, voted: 0.7 }[kind] * (line.length - 1))];
  return nameAt(frame, [at, at], kind);
}

// The row at hand, on top of the others.
export function ring(plane, moment) {
  const point = plane.state.data.points[moment.row];
  if (!point) return [];
  const [cx, cy] = plane.frame.at(point);
  const name = moment.rival >= 0 ? "rp-ring" : "rp-ring rp-right";
  const own = plane.marks.over([cx, cy], plane.state.data.labels[moment.row]);
  return [...own, svg("circle", { cx, cy, r: plane.marks.reach([cx, cy]) + 9, class: name })];
}

// A cross in each of these points: they are on the wrong side.
export function wrong({ frame, state }, rows) {
  const cross = ([x, y]) => `M${x - 3.5} ${y - 3.5}l7 7m0 -7l-7 7`;
  const d = rows.map((row) => cross(frame.at(state.data.points[row]))).join("");
  return d ? [svg("path", { d, class: "missed" })] : [];
}

// Four corners around the picked point.
export function corners(plane) {
  const point = plane.state.data.points[plane.state.picked];
  if (!point) return [];
  const [x, y] = plane.frame.at(point);
  const r = plane.marks.reach([x, y]) + 6;
  const corner = (a, b) => `M${x + a * r} ${y + b * (r - 5)}V${y + b * r}H${x + a * (r - 5)}`;
  return [svg("path", { d: corner(-1, -1) + corner(1, -1) + corner(1, 1) + corner(-1, 1), class: "pick" })];
}

// Rows whose weighted sum is zero: no line can have all of them on its right side.
export function halos(plane) {
  return plane.cancelling.flatMap(({ row, weight }) => {
    const point = plane.state.data.points[row];
    if (!point) return [];
    const [cx, cy] = plane.frame.at(point);
    const r = plane.marks.reach([cx, cy]) + 5;
    const name = svg("text", { x: cx + r + 3, y: cy - r + 4, class: "halo-name" }, weight);
    return [svg("circle", { cx, cy, r, class: "halo" }), name];
  });
}

// A term of the score: the row at hand, and the axis that its feature is read from. The bias has no axis.
export function termLight({ frame, state, marks }, moment, axis) {
  const point = state.data.points[moment.row];
  if (!point) return [];
  const [cx, cy] = frame.at(point);
  const circle = svg("circle", { cx, cy, r: marks.reach([cx, cy]) + 6, class: "light" });
  if (axis < 0) return [circle, svg("text", { x: cx + 16, y: cy - 14, class: "line-name" }, "the bias is always 1")];
  const { left, right, top, bottom, width, height } = frame.size;
  const floor = height - bottom;
  const [foot, ends, at] = [
    [[cx, floor], [left, floor, width - right, floor], { x: cx + 6, y: floor - 6, "text-anchor": "start" }],
    [[left, cy], [left, top, left, floor], { x: left + 6, y: cy - 6, "text-anchor": "start" }],
  ][axis];
  const [x1, y1, x2, y2] = ends;
  return [
    svg("line", { x1, y1, x2, y2, class: "light" }),
    svg("line", { x1: cx, y1: cy, x2: foot[0], y2: foot[1], class: "light drop" }),
    circle,
    svg("text", { ...at, class: "line-name" }, `${state.data.features[axis]} = ${numeral(point[axis])}`),
  ];
}
