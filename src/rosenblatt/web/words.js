// Weights, sums and updates as the notes write them, and each step in one sentence.

import { expanded, numeral, vector } from "./engine/numerals.js";

const MOST_NAMED = 6; // features of a row that has too many to show: the largest ones, by name

function largest(features) {
  const order = Array.from(features.keys()).filter((j) => features[j]);
  return order.sort((a, b) => Math.abs(features[b]) - Math.abs(features[a]) || a - b);
}

// The values at the largest features of the row of this moment, and how many more it has.
function named(run, values, moment) {
  const order = largest(moment.features);
  const shown = order.slice(0, MOST_NAMED).map((j) => `${run.features[j]} ${numeral(values[j])}`);
  if (order.length > MOST_NAMED) shown.push(`… ${order.length - MOST_NAMED} more`);
  return `[${shown.join(", ")}]`;
}

const MOST_WEIGHTS = 24; // of all classes together; beyond, only the rows that an update would change

export function weightsText(run, weights, moment) {
  if (run.wide && moment.step === 0) return "";
  if (run.wide && run.vectors === 1) return named(run, weights, moment);
  const text = (values) => (run.wide ? named(run, values, moment) : vector(values));
  const all = !run.wide && (weights.length <= MOST_WEIGHTS || run.vectors === 1);
  if (all) return Array.from({ length: run.vectors }, (_, c) => vector(run.vector(weights, c))).join("; ");
  if (moment.step === 0) return "";
  const rows = moment.rival < 0 ? [moment.truth] : [moment.truth, moment.rival];
  return rows.map((c) => `${run.classes[c]}: ${text(run.vector(weights, c))}`).join("; ");
}

export function arithmetic(run, moment) {
  if (run.wide && run.vectors === 1) return numeral(moment.scores[0]);
  if (run.vectors === 1) return expanded(moment.before, moment.features, moment.scores[0]);
  return Array.from(moment.scores, numeral).join("; ");
}

export function update(run, moment) {
  if (moment.rival < 0) return "none";
  const features = run.wide ? named(run, moment.features, moment) : vector(moment.features);
  const f = `${run.rate === 1 ? "" : `${numeral(run.rate)}·`}${features}`;
  if (run.vectors === 1) return `${moment.truth === 1 ? "+" : "-"}${f}`;
  return `${run.classes[moment.truth]} +${f}, ${run.classes[moment.rival]} -${f}`;
}

// "Row 5 at (2, 3)": rows count from 1 for people, as steps and passes do. Recorded ones are called by their origin.
function place(run, moment) {
  const given = run.bias ? moment.features.slice(1) : moment.features;
  const at = given.length <= 4 ? ` at (${given.map(numeral).join(", ")})` : "";
  return `${run.origins ? run.origins[moment.row] : `Row ${moment.row + 1}`}${at}`;
}

export function sentence(run, moment) {
  if (moment.step === 0) {
    const zero = moment.after.every((w) => w === 0);
    const given = run.recorded
      ? "These are the weights before the updates shown."
      : "The run starts with the weights that were given.";
    return zero ? "The run starts with all weights at 0." : given;
  }
  const name = run.classes[moment.truth];
  const row = place(run, moment);
  if (run.vectors === 1) return twoClasses(run, row, name, moment);
  const own = numeral(moment.scores[moment.truth]);
  if (moment.rival < 0) return `${row} is ${name} and ${name} scores highest with ${own}: right, so nothing changes.`;
  const rival = run.classes[moment.rival];
  const other = numeral(moment.scores[moment.rival]);
  const how = close(run, moment, own, other, rival);
  return `${row} is ${name}, but ${how}: add its features to the weights of ${name}, take them from ${rival}.`;
}

function close(run, moment, own, other, rival) {
  if (own === other) return `${rival} scores ${other} as well`;
  const near = moment.scores[moment.truth] > moment.scores[moment.rival];
  return `${rival} scores ${other} against ${own}${near ? `, within the margin of ${numeral(run.margin)}` : ""}`;
}

function twoClasses(run, row, name, moment) {
  const score = moment.scores[0];
  if (moment.rival < 0) return `${row} is ${name} and its score is ${numeral(score)}: right, so nothing changes.`;
  const verb = moment.truth === 1 ? "Add" : "Subtract";
  const zero = { positive: 1, negative: 0 }[run.ties]; // the class that a score of 0 stands for
  if (score === 0 && zero !== moment.truth) {
    const counts = zero === undefined ? "a mistake" : run.classes[zero];
    return `${row} is ${name} and its score is exactly 0, which counts as ${counts}. ${verb} its features.`;
  }
  if (score === 0 || score > 0 === (moment.truth === 1)) {
    return (
      `${row} is ${name} and its score of ${numeral(score)} is right, but within the margin of ${numeral(run.margin)}. ` +
      `${verb} its features.`
    );
  }
  return `${row} is ${name}, but its score is ${numeral(score)}. ${verb} its features.`;
}

// What no margin exceeds, by the length of the way of the weights.
export function boundText(run) {
  return `γ* ≤ |w − w₀| / ${run.rate === 1 ? "updates" : "(α · updates)"}`;
}

// Degrees between weights and row; a dash at length 0, where there is none.
export function angle(weights, features) {
  let product = 0;
  let ww = 0;
  let ff = 0;
  for (let j = 0; j < features.length; j++) {
    product += weights[j] * features[j];
    ww += weights[j] ** 2;
    ff += features[j] ** 2;
  }
  if (!ww || !ff) return "—";
  const cosine = product / Math.sqrt(ww) / Math.sqrt(ff);
  return `${((Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI).toFixed(1)}°`;
}
