// The products of naive Bayes for one row of 0/1 features, factor by factor.
//
// At k = 0 a count of 0 makes a factor of 0. It is kept as the limit of k / total for k → 0+: the logarithm of 1 / total,
// and one zero factor, counted apart. Classes with more zero factors than the fewest have probability 0; the others
// compare by the rest. No infinity is ever added to another, so nothing is ever NaN.

import { fixed } from "./formats.js";
import { numeral } from "./numerals.js";

const TIE = 1e-13; // scores nearer than this share of them are equal but for rounding
const SIZE = 2; // values of a feature: it is there or not

// For each class (count + k) / (total + k |X|): its logarithm, whether it is 0, the number p, and the sum as text.
export function factorsOf(counts, totals, k) {
  return counts.map((count, c) => {
    const total = totals[c];
    const zero = k === 0 && count === 0 && total > 0 ? 1 : 0;
    const p = chance(count, total, k);
    return { log: logFactor(count, total, k, zero), zero, p, sum: `${sumText(count, total, k)} = ${numeral(p)}` };
  });
}

function chance(count, total, k) {
  if (k === Number.POSITIVE_INFINITY || (k === 0 && !total)) return 1 / SIZE;
  return (count + k) / (total + k * SIZE);
}

function logFactor(count, total, k, zero) {
  if (k === Number.POSITIVE_INFINITY) return -Math.log(SIZE);
  if (k > 0) return Math.log((count + k) / (total + k * SIZE));
  return Math.log(zero || !total ? 1 : count) - Math.log(total || SIZE);
}

function sumText(count, total, k) {
  if (k === Number.POSITIVE_INFINITY || (k === 0 && total === 0)) return `1/${SIZE}`;
  return k === 0 ? `${count}/${total}` : `(${count} + ${numeral(k)})/(${total} + ${numeral(k)}·${SIZE})`;
}

// The working on the row of the tables: what it holds before what it lacks, each in the given order.
export function traceRow({ rows, names, counts, row }, k) {
  const all = names.map((name, j) => {
    const seen = counts[j].map((count, c) => (row[j] ? count : rows[c] - count));
    return { name, value: row[j], counts: seen, factors: factorsOf(seen, rows, k) };
  });
  const known = all.filter((line) => line.counts.some((count) => count));
  const lines = [...known.filter((line) => line.value), ...known.filter((line) => !line.value)].map((line) => ({
    ...line,
    logs: line.factors.map(({ log }) => log),
    zeros: line.factors.map(({ zero }) => zero),
    sums: line.factors.map(({ sum }) => sum),
  }));
  const total = rows.reduce((a, b) => a + b);
  const logPriors = rows.map((count) => Math.log(count / total));
  const sum = (part) => rows.map((_, c) => lines.reduce((so, line) => so + line[part][c], 0));
  const [logs, zeroFactors] = [sum("logs"), sum("zeros")];
  const logProducts = logPriors.map((log, c) => log + logs[c]);
  const scores = settled(logProducts, k === 0 ? zeroFactors : null);
  const leftOut = all.filter((line) => !known.includes(line)).map((line) => line.name);
  const found = { k, logPriors, logProducts, zeroFactors, lines, leftOut };
  return { ...found, posterior: posterior(scores), predicted: scores[1] > scores[0] ? 1 : 0 };
}

// Classes with more zero factors than the fewest of a possible class become impossible. Where rounding alone tells the
// highest score from that of an earlier class, the earlier class gets it too.
function settled(products, zeros) {
  let scores = [...products];
  if (zeros) {
    const counts = zeros.map((z, c) => (scores[c] === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : z));
    const fewest = Math.min(...counts);
    scores = scores.map((score, c) => (counts[c] > fewest ? Number.NEGATIVE_INFINITY : score));
  }
  const least = scores[0] === Number.NEGATIVE_INFINITY ? scores[0] : scores[0] + TIE * Math.abs(scores[0]);
  if (!(scores[1] > least)) scores[0] = Math.max(...scores);
  return scores;
}

function posterior(scores) {
  const highest = Math.max(...scores);
  const shifted = scores.map((score) => score - highest);
  const total = Math.log(shifted.reduce((sum, score) => sum + Math.exp(score), 0));
  return shifted.map((score) => Math.exp(score - total));
}

// The table: one line per factor, then the products, their limit where all are 0, and the posterior.
export function cellsOf(found, { classes, rows }) {
  const { logPriors, logProducts, zeroFactors } = found;
  const total = rows.reduce((a, b) => a + b);
  const table = [
    ["", ...classes],
    ["P(y)", ...rows.map((count, c) => `${count}/${total} = ${numeral(Math.exp(logPriors[c]))}`)],
    ...found.lines.map((line) => [`${line.name} = ${line.value}`, ...line.sums]),
    ["product", ...logProducts.map((log, c) => (zeroFactors[c] ? "0" : power(log)))],
  ];
  if (zeroFactors.every((zeros) => zeros)) {
    const exponent = (zeros) => (zeros === 1 ? "" : `^${zeros}`);
    table.push(["product as k → 0", ...logProducts.map((log, c) => `${power(log)}·k${exponent(zeroFactors[c])}`)]);
  }
  return [...table, ["P(y | row)", ...found.posterior.map(numeral)]];
}

// e to the power of this; as a power where it would be 0 as a number.
function power(log) {
  if (log > -700) return numeral(Math.exp(log));
  return log === Number.NEGATIVE_INFINITY ? "0" : `e^${fixed(log, 1)}`;
}
