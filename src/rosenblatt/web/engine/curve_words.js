// A step of a run under a kernel, in a sentence: what is added to the scores is not the point but its kernel.

import { supportOf } from "./curve.js";
import { numeral } from "./numerals.js";

const MOST_TERMS = 4; // of a score: the points that pull most

export function curveStep(course, step) {
  const { run, rows, bench } = course;
  const [row, update] = [run.visited[step], run.updateAt[step]];
  const scores = run.scores.slice(step * rows.vectors, (step + 1) * rows.vectors);
  const [own, rival] = [rows.truth[row], update >= 0 ? run.rivals[update] : -1];
  const at = { row, update, scores, own, rival };
  return {
    arithmetic: rows.vectors === 1 ? pulls(course, row, update, step, scores[0]) : scores.map(figure).join("; "),
    change: update < 0 ? "none" : changed(bench, at),
    words: (rows.vectors === 1 ? wordsOfTwo : wordsOfMore)(course, at),
  };
}

// What is added: K(5) is the kernel with point 5, of whatever place is asked about.
function changed({ names }, { row, own, rival }) {
  const added = `K(${row + 1})`;
  if (names.length === 2) return `${own ? "+" : "−"}${added}`;
  return `${names[own]} +${added}, ${names[rival]} −${added}`;
}

// A score as its largest parts, each a count times a kernel, and the rest together.
function pulls(course, row, update, step, score) {
  const { run, rows } = course;
  const made = update >= 0 ? update : run.steps.filter((at) => at < step).length;
  const [counts, values] = [course.weights("final", made), rows.valuesOf(row)];
  const parts = supportOf(run.updated, made).map((i) => ({ i, part: counts[i] * values[i] }));
  parts.sort((a, b) => Math.abs(b.part) - Math.abs(a.part) || a.i - b.i);
  if (!parts.length) return "no support points yet: 0";
  const shown = parts.slice(0, MOST_TERMS).map(({ i }) => `${numeral(counts[i])}·${figure(values[i])}`);
  const more = parts.length > MOST_TERMS ? " + …" : "";
  return `${shown.join(" + ")}${more} = ${figure(score)}`;
}

// Kernels are seldom whole numbers; three digits are enough to follow a sum.
export const figure = (value) => (Number.isInteger(value) ? numeral(value) : String(Number(value.toPrecision(3))));

const placeOf = ({ bench }, row) => `Point ${row + 1} at (${bench.points[row].map(numeral).join(", ")})`;

// What becomes of the point: it joins the support points, or counts once more.
function joins({ run }, { row, update }) {
  const before = run.updated.slice(0, update).filter((other) => other === row).length;
  return before ? `It counts ${before + 1} times now.` : "It is now a support point.";
}

function action({ bench }, own) {
  if (bench.kernel.kernel === "rbf") return own ? "Put a hill there." : "Dig a hollow there.";
  return own ? "Add its kernel." : "Subtract its kernel.";
}

function wordsOfTwo(course, at) {
  const { bench } = course;
  const { row, own, rival, scores } = at;
  const [point, shown, name] = [placeOf(course, row), figure(scores[0]), bench.names[own]];
  if (rival < 0) return `${point} is ${name} and its score is ${shown}: right, so nothing changes.`;
  const then = `${action(course, own)} ${joins(course, at)}`;
  const zero = { positive: 1, negative: 0 }[bench.ties]; // the class that a score of 0 stands for
  if (scores[0] === 0 && zero !== own) {
    const counts = zero === undefined ? "a mistake" : bench.names[zero];
    return `${point} is ${name} and its score is exactly 0, which counts as ${counts}. ${then}`;
  }
  if (scores[0] === 0 || scores[0] > 0 === (own === 1)) {
    return `${point} is ${name} and its score ${shown} is right, but within the margin ${numeral(bench.margin)}. ${then}`;
  }
  return `${point} is ${name}, but its score is ${shown}. ${then}`;
}

function wordsOfMore(course, at) {
  const { bench } = course;
  const { row, own, rival, scores } = at;
  const [point, name, ours] = [placeOf(course, row), bench.names[own], figure(scores[own])];
  if (rival < 0) return `${point} is ${name} and ${name} scores highest with ${ours}: right, so nothing changes.`;
  const [other, theirs] = [bench.names[rival], figure(scores[rival])];
  const then = `add its kernel to the scores of ${name}, take it from ${other}. ${joins(course, at)}`;
  if (scores[own] > scores[rival]) {
    return `${point} is ${name} and ${name} scores ${ours}, but ${other} comes within the margin with ${theirs}: ${then}`;
  }
  const how = ours === theirs ? `${other} scores ${theirs} as well` : `${other} scores ${theirs} against ${ours}`;
  return `${point} is ${name}, but ${how}: ${then}`;
}
