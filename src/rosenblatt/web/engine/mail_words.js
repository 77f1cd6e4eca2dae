// The words of a message with their places, and messages with words left out. A word is two or more letters, digits or
// underscores in a row, in the lowered text (features/tokens.py). Scripts without spaces are cut into letters with their
// marks, and words are single ones and two neighbours (features/scripts.py).

const SPACELESS =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\ua9e0-\\ua9ff\\uaa60-\\uaa7f\\u1780-\\u17ff\\u19e0-\\u19ff\\u2e80-\\u2fdf\\u3005-\\u3007" +
  "\\u3021-\\u302d\\u3038-\\u303b\\u3040-\\u30ff\\u3192-\\u3195\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff" +
  "\\uff66-\\uff9f\\u{1aff0}-\\u{1b16f}\\u{1d372}-\\u{1d376}\\u{20000}-\\u{3fffd}";
const MARK = "[\\p{M}\\u0e33\\u0eb3\\uff9e\\uff9f]";
const STACKER = "[\\u1039\\u17d2\\u0eba]"; // it takes the next letter in
const RUN = new RegExp(`(?:(?=[${SPACELESS}])[\\p{L}\\p{N}\\p{M}])+|(?:(?![${SPACELESS}])[\\p{L}\\p{N}_])+`, "gu");
const UNIT = new RegExp(`.(?:${MARK}|(?<=${STACKER}).)*`, "gsu");
const IS_SPACELESS = new RegExp(`^[${SPACELESS}]`, "u");

// {word, start, end} in reading order. A letter can become two when it is lowered, so places are counted back then.
export function findWords(text) {
  const lowered = text.toLowerCase();
  const found = [];
  for (const { 0: run, index } of lowered.matchAll(RUN)) {
    if (!IS_SPACELESS.test(run)) {
      if ([...run].length > 1) found.push({ word: run, start: index, end: index + run.length });
      continue;
    }
    let before = -1;
    for (const { 0: unit, index: place } of run.matchAll(UNIT)) {
      const [start, end] = [index + place, index + place + unit.length];
      found.push({ word: unit, start, end });
      if (before >= 0) found.push({ word: lowered.slice(before, end), start: before, end });
      before = start;
    }
  }
  if (lowered.length === text.length) return found;
  const [starts, ends] = [[], []]; // in the text, of the letter that each place of the lowered text came from
  let place = 0;
  for (const letter of text) {
    for (let k = letter.toLowerCase().length; k; k--) {
      starts.push(place);
      ends.push(place + letter.length);
    }
    place += letter.length;
  }
  return found.map(({ word, start, end }) => ({ word, start: starts[start], end: ends[end - 1] }));
}

// The message without these words, wherever they stand. What remains keeps its words: two never become one.
export function leaveOut(text, words) {
  const kept = [];
  let done = 0;
  for (const { word, start, end } of findWords(text)) {
    if (!words.has(word)) continue;
    kept.push(text.slice(done, Math.max(done, start)));
    done = Math.max(done, end);
  }
  return [...kept, text.slice(done)].join("").replace(/[ \t]{2,}/g, " ");
}
