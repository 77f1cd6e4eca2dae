// Averaged, pocket and voted weights, derived from the list of updates: the run itself knows nothing of them.

import { add, bestOther, countRight, givenScore, rule } from "./rows.js";

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

// What a vote needs: for the start and each update, during how many visits those were the weights; and the rows that
// were updated on, each once, since their products with a place give its scores under all weights.
export function chapterOf({ run }) {
  const ends = [...run.steps, run.visited.length];
  const survived = Int32Array.from(ends, (end, u) => end - (u ? ends[u - 1] : 0));
  const kept = [...new Set(run.updated)];
  const places = new Map(kept.map((row, k) => [row, k]));
  return { survived, kept, which: Int32Array.from(run.updated, (row) => places.get(row)) };
}

// The share of votes at each place (Freund and Schapire 1999): for + less for − with two classes, otherwise of each.
export function votesAt(course, places) {
  const { run, chapter, rows } = course;
  const products = new Float64Array(chapter.kept.length);
  const vote = rows.vectors === 1 ? voteOfTwo(course) : voteOfMore(course);
  return places.map((place) => {
    chapter.kept.forEach((row, k) => (products[k] = givenScore(rows.values, row * rows.width, place, rows.bias)));
    return vote(products, course.scores(place, run.start)).map((count) => count / run.visited.length);
  });
}

function voteOfTwo({ run, chapter, bench }) {
  const { survived, which } = chapter;
  const signed = Float64Array.from(run.rivals, (rival) => (rival === 0 ? run.unit : -run.unit));
  const tie = bench.ties === "positive" ? 1 : -1;
  return (products, [first]) => {
    let [score, total] = [first, 0];
    for (let v = 0; v < survived.length; v++) {
      if (v) score += signed[v - 1] * products[which[v - 1]];
      total += survived[v] * (score > 0 ? 1 : score < 0 ? -1 : tie);
    }
    return [total];
  };
}

function voteOfMore({ rows, run, chapter, bench }) {
  const { survived, which } = chapter;
  const last = bench.ties === "positive";
  return (products, scores) => {
    const total = Array.from({ length: rows.classes }, () => 0);
    for (let v = 0; v < survived.length; v++) {
      if (v) {
        const change = run.unit * products[which[v - 1]];
        scores[rows.truth[run.updated[v - 1]]] += change;
        scores[run.rivals[v - 1]] -= change;
      }
      total[bestOther(scores, -1, last)] += survived[v];
    }
    return total;
  };
}
