// Pass by pass, as far as the run has come: how many mistakes each pass made, and how many points were right after it.

import { card, html, numeral, spread, svg, twin } from "./draw.js";
import { wrongAfter } from "./right.js";

const SIZE = { width: 350, height: 112, left: 24, right: 40, top: 12, bottom: 20 };
const FEWEST = 12; // places for passes, so that the first ones are not giants
const MOST = 120; // passes drawn; of more, so many evenly spread

export function makePasses(lab, ...below) {
  const { state } = lab;
  const picture = svg("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, class: "chart", role: "img" });
  const words = html("p", { class: "note" });
  const rows = () => soFar(state).map((one) => [one.pass, one.updates, one.right].map(numeral));
  const numbers = twin("These numbers as a table", ["pass", "updates", "right after it"], rows);
  const element = card("Mistakes in each pass", picture, words, numbers.element, ...below);
  const title = element.querySelector("h3");

  state.on("step", () => {
    const found = soFar(state);
    const points = state.data.points.length;
    picture.replaceChildren(...(found.length ? drawn(found, points) : []));
    const now = state.course ? rightAt(state.course, state.step) : 0;
    const what = state.course?.margin > 0 ? "updates" : "mistakes";
    title.textContent = `${what[0].toUpperCase()}${what.slice(1)} in each pass`;
    words.textContent = state.course
      ? `Green: how many points are right after each pass. Now: ${now} of ${points}.`
      : "";
    picture.setAttribute("aria-label", found.length ? told(found, what, points) : `No ${what} yet`);
    numbers.draw();
  });
  return element;
}

function told(found, what, points) {
  const { pass, updates, right } = found.at(-1);
  const bars = found.length === 1 ? "A bar for 1 pass" : `Bars for ${found.length} passes`;
  const made = updates === 1 ? what.slice(0, -1) : what;
  return `${bars}; in pass ${pass} ${updates} ${made}, and ${right} of ${points} points right`;
}

// The passes up to this step, the last perhaps not over: { pass, updates, right }.
function soFar({ course, step }) {
  if (!course || !step) return [];
  const whole = course.passEnds.findIndex((end) => end >= step);
  const begins = (k) => (k ? course.passEnds[k - 1] : 0);
  return spread(whole + 1, MOST).map((k) => {
    const end = Math.min(step, course.passEnds[k]);
    const updates = course.updatesBy[end] - course.updatesBy[begins(k)];
    return { pass: k + 1, updates, right: rightAt(course, end) };
  });
}

const found = new WeakMap(); // of each run: how many points are right after so many updates

function rightAt(course, step) {
  if (!found.has(course)) found.set(course, new Map());
  const count = course.updatesBy[step];
  const known = found.get(course);
  if (!known.has(count)) known.set(count, course.rows.length - wrongAfter(course, count).length);
  return known.get(count);
}

function drawn(found, points) {
  const { width, height, left, right, top, bottom } = SIZE;
  const [wide, tall, ground] = [width - left - right, height - top - bottom, height - bottom];
  const slot = wide / Math.max(FEWEST, found.length);
  const most = Math.max(1, ...found.map(({ updates }) => updates));
  const bar = ({ updates }, k) => {
    const high = (updates / most) * tall;
    return `M${(left + (k + 0.1) * slot).toFixed(1)} ${ground}v${(-high).toFixed(1)}h${(0.8 * slot).toFixed(1)}v${high.toFixed(1)}Z`;
  };
  const at = ({ right: count }, k) => [left + (k + 0.5) * slot, ground - (count / points) * tall];
  const text = (x, y, words, anchor) => svg("text", { x, y, "text-anchor": anchor }, words);
  const line = found.map((one, k) => at(one, k).map((z) => z.toFixed(1))).join(" ");
  const last = found.at(-1);
  const [cx, cy] = at(last, found.length - 1);
  return [
    svg("path", { d: found.slice(0, -1).map(bar).join(""), class: "bar past" }),
    svg("path", { d: bar(last, found.length - 1), class: "bar" }),
    svg("line", { x1: left, x2: width - right, y1: ground, y2: ground, class: "axis" }),
    svg("polyline", { points: line, class: "right-line" }),
    svg("circle", { cx, cy, r: 3.5, class: "right-dot" }),
    text(left - 5, top + 5, numeral(most), "end"),
    text(left - 5, ground + 4, "0", "end"),
    text(width - right + 5, top + 5, "all", "start"),
    text(width - right + 5, ground + 4, "none", "start"),
    text(left, height - 5, `pass ${found[0].pass}`, "start"),
    ...(last.pass > 4 ? [text(Math.max(left + 60, cx), height - 5, numeral(last.pass), "middle")] : []),
  ];
}
