// The call `xor`: proved impossible for one perceptron, then solved twice, by three perceptrons and by one more column.
//
// Everything is worked out by the engine on the sets XOR, OR and AND; nothing here knows the answer.

import { readBench } from "./bench.js";
import { Course } from "./course.js";
import { expanded, numeral, vector } from "./numerals.js";
import { CORNERS } from "./presets.js";
import { prove } from "./proof.js";
import { plus, ratioOf, reduced, times } from "./ratios.js";
import { featuresOf } from "./rows.js";
import { stepWords } from "./words.js";
import { clip, corners, lineIn, productShapes, tidy } from "./xor_plane.js";

const WINDOW = [-0.5, 1.5, -0.5, 1.5];
const PASSES = 1000; // the most that a run here may take; all of them end long before
const LABELS = { xor: [0, 1, 1, 0], or: [0, 1, 1, 1], and: [0, 0, 0, 1] };

let story = null;

// The whole story in plain values: the rows, the proof, the run that goes round, and the two ways out.
export function xor() {
  story ??= {
    rows: CORNERS,
    labels: LABELS.xor,
    classes: ["0", "1"], // what a perceptron says, here and where the next one reads it
    window: WINDOW,
    proof: proofOf(),
    cycle: cycleOf(),
    network: networkOf(),
    product: productOf(),
  };
  return structuredClone(story); // a page may change what it gets
}

const courseOf = (points, labels, passes) => new Course(readBench({ points, labels, settings: { passes } }));
const weightsAfter = (course, updates) => Array.from(course.shown(course.rawAfter(updates)));
const finalOf = (course) => weightsAfter(course, course.run.steps.length);
const fractionText = ([top, bottom]) => (bottom === 1n ? `${top}` : `${top}/${bottom}`);
const listed = (ratios) => `[${ratios.map(fractionText).join(", ")}]`;

// The rows that cancel, with the share of each, and their sum.
function proofOf() {
  const bench = readBench({ points: CORNERS, labels: LABELS.xor });
  const { rows, multipliers } = prove(bench);
  const total = multipliers.reduce((a, b) => a + b);
  const shares = multipliers.map((multiplier) => reduced(multiplier, total));
  const signed = rows.map((row) => [1, ...CORNERS[row]].map((value) => (bench.codes[row] ? value : -value + 0)));
  const parts = shares.map((share, k) => signed[k].map((value) => times(share, ratioOf(value))));
  const rest = parts.reduce((sum, part) => sum.map((value, j) => plus(value, part[j])));
  return {
    parts: rows.map((row, k) => ({
      row,
      weight: fractionText(shares[k]),
      signed: vector(signed[k]),
      times: listed(parts[k]),
    })),
    meet: [0, 1].map((side) => meanOf(rows, multipliers, (row) => bench.codes[row] === side)),
    sum: listed(rest),
    words:
      `Take each row ${fractionText(shares[0])} times, those of class 0 with the opposite sign: they add up to ` +
      `${listed(rest)}. Weights that were right on all of them would give that sum a score above 0, and its score is 0.`,
  };
}

// The mean of the rows of a class by their multipliers. That of both is one point: both classes surround it.
function meanOf(rows, multipliers, isOf) {
  const kept = rows.flatMap((row, k) => (isOf(row) ? [[CORNERS[row], Number(multipliers[k])]] : []));
  const total = kept.reduce((sum, [, amount]) => sum + amount, 0);
  return [0, 1].map((j) => kept.reduce((sum, [point, amount]) => sum + amount * point[j], 0) / total);
}

// One pass of the perceptron from 0, which ends where it began.
function cycleOf() {
  const course = courseOf(CORNERS, LABELS.xor, 1);
  const { run } = course;
  const end = vector(finalOf(course));
  return {
    steps: run.visited.map((_, step) => stepOf(course, step)),
    weights: end,
    words: `One pass makes ${run.steps.length} mistakes on ${CORNERS.length} rows and is back at ${end}.`,
  };
}

