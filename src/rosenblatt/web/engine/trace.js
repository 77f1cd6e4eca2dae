// A run as `Trace.to_json` writes it (traces/table.py), and as the player reads it. Rows count from 0 here.

import { run } from "./answer.js";
import { columnsOf } from "./bench.js";
import { losses } from "./losses.js";
import { featuresOf } from "./rows.js";
import { whyItStopped } from "./run.js";

const VERSION = 1;
const KIND = "rosenblatt trace";
const CHOSEN = { "first wrong": "first-wrong", "worst first": "worst-first" };

// What was run: all but the steps. `body` is the request that the course was made of.
export function runOf(course, body) {
  const { bench, rows } = course;
  const start = linesOf(rows, course.shown(course.run.start));
  return {
    ...choices(bench),
    version: VERSION,
    kind: KIND,
    classes: bench.names,
    features: columnsOf(bench),
    bias: bench.bias,
    rows: bench.points.map((_, i) => Array.from(featuresOf(rows, i))),
    truth: Array.from(bench.codes),
    start,
    ties: bench.ties,
    ...outcome(course, body),
  };
}

// Margin, rate, seed and a chosen order where they are not those of the notes.
function choices({ margin, rate, order, seed }) {
  return {
    ...(margin ? { margin } : {}),
    ...(rate === 1 ? {} : { rate }),
    ...(order === "shuffled" ? { seed } : {}),
    ...(CHOSEN[order] ? { order: CHOSEN[order] } : {}),
  };
}

// Why the run stopped: by name, in words, and the cycle where there is one; and the losses after each pass.
function outcome({ bench, run: found }, body) {
  const { zero_one, perceptron } = losses(body);
  const { cycle } = found;
  const told = { length: cycle?.passes, unit: cycle?.unit, rows: cycle?.rows, updates: cycle?.updates };
  return {
    stopped: found.stopped,
    why: whyItStopped(found, "row", bench.bias),
    losses: { zero_one: Array.from(zero_one), perceptron: Array.from(perceptron) },
    ...(cycle ? { cycle: told } : {}),
  };
}

// A vector, or one for each of more than two classes.
function linesOf({ vectors, width }, weights) {
  const line = (v) => Array.from(weights.slice(v * width, (v + 1) * width));
  return vectors === 1 ? line(0) : Array.from({ length: vectors }, (_, v) => line(v));
}

// Every visit of a row, in order.
export function stepsOf(course, body) {
  const { bench, rows, run: found } = course;
  const { predicted } = run(body).steps;
  let made = 0;
  return found.visited.map((row, s) => {
    const update = found.updateAt[s];
    made = update >= 0 ? update + 1 : made;
    return {
      step: s + 1,
      pass: found.numbers[s] + 1,
      row,
      scores: Array.from(found.scores.slice(s * rows.vectors, (s + 1) * rows.vectors)),
      predicted: bench.classes.indexOf(predicted[s]),
      true: rows.truth[row],
      rival: update >= 0 ? found.rivals[update] : null,
      after: linesOf(rows, course.shown(course.rawAfter(made))),
    };
  });
}
