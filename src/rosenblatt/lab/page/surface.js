// The activation over the plane of the data: a flat sheet. Without the bias it goes through the origin; with it, it is
// lifted, and the boundary is where it cuts the ground.

import { borders } from "/player/border.js";
import { colour, html, numeral, card, short, twin } from "./draw.js";
import { lookOfClass } from "./defaults.js";
import { Space, whenSeen } from "./space.js";
import { windowOf } from "./window.js";

const CELLS = 8;
const MOST_POINTS = 400; // in space; more would hide the sheets

export function makeSurface(lab) {
  const { state } = lab;
  const space = new Space(lab, "The activation over the plane");
  const note = html("p", { class: "note" });
  let answer = null;
  const numbers = twin("This surface as a table", ["", "at the corner", "without bias", "with bias"], () => (answer ? corners(state, answer) : []));
  const about = html("p", {}, "Above every point of the plane stands its score. Grey: without the bias the sheet must pass through 0 at the origin. Violet: the bias lifts it as a whole. Where it meets the ground, the score is 0: that is the boundary.");
  const element = card("The score as a surface", about, space.element, note, numbers.element);

  let [busy, asked] = [false, null];
  const ask = async () => {
    if (busy || !seen() || !state.course || !lab.plane) return;
    const [course, step, frame] = [state.course, state.step, lab.plane.frame];
    const update = course.updatesBy[step];
    if (asked?.course === course && asked.update === update && asked.frame === frame) return;
    busy = true;
    try {
      answer = await lab.call("surface", { ...state.question(), window: windowOf(frame), cells: CELLS, update });
      asked = { course, update, frame };
      lab.problem(element, "");
      if (state.course === course) paint(course, frame, update);
    } catch (problem) {
      asked = { course, update, frame };
      lab.problem(element, problem.message);
    }
    busy = false;
    if (state.course && (state.course !== course || state.course.updatesBy[state.step] !== update || lab.plane.frame !== frame)) ask();
  };

  const paint = (course, frame, update) => {
    const tall = answer.reach || 1;
    const ground = (x, y) => [((x - frame.x.low) / frame.x.span) * 2 - 1, ((y - frame.y.low) / frame.y.span) * 1.6 - 0.8];
    const things = [...sheet(ground, answer, () => 0, "sheet ground")];
    if (course.vectors === 1) {
      if (course.bias) things.push(...sheet(ground, answer, (k) => answer.without[k] / tall, "sheet without"));
      things.push(...sheet(ground, answer, (k) => answer.with[k] / tall, "sheet with"));
    } else {
      const each = answer.x.length * answer.y.length;
      course.classes.forEach((_, c) => things.push(...sheet(ground, answer, (k) => answer.with[c * each + k] / tall, "sheet of", colour(course.look(c)))));
    }
    const flat = ([px, py]) => [...ground(...frame.under([px, py])), 0];
    const weights = course.weightsAfterUpdates(update);
    for (const ends of borders(course, frame, weights)) things.push({ line: ends.map(flat), name: "trace3", lift: 0.5 });
    things.push(...points(state, ground), ...axes(state, ground, frame));
    const words = course.vectors === 1 ? `The score goes up to ${short(answer.reach)} in view, with the weights after update ${update}.` : `One sheet for each class, with the weights after update ${update}; the highest one decides.`;
    note.textContent = words;
    space.show(things, words);
    numbers.draw();
  };

  const seen = whenSeen(element, () => ask());
  for (const kind of ["run", "step"]) state.on(kind, ask);
  return element;
}

// One face for each cell of the grid.
function sheet(ground, { x, y }, height, name, fill) {
  const faces = [];
  for (let j = 0; j + 1 < y.length; j++) {
    for (let i = 0; i + 1 < x.length; i++) {
      const corner = (a, b) => [...ground(x[a], y[b]), height(b * x.length + a)];
      faces.push({ face: [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)], name, fill });
    }
  }
  return faces;
}

export function points(state, ground, height = 0) {
  const { data } = state;
  const every = Math.ceil(data.points.length / MOST_POINTS);
  const size = data.points.length > 60 ? 4 : 7;
  return data.points.flatMap((point, i) => (i % every ? [] : [{ at: [...ground(...point), height], look: lookOfClass(data.labels[i]), size, lift: 0.3 }]));
}

export function axes(state, ground, frame, height = 0) {
  const [across, up] = state.data.features;
  const middle = [(frame.x.low + frame.x.high) / 2, (frame.y.low + frame.y.high) / 2];
  const [right, far] = [ground(frame.x.high, middle[1]), ground(middle[0], frame.y.high)];
  return [{ text: across, at: [right[0] + 0.12, right[1], height] }, { text: up, at: [far[0], far[1] + 0.12, height] }];
}

function corners(state, answer) {
  const [last, top] = [answer.x.length - 1, answer.y.length - 1];
  const each = answer.x.length * answer.y.length;
  const names = state.course.vectors === 1 ? ["score"] : state.course.classes.map((name) => `score of ${name}`);
  return names.flatMap((name, c) => [[0, 0], [last, 0], [0, top], [last, top]].map(([i, j]) => {
    const k = c * each + j * answer.x.length + i;
    return [name, `(${numeral(answer.x[i])}, ${numeral(answer.y[j])})`, numeral(answer.without[k]), numeral(answer.with[k])];
  }));
}
