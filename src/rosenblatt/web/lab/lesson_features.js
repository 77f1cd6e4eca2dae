// The lesson on features: names as numbers, columns of their own, and products.

import { table } from "./lesson_kit.js";

export const name = "features";
export const title = "What it is told";
export const opens = "How does a machine that only adds up numbers read a colour, a city or a word?";

export function pages(f) {
  return [
    {
      title: "A name as a number",
      text: [
        `A perceptron multiplies and adds, so a colour must become numbers. The quick way: red is 1, green is 2, blue is
          3. We look for the green ones.`,
        "On the plane the three colours lie side by side, with green in the middle.",
      ],
      bench: "number",
      step: 0,
      show: { band: false },
      question: {
        ask: "Can one line part green from the other two?",
        options: f.options,
        whys: { "Yes.": "Whatever line you draw: are red and blue on the same side of it, and green on the other?" },
        because: [
          `${f.proof} Numbers say that green lies *between* red and blue, and that blue is three times red. Nobody meant
            that.`,
        ],
        afterwards: { step: "end" },
      },
    },
    {
      title: "A column for each name",
      text: [
        `Ask a question for each name instead: is it red? is it green? Each answer is 1 or 0, a column of its own. (Blue
          is then neither.) This is called *one-hot encoding*.`,
        `Now a line does it, after ${f.mistakes} mistakes: ‹${f.weights}›.`,
      ],
      bench: "columns",
      step: "end",
      show: { band: false },
      extra: () =>
        table(
          "Three colours",
          ["colour", "as a number", "red?, green?", "score"],
          f.colours.map((one) => [one.name, one.number, one.at, one.sum]),
        ),
    },
    {
      title: "A column from others",
      text: [
        `Columns can also be made from columns. No line learns XOR from x1 and x2; with the product x1·x2 as a third
          feature one does. ${f.words}`,
      ],
      bench: "columns",
      place: "xor",
      question: {
        ask: `The weights are ‹${f.product}›. What is the score of the inputs (1, 1), whose features are 1, 1, 1 and
          1·1?`,
        answer: f.asked.score,
        hint: "All four features are 1, so the score is the sum of the weights.",
        because: [`‹${f.asked.arithmetic}›, below 0: and XOR of two ones is 0.`],
      },
      extra: ({ answered, whole }) =>
        answered || whole
          ? table(
              "XOR with a product",
              ["x1, x2, x1·x2", "score", "XOR"],
              f.rows.map((row) => [row.features, row.arithmetic, row.true]),
            )
          : null,
    },
    {
      title: "What follows",
      text: [
        "The rule stays the same; what it is told decides what it can learn. Words, dates, pixels: each becomes columns first.",
        "‹rosenblatt train› chooses such columns for a whole file and shows them as its plan.",
      ],
      bench: "columns",
      step: "end",
      show: { band: false },
    },
  ];
}
