// Reading what is asked for: each value has the kind and size that is wanted, or one line says what it should be.
// Values are quoted as Python writes them, so that a line is the same wherever it comes from.

import { general, repr } from "./formats.js";
import { thousands } from "./numerals.js";
import { Problem } from "./problem.js";

const LARGEST = 1e100; // so that no sum of a run can overflow

export function number(name, value, low = -LARGEST, high = LARGEST) {
  if (typeof value !== "number") throw new Problem(`${name} must be a number; got ${shown(value)}.`);
  if (!(low <= value && value <= high)) {
    throw new Problem(`${name} must be a number from ${general(low)} to ${general(high)}; got ${shown(value)}.`);
  }
  return value + 0; // −0 is 0
}

export function whole(name, value, low, high) {
  if (!Number.isInteger(value) || !(low <= value && value <= high)) {
    throw new Problem(`${name} must be a whole number from ${low} to ${thousands(high)}; got ${shown(value)}.`);
  }
  return value + 0;
}

export function truth(name, value) {
  if (typeof value !== "boolean") throw new Problem(`${name} must be true or false; got ${shown(value)}.`);
  return value;
}

export function oneOf(name, value, words) {
  if (words.includes(value)) return value;
  throw new Problem(`${name} must be one of ${words.map(shown).join(", ")}; got ${shown(value)}.`);
}

// A string of at most so many characters; half a character of a broken link becomes a question mark.
export function text(name, value, longest) {
  if (typeof value !== "string") throw new Problem(`${name} must be a text; got ${shown(value)}.`);
  const length = [...value].length;
  if (length > longest) {
    throw new Problem(`${name} may have ${thousands(longest)} characters; got ${thousands(length)}.`);
  }
  return value.replace(/\p{Surrogate}/gu, "?");
}

export function several(name, value, most, least = 0) {
  if (!Array.isArray(value)) throw new Problem(`${name} must be a list; got ${shown(value)}.`);
  if (value.length < least || value.length > most) {
    const range = `${thousands(least)} to ${thousands(most)}`;
    throw new Problem(`${name} must have ${range} entries; got ${thousands(value.length)}.`);
  }
  return value;
}

// The value, short enough for a line.
export function shown(value) {
  const found = Array.from(repr(value));
  return found.length <= 40 ? found.join("") : `${found.slice(0, 37).join("")}…`;
}
