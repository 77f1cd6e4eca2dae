// The lessons on what surrounds the rule: losses, features, likelihood, and the parts of the data.

import { general, round } from "./formats.js";
import { follow, lay, option, PASSES, place, proved, scored } from "./lessons_bench.js";
import { likelihoodAt, share } from "./likelihood.js";
import { lossCurve, losses as lossesOf } from "./losses.js";
import { numeral, vector } from "./numerals.js";
import { FIVE, presets, SIGNS } from "./presets.js";
import { floatOf } from "./ratios.js";
import { xor as tellXor } from "./xor.js";

const short = (value) => general(value, 4);

// Losses of the notes' five points after their second step, where two points are wrong by unequal amounts.
export function losses() {
  const five = lay(FIVE, { start: [-1, 0, 0], passes: PASSES });
  const { weights } = follow(five);
  const [first, update] = [weights(0), 1];
  const found = lossCurve({ ...five, update });
  const after = weights(update);
  const passed = lossesOf(five);
  return {
    benches: { five },
    facts: {
      start: vector(first),
      weights: vector(after),
      points: FIVE.points.map((point, i) => ({
        ...scored(after, point),
        class: SIGNS[FIVE.labels[i]],
        lead: numeral(found.leads[i]),
        loss: numeral(found.losses[i]),
      })),
      wrong: Array.from(found.leads).filter((lead) => lead <= 0).length,
      zero_one: found.zero_one,
      perceptron: found.perceptron,
      total: numeral(Array.from(found.losses).reduce((sum, loss) => sum + loss, 0)),
      passes: [0, 1, 2, 10, 100, passed.zero_one.length - 1].map((pass) => ({
        pass,
        zero_one: short(passed.zero_one[pass]),
        perceptron: short(passed.perceptron[pass]),
      })),
      options: [
        option("The share of wrong points.", false),
        option("How far points are on the wrong side, on average.", true),
      ],
    },
  };
}

// Features: three colours as one number, and as columns of their own; and a product for XOR.
const COLOURS = ["red", "green", "blue"];
const AS_NUMBER = COLOURS.map((_, k) => [k + 1, 0]);
const AS_COLUMNS = [
  [1, 0],
  [0, 1],
  [0, 0],
];
const IS_GREEN = [0, 1, 0];

export function features() {
  const [number, columns] = [AS_NUMBER, AS_COLUMNS].map((points) =>
    lay({ points, labels: IS_GREEN }, { passes: PASSES }, ["other", "green"]),
  );
  const { answer, weights } = follow(columns);
  const end = weights(answer.n_updates);
  const { product } = tellXor();
  const last = product.rows.at(-1);
  const separable = proved(number).kind === "separable";
  return {
    benches: { number, columns },
    facts: {
      proof: proved(number).words,
      options: [option("Yes.", separable), option("No.", !separable)],
      weights: vector(end),
      mistakes: answer.n_mistakes,
      colours: COLOURS.map((name, k) => ({
        name,
        number: k + 1,
        at: place(AS_COLUMNS[k]),
        ...scored(end, AS_COLUMNS[k]),
      })),
      product: product.text,
      asked: last,
      rows: product.rows,
      words: product.words,
    },
  };
}

// Likelihood: seven heads of ten.
const COUNTS = [7, 3];

export function likelihood() {
  const at = (top, bottom) => floatOf(likelihoodAt(COUNTS, [BigInt(top), BigInt(bottom)]));
  const [best, fair] = [at(7, 10), at(1, 2)];
  const thetas = [3, 5, 7, 9].map((tenths) => ({ theta: tenths / 10, value: at(tenths, 10) }));
  const top = Math.max(...thetas.map(({ value }) => value));
  return {
    benches: {},
    facts: {
      heads: COUNTS[0],
      tosses: COUNTS[0] + COUNTS[1],
      tails: COUNTS[1],
      fair: short(fair),
      best: short(best),
      ratio: round(best / fair, 3),
      logs: [Math.log(fair), Math.log(best)].map(short),
      thetas: thetas.map(({ theta, value }) => ({
        theta: numeral(theta),
        value: short(value),
        log: short(Math.log(value)),
      })),
      options: thetas.map(({ theta, value }) => option(numeral(theta), value === top)),
      smoothed: [0, 1, 10, 100].map((k) => ({ k, theta: short(floatOf(share(COUNTS, k))) })),
    },
  };
}

// Parts of the data: points that overlap, of which half are learned from; passes are chosen by a quarter, and the last
// quarter is looked at once.
const TRIED = 8;

export function parts() {
  const all = presets({ seed: 0 }).presets.find(({ name }) => name === "noise");
  const part = (keep) => {
    const rows = all.points.flatMap((_, i) => (keep(i % 4) ? [i] : []));
    return { points: rows.map((i) => all.points[i]), labels: rows.map((i) => all.labels[i]) };
  };
  const [train, validation, test] = [part((k) => k < 2), part((k) => k === 2), part((k) => k === 3)];
  const tried = Array.from({ length: TRIED }, (_, k) => {
    const { answer, weights } = follow(lay(train, { passes: k + 1 }));
    const w = weights(answer.n_updates);
    return { passes: k + 1, right: [train, validation, test].map((some) => rightBy(some, w)) };
  });
  const best = Math.max(...tried.map(({ right }) => right[1]));
  const chosen = tried.find(({ right }) => right[1] === best);
  const learned = Math.max(...tried.map(({ right }) => right[0]));
  return {
    benches: { train: lay(train, { passes: chosen.passes }) },
    facts: {
      counts: [train, validation, test].map(({ points }) => points.length),
      tried: tried.map(({ passes, right }) => ({ passes, train: right[0], validation: right[1] })),
      chosen: { passes: chosen.passes, train: chosen.right[0], validation: chosen.right[1], test: chosen.right[2] },
      learned,
      highest: Math.max(...tried.map(({ right }) => right[2])),
      options: [
        option("The training part.", false),
        option("The validation part.", false),
        option("The test part, opened once.", true),
      ],
    },
  };
}

function rightBy({ points, labels }, [b, w1, w2]) {
  return points.filter(([x, y], row) => (labels[row] ? 1 : -1) * (b + w1 * x + w2 * y) > 0).length;
}
