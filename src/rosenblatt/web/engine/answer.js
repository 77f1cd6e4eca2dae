// The calls `run` and `words`: a whole run as columns, and the sentences of some of its steps.
//
// Columns are typed arrays with a `shape`; one of two dimensions lies row after row.

import { columnsOf } from "./bench.js";
import { lengthsOf } from "./curve.js";
import { courseOf } from "./latest.js";
import { Problem } from "./problem.js";
import { decide, decideOne, squares } from "./rows.js";
import { marginBracket } from "./run.js";
import { whole } from "./wanted.js";
import { cycleSentence, ending, limitWords, stepWords, sums } from "./words.js";

const MOST_WORDS = 500; // steps in one answer
const KINDS = { float64: Float64Array, int32: Int32Array, uint8: Uint8Array };

export function column(values, kind = "float64", width = null) {
  const found = values instanceof KINDS[kind] ? values : KINDS[kind].from(values);
  found.shape = width === null ? [found.length] : [found.length / width, width];
  return found;
}

// Everything that happened, for a page that scrubs through it without asking again.
export function run(body) {
  const course = courseOf(body);
  const { bench, run: found, rows } = course;
  const mistaken = mistakesOf(course);
  return {
    classes: bench.classes,
    vectors: rows.vectors,
    features: rows.kernel ? bench.features : columnsOf(bench),
    kernel: bench.kernel,
    n_steps: found.visited.length,
    n_updates: found.steps.length,
    n_mistakes: found.mistakes,
    passes: found.passes,
    per_pass: found.perPass,
    stopped: found.stopped,
    separated: found.separated,
    words: ending(course),
    limited: limitWords(course),
    rounded: bench.rounded,
    steps: stepsOf(course, mistaken),
    updates: updatesOf(course, mistaken),
    ...(rows.kernel ? curveFacts(course) : lineFacts(course)),
    mistakes: column(runningSum(mistaken), "int32"),
    radius: found.radius,
    cycle: cycleOf(course),
  };
}

// What is known of weights.
function lineFacts(course) {
  const variants = ["final", "averaged", "pocket"];
  const weights = variants.map((name) => [name, Array.from(course.shown(course.weights(name)))]);
  return {
    weights: flat(course, course.raw),
    averaged: flat(course, course.averaged.among),
    pocket: flat(course, pocketColumn(course)),
    margin_at_most: column(marginsOf(course)),
    final: { ...Object.fromEntries(weights), right: rightBy(course, variants) },
    bracket: marginBracket(course.run),
  };
}

// A curve has no weights; its margin is one in feature space.
function curveFacts(course) {
  const { run: found } = course;
  const lengths = lengthsOf(course);
  const margins = lengths.map((length, u) => (u ? length / u : Number.POSITIVE_INFINITY));
  const low = found.separated ? found.lowestLead / lengths.at(-1) : 0;
  return {
    margin_at_most: column(margins),
    final: { right: rightBy(course, ["final", "averaged"]) },
    bracket: [low, found.steps.length ? margins.at(-1) : null],
    n_support: course.support().length,
  };
}

const rightBy = (course, variants) => Object.fromEntries(variants.map((name) => [name, course.right(name)]));

// The steps `from` to `to`, counted from 1, in words and expanded sums.
export function words(body) {
  const course = courseOf(body);
  const count = course.run.visited.length;
  const first = whole("from", body.from, 1, count);
  const last = whole("to", body.to, first, count);
  if (last - first >= MOST_WORDS) {
    throw new Problem(`at most ${MOST_WORDS} steps can be had at once; got ${last - first + 1}.`);
  }
  const steps = [];
  for (let s = first; s <= last; s++) steps.push({ step: s, ...stepWords(course, s - 1), sums: sums(course, s - 1) });
  return { steps };
}

const scoreWidth = ({ rows }) => (rows.vectors === 1 ? null : rows.vectors);

// For each update, whether the point was wrong or tied, not merely within the margin.
function mistakesOf({ run: found, rows }) {
  return Uint8Array.from(found.steps, (step, u) => {
    const own = rows.truth[found.updated[u]];
    if (rows.vectors === 1) return (own ? found.scores[step] : -found.scores[step]) <= 0 ? 1 : 0;
    const begin = step * rows.vectors;
    return found.scores[begin + own] <= found.scores[begin + found.rivals[u]] ? 1 : 0;
  });
}

