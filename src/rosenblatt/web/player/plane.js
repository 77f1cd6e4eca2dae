// The plane of two features: points, the regions and borders of the classes, the weight vector, and what was before.

import { affine, arrow, borders, line, regions } from "../border.js";
import { colour, html, svg } from "../elements.js";
import { Frame, SIZE, grid } from "../frame.js";
import { Marks } from "../marks.js";

const MOST_POINTS = 5000;

export function makePlane(run) {
  const frame = Frame.around(run);
  const layers = { regions: svg("g"), old: svg("g"), borders: svg("g"), ring: svg("g") };
  const note = html("p", { class: "rp-note" });
  const picture = svg("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img" });
  const inner = svg("g", { "clip-path": `url(#${frame.id})` }, layers.old, layers.borders, layers.ring);
  const marks = marksOf(run, frame);
  picture.append(frame.clip(), layers.regions, grid(run, frame), points(run, marks), inner);
  const extra = run.rows.length > MOST_POINTS ? ` Shows ${MOST_POINTS} of ${run.rows.length} rows.` : "";
  const draw = (moment) => {
    const now = borders(run, frame, moment.after);
    layers.regions.replaceChildren(...regions(run, frame, moment.after));
    const changed = moment.rival >= 0;
    layers.old.replaceChildren(...(changed ? borders(run, frame, moment.before) : []).map((s) => line(s, "rp-old")));
    layers.borders.replaceChildren(...now.map((s) => line(s, "rp-new")), ...arrow(run, frame, moment.after, now));
    layers.ring.replaceChildren(...ring(frame, marks, moment));
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
  if (
    run.vectors === 1 &&
    affine(run, weights, 0)
      .slice(1)
      .every((w) => w === 0)
  ) {
    return "Only the weight of the bias is not 0: every point gets the same class, and there is no boundary.";
  }
  return now.length ? "" : "The boundary lies outside the picture: every point in view is on the same side.";
}

function marksOf(run, frame) {
  const every = Math.ceil(run.rows.length / MOST_POINTS);
  const shown = run.rows.map((_, i) => i).filter((i) => i % every === 0);
  const size = run.rows.length > 300 ? 5 : run.rows.length > 60 ? 7 : 10;
  const places = shown.map((i) => frame.at(run.rows[i].slice(-2)));
  return new Marks(
    places,
    shown.map((i) => run.truth[i]),
    (c) => run.look(c),
    size,
  );
}

function points(run, marks) {
  const of = (d, c) => svg("path", { d, fill: colour(run.look(c)), class: "rp-points" });
  return svg("g", {}, ...marks.outlines(run.classes.length).map(of), ...marks.numbers());
}

// The row at hand, on top of the others.
function ring(frame, marks, moment) {
  if (moment.row < 0) return [];
  const [cx, cy] = frame.at(moment.features.slice(-2));
  const name = moment.rival >= 0 ? "rp-ring" : "rp-ring rp-right";
  const r = marks.reach([cx, cy]) + (marks.size < 10 ? 8 : 10);
  return [...marks.over([cx, cy], moment.truth), svg("circle", { cx, cy, r, class: name })];
}
