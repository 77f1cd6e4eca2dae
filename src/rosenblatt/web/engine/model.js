// A model file in a page: rows become features, features scores, scores classes, each step rounded as Python rounds it.
// The order of sums is that of reference/scores.py; features/blocks.py says how a row is stored.

import { dateFeatures } from "./dates.js";
import { kernelOf } from "./kernels.js";
import { Letters } from "./letters.js";
import { Problem } from "./problem.js";
import { SUMS } from "./sums.js";

const TIE = 1e-13; // of a score: products of naive Bayes that are equal differ by less
const TRUTHS = { true: "true", 1: "true", false: "false", 0: "false" };
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

export class Model {
  constructor(data) {
    this.data = data;
    this.classes = data.classes;
    this.letters = data.letters ? new Letters(data.letters) : null;
    this.lines = data.lines.map((line) => prepared(line));
    this.width = data.width;
    this.weights = floats(data.weights); // a line of width + 1 for each score, or of logarithms for each class
    this.kept = data.rows && keptRows(data.rows); // training rows, of a kernel; weights are what each counts
    this.gone = new Set(data.gone); // what stands for no value where text may not
    this.texts = this.lines.filter((line) => line.kind === "text");
  }

  // Features and their values of one row, {column: text}; the row as it is stored, and what each line has.
  row(values) {
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
      return this.counted({ form: "words", columns: blocks[0].columns, values: blocks[0].values });
    }
    const [columns, all] = [[], []];
    for (const block of blocks) {
      block.columns.forEach((column, k) => {
        columns.push(column);
        all.push(block.values === null ? 1 : block.values[k]);
      });
    }
    return this.counted({ form: dense ? "dense" : alike && together ? "words" : "sparse", columns, values: all });
  }

  // The row as naive Bayes reads it: where it asks what is present, values above 0 are 1.
  counted(row) {
    if (!this.data.presence) return row;
    if (row.form === "dense") return { ...row, values: row.values.map((value) => Number(value > 0)) };
    return { form: "words", columns: row.columns, values: row.columns.map(() => 1) };
  }

  block(line, given) {
    const text = String(given).trim();
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

  // The score of the second class, or one for each.
  scores(row) {
    const [size, found] = [this.width + 1, []];
    const values = this.kept && this.kept(row);
    for (let first = 0; first < this.weights.length; first += size) {
      const weights = this.weights.subarray(first, first + size);
      if (values) found.push(values.reduce((sum, value, k) => sum + weights[k] * value, 0));
      else found.push(SUMS[row.form](row, weights) + weights[this.width]);
    }
    if (this.data.logs_of_classes) return odds(levelled(found));
    if (!found.every(Number.isFinite)) throw new Problem("the row holds values so large that its score overflows.");
    return found;
  }

  // The number of the class; a tie goes to the first, or, where the model says so, to the last.
  decide(scores) {
    const { ties, threshold } = this.data;
    if (scores.length === 1) return Number(ties === "last" ? scores[0] >= threshold : scores[0] > threshold);
    let best = 0;
    for (let c = 1; c < scores.length; c++)
      if (scores[c] > scores[best] || (ties === "last" && scores[c] === scores[best])) best = c;
    return best;
  }

  // The probability of each class; null where the model has none.
  probabilities(scores) {
    const found = this.data.calibration;
    if (!found) return null;
    const { slope, shift, limit, doubt } = found;
    const far = limit ?? Infinity;
    if (scores.length === 1) {
      const z = slope * Math.min(Math.max(scores[0], -Math.min(far, 1e300)), Math.min(far, 1e300)) + shift;
      return [1 / (1 + Math.exp(z)), 1 / (1 + Math.exp(-z))];
    }
    const best = Math.max(...scores);
    const parts = scores.map((score) => Math.exp(slope * Math.max(score - best, -far)));
    const sum = parts.reduce((a, b) => a + b, 0);
    return parts.map((part) => ((1 - doubt) * part) / sum + doubt / scores.length);
  }

  predict(values) {
    const scores = this.scores(this.row(values));
    return { code: this.decide(scores), scores };
  }

  // What each word, and the value of each other column, adds to the score of the class that is decided for, or, of two classes, to that of the second; of
  // logarithms, to its lead over the next class: {parts: [{name, part}], the largest first, constant, towards, over}.
  explain(values) {
    const row = this.row(values);
    const scores = this.scores(row);
    const towards = scores.length === 1 ? 1 : this.decide(scores);
    const over = this.data.logs_of_classes ? next(scores, towards) : null;
    const at = (line, column) => this.weights[line * (this.width + 1) + column];
    const own = scores.length === 1 && over === null ? 0 : towards;
    const weight = (column) => at(own, column) - (over === null ? 0 : at(over, column));
    const sums = new Map();
    const put = (name, part) => sums.set(name, (sums.get(name) ?? 0) + part);
    if (this.kept) this.kept(row).forEach((value, k) => put(this.data.rows.names[k], weight(k) * value));
    else
      row.columns.forEach((column, k) =>
        put(this.nameOf(column, values), weight(column) * (row.values === null ? 1 : row.values[k])),
      );
    const parts = [...sums].map(([name, part]) => ({ name, part })).filter(({ part }) => part);
    return {
      parts: parts.sort((a, b) => Math.abs(b.part) - Math.abs(a.part)),
      constant: weight(this.width),
      towards,
      over,
    };
  }

  // What a person calls the feature: a word, or a column with the value that it has in the row.
  nameOf(feature, values) {
    const line = this.lines.findLast(({ first }) => first <= feature);
    if (line.kind === "text") return line.words[feature - line.first];
    return `${line.column} = ${String(values[line.column] ?? "").trim() || "missing"}`;
  }
}

