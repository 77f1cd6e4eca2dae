// Gradient descent on the perceptron loss of all rows at once, beside the rule that takes one row at a time.
//
// Each step is w ← w − α ∇J(w), where J is the mean over the rows of max(0, −y w·x). At a score of 0, where the loss has
// a kink, the rule for ties chooses. In units of α/n a step adds whole rows, so ties of whole numbers are exact.

import { proveCycle, Watch } from "./cycle.js";
import { numeral } from "./numerals.js";
import { add, Look, lossesOf, lowestLead, rule } from "./rows.js";

const ENDS = {
  separated: "no row is wrong any more: separated",
  "clean pass": "no row is wrong, but one is right only by the rule for ties",
  cycle: "the weights came back: the rows cannot be separated",
  limit: "stopped at the limit",
};

// The losses at the start and after each step, and why there was none after the last.
export function descend(rows, { ties, rate, start }, most) {
  const unit = rate / rows.n;
  const weights = new Float64Array(rows.size);
  start?.flat().forEach((w, j) => (weights[j] = w / unit));
  const watch = new Watch(weights);
  const look = new Look(rows, weights, rule(ties));
  const [losses, made] = [[lossesOf(rows, weights, ties, unit)], []];
  let [stopped, provable] = ["", true];
  while (!stopped) {
    const wrong = stepOf(rows, weights, look);
    if (!wrong.length) {
      stopped = lowestLead(new Look(rows, weights, rule("mistake"))) > 0 ? "separated" : "clean pass";
      break;
    }
    made.push(wrong);
    losses.push(lossesOf(rows, weights, ties, unit));
    const back = provable ? watch.after(weights) : 0;
    provable &&= !back;
    if (back && cancels(rows, made.slice(-back).flat(), back)) stopped = "cycle";
    else if (made.length === most) stopped = "limit";
  }
  return { losses, stopped };
}

// One step; returns the wrong rows with the classes that lose. Every row is visited from the same weights, and the mean
// of what each makes of them is taken in the order of the rows, as the Python engine does with a shard for each.
function stepOf(rows, weights, look) {
  const wrong = [];
  const rivals = new Int32Array(rows.n).fill(-1);
  for (let i = 0; i < rows.n; i++) {
    if (!look.at(i)) continue;
    wrong.push([i, look.rival]);
    rivals[i] = look.rival;
  }
  if (!wrong.length) return wrong;
  const total = new Float64Array(rows.size);
  const one = new Float64Array(rows.size);
  for (let i = 0; i < rows.n; i++) {
    one.set(weights);
    if (rivals[i] >= 0) add(rows, i, rivals[i], rows.n, one);
    for (let j = 0; j < rows.size; j++) total[j] += one[j];
  }
  for (let j = 0; j < rows.size; j++) weights[j] = total[j] / rows.n;
  return wrong;
}

function cancels(rows, wrong, length) {
  return (
    proveCycle(
      rows,
      wrong.map(([row]) => row),
      wrong.map(([, rival]) => rival),
      length,
      "pass",
    ) !== null
  );
}

// How many steps there were, and how the descent ended.
export function descentWords({ losses, stopped }, n) {
  const [first, last, count] = [losses[0], losses[losses.length - 1], losses.length - 1];
  return (
    `${count} step${count === 1 ? "" : "s"} over all ${n} rows; perceptron loss ${numeral(first.perceptron)} → ` +
    `${numeral(last.perceptron)}, 0/1 loss ${numeral(first.zero_one)} → ${numeral(last.zero_one)}; ${ENDS[stopped]}`
  );
}
