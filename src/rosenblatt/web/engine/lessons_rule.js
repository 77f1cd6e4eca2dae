// The lessons on the rule itself: a linear classifier, the update, the bias, more than two classes.

import { general } from "./formats.js";
import { follow, lay, option, PASSES, place, proved, scored } from "./lessons_bench.js";
import { change, numeral, vector } from "./numerals.js";
import { FIVE, SIGNS } from "./presets.js";
import { decide } from "./rows.js";
import { stepWords, sums } from "./words.js";

const HEAD = ["step", "weights", "score", "correct?", "update"];

// A line: weights with small numbers, two points on either side of their boundary, and one place on it.
const LINE_WEIGHTS = [-6, 2, 1];
const LINE = {
  points: [
    [1, 1],
    [4, 3],
    [1, 3],
    [3, 2],
  ],
  labels: [0, 1, 0, 1],
};
const ON_THE_LINE = [2, 2];

export function line() {
  const doubled = LINE_WEIGHTS.map((w) => 2 * w);
  const length = Math.hypot(...LINE_WEIGHTS.slice(1));
  const [once, twice] = [LINE_WEIGHTS, doubled].map((w) => LINE.points.map((point) => scored(w, point)));
  const same = once.every((row, k) => row.score > 0 === twice[k].score > 0);
  return {
    benches: { once: lay(LINE, { start: LINE_WEIGHTS }), twice: lay(LINE, { start: doubled }) },
    facts: {
      weights: vector(LINE_WEIGHTS),
      parts: LINE_WEIGHTS.map(numeral),
      doubled: vector(doubled),
      rows: once.map((row, k) => ({
        ...row,
        class: SIGNS[LINE.labels[k]],
        distance: general(Math.abs(row.score) / length, 4),
      })),
      twice: twice.map((row) => row.text),
      zero: scored(LINE_WEIGHTS, ON_THE_LINE),
      normal: place(LINE_WEIGHTS.slice(1)),
      length: general(length, 4),
      options: [
        option("It stays where it is.", same),
        option("It moves twice as far from the origin.", !same),
        option("It turns.", false),
      ],
    },
  };
}

// The update: the worked pass of the notes: its table, row by row, and how the run goes on.
export function update() {
  const start = [-1, 0, 0];
  const laid = lay(FIVE, { start, passes: PASSES });
  const found = follow(laid);
  const { answer, course, weights } = found;
  const made = (step) => answer.steps.update.slice(0, step).filter((u) => u >= 0).length; // updates before a step
  const n = FIVE.points.length;
  const told = FIVE.points.map((_, step) => stepWords(course, step));
  const [second, last] = [1, n - 1];
  const [before, after] = [weights(made(last)), weights(made(last + 1))];
  const features = [1, ...FIVE.points[last]];
  const other = before.map((w, j) => w - (after[j] - w)); // what a wrong sign would give
  const table = told.map(({ arithmetic, change: added }, step) => {
    const right = answer.steps.update[step] < 0 ? "yes" : "no";
    return [`${step + 1}`, vector(weights(made(step))), arithmetic, right, added];
  });
  return {
    benches: { five: laid },
    facts: {
      head: HEAD,
      table: [...table, [`${n + 1}`, vector(weights(made(n))), "", "", ""]],
      words: told.map(({ words }) => words),
      start: vector(start),
      asked: { ...scored(weights(made(second)), FIVE.points[second]), class: SIGNS[FIVE.labels[second]] },
      added: { change: told[second].change, after: vector(weights(made(second + 1))) },
      last: {
        at: place(FIVE.points[last]),
        class: SIGNS[FIVE.labels[last]],
        score: numeral(answer.steps.score[last]),
        before: vector(before),
        features: vector(features),
        change: told[last].change,
        after: vector(after),
        now: scored(after, FIVE.points[last]),
        squared: numeral(features.reduce((sum, f) => sum + f * f, 0)),
      },
      options: [other, after, before].map((w) => option(vector(w), vector(w) === vector(after))),
      passes: answer.passes,
      mistakes: answer.n_updates,
      final: vector(answer.final.final),
    },
  };
}

