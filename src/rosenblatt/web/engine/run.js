// A run of the perceptron: passes in the given or a shuffled order, or one chosen row after another, until there is a
// reason to stop. Everything else (averages, pocket, votes, words) follows from the list of updates.

import { CurveLook, curveRadius } from "./curve.js";
import { cycleWords, proveCycle, Watch } from "./cycle.js";
import { thousands } from "./numerals.js";
import { orders } from "./order.js";
import { Look, lowestLead, radiusOf, rule, squares } from "./rows.js";

export const ORDERS = ["given", "shuffled", "first wrong", "worst first"];
const NO_LIMIT = { passes: Number.POSITIVE_INFINITY, updates: Number.POSITIVE_INFINITY, every: 1 };

// A run keeps its weights as if the rate were 1 where it starts at 0; `scale` is what to multiply them by. So the rate
// really only scales, as in learn/run.py.
//
// choices  ties, margin, rate, start (or null), order, seed, passes
// limits   passes and updates at which a run is cut short, the updates looked at every so many passes; `endless`: a
//          cycle does not stop it
export function learn(rows, choices, limits = NO_LIMIT) {
  const start = new Float64Array(rows.size);
  choices.start?.flat().forEach((w, j) => (start[j] = w));
  const scale = start.some((w) => w !== 0) ? 1 : choices.rate;
  const unit = scale === 1 ? choices.rate : 1;
  const margin = scale === 1 ? choices.margin : choices.margin / scale;
  const run = beginning(rows, { start, scale, unit, ties: choices.ties, chosen: choices.order.includes(" ") });
  const look = new (rows.kernel ? CurveLook : Look)(rows, run.weights, rule(choices.ties, margin));
  if (run.chosen) chooseRows(run, look, choices, limits);
  else makePasses(run, look, choices, limits);
  run.lowestLead = lowestLead(look);
  run.radius = rows.kernel ? curveRadius(rows) : radiusOf(rows);
  run.separated = run.lowestLead > 0;
  if (run.stopped === "clean pass" && run.separated) run.stopped = "separated";
  return run;
}

function beginning(rows, choices) {
  const counts = { passes: 0, mistakes: 0, perPass: [], stopped: "", cycle: null };
  const bySteps = { visited: [], numbers: [], scores: [], updateAt: [] }; // row, pass, scores, update or −1
  const byUpdates = { steps: [], updated: [], rivals: [] }; // step, row, class punished
  return { rows, ...choices, weights: choices.start.slice(), ...counts, ...bySteps, ...byUpdates };
}

// Looks at a row, and learns from it where that is needed; true if it was.
function visit(run, look, row) {
  const wrong = look.at(row);
  run.updateAt.push(wrong ? run.steps.length : -1);
  if (wrong) {
    run.steps.push(run.visited.length);
    run.updated.push(row);
    run.rivals.push(look.rival);
    if (look.lead <= 0) run.mistakes++;
    look.learn(row, run.unit);
  }
  run.visited.push(row);
  run.numbers.push(run.passes);
  for (let v = 0; v < look.scores.length; v++) run.scores.push(look.scores[v] * run.scale);
  return wrong;
}

function makePasses(run, look, choices, limits) {
  const order = orders(run.rows.n, choices.order === "shuffled" ? choices.seed : null);
  let watch = choices.order === "shuffled" || limits.endless ? null : new Watch(look.state);
  const ends = []; // updates by the end of each pass
  const most = Math.min(choices.passes, limits.passes);
  while (!run.stopped) {
    const [before, wrong] = [run.steps.length, run.mistakes];
    order(run.passes).forEach((row) => visit(run, look, row));
    run.passes++;
    const made = run.steps.length - before;
    run.perPass.push([made, run.mistakes - wrong]);
    ends.push(run.steps.length);
    const back = made ? (watch?.after(look.state) ?? 0) : 0;
    if (back) {
      watch = null; // if it cannot be proved, later repetitions would be the same one
      const since = ends[run.passes - 1 - back] ?? 0;
      run.cycle = proveCycle(run.rows, run.updated.slice(since), run.rivals.slice(since), back, "pass");
    }
    if (!made) run.stopped = "clean pass";
    else if (run.cycle) run.stopped = "cycle";
    else if (run.passes >= most) run.stopped = "limit";
    else if (run.steps.length >= limits.updates && run.passes % limits.every === 0) run.stopped = "limit";
  }
}