// The kernel of a row with each training row, as reference/kernel.py adds and multiplies.
function keptRows({ starts, columns, values, ...kernel }) {
  const [numbers, value] = [floats(values), kernelOf(kernel)];
  const bias = kernel.kernel === "poly" ? 0 : kernel.coef0;
  const product = (k, at) => {
    let sum = 0;
    for (let p = starts[k]; p < starts[k + 1]; p++) sum += at(p, columns[p]) * numbers[p];
    return sum;
  };
  const lengths = starts.slice(1).map((_, k) => product(k, (p) => numbers[p]));
  return (row) => {
    const [own, scale] = [new Map(), row.values === null ? () => 1 : (k) => row.values[k]];
    row.columns.forEach((column, k) => own.set(column, scale(k)));
    const length = [...own].sort(([a], [b]) => a - b).reduce((sum, [, each]) => sum + each * each, 0);
    return lengths.map(
      (other, k) =>
        value(
          product(k, (_, column) => own.get(column) ?? 0),
          length,
          other,
        ) + bias,
    );
  };
}

// The class of the highest score but one; of two classes the first.
function next(scores, code) {
  if (scores.length === 1) return 0;
  let best = null;
  scores.forEach((score, c) => {
    if (c !== code && (best === null || score > scores[best])) best = c;
  });
  return best;
}

// The first score that rounding cannot tell from the highest becomes that one: level_ties of loops/counts.py.
function levelled(scores) {
  let first = 0;
  scores.forEach((score, c) => {
    const best = scores[first];
    if (best > -Infinity ? score > best + TIE * Math.abs(best) : score > best) first = c;
  });
  return scores.map((score, c) => (c === first ? Math.max(...scores) : score));
}

// Of two classes the log-odds of the second, of more the logarithms of their probabilities.
function odds(scores) {
  if (scores.length === 2) return [Number.isNaN(scores[1] - scores[0]) ? 0 : scores[1] - scores[0]];
  const best = Math.max(...scores);
  const shifted = scores.map((score) => score - best);
  const sum = Math.log(shifted.reduce((all, score) => all + Math.exp(score), 0));
  return shifted.map((score) => score - sum);
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

function floats(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Float64Array(bytes.buffer);
}

// The scores of many rows, or the line that says what is wrong with one.
export function scoresOf(data, rows) {
  const model = new Model(data);
  return rows.map((row) => {
    try {
      return model.predict(row).scores;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return error.message;
    }
  });
}

// How the scores of many rows are made.
export function explained(data, rows) {
  const model = new Model(data);
  return rows.map((row) => model.explain(row));
}