// The bias: the first point and the third lie on one ray from the origin and are of different classes.
const RAY = {
  points: [
    [1, 1],
    [0, 1],
    [3, 3],
    [4, 1],
  ],
  labels: [0, 0, 1, 1],
};
const RAY_WEIGHTS = [2, -1];

export function bias() {
  const without = lay(RAY, { bias: false, passes: PASSES });
  const trial = lay(RAY, { bias: false, start: RAY_WEIGHTS, passes: PASSES });
  const withBias = lay(RAY, { passes: PASSES });
  const ended = follow(withBias).answer;
  const { final } = ended.final;
  const [near, , far] = RAY.points;
  return {
    benches: { trial, without, with: withBias },
    facts: {
      trial: vector(RAY_WEIGHTS),
      near: { ...scored(RAY_WEIGHTS, near), class: SIGNS[RAY.labels[0]] },
      far: { ...scored(RAY_WEIGHTS, far), class: SIGNS[RAY.labels[2]] },
      times: numeral(far[0] / near[0]),
      origin: scored(RAY_WEIGHTS, [0, 0]),
      impossible: proved(without).words,
      ended_without: follow(without).answer.words,
      ended_with: ended.words,
      final: vector(final),
      shift: numeral(final[0]),
      origin_with: scored(final, [0, 0]),
      near_with: scored(final, near),
      far_with: scored(final, far),
    },
  };
}

// More classes: the worked example of the notes, with the bias first; a point of each other class makes it a run.
const CLASS_WEIGHTS = [
  [1, -2, 2],
  [4, 0, 3],
  [-2, 1, 4],
];
const CLASSES = {
  points: [
    [-2, 3],
    [-3, -2],
    [3, -1],
  ],
  labels: [2, 0, 1],
};
const NAMES = ["class 0", "class 1", "class 2"];

export function classes() {
  const laid = lay(CLASSES, { start: CLASS_WEIGHTS, passes: PASSES }, NAMES);
  const { answer, course, weights } = follow(laid);
  const [point] = CLASSES.points;
  const features = [1, ...point];
  const lines = (flat) => NAMES.map((_, c) => flat.slice(c * features.length, (c + 1) * features.length));
  const [before, after] = [lines(weights(0)), lines(weights(1))];
  const [scores, then] = [before, after].map((each) => each.map((w) => scored(w, point)));
  const [own, rival] = [CLASSES.labels[0], answer.updates.rival[0]];
  const winner = decide(Array.from(answer.steps.score.subarray(0, NAMES.length)), "mistake");
  const changed = NAMES.flatMap((_, c) => (vector(before[c]) === vector(after[c]) ? [] : [c]));
  const isChanged = (wanted) => String(changed) === String(wanted.sort((a, b) => a - b));
  return {
    benches: { three: laid },
    facts: {
      at: place(point),
      features: vector(features),
      rows: NAMES.map((name, c) => ({
        class: name,
        before: vector(before[c]),
        sum: scores[c].sum,
        score: scores[c].score,
        change: changed.includes(c) ? change(c === own ? 1 : -1, features) : "none",
        after: vector(after[c]),
        now: then[c].text,
        sum_after: then[c].sum,
      })),
      sums: sums(course, 0),
      winner: NAMES[winner],
      true: NAMES[own],
      rival: NAMES[rival],
      other: NAMES.find((_, c) => !changed.includes(c)),
      words: stepWords(course, 0).words,
      options: [
        option(`That of ${NAMES[own]}, the true one.`, isChanged([own])),
        option(`Those of ${NAMES[own]} and ${NAMES[rival]}.`, isChanged([own, rival])),
        option("All three.", changed.length === NAMES.length),
      ],
      ended: answer.words,
      mistakes: answer.n_mistakes,
    },
  };
}
