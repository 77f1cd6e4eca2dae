// Voted weights: all weights of a run decide, each counted as often as it lasted (Freund and Schapire 1999).

import { bestOther, givenScore } from "./rows.js";

// What a vote needs: for the start and each update, during how many visits those were the weights; and the rows that
// were updated on, each once, since their products with a place give its scores under all weights.
export function chapterOf({ run }) {
  const ends = [...run.steps, run.visited.length];
  const survived = Int32Array.from(ends, (end, u) => end - (u ? ends[u - 1] : 0));
  const kept = [...new Set(run.updated)];
  const places = new Map(kept.map((row, k) => [row, k]));
  const which = Int32Array.from(run.updated, (row) => places.get(row));
  const signed = Float64Array.from(run.rivals, (rival) => (rival === 0 ? run.unit : -run.unit)); // for two classes
  return { survived, kept, which, signed };
}

// The share of votes at each place: for + less for − with two classes, otherwise of each.
export function votesAt(course, places) {
  const { run, chapter, rows } = course;
  const products = new Float64Array(chapter.kept.length);
  const vote = rows.vectors === 1 ? voteOfTwo(course) : voteOfMore(course);
  return places.map((place) => {
    chapter.kept.forEach((row, k) => (products[k] = givenScore(rows.values, row * rows.width, place, rows.bias)));
    return vote(products, course.scores(place, run.start)).map((count) => count / run.visited.length);
  });
}

function voteOfTwo({ chapter, bench }) {
  const { survived, which, signed } = chapter;
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

// The votes along one row of a grid, for each of the evenly spaced places in `x` as `votesAt` gives them (but for the last
// bits of a score, where a place is no multiple of 1/64).
//
// Along a row each score is a line, and each class has one stretch of the row at most: where it ends, a steeper line meets
// that of the class. So few places are looked at, and votes are added at the ends of stretches only.
export function votesAlong({ rows, run, raw, chapter, bench }, x, y) {
  const { classes, vectors, width, size, bias } = rows;
  const [last, step, equals] = [x.length - 1, (x[x.length - 1] - x[0]) / (x.length - 1), bench.ties === "positive"];
  const [slope, height, constant] = [0, 0, 0].map(() => new Float64Array(classes));
  const changes = Array.from({ length: classes }, () => new Int32Array(x.length + 1));
  const decided = (i) => {
    let [best, most] = [0, slope[0] * x[i] + height[0] + constant[0]];
    for (let c = 1; c < classes; c++) {
      const score = slope[c] * x[i] + height[c] + constant[c];
      if (score > most || (equals && score === most)) [best, most] = [c, score];
    }
    return best;
  };
  // The first place after `from` that is not of the class any more.
  const endOf = (own, from) => {
    let end = last + 1;
    for (let c = 0; c < classes; c++) {
      const steeper = slope[c] - slope[own];
      if (steeper <= 0) continue;
      const meet = (height[own] + constant[own] - height[c] - constant[c]) / steeper;
      end = Math.min(end, Math.ceil((meet - x[0]) / step));
    }
    end = Math.max(end, from + 1);
    while (end <= last && decided(end) === own) end++; // the last bits of a quotient
    while (end > from + 1 && decided(end - 1) !== own) end--;
    return end;
  };
  for (let u = 0; u < chapter.survived.length; u++) {
    for (let v = 0; v < vectors; v++) {
      const [c, begin] = [v + classes - vectors, u * size + v * width + (bias ? 1 : 0)]; // of two classes the first scores 0
      slope[c] = raw[begin];
      height[c] = raw[begin + 1] * y;
      constant[c] = bias ? raw[begin - 1] : 0;
    }
    for (let from = 0; from <= last; ) {
      const own = decided(from);
      const end = endOf(own, from);
      changes[own][from] += chapter.survived[u];
      changes[own][end] -= chapter.survived[u];
      from = end;
    }
  }
  const totals = changes.map(() => 0);
  return Array.from(x, (_, i) => {
    changes.forEach((line, c) => (totals[c] += line[i]));
    const shares = vectors === 1 ? [totals[1] - totals[0]] : totals;
    return shares.map((votes) => votes / run.visited.length);
  });
}
