// What the weights of a line draw on the plane: regions, boundary, band, the weights as arrows; and what is said of them.

import { affine, arrow, borders, line, regions } from "../border.js";
import { band } from "./band.js";
import { nameAt } from "./plane_marks.js";
import { sumOf } from "./plane_sum.js";
import { wrongRows } from "./right.js";

// Everything that weights decide, by the layers of the plane; `part` of the way there, and how many borders are in view.
export function drawn({ state, frame }, moment, weights, part) {
  const { course, show } = state;
  const now = borders(course, frame, weights);
  const low = part < 1 ? 0 : moment.low;
  const summed = moment.rival >= 0 && course.vectors === 1; // more classes have no single vector of weights
  const { arrows, names } = summed
    ? sumOf(course, frame, moment, part)
    : { arrows: arrow(course, frame, weights, now), names: [] };
  const upright = show.final && show.normal;
  return {
    count: now.length,
    regions: show.regions ? regions(course, frame, weights) : [],
    band: show.band ? band(course, frame, { after: weights, low }) : [],
    borders: [...(show.final ? now.map((ends) => line(ends, "rp-new")) : []), ...(upright ? arrows : [])],
    names: upright ? names : [],
    support: [],
    wrong: wrongRows(course, weights),
  };
}

// The boundary before the update at hand.
export function former({ state, frame }, moment) {
  return borders(state.course, frame, moment.before).map((ends) => line(ends, "rp-old"));
}

// Averaged or pocket weights, with their name at the longest piece of the line.
export function other({ state, frame }, kind) {
  const found = borders(state.course, frame, state.course.other(kind, state.step));
  const long = ([p, q]) => Math.hypot(p[0] - q[0], p[1] - q[1]);
  const longest = found.toSorted((p, q) => long(q) - long(p))[0];
  const lines = found.map((ends) => line(ends, `other ${kind}`));
  return longest ? [...lines, nameAt(frame, longest, kind)] : lines;
}

// What is drawn just now, in words.
export function legend({ state }, moment, count) {
  const { course, show } = state;
  const seen = count > 0 && show.final;
  return [
    [seen && moment.rival >= 0, "Dashed: the line before."],
    [seen && show.normal && course.vectors === 1, "The arrow w, the weights, stands upright on the line."],
    [seen && show.band && moment.low > 0, "Band: the room up to the nearest point."],
    [seen && show.band && course.margin > 0, "Dotted: the margin that is asked for."],
  ];
}

// What the picture cannot show.
export function remark(course, moment, count) {
  const { after } = moment;
  if (after.every((w) => w === 0)) return "All weights are 0: every score is 0, and there is no boundary yet.";
  const [, u, v] = affine(course, after, 0);
  if (course.vectors === 1 && !u && !v) {
    return "Only the weight of the bias is not 0: every point gets the same class, and there is no boundary.";
  }
  if (count) return "";
  return "The boundary lies outside the picture: every point in view is on the same side.";
}
