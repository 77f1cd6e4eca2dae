// The calls `bayes` and `bayes_examples`: naive Bayes on tables that a person edits, for every k from 0 to infinity.
//
// All stops of the k slider are answered at once, so that moving it asks nobody.

import { counted, MAIL_ROW, MAIL_WORDS, readTables } from "./bayes_tables.js";
import { cellsOf, factorsOf, traceRow } from "./bayes_row.js";
import { general, signed } from "./formats.js";
import { numeral } from "./numerals.js";

const PER_DECADE = 10;
const decades = Array.from({ length: 6 * PER_DECADE + 1 }, (_, e) => 10 ** (e / PER_DECADE - 3));
// 0, then 0.001 to 1000 in even steps of its logarithm, then infinity.
export const STOPS = [0, ...decades.map((k) => Number(general(k, 3))), Number.POSITIVE_INFINITY];

export const kText = (k) => (k === Number.POSITIVE_INFINITY ? "∞" : numeral(k));

// For each stop of k: the probability of each word in each class, the products for the row, and what decides.
export function bayes(body) {
  const given = readTables(body);
  return {
    absent: given.counts.map((line) => line.map((count, c) => given.rows[c] - count)),
    total: given.rows[0] + given.rows[1],
    zeros: given.counts.map((line) => line.map((count, c) => count === 0 && given.rows[c] > 0)),
    stops: STOPS.map((k) => stop(given, k)),
  };
}

function stop(given, k) {
  const row = traceRow(given, k);
  const chances = given.counts.map((line) => factorsOf(line, given.rows, k).map(({ p }) => short(p)));
  return {
    k: kText(k),
    chances,
    posterior: row.posterior.map(short),
    predicted: given.classes[row.predicted],
    odds: odds(row, given),
    cells: cellsOf(row, given),
    words: words(row, given),
  };
}

// Four digits: what the page shows is what it draws.
const short = (p) => Number(general(p, 4));

// What the prior and each feature add to the log-odds of the second class over the first, in the given order. `zeros` is
// 1 where the first class has a factor of 0 there and the second has not, −1 the other way round.
function odds(row, given) {
  const held = new Map(row.lines.map((line) => [line.name, line]));
  const bars = [{ name: "P(y)", ...bar(row.logPriors, [0, 0]) }];
  given.names.forEach((name, j) => {
    const line = held.get(name);
    const shown = `${name} = ${given.row[j]}`;
    if (line) bars.push({ name: shown, ...bar(line.logs, line.zeros) });
    else bars.push({ name: shown, value: 0, text: "left out", zeros: 0 });
  });
  return { bars, total: bar(row.logProducts, row.zeroFactors).text };
}

function bar(logs, zeros) {
  let more = zeros[0] - zeros[1];
  const never = logs.map((log) => (log === Number.NEGATIVE_INFINITY ? 1 : 0)); // a class without rows has a prior of 0
  if (never[0] || never[1]) more = never[0] - never[1] || more;
  if (more) return { value: 0, text: more > 0 ? "+∞" : "-∞", zeros: Math.sign(more) };
  const value = short(logs[1] - logs[0]);
  return { value, text: value ? signed(general(value, 4)) : "0", zeros: 0 };
}

// In words: each count of 0 that the row meets and what k makes of it, what is left out, and what then decides.
function words(row, given) {
  const { k, zeroFactors } = row;
  const found = row.lines.flatMap((line) => zeroWords(line, k, given));
  for (const name of row.leftOut) {
    const value = given.row[given.names.indexOf(name)];
    found.push(`No row of either class has ${name} = ${value}, so that factor is left out.`);
  }
  given.classes.forEach((name, c) => {
    if (!given.rows[c]) found.push(`There is no ${name} row at all: P(${name}) = 0.`);
  });
  if (k === Number.POSITIVE_INFINITY) {
    found.push("With k = ∞ every factor is 1/2: the counts of words say nothing and P(y) alone decides.");
  } else if (k === 0 && zeroFactors.every((zeros) => zeros)) {
    found.push(
      "Every class has a factor of 0. The limit k → 0 decides: fewest factors of 0 first, then the rest of the product.",
    );
  } else if (k === 0 && zeroFactors.some((zeros) => zeros)) {
    const name = given.classes[zeroFactors[1] > zeroFactors[0] ? 1 : 0];
    found.push(`With k = 0 such a row cannot be ${name}, whatever its other words say.`);
  }
  return found;
}

function zeroWords(line, k, given) {
  if (k === Number.POSITIVE_INFINITY) return [];
  return given.classes.flatMap((name, c) => {
    if (line.counts[c] || !given.rows[c]) return [];
    const start = `None of the ${given.rows[c]} ${name} rows has ${line.name} = ${line.value}`;
    if (k === 0) return [`${start}: with k = 0 its factor is ${line.sums[c]}, and so the product for ${name} is 0.`];
    return [`${start}: k = ${kText(k)} makes its factor ${line.sums[c]} instead of 0.`];
  });
}

// The tables to begin with, and the stops of the slider.
export function bayesExamples() {
  const examples = [
    {
      name: "mail",
      title: "Words in the built-in mail",
      about: "How many ham and spam mails have each word. One word was never seen in ham, one never in spam.",
      ...counted(MAIL_WORDS),
      row: [...MAIL_ROW],
    },
    {
      name: "limit",
      title: "Every class impossible",
      about:
        "Made for this page: each class lacks one of the two words. With k = 0 both products are 0; their limit is " +
        "0.6 : 1.",
      classes: ["a", "b"],
      rows: [10, 2],
      features: [
        { name: "first", counts: [0, 2] },
        { name: "second", counts: [6, 0] },
      ],
      row: [1, 1],
    },
  ];
  return { examples, stops: STOPS.map(kText), one: STOPS.indexOf(1) };
}
