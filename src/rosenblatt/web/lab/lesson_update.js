// A lesson: the worked pass of the notes, row by row.

import { html } from "./draw.js";
import { lies, table } from "./lesson_kit.js";

export const name = "update";
export const title = "Learning from a mistake";
export const opens = "How does a machine learn from being wrong?";

export function pages(f, benches) {
  const { asked, added, last } = f;
  const extra = (view) => steps(f, benches.five, view);
  const five = { bench: "five", extra };
  return [
    {
      title: "The rule",
      text: [
        "A perceptron learns from one point at a time, in order. If the score has the right sign, nothing changes.",
        `If it is wrong, the features of the point are *added* to the weights when the point is +1, and *subtracted*
          when it is −1. A score of exactly 0 counts as wrong, too.`,
        `Here are five points. We begin with the weights ‹${f.start}›; the first is that of the bias. Each step will
          fill a line of the table.`,
      ],
      ...five,
      step: 0,
    },
    { title: "Step 1", text: [f.words[0], "Right points teach nothing. The weights stay."], ...five, step: 1 },
    {
      title: "Step 2",
      text: [`The weights are still ‹${f.start}›. Point 2 lies at ${asked.at} and is ${asked.class}.`],
      ...five,
      step: 1,
      question: {
        ask: "What is its score?",
        answer: asked.score,
        answerText: asked.text,
        hint: `The features are 1 and then the two numbers of ${asked.at}. Multiply each by its weight and add.`,
        because: [
          `‹${asked.sum}›. That is below 0, but the point is ${asked.class}: a mistake.`,
          `So its features are added: ‹${f.start}› and ‹${added.change}› make ‹${added.after}›.`,
        ],
        afterwards: { step: 2 },
      },
    },
    { title: "Step 3", text: [f.words[2]], ...five, step: 3 },
    { title: "Step 4", text: [f.words[3]], ...five, step: 4 },
    {
      title: "Step 5",
      text: [
        `Point 5 lies at ${last.at} and is ${last.class}. With the weights ‹${last.before}› its score is
        ${last.score}. That is above 0: a mistake.`,
      ],
      ...five,
      step: 4,
      question: {
        ask: `Its features are ‹${last.features}›. What are the weights after the update?`,
        options: f.options,
        whys: whys(f),
        because: [
          `The point is ${last.class}, so its features are subtracted: ‹${last.before}› and ‹${last.change}› make
            ‹${last.after}›. The dashed line is the old boundary.`,
          `Its score is now ‹${last.now.sum}›. It moved by ${last.squared}, the sum of the squares of its features.
            Here that was enough to make it right; it need not be.`,
        ],
        afterwards: { step: 5 },
      },
    },
    {
      title: "And on it goes",
      text: [
        "One pass over the points is done. This is the table of the notes.",
        `The perceptron goes round again, until a whole pass is without a mistake. Here that takes ${f.passes} passes
          and ${f.mistakes} mistakes, and the weights end at ‹${f.final}›. Scrub back through them under the picture.`,
      ],
      ...five,
      step: "end",
      lit: ["time"],
    },
  ];
}

// Why each wrong choice is wrong: one forgets to change anything, the other adds.
function whys({ options, last }) {
  const wrong = options.filter((option) => !option.right).map((option) => option.text);
  return Object.fromEntries(
    wrong.map((text) => [
      text,
      text === last.before
        ? `Those are the weights before. But ${last.score} is above 0 and the point is ${last.class}, so something must
            change.`
        : `That adds the features. The point is ${last.class}, so they are subtracted.`,
    ]),
  );
}

// The table of the notes as far as the person has stepped: a line for each step made, and after the pass the weights.
function steps({ head, table: lines }, bench, { lab, whole }) {
  const pass = lines.length - 1;
  if (whole) return table("The steps", head, lines);
  const box = html("div", { class: "notes-table" });
  const draw = (state) => {
    if (!lies(state, bench)) return;
    const made = Math.min(state.step, pass);
    box.replaceChildren(
      table("The steps so far", head, lines.slice(0, made === pass ? lines.length : made), state.step - 1),
    );
  };
  draw(lab.state);
  box.follow = draw; // the panel calls it at every step of the bench
  return box;
}
