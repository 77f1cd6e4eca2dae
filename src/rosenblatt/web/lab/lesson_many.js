// A lesson: weights that were right a thousand times, votes, and three perceptrons in a network.

import { table } from "./lesson_kit.js";

export const name = "many";
export const title = "Many perceptrons";
export const opens = "A thousand right answers, then one wrong label. What is left of what it knew?";

const KINDS = [
  ["final", "the last weights"],
  ["averaged", "the mean of the weights after every row"],
  ["voted", "all weights vote, each as often as rows it lasted"],
  ["pocket", "the weights with the longest run of right rows, if they also get more points right"],
];

export function pages(f) {
  const all = { final: true, averaged: true, voted: true, pocket: true, band: false };
  const [, , third] = f.both.units;
  return [
    {
      title: "Right a thousand times",
      text: [
        `Here are ${f.points} points, made for this lesson. After the very first one the weights were ‹${f.before}›.
          They were then right ${f.longest} times in a row. Of all points they get ${f.before_right} right.`,
        `One point is still to come, the last one. It lies among the blue circles, but somebody gave it the wrong
          label. That is one mistake, so there is one update.`,
      ],
      bench: "thousand",
      step: f.mistake - 1,
      show: { band: false },
      question: {
        ask: `How many of the ${f.points} points do the new weights get right?`,
        options: f.options,
        hint: "The update knows nothing of the long run before it. It adds or subtracts the whole point, as always.",
        because: [
          `${f.words} The weights become ‹${f.after}›, and ${f.right.final} points are right. One odd point
          undid what a thousand others had shown to be good.`,
        ],
        afterwards: { step: "end" },
      },
    },
    {
      title: "Let the others speak",
      text: ["The last weights are not always the best. The run has seen others, and it can use them:"],
      bench: "thousand",
      step: "end",
      show: all,
      lit: ["boundaries"],
      extra: () =>
        table(
          "Points right",
          ["weights", "what they are", "right"],
          KINDS.map(([kind, about]) => [kind, about, `${f.right[kind]} of ${f.points}`]),
        ),
    },
    {
      title: "XOR from three",
      text: [
        `Many perceptrons can also work together, each with its own task. One perceptron cannot learn XOR. But XOR is
          *OR and not AND*, and each of these is within reach of one perceptron.`,
        `One has learned OR: ‹${f.units[0].text}›. One has learned AND: ‹${f.units[1].text}›. A third reads what
          these two say, 1 or 0, in place of x1 and x2: ‹${f.units[2].text}›.`,
      ],
      bench: "xor",
      step: "end",
      place: "xor",
      question: {
        ask: `The inputs are ‹(${f.both.x.join(", ")})›. OR says ${f.both.units[0].fires}, AND says
          ${f.both.units[1].fires}. What does the third say?`,
        options: f.says,
        hint: `Its features are 1, ${f.both.units[0].fires} and ${f.both.units[1].fires}. Work out its score with the
          weights ‹${f.units[2].text}›; above 0 it says 1.`,
        because: [
          `‹${third.arithmetic}›, so it says ${third.fires}. And XOR of two ones is ${f.both.true}. All
          ${f.solved} rows come out right.`,
        ],
      },
      extra: ({ answered, whole }) =>
        answered || whole
          ? table(
              "Three perceptrons on all four inputs",
              ["x1, x2", "OR", "AND", "third", "XOR"],
              f.inputs.map((one) => [one.x.join(", "), ...one.units.map((unit) => unit.fires), one.true]),
            )
          : null,
    },
    {
      title: "From here",
      text: [
        "These were the lessons. A network of perceptrons like the last one is where larger networks begin.",
        `Now put points of your own on the plane, load a file, or open the tabs Digits and Mail. Every number will be
          worked out in front of you, just as here.`,
      ],
      bench: "thousand",
      step: "end",
      show: all,
    },
  ];
}