function stepOf(course, step) {
  const { run } = course;
  const update = run.updateAt[step];
  const before = update >= 0 ? update : run.steps.filter((at) => at < step).length;
  const { arithmetic, change } = stepWords(course, step);
  return {
    step: step + 1,
    pass: run.numbers[step] + 1,
    row: run.visited[step],
    before: vector(weightsAfter(course, before)),
    arithmetic,
    correct: update < 0,
    update: change,
    after: vector(weightsAfter(course, update >= 0 ? update + 1 : before)),
  };
}

const fires = (weights, x) => (weights[0] + x.reduce((sum, value, j) => sum + value * weights[j + 1], 0) > 0 ? 1 : 0);

// OR and AND, each trained on its own rows, and a third perceptron trained on what the two say about XOR's rows.
function networkOf() {
  const [or, and] = ["or", "and"].map((name) => courseOf(CORNERS, LABELS[name], PASSES));
  const first = [or, and].map(finalOf);
  const hidden = CORNERS.map((x) => first.map((weights) => fires(weights, x)));
  const last = courseOf(hidden, LABELS.xor, PASSES);
  const inputs = CORNERS.map((x, row) => {
    const end = unitOf(finalOf(last), hidden[row]);
    return { x, units: [...first.map((w) => unitOf(w, x)), end], says: end.fires, true: LABELS.xor[row] };
  });
  return {
    units: [
      perceptronOf("OR", or, ["x1", "x2"]),
      perceptronOf("AND", and, ["x1", "x2"]),
      perceptronOf("OR and not AND", last, ["OR", "AND"]),
    ],
    inputs,
    regions: cells(first, finalOf(last)),
    right: inputs.filter((one) => one.says === one.true).length,
  };
}

function unitOf(weights, x) {
  const features = [1, ...x];
  const score = weights.reduce((sum, w, j) => sum + w * features[j], 0);
  return { arithmetic: expanded(weights, features, score), score, fires: score > 0 ? 1 : 0 };
}

function perceptronOf(name, course, inputs) {
  const weights = finalOf(course);
  return {
    name,
    inputs,
    weights,
    text: vector(weights),
    passes: course.run.passes,
    mistakes: course.run.steps.length,
    line: lineIn(WINDOW, weights),
  };
}

// The plane cut by the two lines, and what the third perceptron says on each piece.
function cells([one, other], last) {
  return [0, 1].flatMap((a) =>
    [0, 1].flatMap((b) => {
      const piece = clip(clip(corners(WINDOW), one, a === 1), other, b === 1);
      return piece.length > 2 ? [{ polygon: tidy(piece), hidden: [a, b], says: fires(last, [a, b]) }] : [];
    }),
  );
}

// One perceptron with the column x1·x2 added: the run mistake by mistake, and what it proves.
function productOf() {
  const more = CORNERS.map(([x, y]) => [x, y, x * y]);
  const course = courseOf(more, LABELS.xor, PASSES);
  const { run } = course;
  const verdict = prove(course.bench);
  const start = weightsAfter(course, 0);
  const weights = finalOf(course);
  const mistakes = run.steps.map((step, u) => ({
    mistake: u + 1,
    ...stepOf(course, step),
    ...productShapes(WINDOW, weightsAfter(course, u + 1)),
  }));
  const rows = more.map((x, row) => ({
    features: vector(featuresOf(course.rows, row).slice(1)),
    ...unitOf(weights, x),
    true: LABELS.xor[row],
  }));
  return {
    names: ["1", "x1", "x2", "x1·x2"],
    moments: [{ mistake: 0, row: null, after: vector(start), ...productShapes(WINDOW, start) }, ...mistakes],
    rows,
    weights,
    text: vector(weights),
    passes: run.passes,
    mistakes: run.steps.length,
    margin: numeral(verdict.margin),
    bound: Number(verdict.bound),
    words:
      `${run.steps.length} mistakes in ${run.passes} passes, then every row is right: [1, x1, x2, x1·x2] with weights ` +
      `${vector(weights)}. The proof gives a margin of at least ${numeral(verdict.margin)}.`,
  };
}
