// The call `orders`: the mistakes that a run from 0 makes in each order, beside the bound of the convergence theorem.

import { readBench } from "./bench.js";
import { thousands } from "./numerals.js";
import { Problem } from "./problem.js";
import { prove } from "./proof.js";
import { makeRows } from "./rows.js";
import { learn } from "./run.js";

const SEEDS = 99; // of the shuffled order; an odd number, so that the median is a run
const MOST_POINTS = 200; // of which every order is tried
const MOST_PASSES = 300;
const NAMES = { given: "given", shuffled: "shuffled", "first-wrong": "first wrong", "worst-first": "worst first" };

export function orders(body) {
  const bench = readBench(body);
  const n = bench.points.length;
  if (n > MOST_POINTS) {
    throw new Problem(`every order is tried on at most ${MOST_POINTS} points; got ${thousands(n)}.`);
  }
  const rows = makeRows(bench.points, bench.codes, bench.classes.length, bench.bias);
  const plain = { ties: "mistake", margin: 0, rate: 1, start: null, passes: Math.min(bench.passes, MOST_PASSES) };
  const made = (order, seed = 0) => learn(rows, { ...plain, order, seed });
  const runs = Object.entries(NAMES).map(([name, order]) => [name, made(order)]);
  const counts = Array.from({ length: SEEDS }, (_, seed) => made("shuffled", seed).mistakes).sort((a, b) => a - b);
  const shuffled = [counts[0], counts[(SEEDS - 1) / 2], counts[SEEDS - 1]];
  const mistakes = Object.fromEntries(runs.map(([name, run]) => [name, run.mistakes]));
  const { bound } = prove(bench);
  return {
    mistakes: { ...mistakes, shuffled: shuffled[1] },
    stopped: Object.fromEntries(runs.map(([name, run]) => [name, run.stopped])),
    shuffled,
    seeds: SEEDS,
    bound: bound === undefined ? null : Number(bound), // only of points that can be separated
  };
}
