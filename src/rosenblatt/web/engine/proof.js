// The call `proof`: whether the points of the bench can be separated, proved in whole numbers, and how well.

import { readBench } from "./bench.js";
import { certificateOf } from "./certificate.js";
import { fixed, general } from "./formats.js";
import { thousands, vector } from "./numerals.js";
import { Problem } from "./problem.js";
import { abs, floatOf, gcd, less, over, plus, ratioOf, rootDown, rootUp, square, times, wholeOf } from "./ratios.js";
import { Signed, shortestSum } from "./shortest.js";

const MOST_WORK = 1e7; // as shortest.js counts it: about a second
const FEW = 10n ** 6n; // multiples that add up to more are told as shares
const EXACT = 2n ** 53n; // larger whole numbers lose digits
const FEW_ROWS = 16; // of nearly the same length are compared exactly by `rosenblatt check`; for more it takes a bound

// The verdict about the points of the bench. Of its settings the bias, start, margin and rate count. What is not decided
// here is passed on to the server; without one the line says what is known.
export function proof(body) {
  const bench = readBench(body);
  const found = prove(bench);
  if (found.kind === "undecided") throw new Problem(undecidedWords(found, bench), 501);
  return tell(bench, found);
}

// The same as a file that `rosenblatt check` accepts for the points as the call `takeaway` writes them.
export function certificate(body) {
  return { text: certificateAfter(readBench(body)), name: "certificate.json", type: "application/json" };
}

export function certificateAfter(bench, most = MOST_WORK) {
  return certificateOf(bench, prove(bench, most));
}

// {kind, foundBy, …}: weights, margin, gap, radius and bound; or rows, others and multipliers, with a bound on the
// margin where neither was found. Nothing in it is rounded but margin and gap, down, and the radius, up.
export function prove({ points, codes, classes, bias }, most = MOST_WORK) {
  const { numbers, scale } = wholeOf(points.flat());
  const width = points[0].length;
  const plain = points.map((_, row) => numbers.slice(row * width, (row + 1) * width));
  const features = bias ? plain.map((line) => [scale, ...line]) : plain;
  const signed = new Signed(features, codes, classes.length, scale);
  const simple = zeroRow(signed) ?? equalRows(signed);
  if (simple) return simple;
  const found = shortestSum(signed, most);
  if (found.square && found.decided) return separable(signed, found, bias);
  const how = found.decided ? "the shortest sum of signed rows" : "";
  const high = rootUp([found.square, (found.total * scale) ** 2n]);
  return { ...combination(found.decided ? "inseparable" : "undecided", found.held, found.multiples, how), high };
}

function zeroRow(signed) {
  const row = signed.features.findIndex((line) => line.every((value) => value === 0n));
  return row < 0 ? null : combination("inseparable", [[row, signed.codes[row] ? 0 : 1]], [1n], "a row of zeros");
}

function equalRows({ features, codes }) {
  const seen = new Map();
  for (const [row, line] of features.entries()) {
    const key = line.join();
    const twin = seen.get(key) ?? row;
    const pairs = [
      [twin, codes[row]],
      [row, codes[twin]],
    ];
    if (codes[twin] !== codes[row]) return combination("inseparable", pairs, [1n, 1n], "equal rows");
    seen.set(key, twin);
  }
  return null;
}

function combination(kind, held, multiples, foundBy) {
  const order = Array.from(held.keys()).sort((a, b) => held[a][0] - held[b][0] || held[a][1] - held[b][1]);
  return {
    kind,
    foundBy,
    rows: order.map((k) => held[k][0]),
    others: order.map((k) => held[k][1]),
    multipliers: order.map((k) => multiples[k]),
  };
}

// The shortest sum as weights: their least lead is |sum|² / total, and no margin is larger than theirs.
function separable(signed, { held, sum, total, square: length }, bias) {
  const { scale } = signed;
  const best = [length, (total * scale) ** 2n]; // γ²
  const radius = radiusUp(signed);
  return {
    kind: "separable",
    foundBy: "the shortest sum of signed rows",
    whole: lowest(sum),
    weights: sum.map((value) => floatOf([value, total * scale])),
    margin: rootDown(best),
    high: rootUp(best),
    gap: rootDown(times([4n, 1n], nearest(signed, sum, bias))),
    radius,
    bound: floor(over(square(ratioOf(radius)), best)),
    support: [...new Set(held.map(([row]) => row))].sort((a, b) => a - b),
  };
}

const floor = ([top, bottom]) => top / bottom;

function lowest(values) {
  const divisor = values.reduce(gcd, 0n) || 1n;
  return values.map((value) => value / divisor);
}

// The least squared distance of a row to the boundary between its class and another, in feature space.
function nearest(signed, sum, bias) {
  const { width, blocks, codes, scale } = signed;
  const apart = (own, other) => {
    let total = 0n;
    for (let j = bias ? 1 : 0; j < width; j++) {
      total += (blocks === 1 ? sum[j] : sum[own * width + j] - sum[other * width + j]) ** 2n;
    }
    return total;
  };
  const squares = new Map();
  let least = null;
  for (const pair of signed.pairs) {
    const key = codes[pair[0]] * signed.nClasses + pair[1];
    if (!squares.has(key)) squares.set(key, apart(codes[pair[0]], pair[1]));
    const distance = [signed.lead(sum, pair) ** 2n, squares.get(key) * scale * scale];
    if (!least || less(distance, least)) least = distance;
  }
  return least;
}

