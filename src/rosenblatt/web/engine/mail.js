// The calls `mail` and `mail_read`: each word's weight in a message, the decision, and the fewest words whose absence would
// change it. The model is a perceptron on words present or not, each text scaled to unit length. One comes with the page,
// trained on the built-in mail; another is learned by the server from a file (`mail_learn`) and given to `mail`.

import { builtin } from "./builtin.js";
import { bytesOf, fixed, general, round, signed } from "./formats.js";
import { fewest } from "./mail_flip.js";
import { findWords, leaveOut } from "./mail_words.js";
import { thousands } from "./numerals.js";
import { Problem } from "./problem.js";

const MOST_LETTERS = 20_000;
const LEVELS = 4; // strengths in which words are marked

let model = null;

// What the model is, its heaviest words, and messages to try that it has not learned from.
export function mail({ learned } = {}) {
  model = modelOf(learned ?? builtin("mail"));
  const { name, classes, train, test, right, heaviest, samples } = model.data;
  const words = model.places.size;
  return { name, classes, words, train, test, right, limit: MOST_LETTERS, heaviest, samples, own: Boolean(learned) };
}

// Where each word stands, and for each class the weights with the bias last. Of two classes the first has zeros.
function modelOf(data) {
  const places = new Map(data.words.split(" ").map((word, j) => [word, j]));
  const [weights, width] = [new Float64Array(bytesOf(data.weights).buffer), places.size + 1];
  const lines = data.classes.map((_, c) => weights.subarray(c * width, (c + 1) * width));
  return { data, places, lines: lines.length === 2 ? [new Float64Array(width), lines[0]] : lines };
}

// The score of each class, in the order of sums that is given out: four parts, and the bias last.
function scoresOf(text) {
  const { places, lines } = model;
  const known = [...new Set(findWords(text).map(({ word }) => places.get(word)))].filter((j) => j !== undefined);
  known.sort((a, b) => a - b);
  const byFour = known.length - (known.length % 4);
  const scale = 1 / Math.sqrt(known.length || 1);
  const scores = lines.map((line) => {
    const parts = [0, 0, 0, 0];
    known.forEach((j, k) => (parts[k < byFour ? k % 4 : 0] += line[j]));
    return (parts[0] + parts[1] + (parts[2] + parts[3])) * scale + line.at(-1);
  });
  return { scores, scale };
}

const highest = (scores) => scores.indexOf(Math.max(...scores)); // the first of equals

// The message with the place and the part of each known word, the decision, and the fewest words that flip it.
export function mailRead(body) {
  const text = checked(body.text);
  model ??= modelOf(builtin("mail"));
  const { places, lines } = model;
  const { classes } = model.data;
  const found = findWords(text);
  const all = [...new Set(found.map(({ word }) => word))];
  const known = all.filter((word) => places.has(word));
  const { scores, scale } = scoresOf(text);
  const predicted = highest(scores);
  const rest = scores.map((score, c) => (c === predicted ? Number.NEGATIVE_INFINITY : score));
  const [towards, other] = classes.length === 2 ? [1, 0] : [predicted, highest(rest)];
  const own = lines.map((line) => [...known.map((word) => line[places.get(word)]), line.at(-1)]);
  const weights = own[towards].map((weight, k) => weight - own[other][k]);
  const flip = fewest(own, predicted, (some) =>
    highest(scoresOf(leaveOut(text, new Set(some.map((k) => known[k])))).scores),
  );
  const score = scores[towards] - scores[other];
  return {
    text,
    spans: spansOf(found, known),
    words: wordLines(known, found, weights, scale),
    unknown: all.length - known.length,
    towards: classes[towards],
    other: classes[other],
    bias: plain(weights.at(-1)),
    score: plain(score),
    predicted: classes[predicted],
    sentence: sentence(classes[predicted], classes[towards], score, known.length),
    flip: flipped(text, known, flip, classes, predicted),
  };
}

function checked(text) {
  if (typeof text !== "string" || !text.trim()) throw new Problem("the message is empty. Type or paste some words.");
  const size = Array.from(text).length;
  if (size > MOST_LETTERS) {
    throw new Problem(
      `the message has ${thousands(size)} characters; the lab takes at most ${thousands(MOST_LETTERS)}. Paste a part.`,
    );
  }
  if (/\p{Surrogate}/u.test(text)) {
    throw new Problem("the message holds half a character (a lone surrogate). Paste it anew.");
  }
  return text;
}

// Where known words stand, each with its number; words of scripts without spaces overlap.
function spansOf(found, known) {
  const numbers = new Map(known.map((word, k) => [word, k]));
  const there = found.filter(({ word }) => numbers.has(word));
  return there.map(({ word, start, end }) => ({ start, end, place: numbers.get(word) }));
}

function wordLines(known, found, weights, scale) {
  const parts = known.map((_, k) => weights[k] * scale);
  const largest = Math.max(0, ...parts.map(Math.abs)) || 1;
  return known.map((word, k) => ({
    word,
    adds: plain(parts[k]),
    short: Math.abs(parts[k]) < 0.005 ? "0.00" : signed(fixed(parts[k], 2)),
    weight: plain(weights[k]),
    sign: Math.sign(parts[k]),
    level: Math.ceil((LEVELS * Math.abs(parts[k])) / largest),
    size: round(Math.abs(parts[k]) / largest, 4),
    times: found.filter((place) => place.word === word).length,
  }));
}

const plain = (value) => (value ? signed(general(value, 4)) : "0");

function sentence(predicted, towards, score, known) {
  if (known) return `The score towards ${towards} is ${plain(score)}, so the message is classified as ${predicted}.`;
  const alone = `the bias alone decides, ${plain(score)} towards ${towards}`;
  return `None of its words occurred in training: ${alone}, so the message is classified as ${predicted}.`;
}

function flipped(text, known, flip, classes, predicted) {
  if (!flip) {
    const still = `without any it is still ${classes[predicted]}`;
    return { words: [], sentence: `No words whose absence would change it: ${still}.` };
  }
  const words = flip.places.map((k) => known[k]);
  const becomes = classes[flip.becomes];
  const one = words.length === 1;
  const without = one ? `Without the word “${words[0]}” it would be ${becomes}.` : "";
  const several = `Without these ${words.length} words it would be ${becomes}: ${words.join(", ")}. Fewer would not do.`;
  return {
    words,
    places: flip.places,
    becomes,
    text: leaveOut(text, new Set(words)),
    sentence: one ? without : several,
  };
}
