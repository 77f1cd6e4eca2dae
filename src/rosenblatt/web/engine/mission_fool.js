// Mission: three words that make the spam filter let a message through.

import { mailRead } from "./mail.js";
import { findWords } from "./mail_words.js";
import { told } from "./mission_bench.js";
import { Problem } from "./problem.js";

const MOST = 3;

export const name = "fool";
export const title = "Fool the spam filter with three words";
export const asks = [
  "How do spammers get through? The filter of the tab Mail takes this message for spam. Add at most three words so that it lets the message through, as ham: mail that is wanted.",
];
export const hints = [
  "Open the tab Mail: it lists the words that speak most for ham. Words that the message has already change nothing.",
  "Try bring, please and march.",
];
export const learned =
  "A score is a sum, so a few good words can outweigh many bad ones. Filters that count words must learn anew as senders learn.";
export const fields = [{ name: "words", label: "up to three words", kind: "text" }];

const MESSAGE = "Congratulations! You have won a prize. Claim it today, our offer ends soon.";

export const quote = () => MESSAGE;

export function check({ fields: given }) {
  const typed = String(given.words ?? "").trim();
  if (!typed) throw new Problem("type up to three words.");
  const words = findWords(typed);
  if (words.length > MOST || typed.split(/\s+/).length > MOST) {
    return told(
      false,
      `These are ${Math.max(words.length, typed.split(/\s+/).length)} words; at most ${MOST} may be added.`,
    );
  }
  const found = mailRead({ text: `${MESSAGE}\n${typed}` });
  return told(found.predicted === "ham", found.sentence);
}
