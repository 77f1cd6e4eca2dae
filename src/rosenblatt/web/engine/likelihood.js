// The calls `likelihood` and `likelihood_examples`: the likelihood of two counts, its curve, every theta on it, and where
// each k from 0 to infinity puts the estimate. All stops of both sliders are answered at once. Fractions stay fractions.

import { kText, STOPS } from "./bayes.js";
import { fixed, floatText, general, round, signed } from "./formats.js";
import { numeral } from "./numerals.js";
import { Problem } from "./problem.js";
import { floatOf, minus, over, plus, reduced, times } from "./ratios.js";
import { several, text, whole } from "./wanted.js";

const MOST = 50; // draws of each value
const PLACES = 100; // steps of theta from 0 to 1
const LONGEST_NAME = 20;
const LONGEST_FRACTION = 30; // characters of one that is shown
const ONE = [1n, 1n];
const EXAMPLES = [
  {
    name: "coin",
    title: "Ten flips of a coin",
    about: "Seven heads of ten: which θ makes that most likely?",
    values: ["heads", "tails"],
    counts: [7, 3],
  },
  {
    name: "balls",
    title: "Three balls: red, red, blue",
    about: "Drawn from a bag and put back each time. L has its maximum of 4/27 at θ = 2/3, and a minimum at 0.",
    values: ["red", "blue"],
    counts: [2, 1],
  },
  {
    name: "word",
    title: "A word that was never seen",
    about: "“minute” was in none of five ham mails. The maximum lies at the edge, θ = 0; only k moves it away.",
    values: ["with “minute”", "without"],
    counts: [0, 5],
  },
];

// The curve of the counts, what stands at each theta, and the estimate of each k.
export function likelihood(body) {
  const values = several("values", body.values, 2, 2).map((value) => text("a value", value, LONGEST_NAME));
  const counts = several("counts", body.counts, 2, 2).map((count) => whole("a count", count, 0, MOST));
  if (values[0] === values[1] || !values.every((value) => value)) {
    throw new Problem("values must be two different names.");
  }
  return {
    formulas: [`θ = P(${values[0]})`, `L(θ) = ${powers(["θ", counts[0]], ["(1 − θ)", counts[1]])}`, ...slopes(counts)],
    top: short(floatOf(likelihoodAt(counts, share(counts, 0)))),
    places: Array.from({ length: PLACES + 1 }, (_, place) => {
      const theta = reduced(BigInt(place), BigInt(PLACES));
      return { ...at(counts, theta), slope: slopeAt(counts, theta) };
    }),
    stops: STOPS.map((k) => {
      const theta = share(counts, k);
      return { k: kText(k), ...at(counts, theta), shown: exact(theta) };
    }),
  };
}

// The samples to begin with, and the stops of the sliders.
export function likelihoodExamples() {
  return { examples: EXAMPLES, stops: STOPS.map(kText), most: MOST, places: PLACES };
}

const short = (value) => general(value, 4);

// (count + k) / (total + 2 k) of the first value; k is taken at its word: 0.1 is a tenth.
export function share([count, other], k) {
  const total = BigInt(count + other);
  if (k === Number.POSITIVE_INFINITY || !(total || k)) return [1n, 2n];
  const more = decimal(k);
  return over(plus([BigInt(count), 1n], more), plus([total, 1n], times(more, [2n, 1n])));
}

function decimal(value) {
  const [figures, rest] = floatText(value).split("."); // no stop of k is so small that it has an exponent
  return reduced(BigInt(figures + rest), 10n ** BigInt(rest.length));
}

export function likelihoodAt([a, b], [top, bottom]) {
  return [top ** BigInt(a) * (bottom - top) ** BigInt(b), bottom ** BigInt(a + b)];
}

function at(counts, theta) {
  const log = logAt(counts, theta);
  return {
    theta: Number(general(floatOf(theta), 6)),
    height: round(heightAt(counts, floatOf(theta)), 6),
    likelihood: short(floatOf(likelihoodAt(counts, theta))),
    log: log === Number.NEGATIVE_INFINITY ? "-∞" : fixed(log, 4),
  };
}

function logAt([a, b], theta) {
  const part = (count, p) => (count ? count * Math.log(floatOf(p)) : 0);
  return part(a, theta) + part(b, minus(ONE, theta));
}

// L at a theta beside the largest L, from logarithms.
function heightAt(counts, theta) {
  const total = counts[0] + counts[1];
  let logs = 0;
  for (const [n, p] of [
    [counts[0], theta],
    [counts[1], 1 - theta],
  ]) {
    if (n && !p) return 0;
    logs += n ? n * (Math.log(p) - Math.log(n / total)) : 0;
  }
  return Math.exp(logs);
}

// How log L changes: a/θ − b/(1 − θ), with its sign; infinite where a value was drawn that is impossible.
function slopeAt([a, b], theta) {
  const rest = minus(ONE, theta);
  if (a && !theta[0]) return "+∞";
  if (b && !rest[0]) return "-∞";
  const part = (count, p) => (count ? over([BigInt(count), 1n], p) : [0n, 1n]);
  const slope = floatOf(minus(part(a, theta), part(b, rest)));
  return slope ? signed(short(slope)) : "0";
}

// A fraction with its decimals, 2/3 = 0.666667; the decimals alone where it is whole, or too long to read.
function exact([top, bottom]) {
  const decimals = numeral(floatOf([top, bottom]));
  const fraction = `${top}/${bottom}`;
  return bottom === 1n || fraction.length > LONGEST_FRACTION ? decimals : `${fraction} = ${decimals}`;
}

// The derivatives, and where they are 0.
function slopes([a, b]) {
  if (!(a + b)) return ["no sample: every θ is as likely as any other"];
  if (!a || !b) {
    const slope = a ? powers(["", a], ["θ", a - 1]) : powers(["", b], ["(1 − θ)", b - 1]);
    const [sign, way, end] = a ? ["", "rises", 1] : ["−", "falls", 0];
    return [`L′(θ) = ${sign}${slope}: L only ${way}, and its maximum is at the edge, θ = ${end}`];
  }
  const best = reduced(BigInt(a), BigInt(a + b)).join("/");
  const slope = powers(["θ", a - 1], ["(1 − θ)", b - 1], [`(${a} − ${a + b}θ)`, 1]);
  const zeros = [...(a > 1 ? ["0 (minimum)"] : []), `${best} (maximum)`, ...(b > 1 ? ["1 (minimum)"] : [])];
  return [`L′(θ) = ${slope}, 0 at θ = ${zeros.join(", ")}`, `(log L)′(θ) = ${a}/θ − ${b}/(1 − θ), 0 at θ = ${best}`];
}

// Powers one after the other, those of 0 left out; a factor without a name is a number.
function powers(...factors) {
  const shown = factors.filter(([name, power]) => power || !name);
  return shown.map(([name, power]) => (!name ? power : power === 1 ? name : `${name}^${power}`)).join(" · ") || "1";
}
