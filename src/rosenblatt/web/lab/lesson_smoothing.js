// A lesson: naive Bayes counts; what k makes of a count of 0.

import { table } from "./lesson_kit.js";

export const name = "smoothing";
export const title = "A count of zero";
export const opens = "One word that was never seen: may it decide about your mail?";

export function pages(f) {
  const [none, one, ten, all] = f.stops;
  const chances = (stop) => f.classes.map((name, c) => `P(${name} | mail) = ${stop.posterior[c]}`).join(", ");
  const place = "bayes";
  return [
    {
      title: "Learning by counting",
      text: [
        `Naive Bayes learns by counting. Of ${f.balls} balls ${f.red} were red and the others blue. The share of red
          is ‹${f.shares[0].sum}›. No other number makes what we saw more likely; this is called *maximum
          likelihood*.`,
        `But ${f.balls} balls are few. *Smoothing* with strength k pretends that each colour was seen k times more: k
          is added to the count of red, and k for each of the two colours to the number of balls.`,
      ],
      place,
      strength: one.place,
      question: {
        ask: "What is the share of red with k = 1?",
        answer: f.smoothed.value,
        hint: "Add 1 to the count of red. Add 1 for each of the two colours to the number of balls. Then divide.",
        because: [`‹${f.smoothed.sum}›. A little nearer to one half than before.`],
      },
    },
    {
      title: "Never seen",
      text: [
        `Below are words counted in mail. The word “${f.word}” is in none of the ${f.rows} ${f.lacks} mails, and in
          ${f.seen} of the ${f.has}. A new mail has ${f.held}.`,
        `Naive Bayes multiplies one factor for each word. With k = 0 the factor of “${f.word}” in ${f.lacks} is
          ‹${none.factor}›, and one factor of 0 makes the whole product 0.`,
        `So the mail is classified as ${none.predicted}: ${chances(none)}. One word outvotes all the others, only because
          it was never seen.`,
      ],
      place,
      strength: none.place,
    },
    {
      title: "A little smoothing",
      text: [
        `With k = ${one.k} the factor is ‹${one.factor}›: small, but not 0. The other words count again.`,
        `Now the mail is classified as ${one.predicted}: ${chances(one)}.`,
      ],
      place,
      strength: one.place,
    },
    {
      title: "Too much of it",
      text: [`Now k grows. With k = ${ten.k} the factor of “${f.word}” in ${f.lacks} is ‹${ten.factor}›.`],
      place,
      strength: ten.place,
      question: {
        ask: "What does this factor become as k goes to ∞?",
        options: f.options,
        hint: "A word is there or not: two values. With a huge k both seem to be seen equally often.",
        because: [
          `It becomes ${f.limit}. ${all.words.join(" ")}`,
          `${chances(all)}. Which k is best for new mail is found by trying some on validation data.`,
        ],
        afterwards: { strength: all.place },
      },
      extra: ({ answered, whole }) =>
        table(
          "Strengths of smoothing",
          ["k", "red balls", `“${f.word}” in ${f.lacks}`, "decision"],
          (answered || whole ? f.stops : f.stops.slice(0, -1)).map((stop, i) => [
            stop.k,
            f.shares[i].sum,
            stop.factor,
            stop.predicted,
          ]),
        ),
    },
  ];
}
