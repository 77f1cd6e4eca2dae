// The two losses of the notes: along the run, beside gradient descent over all points at once, and each point on the
// curves over y·w·x at this step.

import { button, card, colour, html, mark, numeral, short, svg, twin } from "./draw.js";
import { whenSeen } from "./space.js";

const SIZE = { width: 620, height: 220, left: 52, right: 10, top: 24, bottom: 26 };
const ABOUT =
  "The 0/1 loss is the share of wrong points; it jumps, so it has no useful gradient. The perceptron loss, the mean of " +
  "max(0, −y·w·x), stands in for it. At w = 0 all scores tie, and it is 0. Violet: the run, a point at a time. Grey: " +
  "gradient descent, where each step takes all points.";
const CURVES =
  "Each point where it lies now: how far right (above 0) or wrong it is, and what it adds to the perceptron loss.";

export function makeLosses(lab) {
  const { state } = lab;
  const [soft, hard, curve] = [
    "Perceptron loss after each pass",
    "0/1 loss after each pass",
    "Points on the curves",
  ].map(picture);
  const words = html("p", { class: "note" });
  const means = html("p", { class: "note" });
  let answer = null;
  const rows = () => (answer ? table(answer) : []);
  const head = ["pass or step", "0/1 loss", "perceptron loss", "0/1, all at once", "perceptron, all at once"];
  const numbers = twin("These losses as a table", head, rows);
  const about = [html("p", {}, ABOUT), soft, hard, words, numbers.element, html("p", {}, CURVES), curve, means];
  const element = card("The two losses", ...about);

  const ask = asker(lab, element, async (course) => {
    answer = await lab.call("losses", course.question);
    if (state.course !== course) return;
    lines(soft, "perceptron loss", answer.perceptron, answer.batch_perceptron);
    lines(hard, "0/1 loss", answer.zero_one, answer.batch_zero_one);
    words.textContent = `All at once: ${answer.batch_words}.`;
    numbers.draw();
  });
  const askCurve = asker(lab, element, async (course) => {
    const update = course.updatesBy[state.step];
    const found = await lab.call("loss_curve", { ...course.question, update });
    if (state.course !== course || course.updatesBy[state.step] !== update) return;
    points(curve, course, found);
    means.textContent = `0/1 loss ${short(found.zero_one)}, perceptron loss ${short(found.perceptron)} at this step.`;
  });
  const seen = whenSeen(element, () => {
    ask();
    askCurve();
  });
  const clear = () => {
    answer = null;
    for (const one of [soft, hard, curve]) one.replaceChildren();
    for (const one of [words, means]) one.textContent = "";
    numbers.draw();
  };
  state.on("run", () => (state.course ? seen() && (ask(), askCurve()) : clear()));
  state.on("step", () => seen() && askCurve());
  return element;
}

// The orders in which points can be visited, tried when a person asks for it.
export function makeOrders(lab) {
  const { state } = lab;
  const body = html("tbody");
  const top = ["order", "mistakes", "ended"].map((name) => html("th", { scope: "col" }, name));
  const table = html("table", { class: "facts", hidden: "" }, html("thead", {}, html("tr", {}, ...top)), body);
  const about =
    "“While some point is wrong, update on it” leaves open on which: as they come, shuffled, the first wrong one, or " +
    "the one that is most wrong. The bound holds for each.";
  const element = card(
    "Every order",
    html("p", {}, about),
    button("Try every order from 0", () => ask()),
    table,
  );
  const ask = asker(lab, element, async (course) => {
    const found = await lab.call("orders", course.question);
    if (state.course !== course) return;
    const [low, , high] = found.shuffled;
    const more = { shuffled: `, median of ${found.seeds} seeds (${low} to ${high})` };
    const lines = Object.entries(found.mistakes).map(([name, count]) => [
      name + (more[name] ?? ""),
      numeral(count),
      found.stopped[name],
    ]);
    lines.push(["bound (R/γ)²", found.bound === null ? "none" : numeral(found.bound), ""]);
    body.replaceChildren(...lines.map((line) => html("tr", {}, ...line.map((cell) => html("td", {}, cell)))));
    table.hidden = false;
  });
  state.on("run", () => {
    table.hidden = true;
  });
  return element;
}

// Asks about the run at hand, one question at a time; where the run or the step moved on meanwhile, once more.
function asker(lab, element, act) {
  let [busy, again] = [false, false];
  const ask = async () => {
    const { course } = lab.state;
    if (!course) return;
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      await act(course);
      lab.problem(element, "");
    } catch (problem) {
      lab.problem(element, problem.message);
    }
    busy = false;
    if (again) {
      again = false;
      ask();
    }
  };
  return ask;
}

function picture(label) {
  const { width, height } = SIZE;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label });
}

// Places in a picture whose values go from 0 to `most` across and up.
function scales(low, most, high) {
  const { width, height, left, right, top, bottom } = SIZE;
  const x = (value) => left + ((value - low) / (most - low || 1)) * (width - left - right);
  const y = (value) => height - bottom - (value / (high || 1)) * (height - top - bottom);
  return { x, y };
}

function axes(into, { y }, title, high, ends) {
  const { width, height, left, right, bottom } = SIZE;
  const text = (tx, ty, words, anchor = "end") => svg("text", { x: tx, y: ty, "text-anchor": anchor }, words);
  into.replaceChildren(
    svg("line", { x1: left, x2: width - right, y1: height - bottom, y2: height - bottom, class: "axis" }),
    text(left - 5, y(high) + 4, short(high)),
    text(left - 5, height - bottom + 4, "0"),
    text(left, height - 6, ends[0], "start"),
    text(width - right, height - 6, ends[1]),
    text(width - right, 14, title),
  );
}

const path = (places) => places.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" ");

function lines(into, title, run, batch) {
  const most = Math.max(run.length, batch.length) - 1;
  const high = Math.max(...run, ...batch) || 1;
  const at = scales(0, most, high);
  axes(into, at, title, high, ["0", `${most} passes`]);
  const line = (values, name) =>
    svg("polyline", { points: path(Array.from(values, (v, k) => [at.x(k), at.y(v)])), class: name });
  into.append(line(batch, "limit"), line(run, "curve"));
}

function points(into, course, { leads, losses }) {
  const far = Math.max(1e-9, ...Array.from(leads, Math.abs)) * 1.1;
  const high = Math.max(1.25, far);
  const at = scales(-far, far, high);
  axes(into, at, "loss of a point over y·w·x", high, [short(-far), short(far)]);
  const line = (places, name) =>
    svg("polyline", { points: path(places.map(([a, b]) => [at.x(a), at.y(b)])), class: name });
  const step = [
    [-far, 1],
    [0, 1],
    [0, 0],
    [far, 0],
  ];
  const ramp = [
    [-far, far],
    [0, 0],
    [far, 0],
  ];
  into.append(line(step, "limit"), line(ramp, "curve"));
  course.truth.forEach((c, i) => {
    const look = course.look(c);
    into.append(svg("path", { d: mark(look, at.x(leads[i]), at.y(losses[i]), 5), fill: colour(look) }));
  });
}

function table({ zero_one, perceptron, batch_zero_one, batch_perceptron }) {
  const cell = (values, k) => (k < values.length ? short(values[k]) : "");
  const length = Math.min(200, Math.max(zero_one.length, batch_zero_one.length));
  const columns = [zero_one, perceptron, batch_zero_one, batch_perceptron];
  return Array.from({ length }, (_, k) => [String(k), ...columns.map((values) => cell(values, k))]);
}
