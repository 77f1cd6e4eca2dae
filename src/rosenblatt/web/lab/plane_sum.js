// An update on the plane: the old weights, what is added to them, and the new ones, as arrows from the middle of the new
// boundary. Directions are exact and all three have one scale; of the weights the bias has no direction here.

import { affine, borders } from "../border.js";
import { arrow } from "./arrows.js";
import { colour, numeral, svg } from "./draw.js";

const LONGEST = 96; // of the three, in units of the picture

// `part` of the sum: below 1 while the boundary is on its way.
export function sumOf(course, frame, moment, part) {
  const [was, is] = [moment.before, moment.after].map((weights) => affine(course, weights, 0).slice(1));
  const reached = was.map((w, j) => w + part * (is[j] - w));
  const drawn = ([u, v]) => [u * frame.scale[0], -v * frame.scale[1]];
  const longest = Math.max(...[was, is, [is[0] - was[0], is[1] - was[1]]].map((w) => Math.hypot(...drawn(w))));
  if (!longest) return { arrows: [], names: [] };
  const from = anchor(frame, borders(course, frame, moment.after));
  const tip = (w) => drawn(w).map((length, j) => from[j] + (length * LONGEST) / longest);
  const [before, after] = [tip(was), tip(reached)];
  const times = course.rate === 1 ? "" : `${numeral(course.rate)}·`;
  const arrows = [
    ...arrow(from, before, "arrow-old", "var(--soft)"),
    ...arrow(before, after, "arrow-row", colour(course.look(moment.truth))),
    ...arrow(from, after, "arrow-new", "var(--accent)"),
  ];
  const names = [
    name(frame, middle([before, after]), `${moment.truth ? "+" : "−"} ${times}f(x)`, after[1] < before[1]),
    name(frame, after, "w", after[1] >= before[1]),
  ];
  return { arrows, names };
}

const middle = ([[a, b], [c, d]]) => [(a + c) / 2, (b + d) / 2];

function anchor(frame, now) {
  return now.length ? middle(now[0]) : middle([frame.box[0], frame.box[2]].map((corner) => frame.at(corner)));
}

// Beside the place, below or above it, within the picture.
function name({ size }, [x, y], text, below) {
  const end = x > size.width - 80;
  const level = Math.max(size.top + 12, Math.min(size.height - size.bottom - 4, below ? y + 14 : y - 4));
  const at = { x: end ? x - 8 : x + 8, y: level };
  return svg("text", { ...at, "text-anchor": end ? "end" : "start", class: "line-name" }, text);
}
