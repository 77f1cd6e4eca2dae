// Averaged and pocket weights, derived from the list of updates: the run itself knows nothing of them.

import { add, countRight, rule } from "./rows.js";

// The weights before each update and after the last, by replaying the updates.
export function weightsOf({ rows, run }) {
  const { size } = rows;
  const weights = run.start.slice();
  const found = new Float64Array((run.steps.length + 1) * size);
  found.set(weights);
  run.updated.forEach((row, u) => {
    add(rows, row, run.rivals[u], run.unit, weights);
    found.set(weights, (u + 1) * size);
  });
  return found;
}

// The average after a step is the weights less the lag by the number of steps: an update at step s came s steps late.
// `among` has the start and the average just after each update; `end` that of the whole run.
export function averagedOf({ rows, run, raw }) {
  const { size } = rows;
  const lag = new Float64Array(size);
  const among = raw.slice();
  run.steps.forEach((step, u) => {
    add(rows, run.updated[u], run.rivals[u], run.unit * step, lag);
    const begin = (u + 1) * size;
    for (let j = 0; j < size; j++) among[begin + j] = raw[begin + j] - lag[j] / (step + 1);
  });
  return { among, end: run.weights.map((w, j) => w - lag[j] / run.visited.length) };
}

// The pocket holds the weights with the longest run of right rows that also get more rows right (Gallant 1990). They
// are offered when their run ends. Given as the number of updates after which they were the weights, for the start,
// after each update and for the end.
export function pocketsOf(course) {
  const { rows, run, bench } = course;
  const by = rule(bench.ties);
  let [kept, right, longest, last] = [0, countRight(rows, course.rawAfter(0), by), 0, -1];
  const found = [kept];
  [...run.steps, run.visited.length].forEach((step, u) => {
    const streak = step - last - 1;
    if (streak > longest) {
      const now = countRight(rows, course.rawAfter(u), by);
      if (now > right) [kept, right, longest] = [u, now, streak];
    }
    found.push(kept);
    last = step;
  });
  return found;
}
