// What the support points of a curve draw on the plane: regions, the curve where two classes score the same, the margin
// that is asked for, and a ring around each of them; and what is said of them.

import { linesOf, rings } from "../engine/contour.js";
import { Field } from "../engine/field.js";
import { outlined } from "../border.js";
import { colour, svg } from "./draw.js";
import { longest, nameOn } from "./plane_marks.js";
import { wrongAfter } from "./right.js";

const [COLUMNS, ROWS] = [145, 97]; // nodes: about every fourth pixel of the picture

export function drawn(plane, moment, counts, part) {
  const { state, frame } = plane;
  const { course, show } = state;
  const found = shapesOf(plane, counts, "now");
  const lines = found.lines();
  return {
    count: lines.length,
    regions: show.regions ? found.regions() : [],
    band: show.band && course.margin > 0 ? found.asked(course.margin) : [],
    borders: show.final ? strokes(frame, lines, "rp-new") : [],
    names: [],
    support: haloes(plane, part < 1 ? course.supportAfter(moment.updates - 1) : course.supportAfter(moment.updates)),
    wrong: wrongAfter(course, moment.updates),
  };
}

export function former(plane, moment) {
  return strokes(plane.frame, shapesOf(plane, moment.before, "former").lines(), "rp-old");
}

// The curve of the mean of all scores so far, with its name. There is no pocket of a curve.
export function other(plane, kind) {
  const { state, frame } = plane;
  if (kind === "pocket") return [];
  const lines = shapesOf(plane, state.course.other(kind, state.step), kind).lines();
  const named = longest(lines).map((line) =>
    nameOn(
      frame,
      line.map((at) => place(frame, at)),
      kind,
    ),
  );
  return [...strokes(frame, lines, `other ${kind}`), ...named];
}

export function legend({ state }, moment, count) {
  const { course, show } = state;
  const support = course.supportAfter(moment.updates).length;
  const seen = count > 0 && show.final;
  const points = `${support} support point${support === 1 ? "" : "s"}`;
  return [
    [support, `Ringed: ${points} of ${course.rows.length}.${count ? " The curve is made of them alone." : ""}`],
    [seen && moment.rival >= 0, "Dashed: the curve before."],
    [seen && show.band && course.margin > 0 && course.vectors === 1, "Dotted: the margin that is asked for."],
  ];
}

export function remark(_, moment, count) {
  if (moment.after.every((count) => count === 0))
    return "No support points yet: every score is 0, and there is no curve.";
  return count ? "" : "No curve crosses the picture: every place in view is of the same class.";
}

// Surfaces of scores are kept while run and window stay, one for each use: a step changes few points of many.
function fieldOf(plane, use) {
  const { state, frame } = plane;
  const kept = plane.surfaces?.[use];
  if (kept?.course === state.course && kept.frame === frame) return kept.field;
  const nodes = ({ low, span }, count) =>
    Float64Array.from({ length: count }, (_, k) => low + (span * k) / (count - 1));
  const field = new Field(state.course.curve, nodes(frame.x, COLUMNS), nodes(frame.y, ROWS));
  plane.surfaces = { ...plane.surfaces, [use]: { course: state.course, frame, field } };
  return field;
}

// What counts of the points draw, each part made when it is asked for.
function shapesOf(plane, counts, use) {
  const { frame, state } = plane;
  const { course } = state;
  if (counts.every((count) => count === 0)) return { lines: () => [], regions: () => [], asked: () => [] };
  const leads = fieldOf(plane, use).leads(counts);
  const found = leads.map((lead) => rings(lead, COLUMNS, ROWS));
  const outline = (c) =>
    found[c]
      .map((ring) =>
        outlined(
          frame,
          ring.map((at) => under(frame, at)),
        ),
      )
      .join("");
  return {
    // A curve between two classes is drawn once, by the first of them.
    lines: () => found.slice(0, -1).flatMap((own, c) => linesOf(own, (at) => rivalAt(leads, at, c) < c)),
    regions: () =>
      course.classes.flatMap((_, c) =>
        found[c].length
          ? [svg("path", { d: outline(c), class: "rp-region", fill: colour(course.look(c)), "fill-rule": "evenodd" })]
          : [],
      ),
    asked: (margin) => {
      if (course.vectors > 1) return [];
      const [scores] = fieldOf(plane, use).scores(counts);
      const both = [margin, -margin].flatMap((level) => linesOf(rings(scores, COLUMNS, ROWS, level)));
      return strokes(frame, both, "band asked");
    },
  };
}

// The class that is nearest to winning where class `own` does not lead any more.
function rivalAt(leads, { x, y }, own) {
  const node = Math.round(y) * COLUMNS + Math.round(x);
  return leads.reduce((best, lead, c) => (c !== own && (best < 0 || lead[node] > leads[best][node]) ? c : best), -1);
}

// From steps of the grid to features, and to the picture.
function under(frame, { x, y }) {
  return [frame.x.low + (frame.x.span * x) / (COLUMNS - 1), frame.y.low + (frame.y.span * y) / (ROWS - 1)];
}

const place = (frame, at) => frame.at(under(frame, at));

function strokes(frame, lines, name) {
  const text = (at) =>
    place(frame, at)
      .map((z) => z.toFixed(1))
      .join(" ");
  const d = lines.map((line) => `M${line.map(text).join("L")}`).join("");
  return d ? [svg("path", { d, class: `${name} curved` })] : [];
}

// A thin ring around each support point.
function haloes({ frame, state, marks }, support) {
  const d = support.map((row) => {
    const [x, y] = frame.at(state.data.points[row]);
    const r = marks.reach([x, y]) + 4;
    return `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  });
  return d.length ? [svg("path", { d: d.join(""), class: "support" })] : [];
}