function stepsOf(course, mistaken) {
  const { bench, rows, run: found } = course;
  const predicted = found.visited.map((_, step) => {
    const update = found.updateAt[step];
    if (update >= 0 && mistaken[update]) return bench.classes[found.rivals[update]]; // also where a tie is a mistake
    if (rows.vectors === 1) return bench.classes[decideOne(found.scores[step], bench.ties)];
    return bench.classes[decide(found.scores.slice(step * rows.vectors, (step + 1) * rows.vectors), bench.ties)];
  });
  return {
    row: column(found.visited, "int32"),
    pass: column(
      found.numbers.map((number) => number + 1),
      "int32",
    ),
    predicted: column(predicted, "uint8"),
    true: column(
      found.visited.map((row) => bench.classes[rows.truth[row]]),
      "uint8",
    ),
    update: column(found.updateAt, "int32"),
    score: column(found.scores, "float64", scoreWidth(course)),
  };
}

function updatesOf(course, mistaken) {
  const { bench, rows, run: found } = course;
  const before = found.steps.flatMap((step) => found.scores.slice(step * rows.vectors, (step + 1) * rows.vectors));
  const told = (name) => lazily(found.steps.length, (u) => stepWords(course, found.steps[u])[name]);
  return {
    step: column(
      found.steps.map((step) => step + 1),
      "int32",
    ),
    row: column(found.updated, "int32"),
    pass: column(
      found.steps.map((step) => found.numbers[step] + 1),
      "int32",
    ),
    true: column(
      found.updated.map((row) => bench.classes[rows.truth[row]]),
      "uint8",
    ),
    rival: column(
      found.rivals.map((rival) => bench.classes[rival]),
      "uint8",
    ),
    mistake: column(mistaken, "uint8"),
    score: column(before, "float64", scoreWidth(course)),
    score_after: column(scoresAfter(course), "float64", scoreWidth(course)),
    arithmetic: told("arithmetic"),
    change: told("change"),
    words: told("words"),
  };
}

// A list whose entries are made when they are looked at: a page shows the words of one update at a time.
function lazily(length, make) {
  return new Proxy(
    Array.from({ length }, () => null),
    {
      get(list, name) {
        if (list[name] === null) list[name] = make(Number(name));
        return list[name];
      },
    },
  );
}

// What each update made of the score of its own point; one per class where there are several.
function scoresAfter(course) {
  const { run: found, rows } = course;
  if (rows.kernel) return curveScoresAfter(course);
  const scores = [];
  const look = course.look(found.start);
  found.updated.forEach((row, u) => {
    look.weights = course.rawAfter(u + 1);
    look.at(row);
    for (let v = 0; v < rows.vectors; v++) scores.push(look.scores[v] * found.scale);
  });
  return scores;
}

// An update adds the kernel of a point with itself to its own score.
function curveScoresAfter({ run: found, rows }) {
  return found.updated.flatMap((row, u) => {
    const [own, at] = [rows.valuesOf(row)[row], found.steps[u] * rows.vectors];
    const scores = found.scores.slice(at, at + rows.vectors);
    if (rows.vectors === 1) return [scores[0] + (found.rivals[u] === 0 ? own : -own)];
    scores[rows.truth[row]] += own;
    scores[found.rivals[u]] -= own;
    return scores;
  });
}

// Before each update and after the last: no weights have a larger margin on these points.
function marginsOf({ run: found, rows, raw }) {
  const margins = [Number.POSITIVE_INFINITY];
  const moved = new Float64Array(rows.size);
  for (let u = 1; u <= found.steps.length; u++) {
    for (let j = 0; j < rows.size; j++) moved[j] = raw[u * rows.size + j] - found.start[j];
    margins.push(Math.sqrt(squares(moved)) / (u * found.unit));
  }
  return margins;
}

function pocketColumn(course) {
  const { size } = course.rows;
  const found = new Float64Array(course.raw.length);
  course.pockets.slice(0, -1).forEach((update, u) => found.set(course.rawAfter(update), u * size));
  return found;
}

function runningSum(mistaken) {
  let total = 0;
  return [0, ...Array.from(mistaken, (one) => (total += one))];
}

function cycleOf(course) {
  const { cycle } = course.run;
  if (!cycle) return null;
  return { passes: cycle.passes, rows: cycle.rows, updates: cycle.updates, words: cycleSentence(course) };
}

function flat(course, weights) {
  return column(course.shown(weights), "float64", course.rows.size);
}
