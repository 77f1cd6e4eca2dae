// What would turn the decision of a model in a page: words taken out, or values in place of others. Every change is tried
// on the model itself, so what is said holds. model/flips.py does the same for a file, and knows more often that no fewer
// changes do.

import { Model } from "./model.js";
import { numberOf, trimmed } from "./reader.js";

const FAR = 4; // spreads from the mean that a straight number may lie: model/changes.py
const [STEPS, ROUNDS] = [60, 3]; // parts that a way of a number is divided into, once and again
const SPAN = 0.01; // of the way that a number may go further, to be a short one
const WHOLE = 50; // so long a way, and a whole number goes to a whole one
const [MOST_WORDS, MOST_TRIED, MOST_CHANGES] = [400, 40, 25]; // of a text; changes tried at each step; changes in all

// {changes, becomes, exact}: the changes {column, before, after}, where a word that is taken out has after = null, the class
// that is then decided for, and whether it is known that fewer do not; null where none of these changes turn it.
export function turn(model, values) {
  const before = model.predict(values).code;
  const turns = (changes) => model.predict(applied(model, values, changes)).code !== before;
  const lead = (changes) => leadOf(model, model.predict(applied(model, values, changes)).scores, before);
  const tried = changesOf(model, values).map((change) => [lead([change]), change]);
  const best = tried.sort((a, b) => a[0] - b[0]).map(([, change]) => change);
  const single = best.find((change) => turns([change]));
  const found = single ? [single] : stepwise(best.slice(0, MOST_TRIED), lead, turns);
  if (!found) return null;
  const changes = settled(pruned(found, turns), turns);
  const all = best.length < MOST_WORDS && best.every((change) => !change.way); // of numbers only some were tried
  return {
    changes,
    becomes: model.predict(applied(model, values, changes)).code,
    exact: changes.length === 1 || (changes.length === 2 && all), // no single one did
  };
}

// By how much the class leads the best of the others.
function leadOf(model, scores, code) {
  if (scores.length === 1) return (code ? 1 : -1) * (scores[0] - model.data.threshold);
  return scores[code] - Math.max(...scores.filter((_, other) => other !== code));
}

function changesOf(model, values) {
  return model.lines.flatMap((line) => {
    const { column } = line;
    const own = trimmed(String(values[column] ?? ""));
    if (line.kind === "text") {
      const words = [...new Set(plainWords(model.letters, own).map(({ word }) => word))];
      return words.slice(0, MOST_WORDS).map((word) => ({ column, before: word, after: null, word: true }));
    }
    if (line.values)
      return line.values.filter((value) => value !== own).map((after) => ({ column, before: own, after }));
    if (line.kind === "date") return []; // a date stays as it is
    const number = model.gone.has(own) ? null : numberOf(line, own);
    const points = line.kind === "curve" ? line.knots : ends(line);
    const all = number === null ? points : [...points, number];
    const way = { low: Math.min(...all), high: Math.max(...all), number, spell: (value) => spelled(line, value) };
    return points
      .filter((point) => point !== number)
      .map((point) => ({ column, before: own, after: spelled(line, point), way: { ...way, point } }));
  });
}

// A number as the column writes it.
function spelled(line, number) {
  return line.reads === "decimal comma" ? String(number).replace(".", ",") : String(number);
}

function ends({ fill, centre, spread }) {
  const far = FAR * (spread !== 1 || centre !== 0 ? spread : Math.max(1, Math.abs(fill)));
  return [fill - far, fill + far];
}

// The row with all the changes.
function applied(model, values, changes) {
  const row = { ...values };
  for (const line of model.lines) {
    const own = changes.filter(({ column }) => column === line.column);
    if (!own.length) continue;
    if (line.kind === "text") row[line.column] = without(model.letters, row[line.column], own);
    else row[line.column] = own[0].after;
  }
  return row;
}

