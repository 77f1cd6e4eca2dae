// A model file in a page: rows become features, features scores, scores classes, each step rounded as Python rounds it.
// The order of sums is that of reference/scores.py; features/blocks.py says how a row is stored.

import { kernelOf } from "./kernels.js";
import { Problem } from "./problem.js";
import { floats, Reader, trimmed } from "./reader.js";
import { SUMS } from "./sums.js";

const TIE = 1e-13; // of a score: products of naive Bayes that are equal differ by less

export class Model extends Reader {
  constructor(data) {
    super(data);
    this.classes = data.classes;
    this.width = data.width;
    this.weights = floats(data.weights); // a line of width + 1 for each score, or of logarithms for each class
    this.kept = data.rows && keptRows(data.rows); // training rows, of a kernel; weights are what each counts
    this.units = data.units && unitsOf(data.units, data.inputs);
  }

  // The row as scores are made of it: features, or the association units that they switch on.
  row(values) {
    const row = this.encoded(values);
    return this.units ? this.units(row) : this.counted(row);
  }

  // The row as naive Bayes reads it: where it asks what is present, values above 0 are 1.
  counted(row) {
    if (!this.data.presence) return row;
    if (row.form === "dense") return { ...row, values: row.values.map((value) => Number(value > 0)) };
    return { form: "words", columns: row.columns, values: row.columns.map(() => 1) };
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
    const within = this.within(values);
    if (this.kept) this.kept(row).forEach((value, k) => put(this.data.rows.names[k], weight(k) * value));
    else
      row.columns.forEach((column, k) => {
        const part = weight(column) * (row.values === null ? 1 : row.values[k]);
        for (const [name, share] of within(this.nameOf(column, values))) put(name, part * share);
      });
    const parts = [...sums].map(([name, part]) => ({ name, part })).filter(({ part }) => part);
    return {
      parts: parts.sort((a, b) => Math.abs(b.part) - Math.abs(a.part)),
      constant: weight(this.width),
      towards,
      over,
    };
  }

  // The words of the texts that a run of characters stands in, each with its share; anything else is what it is.
  within(values) {
    const places = new Map();
    for (const line of this.texts.filter(({ characters }) => characters)) {
      for (const { chunk, runs } of this.letters.chunks(this.letters.lowered(String(values[line.column] ?? ""))))
        for (const run of runs) places.set(run, [...(places.get(run) ?? []), chunk]);
    }
    return (name) => {
      const found = places.get(name);
      return found ? found.map((chunk) => [chunk, 1 / found.length]) : [[name, 1]];
    };
  }

  // What a person calls the feature: a word, or a column with the value that it has in the row.
  nameOf(feature, values) {
    if (this.units) return this.data.units.names[feature];
    const line = this.lines.findLast(({ first }) => first <= feature);
    if (line.kind === "text") return line.words[feature - line.first];
    return `${line.column} = ${trimmed(String(values[line.column] ?? "")) || "missing"}`;
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

// Association units: each is on where a signed sum of some features, added wire after wire, is above its threshold.
function unitsOf({ wires, signs, thresholds, fan }, size) {
  const bounds = floats(thresholds);
  return (row) => {
    const own = new Float64Array(size);
    row.columns.forEach((column, k) => {
      own[column] = row.values === null ? 1 : row.values[k];
    });
    const columns = [];
    bounds.forEach((bound, unit) => {
      let sum = 0;
      for (let p = unit * fan; p < (unit + 1) * fan; p++) sum += signs[p] * own[wires[p]];
      if (sum > bound) columns.push(unit);
    });
    return { form: "words", columns, values: columns.map(() => 1) };
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
