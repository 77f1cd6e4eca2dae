// The plane of two features: points, the regions and borders of the classes, the weight vector, and what was before.

import { affine, arrow, borders, line, regions } from "./border.js";
import { colour, html, mark, svg } from "./elements.js";
import { Frame, SIZE, grid } from "./frame.js";

const MOST_POINTS = 5000;

export function makePlane(run) {
  const frame = Frame.around(run);
  const layers = { regions: svg("g"), old: svg("g"), borders: svg("g"), ring: svg("g") };
  const note = html("p", { class: "rp-note" });
  const picture = svg("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img" });
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

function pointSize(run) {
  return run.rows.length > 300 ? 5 : run.rows.length > 60 ? 7 : 10;
}

function points(run, frame) {
  const every = Math.ceil(run.rows.length / MOST_POINTS);
  const outlines = run.classes.map(() => []);
  const size = pointSize(run);
  for (let i = 0; i < run.rows.length; i += every) {
    const [x, y] = frame.at(run.rows[i].slice(-2));
    outlines[run.truth[i]].push(mark(run.look(run.truth[i]), x, y, size));
  }
  const of = (d, c) => svg("path", { d: d.join(""), fill: colour(run.look(c)), class: "rp-points" });
  return svg("g", {}, ...outlines.map(of));
}

function ring(frame, run, moment) {
  if (moment.row < 0) return [];
  const [cx, cy] = frame.at(moment.features.slice(-2));
  const r = run.rows.length > 60 ? 15 : 20;
  const look = run.look(moment.truth);
  const own = svg("path", { d: mark(look, cx, cy, pointSize(run)), fill: colour(look), class: "rp-points" }); // on top
  return [own, svg("circle", { cx, cy, r, class: moment.rival >= 0 ? "rp-ring" : "rp-ring rp-right" })];
}
