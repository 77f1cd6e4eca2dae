// Mission: a strength of smoothing that changes what a mail is taken for.

import { traceRow } from "./bayes_row.js";
import { counted, MAIL_WORDS, readTables } from "./bayes_tables.js";
import { told, typed } from "./mission_bench.js";
import { numeral } from "./numerals.js";

const ROW = [1, 1, 0, 0, 1]; // free, money, bring

export const name = "smooth";
export const title = "A k that flips this mail";
export const asks = [
  "Can a setting that nobody looks at decide about your mail? This one has the words free, money and bring. With k = 1 naive Bayes takes it for spam. Find a k with which it is ham.",
  "Naive Bayes adds k to every count of the table before it makes probabilities of them: that is smoothing. k is a number of 0 or more, like 3 or 0.2.",
];
export const hints = [
  "One of the words was never seen in spam. What is its probability there without smoothing?",
  "A small k leaves a count of 0 close to probability 0. Try k = 0.01.",
];
export const learned =
  "Smoothing decides how much a count of 0 weighs. With k near 0 one word that was never seen rules a class out, whatever all others say; k is chosen on validation rows.";
export const fields = [{ name: "k", label: "k" }];

export function table() {
  const { classes, rows, features } = counted(MAIL_WORDS);
  return {
    name: "How many mails have each word",
    head: ["", ...classes],
    lines: [["all mails", ...rows], ...features.map(({ name: word, counts }) => [word, ...counts])],
  };
}

export function check({ fields: given }) {
  const k = typed("k", given.k, 0, 1e6);
  const tables = readTables({ ...counted(MAIL_WORDS), row: ROW });
  const { predicted, posterior } = traceRow(tables, k);
  const says = tables.classes[predicted];
  return told(says === "ham", `With k = ${numeral(k)} it is ${says}: P(ham | words) = ${numeral(posterior[0])}.`);
}
