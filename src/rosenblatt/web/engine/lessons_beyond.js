// The lessons on what the rule cannot do alone: separability, smoothing of counts, and many perceptrons.

import { bayes, bayesExamples, kText, STOPS } from "./bayes.js";
import { factorsOf } from "./bayes_row.js";
import { rounded } from "./bench.js";
import { general, round } from "./formats.js";
import { follow, lay, option, PASSES, place, proved } from "./lessons_bench.js";
import { numeral, thousands, vector } from "./numerals.js";
import { CORNERS, FIVE, presets, uniform } from "./presets.js";
import { stepWords } from "./words.js";
import { xor as tellXor } from "./xor.js";

const XOR = { points: CORNERS, labels: [0, 1, 1, 0] };
const ASKED = 10_000; // mistakes; could there be as many?

// Separability.
export function separable() {
  const drawn = Object.fromEntries(presets({ seed: 0 }).presets.map((preset) => [preset.name, preset]));
  const [five, wide, thin, xor] = [FIVE, drawn.wide, drawn.thin, XOR].map((set) => lay(set, { passes: PASSES }));
  const proof = proved(five);
  const { answer } = follow(five);
  const ring = follow(xor);
  const high = answer.margin_at_most;
  const [low, last] = answer.bracket;
  const { parts, sum } = tellXor().proof;
  const after = vector(ring.weights(ring.answer.n_updates));
  const back = after === vector(ring.weights(0));
  return {
    benches: { five, wide, thin, xor },
    facts: {
      margin: numeral(proof.margin),
      radius: numeral(proof.radius),
      squared: numeral(round(proof.radius ** 2, 9)),
      bound: thousands(proof.bound),
      mistakes: answer.n_mistakes,
      ended: answer.words,
      asked: thousands(ASKED),
      options: [option("Yes, with bad luck.", proof.bound >= ASKED), option("No.", proof.bound < ASKED)],
      bracket: [1, 10, 100, answer.n_updates].flatMap((n) =>
        n < high.length ? [{ mistakes: n, at_most: general(high[n], 4) }] : [],
      ),
      low: general(low, 4),
      high: general(last, 4),
      sets: [gap("Wide margin", wide), gap("Thin margin", thin)],
      parts: parts.map((part) => ({ ...part, at: place(CORNERS[part.row]) })),
      sum,
      proof: proved(xor).words,
      passes: ring.answer.passes,
      after,
      cycle: ring.answer.cycle?.words ?? "",
      xor_options: [
        option("It finds a line after very many passes.", ring.answer.separated),
        option("The weights come back and it goes round for ever.", back && ring.answer.cycle !== null),
        option("The weights grow without end.", !back),
      ],
    },
  };
}

function gap(name, laid) {
  const proof = proved(laid);
  return {
    name,
    margin: general(proof.margin, 4),
    radius: general(proof.radius, 4),
    bound: thousands(proof.bound),
    mistakes: follow(laid).answer.n_mistakes,
  };
}

// Smoothing: the balls of the notes, red, red, blue; then words in mail, one of which no ham has.
const RED = 2;
const BALLS = 3;
const STRENGTHS = [0, 1, 10, Number.POSITIVE_INFINITY];
const WORD = "minute";

export function smoothing() {
  const mail = bayesExamples().examples.find((example) => example.name === "mail");
  const found = bayes(mail).stops;
  const stops = STRENGTHS.map((k) => [k, STOPS.indexOf(k), found[STOPS.indexOf(k)]]);
  const red = (k) => factorsOf([RED], [BALLS], k)[0];
  const word = mail.features.findIndex((feature) => feature.name === WORD);
  const never = mail.features[word].counts;
  const empty = never.indexOf(0);
  const limit = stops.at(-1)[2].chances[word][empty];
  return {
    benches: {},
    facts: {
      red: RED,
      balls: BALLS,
      shares: STRENGTHS.map((k) => ({ k: kText(k), sum: red(k).sum })),
      smoothed: { value: red(1).p, sum: red(1).sum },
      word: WORD,
      lacks: mail.classes[empty],
      has: mail.classes[1 - empty],
      rows: mail.rows[empty],
      seen: never[1 - empty],
      held: mail.features.flatMap((feature, j) => (mail.row[j] ? [`“${feature.name}”`] : [])).join(" and "),
      stops: stops.map(([, number, stop]) => ({
        k: stop.k,
        place: number,
        factor: stop.cells.find((line) => line[0] === `${WORD} = 1`)[1 + empty],
        posterior: stop.posterior,
        predicted: stop.predicted,
        words: stop.words,
      })),
      classes: mail.classes,
      options: [0, 0.5, 1, RED / BALLS].map((value) => option(numeral(value), value === limit)),
      limit: numeral(limit),
    },
  };
}

// Many perceptrons: two clouds far apart, the classes in turn, and at the end one point with the wrong label.
const CLOUDS = [
  [-1.6, -1.2],
  [1.6, 1.2],
];
const SPREAD = 0.35;
const COUNT = 1020;
const ODD_ONE = [2, 0.5];

export function many() {
  const thousand = lay(clouds(), { passes: 1 });
  const xor = lay(XOR, { passes: PASSES });
  const { answer, course, weights } = follow(thousand);
  const steps = course.run.steps;
  const longest = Math.max(...steps.slice(1).map((step, u) => step - steps[u])) - 1;
  const right = Object.fromEntries(["final", "averaged", "voted", "pocket"].map((kind) => [kind, course.right(kind)]));
  const n = thousand.points.length;
  const { network } = tellXor();
  const both = network.inputs.at(-1);
  const before = weights(answer.n_updates - 1);
  return {
    benches: { thousand, xor },
    facts: {
      points: thousands(n),
      longest: thousands(longest),
      before: vector(before),
      after: vector(weights(answer.n_updates)),
      before_right: thousands(rightBy(thousand, before)),
      mistake: steps.at(-1) + 1,
      words: stepWords(course, steps.at(-1)).words,
      right: Object.fromEntries(Object.entries(right).map(([kind, count]) => [kind, thousands(count)])),
      options: [n - 1, n - Math.floor(n / 10), right.final].map((count) =>
        option(thousands(count), count === right.final),
      ),
      units: network.units.map(({ name, text, inputs }) => ({ name, text, inputs })),
      inputs: network.inputs,
      both,
      says: [0, 1].map((value) => option(`${value}`, value === both.says)),
      solved: network.right,
    },
  };
}

function clouds() {
  const draw = uniform(0, 15);
  // The sum of twelve uniform numbers is as good as normal here.
  const noise = () => SPREAD * (Array.from({ length: 12 }, draw).reduce((sum, one) => sum + one, 0) - 6);
  const points = Array.from({ length: COUNT }, (_, row) => CLOUDS[row % 2].map((at) => rounded(at + noise())));
  return { points: [...points, ODD_ONE], labels: [...points.map((_, row) => row % 2), 0] };
}

// How many points these weights get strictly right.
function rightBy({ points, labels }, [b, w1, w2]) {
  return points.filter(([x, y], row) => (labels[row] ? 1 : -1) * (b + w1 * x + w2 * y) > 0).length;
}
