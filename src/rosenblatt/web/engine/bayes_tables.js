// The tables of the naive Bayes part: the reading of those that a person made, and the counts of the built-in mail.

import { builtin } from "./builtin.js";
import { repr } from "./formats.js";
import { findWords } from "./mail_words.js";
import { Problem } from "./problem.js";

const MOST_FEATURES = 12;
const MOST_ROWS = 1_000_000;
const LONGEST_NAME = 40;
// Words of the built-in mail that show what smoothing is for: two of them occur in one class alone.
export const MAIL_WORDS = ["free", "money", "please", "minute", "bring"];
export const MAIL_ROW = [0, 0, 1, 1, 0];

// {classes, rows, names, counts, row}, every number checked: two classes with their numbers of rows, features with the
// rows of each class that have them, and one row of 1 and 0 to decide about.
export function readTables(body) {
  const classes = namesOf(body.classes, "classes");
  if (classes.length !== 2) throw new Problem(`the tables are for two classes; got ${classes.length}. Name two.`);
  const rows = beside(classes, body.rows, "rows").map(([c, n]) => wholeOf(n, `rows of ${c}`, MOST_ROWS));
  if (!(rows[0] + rows[1])) {
    throw new Problem("both classes have 0 rows, so there is nothing to count. Give one of them a row.");
  }
  const { features } = body;
  if (!Array.isArray(features) || features.length < 1 || features.length > MOST_FEATURES) {
    throw new Problem(`features must be a list of 1 to ${MOST_FEATURES} tables.`);
  }
  if (!features.every((one) => one !== null && typeof one === "object" && !Array.isArray(one))) {
    throw new Problem("each feature must have a name and its counts.");
  }
  const names = namesOf(
    features.map((feature) => feature.name),
    "features",
  );
  const counts = names.map((name, j) =>
    beside(classes, features[j].counts, `counts of ${name}`).map(([c, n], k) =>
      wholeOf(n, `${name} in ${c}`, rows[k], ` (there are ${rows[k]} ${c} rows)`),
    ),
  );
  const row = beside(names, body.row, "row").map(([name, value]) => wholeOf(value, `${name} in the row`, 1));
  return { classes, rows, names, counts, row };
}

function namesOf(given, where) {
  const isName = (name) => typeof name === "string" && name !== "" && Array.from(name).length <= LONGEST_NAME;
  if (!Array.isArray(given) || !given.every(isName)) {
    throw new Problem(`${where} must have names of 1 to ${LONGEST_NAME} characters.`);
  }
  if (new Set(given).size < given.length) {
    throw new Problem(`${where} must have different names; got ${given.join(", ")}.`);
  }
  return given;
}

function beside(names, given, where) {
  if (!Array.isArray(given) || given.length !== names.length) {
    throw new Problem(`${where}: give one number for each of ${names.join(", ")}.`);
  }
  return names.map((name, k) => [name, given[k]]);
}

// A whole number from 0 to `most`; what a person types arrives as text.
function wholeOf(given, where, most, why = "") {
  const typed = typeof given === "string" && /^\d+$/.test(given.trim()) && given.length <= 12;
  const value = typed ? Number(given) : given;
  if (!Number.isInteger(value) || value < 0 || value > most) {
    const letters = Array.from(repr(value));
    const got = letters.length <= 40 ? letters.join("") : `${letters.slice(0, 40).join("")}…`;
    throw new Problem(`${where}: give a whole number from 0 to ${most}${why}; got ${got}.`);
  }
  return value;
}

// How many messages of each class in the built-in mail have each of the words.
export function counted(words) {
  const { classes, messages } = builtin("mail");
  const found = messages.map(({ text }) => new Set(findWords(text).map((place) => place.word)));
  const count = (keep) => classes.map((_, c) => messages.filter((message, i) => message.label === c && keep(i)).length);
  const features = words.map((name) => ({ name, counts: count((i) => found[i].has(name)) }));
  return { classes: [...classes], rows: count(() => true), features };
}