// The words of two letters and more, with where they begin and end in the text in small letters.
function plainWords(letters, text) {
  const codes = [...letters.lowered(String(text))];
  const found = [];
  let start = null;
  for (let at = 0; at <= codes.length; at++) {
    const inside = at < codes.length && letters.plain(codes[at]);
    if (inside && start === null) start = at;
    if (!inside && start !== null) {
      if (at - start > 1) found.push({ word: codes.slice(start, at).join(""), start, end: at });
      start = null;
    }
  }
  return found;
}

// The text in small letters without these words, a blank where each was.
function without(letters, text, changes) {
  const gone = new Set(changes.map(({ before }) => before));
  const codes = [...letters.lowered(String(text))];
  let [rest, at] = ["", 0];
  for (const { word, start, end } of plainWords(letters, text)) {
    if (!gone.has(word)) continue;
    rest += `${codes.slice(at, start).join("")} `;
    at = end;
  }
  return rest + codes.slice(at).join("");
}

// One change after the other, each the one after which the lead is smallest; null where the class stays.
function stepwise(changes, lead, turns) {
  const found = [];
  let left = changes;
  while (left.length && found.length < MOST_CHANGES) {
    const leads = left.map((change) => lead([...found, change]));
    const next = left[leads.indexOf(Math.min(...leads))];
    found.push(next);
    if (turns(found)) return found;
    left = left.filter((change) => (next.word ? change !== next : change.column !== next.column));
  }
  return null;
}

// The changes without those that are not needed.
function pruned(changes, turns) {
  let kept = changes;
  for (const change of changes) {
    const fewer = kept.filter((each) => each !== change);
    if (fewer.length && turns(fewer)) kept = fewer;
  }
  return kept;
}

// Each number moved no further than it must.
function settled(changes, turns) {
  return changes.reduce((kept, change) => {
    if (!change.way) return kept;
    const others = kept.filter((each) => each !== change);
    const at = (number) => turns([...others, { ...change, after: change.way.spell(number) }]);
    const after = change.way.spell(nearest(change.way, at));
    return kept.map((each) => (each === change ? { ...change, after } : each));
  }, changes);
}

// The number nearest to the present one that turns the decision, on either side of it.
function nearest(way, turnsAt) {
  const start = way.number ?? way.point;
  const found = [way.low, way.high].map((end) => {
    let [near, far] = [start, end];
    for (let round = 0; round < ROUNDS; round++) {
      const steps = Array.from({ length: STEPS }, (_, k) => near + ((far - near) * (k + 1)) / STEPS);
      const place = near === far ? -1 : steps.findIndex(turnsAt);
      if (place < 0) return null;
      [near, far] = [place ? steps[place - 1] : near, steps[place]];
    }
    return short(far, end, way, turnsAt);
  });
  const hits = found.filter((number) => number !== null);
  if (!hits.length) return way.point;
  return hits.reduce((a, b) => (Math.abs(b - start) < Math.abs(a - start) ? b : a));
}

// A number of few digits a little further on, where that turns the decision too.
function short(number, end, { low, high, number: present }, turnsAt) {
  const span = high - low || 1;
  let step = 10 ** Math.floor(Math.log10(SPAN * span));
  if (present !== null && Number.isInteger(present) && span >= WHOLE) step = Math.max(1, step);
  for (let digits = 0; digits < 4; digits++) {
    const size = step / 10 ** digits;
    const tried = Number(((end > number ? Math.ceil : Math.floor)(number / size) * size).toPrecision(12));
    if ((tried - number) * (end - tried) >= 0 && turnsAt(tried)) return tried;
  }
  return number;
}

// What turns each of many rows: {changes, becomes, exact}, or null.
export function turnsOf(data, rows) {
  const model = new Model(data);
  return rows.map((row) => {
    const found = turn(model, row);
    const plain = ({ column, before, after, word }) => ({ column, before, after, word });
    return found && { ...found, changes: found.changes.map(plain) };
  });
}
