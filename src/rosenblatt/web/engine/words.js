// What happens in a run, in sentences: one for a step, one for how it ended. Points count from 1 for people.

import { cycleWords } from "./cycle.js";
import { MOST_STEPS, MOST_UPDATES } from "./course.js";
import { curveStep } from "./curve_words.js";
import { change, expanded, numeral, thousands } from "./numerals.js";
import { featuresOf } from "./rows.js";
import { whyItStopped } from "./run.js";

// A step, counted from 0: its score expanded as a trace does, what is added, and all of it in a sentence.
export function stepWords(course, step) {
  const { bench, rows } = course;
  if (rows.kernel) return curveStep(course, step);
  const at = momentOf(course, step);
  const { features, scores, own, rival } = at;
  if (rows.vectors === 1) {
    return {
      arithmetic: expanded(at.before, features, scores[0]),
      change: rival >= 0 ? change(own ? bench.rate : -bench.rate, features) : "none",
      words: wordsOfTwo(course, at),
    };
  }
  const [up, down] = [change(bench.rate, features), change(-bench.rate, features)];
  return {
    arithmetic: scores.map(numeral).join("; "),
    change: rival >= 0 ? `${bench.names[own]} ${up}, ${bench.names[rival]} ${down}` : "none",
    words: wordsOfMore(course, at),
  };
}

// The score of each weight vector, expanded, with the name of its class where there are several.
export function sums(course, step) {
  const { rows, bench } = course;
  if (rows.kernel) return [curveStep(course, step).arithmetic];
  const { before, features, scores } = momentOf(course, step);
  if (rows.vectors === 1) return [expanded(before, features, scores[0])];
  const line = (v) => before.slice(v * rows.width, (v + 1) * rows.width);
  return scores.map((score, v) => `${bench.names[v]}: ${expanded(line(v), features, score)}`);
}

// The weights before a step are those after as many updates as came before it.
function momentOf(course, step) {
  const { run, rows } = course;
  const [row, update] = [run.visited[step], run.updateAt[step]];
  return {
    row,
    features: featuresOf(rows, row),
    scores: run.scores.slice(step * rows.vectors, (step + 1) * rows.vectors),
    before: course.shown(course.rawAfter(update >= 0 ? update : updatesBefore(run.steps, step))),
    own: rows.truth[row],
    rival: update >= 0 ? run.rivals[update] : -1,
  };
}

function updatesBefore(steps, step) {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle] < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

function placeOf({ bench }, row) {
  return `Point ${row + 1} at (${bench.points[row].map(numeral).join(", ")})`;
}

function stepOf({ rate }) {
  return rate === 1 ? "its features" : `${numeral(rate)} times its features`;
}

function wordsOfTwo(course, { row, own, rival, scores: [score] }) {
  const { bench } = course;
  const [point, shown, name] = [placeOf(course, row), numeral(score), bench.names[own]];
  if (rival < 0) return `${point} is ${name} and its score is ${shown}: right, so nothing changes.`;
  const then = `${own ? "Add" : "Subtract"} ${stepOf(bench)}.`;
  const zero = { positive: 1, negative: 0 }[bench.ties]; // the class that a score of 0 stands for
  if (score === 0 && zero !== own) {
    const counts = zero === undefined ? "a mistake" : bench.names[zero];
    return `${point} is ${name} and its score is exactly 0, which counts as ${counts}. ${then}`;
  }
  if (score === 0 || score > 0 === (own === 1)) {
    return `${point} is ${name} and its score ${shown} is right, but within the margin ${numeral(bench.margin)}. ${then}`;
  }
  return `${point} is ${name}, but its score is ${shown}. ${then}`;
}

function wordsOfMore(course, { row, own, rival, scores }) {
  const { bench } = course;
  const [point, name, ours] = [placeOf(course, row), bench.names[own], numeral(scores[own])];
  if (rival < 0) return `${point} is ${name} and ${name} scores highest with ${ours}: right, so nothing changes.`;
  const [other, theirs] = [bench.names[rival], numeral(scores[rival])];
  const then = `add ${stepOf(bench)} to the weights of ${name}, take them from ${other}.`;
  if (scores[own] > scores[rival]) {
    return `${point} is ${name} and ${name} scores ${ours}, but ${other} comes within the margin with ${theirs}: ${then}`;
  }
  const how = ours === theirs ? `${other} scores ${theirs} as well` : `${other} scores ${theirs} against ${ours}`;
  return `${point} is ${name}, but ${how}: ${then}`;
}

// How the run ended.
export function ending({ run, bench }) {
  return whyItStopped(run, "point", bench.bias);
}

// What the cycle is, as a sentence of its own.
export function cycleSentence({ run, bench }) {
  const words = cycleWords(run, "point", bench.bias);
  return words[0].toUpperCase() + words.slice(1);
}

// That the lab itself ended the run, if it did.
export function limitWords({ run, limited }) {
  if (!limited) return null;
  const where = run.chosen ? `update ${thousands(run.steps.length)}` : `pass ${thousands(run.passes)}`;
  return (
    `The lab follows a run for at most ${thousands(MOST_STEPS)} steps and about ${thousands(MOST_UPDATES)} updates; ` +
    `this one would go on after ${where}.`
  );
}
