// The lesson on the parts of the data: what is learned from, what is chosen by, and what is looked at once.

import { table } from "./lesson_kit.js";

export const name = "parts";
export const title = "The exam is not the homework";
export const opens = "The filter got every mail right while you built it. How will it do on Monday?";

export function pages(f) {
  const [train, validation, test] = f.counts;
  return [
    {
      title: "Three parts",
      text: [
        `Somebody who has seen the exam gets good marks. So the points are dealt into three parts before anything is
          learned: ${train} for *training*, ${validation} for *validation*, ${test} for the *test*.`,
        `On the plane are the training points. They overlap, so no line gets all of them right; the run must be stopped at
          some pass. But at which?`,
      ],
      bench: "train",
      step: "end",
      show: { band: false, proof: false },
    },
    {
      title: "Choosing",
      text: [
        `The number of passes is not learned by the rule: it is a *hyperparameter*. We try some, and look at the validation
          points, from which nothing was learned.`,
      ],
      bench: "train",
      step: "end",
      show: { band: false, proof: false },
      extra: () =>
        table(
          "Points right after some passes",
          ["passes", `training, of ${train}`, `validation, of ${validation}`],
          f.tried.map((one) => [one.passes, one.train, one.validation]),
        ),
      question: {
        ask: "Which number of passes is chosen? Of equals the smallest.",
        answer: f.chosen.passes,
        hint: "Look at the validation column alone, and take the first line with the highest number.",
        because: [
          `After ${f.chosen.passes} passes ${f.chosen.validation} of ${validation} validation points are right, and no line
            has more.`,
        ],
      },
    },
    {
      title: "The exam",
      text: [
        `So the run of ${f.chosen.passes} passes is taken. It gets ${f.chosen.train} of ${train} training points right, and
          ${f.chosen.validation} of ${validation} validation points. Both numbers flatter: the weights were fitted to the one
          part, and the passes chosen by the other.`,
      ],
      bench: "train",
      step: "end",
      show: { band: false, proof: false },
      question: {
        ask: "Which part tells how it will do on points that nobody has seen?",
        options: f.options,
        hint: "Which part had no say in the weights, and none in the choice?",
        because: [
          `The test part: ${f.chosen.test} of ${test}. That is the number to report. Whoever looks again and chooses anew
            has made it a second validation part.`,
          "‹rosenblatt train› does the same with your file, opens the test part once, and keeps copies of a row in one part.",
        ],
      },
      extra: ({ answered, whole }) =>
        answered || whole
          ? table(
              "The chosen run",
              ["part", "right", "of"],
              [
                ["training", f.chosen.train, train],
                ["validation", f.chosen.validation, validation],
                ["test", f.chosen.test, test],
              ],
            )
          : null,
    },
  ];
}
