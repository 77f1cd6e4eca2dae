// The activation over the plane of the data: a flat sheet. Without the bias it goes through the origin; with it, it is
// lifted, and the boundary is where it cuts the ground.

import { affine, borders } from "../border.js";
import { ticks } from "../frame.js";
import { Marks } from "../marks.js";
import { colour, html, lookOf, numeral, card, short, twin } from "./draw.js";
import { axes, groundOf, heights } from "./ground.js";
import { Space, whenSeen } from "./space.js";
import { windowOf } from "./window.js";

const TWO =
  "Above every point of the plane stands its score. Grey: without the bias the sheet must pass through 0 at " +
  "the origin. " +
  "Violet: the bias lifts it as a whole. Where it meets the ground, the score is 0: that is the boundary.";
const MORE =
  "Above every point of the plane stand its scores, one for each class: a sheet in the colour of the class. " +
  "The highest sheet " +
  "decides, so the boundaries run where two of them cross above all others.";
const CELLS = 8;
const MOST_STEMS = 60;
const MOST_POINTS = 400; // in space; more would hide the sheets

export function makeSurface(lab) {
  const { state } = lab;
  const space = new Space(lab, "The activation over the plane");
  const note = html("p", { class: "note" });
  let answer = null;
  const numbers = twin("This surface as a table", ["", "at the corner", "without bias", "with bias"], () =>
    answer ? corners(state, answer) : [],
  );
  const about = html("p", {}, TWO);
  const element = card("The score as a surface", about, space.element, note, numbers.element);

  let [busy, asked] = [false, null];
  const ask = async () => {
    if (busy || !seen() || !state.course || !lab.plane) return;
    const [course, step, frame] = [state.course, state.step, lab.plane.frame];
    const update = course.updatesBy[step];
    if (asked?.course === course && asked.update === update && asked.frame === frame) return;
    busy = true;
    try {
      answer = await lab.call("surface", { ...course.question, window: windowOf(frame), cells: CELLS, update });
      asked = { course, update, frame };
      lab.problem(element, "");
      if (state.course === course) paint(course, frame, update);
    } catch (problem) {
      asked = { course, update, frame };
      lab.problem(element, problem.message);
    }
    busy = false;
    if (
      state.course &&
      (state.course !== course || state.course.updatesBy[state.step] !== update || lab.plane.frame !== frame)
    )
      ask();
  };

  const paint = (course, frame, update) => {
    const reach = Math.max(...[answer.with, answer.without].flat(3).map(Math.abs));
    const tall = 1.2 * reach || 1;
    const [x0, x1, y0, y1] = windowOf(frame);
    const box = [
      [x0, x1],
      [y0, y1],
    ];
    const ground = groundOf(frame, box);
    const height = (sheets, c) => (i, j) => sheets[c][j][i] / tall;
    const things = [...sheet(ground, answer, () => 0, "ground")];
    if (course.vectors === 1) {
      if (course.bias) things.push(...sheet(ground, answer, height(answer.without, 0), "without"));
      things.push(...sheet(ground, answer, height(answer.with, 0), "with"), ...stems(course, ground, tall, update));
    } else {
      course.classes.forEach((_, c) =>
        things.push(...sheet(ground, answer, height(answer.with, c), "of", colour(course.look(c)))),
      );
    }
    const flat = ([px, py]) => [...ground(...frame.under([px, py])), 0];
    const weights = course.weightsAfterUpdates(update);
    for (const ends of borders(course, frame, weights))
      things.push({ line: ends.map(flat), name: "trace3", lift: 0.5 });
    const scores = answer.with.flat(2);
    const [low, high] = [Math.min(0, ...scores), Math.max(0, ...scores)];
    const marked = ticks({ low, high, span: high - low || 1 });
    things.push(...points(state, ground), ...axes(state.data, frame, box, ground));
    things.push(...heights(ground(x0, y0), (score) => score / tall, marked, "score"));
    const words =
      course.vectors === 1
        ? `Scores in view go from ${short(Math.min(...scores))} to ${short(Math.max(...scores))}, with the weights after update ${update}.`
        : `One sheet for each class, with the weights after update ${update}; the highest one decides.`;
    note.textContent = words;
    about.textContent = course.vectors === 1 ? TWO : MORE;
    space.show(things, words);
    numbers.draw();
  };

  const seen = whenSeen(element, () => ask());
  const clear = () => {
    [answer, asked] = [null, null];
    note.textContent = "";
    space.show([], "");
    numbers.draw();
  };
  for (const kind of ["run", "step"]) state.on(kind, () => (state.course ? ask() : clear()));
  return element;
}

// One face for each cell of the grid, so that what is nearer can be drawn later, and the rim.
function sheet(ground, { x, y }, height, name, fill) {
  const corner = (a, b) => [...ground(x[a], y[b]), height(a, b)];
  const [last, top] = [x.length - 1, y.length - 1];
  const things = [
    {
      line: [corner(0, 0), corner(last, 0), corner(last, top), corner(0, top), corner(0, 0)],
      name: `rim ${name}`,
      stroke: fill,
      lift: 0.01,
    },
  ];
  for (let j = 0; j < top; j++) {
    for (let i = 0; i < last; i++) {
      things.push({
        face: [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)],
        name: `sheet ${name}`,
        fill,
      });
    }
  }
  return things;
}

// From each point of the ground to the sheet: as long as its score.
function stems(course, ground, tall, update) {
  if (course.rows.length > MOST_STEMS) return [];
  const [b, u, v] = affine(course, course.weightsAfterUpdates(update), 0);
  return course.rows.map((row, i) => {
    const [x, y] = row.slice(-2);
    const foot = ground(x, y);
    return {
      line: [
        [...foot, 0],
        [...foot, (b + u * x + v * y) / tall],
      ],
      name: "stem",
      stroke: colour(course.look(course.truth[i])),
      lift: 0.2,
    };
  });
}

export function points(state, ground, height = 0) {
  const { data } = state;
  const every = Math.ceil(data.points.length / MOST_POINTS);
  const shown = (list) => list.filter((_, i) => i % every === 0);
  const marks = new Marks(shown(data.points), shown(data.labels), lookOf, data.points.length > 60 ? 4 : 7);
  return Array.from(marks.spots.values()).flatMap(({ place }) => {
    const at = [...ground(...place), height];
    return marks.stack(place).map(([c, size], k) => ({ at, look: lookOf(c), size, lift: 0.3 + 0.001 * k }));
  });
}

function corners(state, answer) {
  const [last, top] = [answer.x.length - 1, answer.y.length - 1];
  const names = state.course.vectors === 1 ? ["score"] : state.course.classes.map((name) => `score of ${name}`);
  const ends = [
    [0, 0],
    [last, 0],
    [0, top],
    [last, top],
  ];
  return names.flatMap((name, c) =>
    ends.map(([i, j]) => {
      const heights = [answer.without, answer.with].map((sheets) => numeral(sheets[c][j][i]));
      return [name, `(${numeral(answer.x[i])}, ${numeral(answer.y[j])})`, ...heights];
    }),
  );
}
