// A lesson: one weight vector for each class, and the two that change.

import { table } from "./lesson_kit.js";

export const name = "classes";
export const title = "More than two classes";
export const opens = "Ten digits, one answer: how does it choose among many?";

export function pages({ rows, ...f }) {
  const asked = rows.find((row) => row.class === f.winner);
  const scores = ({ answered, whole }, name = "The scores") =>
    table(
      name,
      ["class", "weights", "score"],
      rows.map((row) => [row.class, row.before, row === asked && !answered && !whole ? "?" : row.sum]),
    );
  const changes = ({ answered, whole }) =>
    answered || whole
      ? table(
          "What changes",
          ["class", "before", "update", "after", "score now"],
          rows.map((row) => [row.class, row.before, row.change, row.after, row.now]),
        )
      : scores({ answered: true }, "The scores before the update");
  return [
    {
      title: "Each class has its weights",
      text: [
        `With three classes there are three weight vectors. Each gives the point a score of its own, and the class
          with the highest score is the answer.`,
        `The point at ${f.at} has the features ‹${f.features}›, the 1 for the bias first.`,
      ],
      bench: "three",
      step: 0,
      extra: scores,
      question: {
        ask: `What does ${asked.class} score?`,
        answer: asked.score,
        hint: `Multiply ‹${asked.before}› by ‹${f.features}›, number by number, and add.`,
        because: [
          `‹${asked.sum}›. That is the highest score, so the perceptron says ${f.winner}.`,
          `But the point is ${f.true}. A mistake.`,
        ],
      },
    },
    {
      title: "Reward and punish",
      text: [`The perceptron said ${f.winner}; the truth is ${f.true}. Now it learns.`],
      bench: "three",
      step: 0,
      extra: changes,
      question: {
        ask: "Which weight vectors change?",
        options: f.options,
        whys: {
          [f.options[0].text]: `${f.true} must rise. But should nothing happen to ${f.rival}, which was too high?`,
          [f.options[2].text]: `${f.other} had no part in the mistake: it was neither the truth nor the answer.`,
        },
        because: [
          `The features are added to ${f.true}, the true class, and subtracted from ${f.rival}, which was
            predicted instead. Nothing happens to ${f.other}.`,
          `The scores of the point are now ‹${rows.map((row) => row.now).join(", ")}›: ${f.true} is highest.`,
        ],
        afterwards: { step: 1 },
      },
    },
    {
      title: "The regions",
      text: [
        `Every place of the plane belongs to the class that scores highest there. Between two classes the boundary is
          where their scores are equal: a straight line again.`,
        `${f.ended}`,
        `No class was trained alone against all the others. Each mistake moves two of them, the one that should have
          won and the one that did.`,
      ],
      bench: "three",
      step: "end",
      lit: ["plane"],
    },
  ];
}
