// The lesson on likelihood: which probability makes what was seen most likely, and why logarithms.

import { table } from "./lesson_kit.js";

export const name = "likelihood";
export const title = "The best guess from counts";
export const opens = "A coin shows heads seven times in ten. Would you bet on it?";

export function pages(f) {
  const place = "likelihood";
  const [, fair, best] = f.thetas.map((one) => one.theta);
  return [
    {
      title: "How likely was that?",
      text: [
        `Let θ be the probability of heads. Ten tosses with ${f.heads} heads, in the order in which they came, have the
          probability ‹L(θ) = θ^${f.heads} · (1 − θ)^${f.tails}›. Read as a function of θ it is called the *likelihood*.`,
        `For a fair coin, θ = ${fair}, it is ‹${f.fair}›. Small, as any exact sequence is; but other θ can be compared with it.`,
      ],
      place,
      question: {
        ask: "Which of these θ makes the tosses most likely?",
        options: f.options,
        hint: "Which share of the tosses were heads?",
        because: [
          `The share of heads, ${f.heads}/${f.tosses}: the slope of L is 0 there. It is the estimate of *maximum
            likelihood*, and it is what counting gives.`,
        ],
      },
      extra: ({ answered, whole }) =>
        answered || whole
          ? table(
              "Some θ",
              ["θ", "L(θ)", "ln L(θ)"],
              f.thetas.map((one) => [one.theta, one.value, one.log]),
            )
          : null,
    },
    {
      title: "Twice as likely is not certain",
      text: [`With θ = ${best} the tosses have the likelihood ‹${f.best}›, with θ = ${fair} they have ‹${f.fair}›.`],
      place,
      question: {
        ask: `How many times more likely are these tosses with θ = ${best} than with a fair coin?`,
        answer: f.ratio,
        hint: `Divide ‹${f.best}› by ‹${f.fair}›.`,
        because: [
          `About ${f.ratio} times. So ten tosses say little against a fair coin. A likelihood compares guesses; it does not
            say how probable a guess is.`,
        ],
      },
    },
    {
      title: "Sums instead of products",
      text: [
        `Each toss is a factor below 1. Of thousands of tosses the product is too small for a computer, but its logarithm
          is not: ‹ln L› is a sum, and it has its maximum at the same θ. For ${fair} and ${best} it is ‹${f.logs.join(" and ")}›.`,
        "Naive Bayes multiplies one factor for each word, and adds logarithms for the same reason.",
      ],
      place,
      extra: () =>
        table(
          "Smoothed estimates of θ",
          ["k", "θ"],
          f.smoothed.map((one) => [one.k, one.theta]),
        ),
    },
  ];
}