// A float at least as large as the longest signed row, and at least what `rosenblatt check` asks for.
function radiusUp({ features, nClasses, width, scale }) {
  const squares = features.map((line) => line.reduce((total, value) => total + value * value, 0n));
  const longest = squares.reduce((a, b) => (b > a ? b : a));
  const slack = [8n * BigInt(width + 5), 2n ** 53n];
  const alike = squares.filter((one) => (longest - one) * slack[1] <= longest * slack[0]).length;
  const exact = [longest * (nClasses === 2 ? 1n : 2n), scale * scale];
  return rootUp(alike > FEW_ROWS ? plus(times(exact, plus([1n, 1n], slack)), square(ratioOf(1e-150))) : exact);
}

// The answer of the call: what was found, told to a person.
export function tell(bench, found) {
  const plain = { kind: found.kind, found_by: found.foundBy };
  if (found.kind === "undecided")
    return { ...plain, words: undecidedWords(found, bench), best_margin: [0, found.high] };
  return { ...plain, ...(found.kind === "separable" ? tellSeparable(found, bench) : tellInseparable(found, bench)) };
}

// The same for what the server found: its whole numbers come as text.
export function tellServed(body, { bound = 0, multipliers = [], ...found }) {
  return tell(readBench(body), { ...found, bound: BigInt(bound), multipliers: multipliers.map(BigInt) });
}

const statement = (words, { bias }) => words + (bias ? "" : " through the origin");

function tellSeparable(found, bench) {
  const { margin, radius, bound } = found;
  const count = bound < EXACT ? thousands(bound) : general(Number(bound), 3);
  return {
    words:
      `${statement("Separable", bench)}: a boundary has every point strictly on its side, with margin ` +
      `γ = ${general(margin, 4)}. No row is longer than R = ${general(radius, 4)}, so a run from 0 makes at most ` +
      `(R/γ)² = ${count} mistake${count === "1" ? "" : "s"}.`,
    margin,
    best_margin: [margin, found.high],
    support: found.support,
    gap: found.gap,
    radius,
    bound: Number(bound),
    bound_here: boundHere(found, bench),
    weights: found.weights,
  };
}

// At most so many updates of a run with this start, margin and rate.
//
// With u of length 1 and margin γ, each update on z adds at least γ to w·u and at most R² + 2τ to |w|² (it happens only
// where z·w <= τ). So after n updates n γ + w₀·u <= |w| <= √(|w₀|² + n (R² + 2τ)), a quadratic in n. From 0 with τ = 0
// it is Novikoff's (R/γ)². A rate α is as good as 1 with w₀ / α and τ / α.
function boundHere({ weights, margin: gamma, radius }, { start, rate, margin }) {
  if (!(gamma > 0)) return null;
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const from = start
    ? Array.from(start)
        .flat()
        .map((w) => w / rate)
    : weights.map(() => 0);
  const along = sum(from.map((w, j) => w * weights[j])) / Math.sqrt(sum(weights.map((w) => w * w)));
  const grows = radius ** 2 + (2 * margin) / rate;
  const half = grows - 2 * gamma * along;
  const across = Math.max(0, sum(from.map((w) => w * w)) - along * along);
  const most = (half + Math.sqrt(half * half + 4 * gamma * gamma * across)) / (2 * gamma * gamma);
  return Number.isFinite(most) ? Math.floor(most * (1 + 1e-9)) : null;
}

function tellInseparable(found, bench) {
  const { rows, others, multipliers } = found;
  const total = multipliers.reduce((a, b) => a + b);
  const shares = multipliers.map((m) => floatOf([m, total]));
  const small = multipliers.every((m) => abs(m) < EXACT);
  const width = bench.points[0].length + (bench.bias ? 1 : 0);
  const sum = Array(width * (bench.classes.length === 2 ? 1 : bench.classes.length)).fill(0);
  return {
    words: `${statement("Not separable", bench)}: ${because(found, total, shares, sum.slice(0, width))}`,
    rows,
    multipliers: small ? multipliers.map(Number) : shares,
    shares,
    others: others.map((other) => bench.classes[other]),
    sum,
    meeting: meeting(found, bench),
  };
}

function because({ rows, multipliers, foundBy }, total, shares, zero) {
  if (foundBy === "equal rows") {
    return `points ${rows[0] + 1} and ${rows[1] + 1} lie in the same place and are of different classes.`;
  }
  if (rows.length === 1) return `point ${rows[0] + 1} is the origin, and without a bias every boundary meets it.`;
  const parts = rows.map((row, k) => {
    const share = total < FEW ? `${multipliers[k]} ×` : `${fixed(100 * shares[k], 2)}% of`;
    return `${share} point ${row + 1}`;
  });
  const more = parts.length > 6 ? ` and ${parts.length - 6} more` : "";
  return (
    `${parts.slice(0, 6).join(", ")}${more}, each counted towards its class, sum to ${vector(zero)} exactly. Weights ` +
    "that were right on all of them would give that sum a score above 0, but its score is 0."
  );
}

// Where both classes surround the same point: the mean of the rows of one, by their multipliers, with a bias.
function meeting({ rows, multipliers }, { points, codes, classes, bias }) {
  if (classes.length > 2 || !bias) return null;
  const side = rows.flatMap((row, k) => (codes[row] === 1 ? [[points[row], Number(multipliers[k])]] : []));
  const total = side.reduce((sum, [, amount]) => sum + amount, 0);
  return points[0].map((_, j) => side.reduce((sum, [point, amount]) => sum + amount * point[j], 0) / total);
}

export function undecidedWords({ high, seconds }, bench) {
  const limit = seconds ? `${seconds} seconds` : "the work that the page allows itself";
  return (
    `${statement("Undecided", bench)}: neither proof was found in ${limit}. No margin exceeds ` +
    `${general(high ?? Number.POSITIVE_INFINITY, 4)}. \`rosenblatt prove\` looks longer.`
  );
}
