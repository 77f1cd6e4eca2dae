// The calls `losses` and `loss_curve`: both losses of the notes along a run, and each point on their curves.

import { column } from "./answer.js";
import { courseOf } from "./latest.js";
import { descend, descentWords } from "./descent.js";
import { lossesOf } from "./rows.js";
import { whole } from "./wanted.js";

const MOST_VISITS = 20_000; // points that a descent looks at

// Both losses at the start and after each pass, and of a descent over all points at once.
export function losses(body) {
  const course = courseOf(body);
  const { bench, rows, run } = course;
  const found = new Map();
  const passed = endsOf(run).map((updates) => {
    if (!found.has(updates)) found.set(updates, lossesOf(rows, course.rawAfter(updates), bench.ties, run.scale));
    return found.get(updates);
  });
  const steps = Math.min(passed.length - 1, Math.max(1, Math.floor(MOST_VISITS / rows.n)));
  const descent = descend(rows, bench, steps);
  const each = (some, name) => column(some.map((one) => one[name]));
  return {
    zero_one: each(passed, "zero_one"),
    perceptron: each(passed, "perceptron"),
    batch_zero_one: each(descent.losses, "zero_one"),
    batch_perceptron: each(descent.losses, "perceptron"),
    batch_words: descentWords(descent, rows.n),
  };
}

// How many updates were made at the start and by the end of each pass.
function endsOf(run) {
  let made = 0;
  return [0, ...run.perPass.map(([updates]) => (made += updates))];
}

// For each point y·w·x after an update of the run (0 is the start), its loss, and both means.
export function lossCurve(body) {
  const course = courseOf(body);
  const { rows, run, bench } = course;
  const update = whole("update", body.update, 0, run.steps.length);
  const found = lossesOf(rows, course.rawAfter(update), bench.ties, run.scale);
  return { ...found, leads: column(found.leads), losses: column(found.losses) };
}
