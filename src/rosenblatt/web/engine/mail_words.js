// The words of a message with their places, and messages with words left out. A word is two or more letters, digits or
// underscores in a row, in the lowered text (features/tokens.py).

const WORD = /[\p{L}\p{N}_]{2,}/gu;

// {word, start, end} in reading order. A letter can become two when it is lowered, so places are counted back then.
export function findWords(text) {
  const lowered = text.toLowerCase();
  const found = Array.from(lowered.matchAll(WORD), ({ 0: word, index }) => ({
    word,
    start: index,
    end: index + word.length,
  }));
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
    kept.push(text.slice(done, start));
    done = end;
  }
  return [...kept, text.slice(done)].join("").replace(/[ \t]{2,}/g, " ");
}
