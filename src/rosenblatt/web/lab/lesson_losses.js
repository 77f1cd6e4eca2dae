// The lesson on losses: counting mistakes, how far they are wrong, and why the second can be learned from.

import { table } from "./lesson_kit.js";

export const name = "losses";
export const title = "What it makes small";
export const opens = "Two filters get the same number of mails wrong. Is one of them closer to being right?";

export function pages(f) {
  const leads = () =>
    table(
      "The five points",
      ["point", "class", "score", "y·score"],
      f.points.map((point) => [point.at, point.class, point.text, point.lead]),
    );
  return [
    {
      title: "Counting mistakes",
      text: [
        `A *loss* says how bad weights are. The simplest counts: the *0/1 loss* is the share of points that are wrong.`,
        `Here the weights are ‹${f.weights}›, after the second step of the notes. A point is wrong where y·score is not
          above 0, with y = +1 or −1 for its class.`,
      ],
      bench: "five",
      step: 2,
      extra: leads,
      question: {
        ask: "What is the 0/1 loss of these weights?",
        answer: f.zero_one,
        hint: "Count the points whose y·score is below 0, and divide by the number of points.",
        because: [`${f.wrong} of ${f.points.length} points are wrong: ‹${f.wrong}/${f.points.length}›.`],
      },
    },
    {
      title: "How far wrong",
      text: [
        `The *perceptron loss* of a point is how far it is on the wrong side: −y·score where that is above 0, and 0 for
          a point that is right. The loss of the weights is the mean over all points.`,
      ],
      bench: "five",
      step: 2,
      extra: leads,
      question: {
        ask: "What is the perceptron loss of these weights?",
        answer: f.perceptron,
        hint: "Only wrong points count, each by its y·score without the sign. Divide by all five points.",
        because: [`The wrong points add up to ‹${f.total}›, and ‹${f.total}/${f.points.length}› is the mean.`],
      },
    },
    {
      title: "Only one of them points the way",
      text: [
        `Move the weights a little: hardly ever does a point change sides, so the 0/1 loss stays the same. It is flat, and
          a flat hill tells nobody where down is.`,
        `The perceptron loss changes at once. Its slope at a wrong point is −y times the point, so a step downhill adds
          y times the point. That is the update, nothing else.`,
      ],
      bench: "five",
      step: 2,
      looks: [["losses", "The losses of this run"]],
      question: {
        ask: "Which loss does the perceptron walk down?",
        options: f.options,
        whys: { "The share of wrong points.": "That one is flat nearly everywhere. Which one has a slope?" },
        because: [
          "Each update is a step down the loss of its own point. The loss of all points may rise on the way, as the table shows; at the end both are 0.",
        ],
      },
      extra: ({ answered, whole }) =>
        answered || whole
          ? table(
              "Both losses after some passes",
              ["pass", "0/1 loss", "perceptron loss"],
              f.passes.map((one) => [one.pass, one.zero_one, one.perceptron]),
            )
          : null,
    },
  ];
}
