// A lesson: score, sign, boundary, normal vector.

import { table } from "./lesson_kit.js";

export const name = "line";
export const title = "A line that decides";
export const opens = "How can a sum of three numbers tell spam from mail?";

export function pages({ rows, ...f }) {
  const [first, second] = rows;
  return [
    {
      title: "A score",
      text: [
        `A perceptron decides with a sum. Each *feature* of a point is multiplied by a *weight*, and the products are
          added. The result is the *score*.`,
        `Here the weights are ‹${f.weights}›. The first belongs to a feature that is always 1; it is called the
          *bias*. The others belong to x1 and x2.`,
        `The first point lies at ${first.at}. Its score is ‹${first.sum}›.`,
      ],
      bench: "once",
      step: 1,
      question: {
        ask: `The second point lies at ${second.at}. What is its score?`,
        answer: second.score,
        answerText: second.text,
        hint: `Multiply each weight of ‹${f.weights}› by its feature and add the three products. The first feature is
          always 1.`,
        because: [`‹${second.sum}›. Each weight meets its own feature.`],
        afterwards: { step: 2 },
      },
    },
    {
      title: "The sign decides",
      text: [
        "If the score is above 0, the perceptron says +1. If it is below 0, it says −1. That is the whole decision.",
        "It says nothing about how likely that is. No probability is worked out.",
      ],
      bench: "once",
      step: "end",
      extra: () =>
        table(
          "The four points",
          ["point", "score", "class"],
          rows.map((row) => [row.at, row.sum, row.class]),
        ),
    },
    {
      title: "The boundary",
      text: [
        `Some places score exactly 0, for example ${f.zero.at}: ‹${f.zero.sum}›. All of them together are a straight
          line, the *boundary*.`,
        `On one side of it every score is above 0, on the other side every score is below 0. With a single feature
          the boundary is a point; with three it is a plane; with more it is called a hyperplane.`,
      ],
      bench: "once",
      step: 0,
      show: { normal: false, band: false },
      lit: ["plane"],
    },
    {
      title: "The arrow",
      text: [
        `Read the weights of x1 and x2 as an arrow: ‹${f.normal}›. It stands at right angles to the boundary and
          points to the side of +1. It is called the *normal vector*.`,
        `A score divided by the length of this arrow, ${f.length}, is a distance to the boundary. The point
          ${second.at} with its score of ${second.text} is ${second.distance} away.`,
      ],
      bench: "once",
      step: 0,
      show: { band: false },
      lit: ["plane"],
      question: {
        ask: `All three weights are doubled, to ‹${f.doubled}›. What happens to the boundary?`,
        options: f.options,
        whys: {
          "It moves twice as far from the origin.": "Think of a place where the score was 0. What is twice 0?",
          "It turns.": "The arrow becomes longer, but does it point elsewhere?",
        },
        because: [
          `Every score doubles: the four points now have ‹${f.twice.join(", ")}›. No sign changes, and a score of 0
            stays 0.`,
          "So a boundary belongs to many weights. Only their proportions count.",
        ],
        afterwards: { bench: "twice", step: 0, show: { band: false } },
      },
    },
  ];
}
