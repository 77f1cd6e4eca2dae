// The homogeneous space: the constant feature is one axis more. There the points lie on the floor at height 1, and the
// boundary is the cut of that floor with a plane through the origin, upright on w.

import { affine, borders } from "/player/border.js";
import { card, html, numeral, twin, vector } from "./draw.js";
import { Space, whenSeen } from "./space.js";
import { axes, points } from "./surface.js";

const TOP = 1.25; // how far up the picture goes; the points lie at 1

export function makeHomogeneous(lab) {
  const { state } = lab;
  const space = new Space(lab, "The boundary as a plane through the origin");
  const note = html("p", { class: "note" });
  const numbers = twin("This plane as a table", ["axis", "weight"], () => {
    const { course } = state;
    if (!course) return [];
    const weights = course.weightsAfter(state.step);
    return Array.from(weights, (w, j) => [`${course.vectors === 1 ? "" : `${course.classes[Math.floor(j / course.width)]}: `}${course.features[j % course.width]}`, numeral(w)]);
  });
  const about = html("p", {}, "Give every point one number more, always 1, and the bias becomes a weight like the others. The boundary is now a plane through the origin; where it cuts the layer of the points, it is the line that you see on the plane.");
  const element = card("One dimension up", about, space.element, note, numbers.element);

  const draw = () => {
    const { course } = state;
    if (!seen() || !course || !lab.plane) return;
    const { frame } = lab.plane;
    const reach = [0, 1].map((k) => Math.max(...frame.box.map((corner) => Math.abs(corner[k]))) || 1);
    // From (x1, x2, constant) to the picture: the origin at the bottom in the middle.
    const to = ([x, y, c]) => [x / reach[0], (y / reach[1]) * 0.8, c * 1.5 - 0.95];
    const weights = course.weightsAfter(state.step);
    const things = [...floor(frame, to), ...planes(course, weights, reach, to)];
    const level = (px) => to([...frame.under(px), 1]);
    for (const ends of borders(course, frame, weights)) things.push({ line: ends.map(level), name: "trace3", lift: 0.5 });
    const flat = (x, y) => to([x, y, 1]).slice(0, 2);
    things.push(...points(state, flat, to([0, 0, 1])[2]), ...axes(state, flat, frame, to([0, 0, 1])[2]), ...upright(to));
    note.textContent = words(course, weights);
    space.show(things, note.textContent);
    numbers.draw();
  };
  const seen = whenSeen(element, () => draw());
  for (const kind of ["run", "step"]) state.on(kind, draw);
  return element;
}

function words(course, weights) {
  if (!course.bias) return "The bias is off: the plane is upright, and its cut goes through the origin.";
  if (course.vectors > 1) return "With more classes there is a plane between each two of them, all through the origin.";
  return `The plane of all places with w·f = 0, w = ${vector(weights)}.`;
}

// The layer of the points, where the constant is 1.
function floor(frame, to) {
  return [{ face: frame.box.map(([x, y]) => to([x, y, 1])), name: "sheet ground" }];
}

function upright(to) {
  const origin = to([0, 0, 0]);
  return [
    { line: [origin, to([0, 0, TOP])], name: "edge3" }, { text: "constant", at: to([0, 0, TOP + 0.1]) },
    { text: "0", at: [origin[0] - 0.07, origin[1], origin[2]] }, { text: "1", at: [to([0, 0, 1])[0] - 0.07, 0, to([0, 0, 1])[2]] },
  ];
}

function planes(course, weights, reach, to) {
  const all = course.vectors === 1 ? [affine(course, weights, 0)] : course.classes.map((_, c) => affine(course, weights, c));
  if (all.length === 1) return cut(all[0], reach, to);
  return all.flatMap((one, a) => all.slice(a + 1).flatMap((other) => cut(one.map((w, j) => w - other[j]), reach, to)));
}

// The part of the plane b·c + u·x + v·y = 0 within the box: a fan of faces from the origin, which always lies on it.
function cut([b, u, v], reach, to) {
  const value = ([x, y, c]) => b * c + u * x + v * y;
  const box = [];
  for (const x of [-1, 1]) for (const y of [-1, 1]) for (const c of [0, TOP]) box.push([x * reach[0], y * reach[1], c]);
  const found = [];
  for (let i = 0; i < 8; i++) {
    for (const bit of [1, 2, 4]) {
      const j = i ^ bit;
      if (j < i) continue;
      const [p, q] = [value(box[i]), value(box[j])];
      if (p === 0 && q === 0) found.push(box[i], box[j]);
      else if (p <= 0 !== q <= 0) {
        const t = p / (p - q);
        found.push(box[i].map((z, k) => z + t * (box[j][k] - z)));
      }
    }
  }
  if (found.length < 3) return [];
  const outline = around(found, [b, u, v], reach);
  return [{ face: outline.map(to), name: "sheet with" }];
}

// The corners of a flat outline in the order of the clock, around their middle.
function around(places, [b, u, v], reach) {
  const scaled = places.map(([x, y, c]) => [x / reach[0], y / reach[1], c]);
  const middle = [0, 1, 2].map((k) => scaled.reduce((sum, p) => sum + p[k], 0) / scaled.length);
  const normal = [u * reach[0], v * reach[1], b];
  const first = scaled[0].map((z, k) => z - middle[k]);
  const second = [normal[1] * first[2] - normal[2] * first[1], normal[2] * first[0] - normal[0] * first[2], normal[0] * first[1] - normal[1] * first[0]];
  const size = Math.hypot(...second) / (Math.hypot(...first) || 1);
  const angle = (p) => {
    const d = p.map((z, k) => z - middle[k]);
    const along = d.reduce((sum, z, k) => sum + z * first[k], 0);
    const beside = d.reduce((sum, z, k) => sum + z * second[k], 0) / (size || 1);
    return Math.atan2(beside, along);
  };
  return scaled.map((p, i) => [angle(p), i]).sort((p, q) => p[0] - q[0]).map(([, i]) => places[i]);
}
