// How the values of a row become features in a page: texts, numbers, curves, dates and names, as the plan of the file says.

import { dateFeatures } from "./dates.js";
import { Letters } from "./letters.js";
import { Problem } from "./problem.js";

const TRUTHS = { true: "true", 1: "true", false: "false", 0: "false" };
// Space at the ends of a value, as Python has it: the mark U+FEFF is none, and the separators 28 to 31 and U+0085 are.
const SPACES = new Set(
  "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
    "\u2028\u2029\u202f\u205f\u3000",
);
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

export class Reader {
  constructor(data) {
    this.data = data;
    this.letters = data.letters ? new Letters(data.letters) : null;
    this.lines = data.lines.map((line) => prepared(line));
    this.gone = new Set(data.gone); // what stands for no value where text may not
    this.texts = this.lines.filter((line) => line.kind === "text");
  }

  // Features and their values of one row, {column: text}; the row as it is stored, and what each line has.
  encoded(values) {
    const blocks = this.lines.map((line) => this.block(line, values[line.column] ?? ""));
    const alike = blocks.every((block) => !block.array && block.values === null);
    const scaled = this.lines.map(
      (line) => this.data.unit === "rows" || (this.data.unit === "text" && line.kind === "text"),
    );
    const together = scaled.every(Boolean) || !scaled.some(Boolean);
    if (scaled.some(Boolean)) scale(blocks, scaled);
    const stored = blocks.reduce((sum, block) => sum + (block.array ? block.size : block.columns.length), 0);
    const dense = blocks.every((block) => block.array) || 2 * this.width <= 3 * stored;
    if (blocks.length === 1 && alike && this.lines[0].kind === "text" && scaled[0]) {
      return { form: "words", columns: blocks[0].columns, values: blocks[0].values };
    }
    const [columns, all] = [[], []];
    for (const block of blocks) {
      block.columns.forEach((column, k) => {
        columns.push(column);
        all.push(block.values === null ? 1 : block.values[k]);
      });
    }
    return { form: dense ? "dense" : alike && together ? "words" : "sparse", columns, values: all };
  }

  block(line, given) {
    const text = trimmed(String(given));
    const missing =
      line.kind === "named" && !line.numbers && !line.truths ? text === "" || text === "?" : this.gone.has(text);
    if (line.kind === "text") return this.words(line, String(given));
    if (line.kind === "straight") {
      const value = missing ? line.fill : numberOf(line, text);
      return array(line, [(value - line.centre) / line.spread], missing);
    }
    if (line.kind === "curve") return curve(line, missing ? null : numberOf(line, text));
    if (line.kind === "date") {
      const found = missing ? (line.missing === null ? [] : [[line.missing, 1]]) : dateFeatures(line, text);
      return { columns: found.map(([column]) => column), values: found.map(([, value]) => value) };
    }
    const place = missing ? undefined : line.places.get(keyOf(line, text));
    if (line.kind === "ordered") return array(line, [place === undefined ? 0 : line.steps[place]], missing);
    if (missing && line.missing !== null) return { columns: [line.missing], values: null };
    const own = place !== undefined ? line.first + place : missing ? null : line.other;
    return { columns: own === null ? [] : [own], values: null };
  }

  words(line, text) {
    const counts = new Map();
    const add = (name) => {
      const place = line.places.get(name);
      if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + 1);
    };
    const lowered = this.letters.lowered(text);
    const found = this.letters
      .words(lowered, Math.min(Math.max(1, line.longest) + 1, 3))
      .filter(([word]) => !line.left.has(word));
    for (const [word] of found) add(word);
    for (let size = 2; size <= line.longest; size++) {
      for (let k = 0; k + size <= found.length; k++) {
        const some = found.slice(k, k + size);
        if (some.every(([, plain]) => plain)) add(some.map(([word]) => word).join(" "));
      }
    }
    if (line.characters) for (const run of this.letters.runs(lowered)) add(run);
    const places = [...counts.keys()].sort((a, b) => a - b);
    const columns = places.map((place) => line.first + place);
    if (!line.counted && !line.rarity.length) return { columns, values: null };
    const times = (place) => (line.counted ? this.times(line, counts.get(place)) : 1);
    const values = places.map((place) =>
      line.rarity.length ? (line.counted ? times(place) * line.rarity[place] : line.rarity[place]) : times(place),
    );
    return { columns, values };
  }

  times(line, count) {
    if (!line.damped) return count;
    return count <= this.data.logs.length ? this.data.logs[count - 1] : Math.log(count) + 1;
  }
}

