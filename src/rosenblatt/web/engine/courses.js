// The call `course_table`: the run of the bench as one of the three courses makes it and writes it.

import { readBench } from "./bench.js";
import { change, expanded, numeral, vector } from "./numerals.js";
import { Problem } from "./problem.js";
import { add, featuresOf, makeRows } from "./rows.js";
import { learn, whyItStopped } from "./run.js";
import { oneOf } from "./wanted.js";

const MOST_LINES = 200;
const MOST_STEPS = 20_000;
const MOST_SCORES = 5_000_000; // where all rows are looked at for every update
const MOST_ROWS = 20; // of a training set that is shown
const MOST_WEIGHTS = 24; // of all classes together, in one line of the table

const COURSES = {
  // A tie is +; the table of the worked pass, the training set beside it.
  berkeley: {
    ties: "positive",
    order: "given",
    more: true, // than two classes
    head: ["step", "Weights", "Score", "Correct?", "Update"],
    line: berkeleyLine,
    last: (run, weights) => [String(run.visited.length + 1), weightsText(run.rows, weights), "", "", ""],
  },
  // if y θᵀx ≤ 0 then θ ← θ + α y x, for i = 1 … n; how often to repeat is a hyperparameter.
  ucla: {
    ties: "mistake",
    order: "given",
    rated: true,
    head: ["i", "θ", "y⁽ⁱ⁾ θᵀx⁽ⁱ⁾", "≤ 0?", "θ ← θ + α y⁽ⁱ⁾ x⁽ⁱ⁾"],
    line: uclaLine,
    last: (run, weights) => ["", vector(weights), "", "", ""],
  },
  // While there is an i with y(w·x) ≤ 0; t counts updates, and x' = (x, 1).
  cornell: {
    ties: "mistake",
    order: "first wrong",
    head: ["t", "w⁽ᵗ⁾", "i", "yᵢ(w⁽ᵗ⁾·xᵢ) ≤ 0", "w⁽ᵗ⁺¹⁾ = w⁽ᵗ⁾ + yᵢxᵢ"],
    line: cornellLine,
    last: (run, weights) => [String(run.steps.length), vector(biasLast(run.rows, weights)), "", "", ""],
  },
};

// The table of the first steps, the training set where the course shows it, and why the run stopped. Points, bias,
// start and the most passes are those of the bench; ties and order are the course's, and UCLA has α.
export function courseTable(body) {
  const bench = readBench(body);
  const name = oneOf("course", body.course, Object.keys(COURSES));
  const course = COURSES[name];
  if (bench.classes.length > 2 && !course.more) {
    throw new Problem(`course='${name}' speaks of two classes; got ${bench.classes.length}. Berkeley has more.`);
  }
  const n = bench.points.length;
  const rows = makeRows(bench.points, bench.codes, bench.classes.length, bench.bias);
  const most = Math.max(1, Math.floor(name === "cornell" ? MOST_SCORES / n ** 2 : MOST_STEPS / n));
  const rate = course.rated ? bench.rate : 1;
  const choices = { ...course, rate, margin: 0, start: bench.start, seed: 0, passes: Math.min(bench.passes, most) };
  const run = learn(rows, choices);
  // A table of visits goes on where the run ended in a cycle.
  const shown = run.cycle && !run.chosen ? learn(rows, choices, { ...FOR_EVER }) : run;
  const count = run.chosen ? shown.steps.length : shown.visited.length;
  const found = [];
  const weights = walk(shown, Math.min(MOST_LINES, count), (step) => found.push(course.line(shown, step, rate)));
  return {
    head: course.head,
    lines: count > MOST_LINES ? found : [...found, course.last(shown, weights)],
    left_out: Math.max(0, count - MOST_LINES),
    set: name === "berkeley" && n <= MOST_ROWS ? trainingSet(bench) : [],
    why: whyItStopped(run, "row", bench.bias),
  };
}

const FOR_EVER = { passes: Number.POSITIVE_INFINITY, updates: Number.POSITIVE_INFINITY, every: 1, endless: true };

// Tells of each of the first steps: its row, scores, class punished (or −1), and the weights before and after it.
function walk(run, count, tell) {
  const { rows, scale, unit } = run;
  const weights = run.start.slice();
  const shown = () => Array.from(weights, (w) => w * scale);
  for (let s = 0; s < count; s++) {
    const [row, update, before] = [run.visited[s], run.updateAt[s], shown()];
    const rival = update < 0 ? -1 : run.rivals[update];
    if (update >= 0) add(rows, row, rival, unit, weights);
    const scores = run.scores.slice(s * rows.vectors, (s + 1) * rows.vectors);
    tell({
      s,
      row,
      update,
      rival,
      own: rows.truth[row],
      scores,
      features: featuresOf(rows, row),
      before,
      after: shown(),
    });
  }
  return shown();
}

function berkeleyLine({ rows }, { s, own, rival, scores, features, before }) {
  const right = rival < 0;
  const two = rows.vectors === 1;
  const up = change(1, features);
  const down = change(-1, features);
  const update = two ? (own ? up : down) : `row ${own} ${up}, row ${rival} ${down}`;
  const score = two ? expanded(before, features, scores[0]) : scores.map(numeral).join("; ");
  const weights = weightsText(rows, before, right ? [own] : [own, rival]);
  return [String(s + 1), weights, score, right ? "yes" : "no", right ? "none" : update];
}

// Many classes with many features would fill a page: then only the rows that an update changes.
function weightsText({ vectors, width }, weights, changed = []) {
  const line = (v) => vector(weights.slice(v * width, (v + 1) * width));
  if (vectors === 1 || weights.length <= MOST_WEIGHTS)
    return Array.from({ length: vectors }, (_, v) => line(v)).join("; ");
  return changed.map((v) => `row ${v}: ${line(v)}`).join("; ");
}

// i, θ, y θᵀx, whether that is at most 0, and what is added.
function uclaLine(_, { row, own, rival, scores: [score], features, before }, rate) {
  const y = own ? 1 : -1;
  const sum = expanded(before, features, score).split(" = ")[0];
  const added = rival < 0 ? "" : `+ ${numeral(rate)}·(${y})·${vector(features)}`;
  return [String(row + 1), vector(before), `${y}·(${sum}) = ${numeral(y * score)}`, rival < 0 ? "no" : "yes", added];
}

// t, w, i, y(w·x) and the new w; the bias stands last, and i is any wrong row.
function cornellLine({ rows }, { update, row, own, scores: [score], ...found }) {
  const y = own ? 1 : -1;
  const [f, before, after] = ["features", "before", "after"].map((name) => vector(biasLast(rows, found[name])));
  const product = `${y}·(${before}·${f}) = ${numeral(y * score)}`;
  return [String(update), before, String(row + 1), product, `${before} ${own ? "+" : "−"} ${f} = ${after}`];
}

function biasLast({ bias }, values) {
  return bias ? [...values.slice(1), values[0]] : values;
}

// Berkeley's table of the rows: their numbers, features and labels.
function trainingSet({ points, codes, names }) {
  const signs = names.length === 2 ? ["−", "+"] : names;
  const head = ["#", ...points[0].map((_, j) => `f${j + 1}`), "y*"];
  return [head, ...points.map((point, i) => [String(i + 1), ...point.map(numeral), signs[codes[i]]])];
}
