// The homogeneous space: the constant feature is one axis more. There the points lie on the floor at height 1, and the
// boundary is the cut of that floor with a plane through the origin, upright on w.

import { affine, borders } from "../border.js";
import { card, html, numeral, twin, vector } from "./draw.js";
import { axes, groundOf } from "./ground.js";
import { Space, whenSeen } from "./space.js";
import { points } from "./surface.js";

const TOP = 1.25; // how far up the picture goes; the points lie at 1
const MOST_RAYS = 12;

export function makeHomogeneous(lab) {
  const { state } = lab;
  const space = new Space(lab, "The boundary as a plane through the origin");
  const note = html("p", { class: "note" });
  const numbers = twin("This plane as a table", ["axis", "weight"], () => {
    const { course } = state;
    if (!course) return [];
    const weights = course.weightsAfter(state.step);
    const of = (j) => (course.vectors === 1 ? "" : `${course.classes[Math.floor(j / course.width)]}: `);
    return Array.from(weights, (w, j) => [of(j) + course.features[j % course.width], numeral(w)]);
  });
  const about = html(
    "p",
    {},
    "Give every point one number more, always 1, and the bias becomes a weight like the others. The boundary " +
      "is now a plane through the origin; where it cuts the layer of the points, it is the line that you see on" +
      " the plane.",
  );
  const element = card("One dimension up", about, space.element, note, numbers.element);

  const clear = () => {
    note.textContent = "";
    space.show([], "");
    numbers.draw();
  };
  const draw = () => {
    const { course } = state;
    if (!course) return clear();
    if (!seen() || !lab.plane) return;
    const { frame } = lab.plane;
    const box = boxAround(frame);
    const ground = groundOf(frame, box.slice(0, 2));
    const rise = (constant) => (constant / TOP) * 1.7 - 0.85;
    const to = ([x, y, constant]) => [...ground(x, y), rise(constant)]; // from (x1, x2, constant) to the picture
    const weights = course.weightsAfter(state.step);
    const things = [...floor(frame, to), ...planes(course, weights, box, to)];
    things.push(...rays(state, to));
    const level = (px) => to([...frame.under(px), 1]);
    for (const ends of borders(course, frame, weights))
      things.push({ line: ends.map(level), name: "trace3", lift: 0.5 });
    const seenBox = [
      [frame.x.low, frame.x.high],
      [frame.y.low, frame.y.high],
    ];
    things.push(
      ...points(state, ground, rise(1)),
      ...axes(state.data, frame, seenBox, ground, rise(1)),
      { line: [0, TOP].map((constant) => to([0, 0, constant])), name: "edge3" },
      { text: "0", at: to([0, 0, -0.08]) },
      { text: "constant = 1", at: to([0, 0, TOP + 0.1]) },
    );
    note.textContent = words(course, weights);
    space.show(things, note.textContent);
    numbers.draw();
  };
  const seen = whenSeen(element, () => draw());
  for (const kind of ["run", "step"]) state.on(kind, draw);
  return element;
}

function words(course, weights) {
  if (weights.every((w) => w === 0)) return "All weights are 0: every score is 0, and there is no plane yet.";
  if (!course.bias) return "The bias is off: the plane is upright, and its cut goes through the origin.";
  if (course.vectors > 1) return "With more classes there is a plane between each two of them, all through the origin.";
  return `The plane of all places with w·f = 0, w = ${vector(weights)}.`;
}

// The layer of the points, where the constant is 1.
function floor(frame, to) {
  return [{ face: frame.box.map(([x, y]) => to([x, y, 1])), name: "sheet ground" }];
}

// What is seen and the origin.
function boxAround(frame) {
  return [
    [Math.min(0, frame.x.low), Math.max(0, frame.x.high)],
    [Math.min(0, frame.y.low), Math.max(0, frame.y.high)],
    [0, TOP],
  ];
}

// From the origin to each point: a row is an arrow, and its side of the plane is its class.
function rays(state, to) {
  const { points: all } = state.data;
  return all.length > MOST_RAYS ? [] : all.map(([x, y]) => ({ line: [to([0, 0, 0]), to([x, y, 1])], name: "spoke" }));
}

function planes(course, weights, box, to) {
  const all =
    course.vectors === 1 ? [affine(course, weights, 0)] : course.classes.map((_, c) => affine(course, weights, c));
  if (all.length === 1) return cut(all[0], box, to);
  return all.flatMap((one, a) =>
    all.slice(a + 1).flatMap((other) =>
      cut(
        one.map((w, j) => w - other[j]),
        box,
        to,
      ),
    ),
  );
}

// The part of the plane b·c + u·x + v·y = 0 within the box.
function cut([b, u, v], box, to) {
  if (!b && !u && !v) return [];
  const value = ([x, y, c]) => b * c + u * x + v * y;
  const corners = box[0].flatMap((x) => box[1].flatMap((y) => box[2].map((c) => [x, y, c])));
  const found = [];
  for (let i = 0; i < 8; i++) {
    for (const bit of [1, 2, 4]) {
      const j = i ^ bit;
      if (j < i) continue;
      const [p, q] = [value(corners[i]), value(corners[j])];
      if (p === 0 && q === 0) found.push(corners[i], corners[j]);
      else if (p <= 0 !== q <= 0) found.push(corners[i].map((z, k) => z + (p / (p - q)) * (corners[j][k] - z)));
    }
  }
  return found.length < 3 ? [] : [{ face: around(found.map(to)), name: "sheet with" }];
}

// The corners of a flat outline in order, around their middle: by their angle in the plane of two of their directions.
function around(places) {
  const middle = [0, 1, 2].map((k) => places.reduce((sum, p) => sum + p[k], 0) / places.length);
  const away = places.map((p) => p.map((z, k) => z - middle[k]));
  const dot = (p, q) => p.reduce((sum, z, k) => sum + z * q[k], 0);
  const first = away.reduce((best, p) => (dot(p, p) > dot(best, best) ? p : best));
  const rest = away.map((p) => p.map((z, k) => z - (dot(p, first) / dot(first, first)) * first[k]));
  const second = rest.reduce((best, p) => (dot(p, p) > dot(best, best) ? p : best));
  const angle = (p) => Math.atan2(dot(p, second) / Math.hypot(...second), dot(p, first) / Math.hypot(...first));
  return places
    .map((p, i) => [angle(away[i]), p])
    .sort((p, q) => p[0] - q[0])
    .map(([, p]) => p);
}
