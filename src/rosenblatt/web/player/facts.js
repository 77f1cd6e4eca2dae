// What happened at this step, in one sentence and in numbers, and what the run has proved by then.

import { html, svg } from "../elements.js";
import { numeral } from "../engine/numerals.js";
import { angle, arithmetic, boundText, sentence, update, weightsText } from "../words.js";

const CURVE = { width: 380, height: 96, points: 240 };

export function makeFacts(run) {
  const say = html("p", { class: "rp-say", "aria-live": "polite" });
  const here = rows(["score", "w before", "update", "w after", "score now", "angle to w"]);
  const ended = html("p", { class: "rp-ended", hidden: "" }, run.why); // why the run stopped, at its end
  const step = html("section", { class: "rp-card" }, html("h2", {}, "This step"), say, ended, here.table);
  const longestRow = run.recorded ? "R², longest row shown" : "R², longest row"; // a record has not all rows
  const lossNames = run.losses ? ["0/1 loss", "perceptron loss"] : [];
  const proof = rows(["margin γ*", "updates", longestRow, ...lossNames]);
  const curve = makeCurve(run);
  const so = html(
    "section",
    { class: "rp-card" },
    html("h2", {}, "What this run proves so far"),
    curve.element,
    proof.table,
  );
  const radius = longest(run);
  const draw = (moment) => {
    say.textContent = sentence(run, moment);
    ended.hidden = !run.why || moment.step < run.length;
    fill(run, moment, here.cells);
    proof.cells["margin γ*"].textContent = moment.updates
      ? `at most ${short(moment.marginAtMost)}`
      : "no bound before the first update";
    proof.cells.updates.textContent = `${moment.updates} of ${run.updates}`;
    proof.cells[longestRow].textContent = numeral(radius);
    if (run.losses) fillLosses(run, moment, proof.cells);
    curve.draw(moment);
  };
  const quiet = (playing) => say.setAttribute("aria-live", playing ? "off" : "polite");
  return { elements: [step, so], draw, quiet };
}

const short = (value) => Number(value.toPrecision(4)).toString();

function rows(names) {
  const cells = Object.fromEntries(names.map((name) => [name, html("td", { "data-fact": name })]));
  const lines = names.map((name) => html("tr", {}, html("th", { scope: "row" }, name), cells[name]));
  return { cells, table: html("table", { class: "rp-facts" }, html("tbody", {}, ...lines)) };
}

// The losses of the weights after the last pass that is over.
function fillLosses(run, moment, cells) {
  const pass = run.passesBy(moment.step);
  const when = pass ? `after pass ${pass}` : "at the start";
  cells["0/1 loss"].textContent = `${numeral(run.losses.zero_one[pass])} ${when}`;
  cells["perceptron loss"].textContent = `${numeral(run.losses.perceptron[pass])} ${when}`;
}

function fill(run, moment, cells) {
  const started = moment.step > 0;
  cells["w before"].textContent = weightsText(run, moment.before, moment);
  cells["w after"].textContent = weightsText(run, moment.after, moment);
  cells.score.textContent = started ? arithmetic(run, moment) : "";
  cells.update.textContent = started ? update(run, moment) : "";
  cells["score now"].replaceChildren(...(started ? now(run, moment) : []));
  cells["angle to w"].textContent = started ? angles(run, moment) : "";
}

function now(run, moment) {
  const scores = Array.from(moment.scoresAfter, numeral).join("; ");
  const own = run.vectors === 1 ? moment.scoresAfter[0] * (moment.truth ? 1 : -1) : lead(moment);
  const [word, name] = own > 0 ? ["right", "rp-good"] : own < 0 ? ["still wrong", "rp-bad"] : ["tied", "rp-bad"];
  return [`${scores} `, html("span", { class: name }, word)];
}

function lead(moment) {
  const others = moment.scoresAfter.filter((_, c) => c !== moment.truth);
  return moment.scoresAfter[moment.truth] - Math.max(...others);
}

// With more than two classes, the angle to the weights of the true one.
function angles(run, moment) {
  const c = run.vectors === 1 ? 0 : moment.truth;
  const [before, after] = [moment.before, moment.after].map((w) => angle(run.vector(w, c), moment.features));
  return moment.rival < 0 ? before : `${before} → ${after}`;
}

// R² of the convergence theorem: with more than two classes a signed row holds the features twice.
function longest(run) {
  let most = 0;
  for (const row of run.rows)
    most = Math.max(
      most,
      row.reduce((sum, f) => sum + f * f, 0),
    );
  return run.vectors === 1 ? most : 2 * most;
}

// The bound on the margin after each update: it closes on the best margin, for free.
function makeCurve(run) {
  const { width, height, points } = CURVE;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height + 4}`, role: "img" });
  picture.setAttribute("aria-label", "Upper bound on the margin, falling with the updates");
  const count = Math.min(points, run.updates);
  const values = Array.from({ length: count }, (_, k) => {
    const updates = count === run.updates ? k + 1 : Math.round(((k + 1) / count) * run.updates);
    return { updates, bound: run.marginAtMost(run.weightsAfterUpdates(updates), updates) };
  });
  // In logarithms: the first bounds are large, and what is worth seeing is how the later ones close in.
  const logs = values.map((v) => Math.log(v.bound || Number.MIN_VALUE)).filter(Number.isFinite);
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const rise = (bound) => (Math.log(bound || Number.MIN_VALUE) - low) / (high - low || 1);
  const at = ({ updates, bound }) => [
    (updates / run.updates) * (width - 12) + 6,
    height - 8 - rise(bound) * (height - 34),
  ];
  const line = values
    .map((v) =>
      at(v)
        .map((z) => z.toFixed(1))
        .join(","),
    )
    .join(" ");
  const dot = svg("circle", { r: 5, class: "rp-dot" });
  picture.append(svg("line", { x1: 0, x2: width, y1: height, y2: height, class: "rp-axis" }));
  picture.append(svg("polyline", { points: line, class: "rp-curve" }), dot);
  picture.append(svg("text", { x: width, y: 12, "text-anchor": "end" }, `${boundText(run)}, log scale`));
  const draw = (moment) => {
    dot.style.visibility = moment.updates ? "visible" : "hidden";
    if (!moment.updates) return;
    const [cx, cy] = at({ updates: moment.updates, bound: moment.marginAtMost });
    dot.setAttribute("cx", cx);
    dot.setAttribute("cy", cy);
  };
  return { element: picture, draw };
}
