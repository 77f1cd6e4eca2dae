// Words, n-grams and runs of characters as Python finds them: by tables that Python made, never by the browser's own
// Unicode, which may be of another year. reference/words.py says what is done here, features/text.py does it.

const [WORD, UNIT, EXTENDS, JOINS] = [1, 2, 3, 4]; // loops/words.py
const SIGMA = 0x3a3;
const DOTS = "…";

// Runs of [first character after the last run's end, how many, kind], as one flat list, for quick looking up.
export function kindsOf(runs) {
  const [starts, kinds] = [[], []];
  let at = 0;
  for (let k = 0; k < runs.length; k += 2) {
    starts.push(at);
    kinds.push(runs[k + 1]);
    at += runs[k];
  }
  return (code) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= code) low = middle;
      else high = middle - 1;
    }
    return kinds[low];
  };
}

// How a text becomes features of one column. `line` is what the file says of it, `tables` what Python knows of letters.
export class Letters {
  constructor(tables) {
    this.kind = kindsOf(tables.kinds);
    this.chunk = kindsOf(tables.chunks);
    this.context = kindsOf(tables.context); // before a capital sigma: 1 cased, 2 passed over
    this.small = new Map(tables.small);
  }

  // Python's str.lower.
  lowered(text) {
    const codes = [...text].map((letter) => letter.codePointAt(0));
    let found = "";
    codes.forEach((code, place) => {
      if (code < 128) found += code > 64 && code < 91 ? String.fromCharCode(code + 32) : String.fromCharCode(code);
      else if (code === SIGMA) found += this.endsWord(codes, place) ? "ς" : "σ";
      else found += this.small.get(code) ?? String.fromCodePoint(code);
    });
    return found;
  }

  endsWord(codes, place) {
    const cased = (from, step) => {
      let k = from;
      while (k >= 0 && k < codes.length && this.context(codes[k]) === 2) k += step;
      return k >= 0 && k < codes.length && this.context(codes[k]) === 1;
    };
    return cased(place - 1, -1) && !cased(place + 1, 1);
  }

  // Whether the letter is one of ordinary words, which are parted by what is none.
  plain(letter) {
    return this.kind(letter.codePointAt(0)) === WORD;
  }

  // [word, whether it is plain] in reading order; of units, up to `together` neighbours.
  words(lowered, together) {
    const found = [];
    let run = [];
    for (const letter of lowered) {
      const kind = this.kind(letter.codePointAt(0));
      if (kind) run.push([letter, kind]);
      else if (run.length) {
        this.cut(run, together, found);
        run = [];
      }
    }
    this.cut(run, together, found);
    return found;
  }

  cut(run, together, found) {
    let at = 0;
    while (at < run.length) {
      let end = at;
      if (run[at][1] < UNIT) {
        while (end < run.length && run[end][1] < UNIT) end++;
        if (end - at > 1) found.push([joined(run, at, end), true]);
        at = end;
        continue;
      }
      const starts = [];
      while (at < run.length && run[at][1] >= UNIT) {
        starts.push(at);
        let kind = run[at++][1];
        while (at < run.length && (run[at][1] >= EXTENDS || (run[at][1] === UNIT && kind === JOINS)))
          kind = run[at++][1];
        for (let size = 1; size <= Math.min(together, starts.length); size++) {
          found.push([joined(run, starts[starts.length - size], at), false]);
        }
      }
    }
  }

  // Runs of 3 to 5 characters of what stands between spaces, its ends counted; dots where it goes on.
  runs(lowered) {
    return this.chunks(lowered).flatMap(({ runs }) => runs);
  }

  // What stands between spaces, each with its runs: {chunk, runs}.
  chunks(lowered) {
    const found = [];
    let chunk = [];
    const close = () => {
      const runs = [];
      if (chunk.length > 1) characters(chunk, runs);
      if (runs.length) found.push({ chunk: chunk.join(""), runs });
      chunk = [];
    };
    for (const letter of lowered) {
      if (this.chunk(letter.codePointAt(0)) === WORD) chunk.push(letter);
      else close();
    }
    close();
    return found;
  }
}

function joined(run, from, to) {
  let text = "";
  for (let k = from; k < to; k++) text += run[k][0];
  return text;
}

function characters(chunk, found) {
  const size = chunk.length + 2;
  for (let length = 3; length <= Math.min(5, size - 1); length++) {
    for (let first = 0; first + length <= size; first++) {
      const [begins, ends] = [first === 0, first + length === size];
      const inner = chunk.slice(Math.max(first - 1, 0), first + length - 1).join("");
      found.push((begins ? "" : DOTS) + inner + (ends ? "" : DOTS));
    }
  }
}
