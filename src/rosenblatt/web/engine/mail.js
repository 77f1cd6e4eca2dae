// The calls `mail` and `mail_read`: each word's weight in a message, the decision, and the fewest words
// whose absence would change it. The model is a perceptron on words present or not, each text scaled to unit length; it
// was trained on the built-in mail and comes with it.

import { builtin } from "./builtin.js";
import { bytesOf, fixed, general, round, signed } from "./formats.js";
import { fewest } from "./mail_flip.js";
import { findWords, leaveOut } from "./mail_words.js";
import { numeral, thousands } from "./numerals.js";
import { Problem } from "./problem.js";

const MOST_LETTERS = 20_000;
const LEVELS = 4; // strengths in which words are marked
const SHOWN = 8; // of the heaviest words of a class
const LONGEST_TITLE = 48;

let model = null;
let own = false; // whether the server has learned from a file of the person's: then all calls are for it
const NEEDS = "Learning from a file needs Python: run `rosenblatt lab` on your computer, and the same page can do it.";

// The call `mail_learn`: the server learns, and is asked from then on.
export function mailLearn() {
  own = true;
  throw new Problem(NEEDS, 501);
}

// The call `mail_forget`: the built-in model again.
export function mailForget() {
  if (!own) return mail();
  own = false;
  throw new Problem(NEEDS, 501); // so that the server forgets too
}

// Words by their places, weights of these towards the second class, and the bias.
function learned() {
  if (own) throw new Problem(NEEDS, 501);
  if (model?.data === builtin("mail")) return model;
  const data = builtin("mail");
  const words = data.words.split(" ");
  const weights = new Float64Array(bytesOf(data.weights).buffer);
  const places = new Map(words.map((word, j) => [word, j]));
  model = { data, words, places, weights: weights.subarray(0, -1), bias: weights.at(-1) };
  return model;
}

// The score of the second class, in the order of sums that is given out: four parts, and the bias last.
function scoreOf(text) {
  const { places, weights, bias } = learned();
  const known = [...new Set(findWords(text).map(({ word }) => places.get(word)))].filter((j) => j !== undefined);
  known.sort((a, b) => a - b);
  const parts = [0, 0, 0, 0];
  const byFour = known.length - (known.length % 4);
  known.forEach((j, k) => (parts[k < byFour ? k % 4 : 0] += weights[j]));
  const scale = 1 / Math.sqrt(known.length || 1);
  return { score: (parts[0] + parts[1] + (parts[2] + parts[3])) * scale + bias, scale };
}

const codeOf = (text) => (scoreOf(text).score > 0 ? 1 : 0);

// What the model is, its heaviest words, and messages to try that it has not learned from.
export function mail() {
  const { data, words, weights } = learned();
  const test = data.test.map((row) => data.messages[row]);
  const said = test.map(({ text }) => codeOf(text));
  const heaviest = data.classes.map((name, c) => [name, top(words, weights, c ? 1 : -1)]);
  return {
    name: data.name,
    classes: data.classes,
    words: words.length,
    train: data.messages.length - test.length,
    test: test.length,
    right: test.filter(({ label }, i) => label === said[i]).length,
    limit: MOST_LETTERS,
    heaviest: Object.fromEntries(heaviest),
    samples: samples(test, said, data.classes),
    own: false,
  };
}

function top(words, weights, side) {
  const order = Array.from(weights.keys()).filter((j) => side * weights[j] > 0);
  order.sort((a, b) => side * (weights[b] - weights[a]));
  return order.slice(0, SHOWN).map((j) => ({ word: words[j], weight: numeral(weights[j]) }));
}

// Two test messages of each class and, if there is one, a message that the model gets wrong.
function samples(test, said, classes) {
  const rows = Array.from(test.keys());
  const chosen = classes.flatMap((_, c) => rows.filter((row) => test[row].label === c).slice(0, 2));
  const wrong = rows.filter((row) => test[row].label !== said[row] && !chosen.includes(row));
  return [...chosen, ...wrong.slice(0, 1)].map((row) => {
    const { text, label } = test[row];
    const first = Array.from(text.trim().split("\n")[0]).slice(0, LONGEST_TITLE).join("");
    return { title: `${first || "empty"} (${classes[label]})`, text };
  });
}

// The message in pieces with the part of each known word, the decision, and the fewest words that flip it.
export function mailRead(body) {
  const text = checked(body.text);
  const { data, places, weights, bias } = learned();
  const [other, towards] = data.classes;
  const found = findWords(text);
  const all = [...new Set(found.map(({ word }) => word))];
  const known = all.filter((word) => places.has(word));
  const { score, scale } = scoreOf(text);
  const predicted = score > 0 ? 1 : 0;
  const own = known.map((word) => weights[places.get(word)]);
  const side = predicted ? 1 : -1;
  const flip = fewest(
    own.map((weight) => side * weight),
    side * bias,
    (some) => codeOf(leaveOut(text, new Set(some.map((k) => known[k])))) !== predicted,
  );
  return {
    pieces: pieces(text, found, known),
    words: wordLines(known, found, own, scale),
    unknown: all.length - known.length,
    towards,
    other,
    bias: plain(bias),
    score: plain(score),
    predicted: data.classes[predicted],
    sentence: sentence(data.classes[predicted], towards, score, known.length),
    flip: flipped(text, known, flip, data.classes, predicted),
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

// The message in order: texts, each with the number of its word, or −1 where it is none that is known.
function pieces(text, found, known) {
  const numbers = new Map(known.map((word, k) => [word, k]));
  const made = [];
  let done = 0;
  for (const { word, start, end } of found) {
    if (!numbers.has(word)) continue;
    if (start > done) made.push([text.slice(done, start), -1]);
    made.push([text.slice(start, end), numbers.get(word)]);
    done = end;
  }
  return done < text.length ? [...made, [text.slice(done), -1]] : made;
}

function wordLines(known, found, weights, scale) {
  const parts = weights.map((weight) => weight * scale);
  const largest = Math.max(0, ...parts.map(Math.abs)) || 1;
  return known.map((word, k) => ({
    word,
    adds: plain(parts[k]),
    short: signed(fixed(parts[k], 2)),
    weight: plain(weights[k]),
    sign: Math.sign(parts[k]),
    level: Math.ceil((LEVELS * Math.abs(parts[k])) / largest),
    size: round(Math.abs(parts[k]) / largest, 4),
    times: found.filter((place) => place.word === word).length,
  }));
}

const plain = (value) => (value ? signed(general(value, 4)) : "0");

function sentence(predicted, towards, score, known) {
  if (known) return `The score is ${plain(score)} towards ${towards}, so the message is taken for ${predicted}.`;
  const alone = `the bias alone decides, ${plain(score)} towards ${towards}`;
  return `None of its words occurred in training: ${alone}, so the message is taken for ${predicted}.`;
}

function flipped(text, known, flip, classes, predicted) {
  if (!flip) {
    const still = `without any it is still ${classes[predicted]}`;
    return { words: [], sentence: `No words whose absence would change it: ${still}.` };
  }
  const words = flip.map((k) => known[k]);
  const becomes = classes[1 - predicted];
  const count = words.length === 1 ? "the word" : `these ${words.length} words`;
  const fewer = ["", "", " No single word would do."][words.length] ?? ` No ${words.length - 1} words would do.`;
  return {
    words,
    places: flip,
    becomes,
    text: leaveOut(text, new Set(words)),
    sentence: `Without ${count} it would be ${becomes}: ${words.join(", ")}.${fewer}`,
  };
}