// Cornell's form: while some row is wrong, update on it; here the first, or the one that is most wrong. Its first pass
// is the updates, its second the clean one over all rows, if it comes to that.
function chooseRows(run, look, choices, limits) {
  const watch = new Watch(look.state);
  const most = Math.min(choices.passes * run.rows.n, limits.updates);
  while (!run.stopped) {
    const row = wrongRow(run.rows, look, choices.order === "worst first");
    if (row < 0) run.stopped = "clean pass";
    else if (run.steps.length >= most) run.stopped = "limit";
    else {
      visit(run, look, row);
      const back = limits.endless ? 0 : watch.after(look.state);
      if (back) run.cycle = proveCycle(run.rows, run.updated.slice(-back), run.rivals.slice(-back), back, "update");
      if (run.cycle) run.stopped = "cycle";
    }
  }
  run.perPass.push([run.steps.length, run.mistakes]);
  run.passes = 1;
  if (run.stopped !== "clean pass") return;
  for (let row = 0; row < run.rows.n; row++) visit(run, look, row);
  run.perPass.push([0, 0]);
  run.passes = 2;
}

// The first wrong row, or of the wrong ones that whose lead is lowest; −1 where all are right.
function wrongRow(rows, look, worst) {
  let [found, lowest] = [-1, Number.POSITIVE_INFINITY];
  for (let i = 0; i < rows.n; i++) {
    if (!look.at(i) || look.lead >= lowest) continue;
    [found, lowest] = [i, look.lead];
    if (!worst) break;
  }
  return found;
}

// Bounds on the best margin of the rows from the final weights (NOTES section 5); the upper one is null before any update.
export function marginBracket(run) {
  const low = run.separated ? run.lowestLead / Math.sqrt(squares(run.weights)) : 0;
  const moved = run.weights.map((w, j) => w - run.start[j]);
  const amount = run.steps.length * run.unit;
  return [low, amount ? Math.sqrt(squares(moved)) / amount : null];
}

const counted = (count, what) => `${thousands(count)} ${what}${count === 1 ? "" : "s"}`;

// Why a run stopped, in a sentence or two. Where rows were chosen one by one, there are no passes but the last.
export function whyItStopped(run, thing, bias) {
  const updates = run.steps.length;
  let made = counted(run.mistakes, "mistake");
  if (updates > run.mistakes) made += ` and ${counted(updates - run.mistakes, "update")} within the margin`;
  const last = run.chosen ? "A last pass" : `Pass ${thousands(run.passes)}`;
  if (run.stopped === "separated") return `${last} got every ${thing} right: separated after ${made}.`;
  if (run.stopped === "clean pass") {
    return `${last} changed nothing, but a ${thing} is right only by the rule for ties. ${made} so far.`;
  }
  if (run.cycle) {
    const after = run.chosen ? `After ${made}` : `After pass ${thousands(run.passes)} and ${made}`;
    return `${after}: ${cycleWords(run, thing, bias)}`;
  }
  if (run.chosen) return `Stopped at the limit of ${counted(updates, "update")}; some ${thing} is still wrong.`;
  const passes = run.passes === 1 ? "1 pass" : `${thousands(run.passes)} passes`;
  const [lastMade] = run.perPass[run.perPass.length - 1];
  return `Stopped at the limit of ${passes} with ${made}, ${counted(lastMade, "update")} in the last pass.`;
}