function prepared(line) {
  const { kind } = line;
  if (kind === "text") {
    const words = line.words ? line.words.split("\n") : [];
    const places = new Map(words.map((word, place) => [word, place]));
    return { ...line, words, places, rarity: floats(line.rarity), left: new Set(line.left) };
  }
  if (kind !== "named" && kind !== "ordered") return line;
  return {
    ...line,
    places: new Map(line.values.map((value, place) => [keyOf(line, value), place])),
  };
}

// A block of an array has a number for each feature, also for those that are 0, which a sparse row leaves out.
function array(line, numbers, missing) {
  const all = line.missing === null ? numbers : [...numbers, missing ? 1 : 0];
  const kept = all.map((value, k) => [line.first + k, value]).filter(([, value]) => value !== 0);
  return {
    array: true,
    size: all.length,
    columns: kept.map(([column]) => column),
    values: kept.map(([, value]) => value),
  };
}

function curve(line, value) {
  const { knots, slopes, first } = line;
  if (value === null)
    return { columns: line.missing === null ? [] : [line.missing], values: line.missing === null ? [] : [1] };
  const inside = Math.min(Math.max(value, knots[0]), knots[knots.length - 1]);
  let left = knots.findLastIndex((knot) => knot <= inside);
  left = Math.min(Math.max(left, 0), knots.length - 2);
  const share = (inside - knots[left]) / (knots[left + 1] - knots[left]);
  const all = [
    [first + left, line.hat * (1 - share)],
    [first + left + 1, line.hat * share],
    ...slopes.map((slope, k) => [first + knots.length + k, (1 - share) * slope[left] + share * slope[left + 1]]),
  ].filter(([, weight]) => weight !== 0);
  return { columns: all.map(([column]) => column), values: all.map(([, weight]) => weight) };
}

// The scaled blocks together are given unit length.
function scale(blocks, scaled) {
  let squares = 0;
  blocks.forEach((block, k) => {
    if (!scaled[k]) return;
    let own = 0;
    if (block.values === null) own = block.columns.length;
    else for (const value of block.values) own += value * value;
    squares += own;
  });
  const over = 1 / Math.sqrt(squares > 0 ? squares : 1);
  blocks.forEach((block, k) => {
    if (!scaled[k]) return;
    block.values = block.values === null ? block.columns.map(() => over) : block.values.map((value) => value * over);
  });
}

// A value as it is looked up: numbers and truth values have more than one spelling.
function keyOf(line, text) {
  if (line.truths) return TRUTHS[String(text).toLowerCase()] ?? text;
  return line.numbers ? numberKey(text) : text;
}

export function numberOf(line, given) {
  const text = line.written && new RegExp(line.written, "u").test(given) ? pointed(given, line.reads) : given;
  if (!NUMBER.test(text)) throw new Problem(`column '${line.column}': '${text.slice(0, 40)}' is not a number.`);
  return Number(text);
}

// A number that is written with a decimal comma, or with its thousands apart, as others are: data/values.py.
function pointed(text, reads) {
  const at = text.indexOf(reads === "decimal comma" ? "," : ".");
  const [whole, part] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
  const digits = part.replace(/[^0-9]/g, "");
  return whole.replace(/[^0-9+-]/g, "") + (digits ? `.${digits}` : "");
}

function numberKey(text) {
  return NUMBER.test(text) ? Number(text) : text;
}

export function trimmed(text) {
  let [from, to] = [0, text.length];
  while (from < to && SPACES.has(text[from])) from++;
  while (from < to && SPACES.has(text[to - 1])) to--;
  return text.slice(from, to);
}

export function floats(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Float64Array(bytes.buffer);
}
