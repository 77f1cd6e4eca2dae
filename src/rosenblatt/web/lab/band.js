// The band beside the boundary: the margin that updates ask for, and, once all rows are right, the room that is left.

import { affine, cut, outlined } from "../border.js";
import { svg } from "./draw.js";

export function band(course, frame, moment, asked = course.margin) {
  if (course.vectors > 1) return [];
  const plane = affine(course, moment.after, 0);
  const parts = [];
  if (asked > 0) parts.push(...strip(frame, plane, asked, "band asked"));
  // The lower bound on the margin belongs to these weights: the smallest distance of a row, the bias counted.
  if (moment.low > 0) parts.push(...strip(frame, plane, moment.low * Math.hypot(...moment.after), "band"));
  return parts;
}

// All places whose score is between -reach and +reach.
function strip(frame, [b, u, v], reach, name) {
  if (!u && !v) return [];
  const upper = cut(frame.box, [b + reach, u, v]).kept;
  const both = upper.length ? cut(upper, [reach - b, -u, -v]).kept : [];
  if (both.length < 3) return [];
  return [svg("path", { d: outlined(frame, both), class: name })];
}
