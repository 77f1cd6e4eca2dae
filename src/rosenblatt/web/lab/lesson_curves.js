// The lesson on curves: what goes around something, a hill for each mistake, and how sharp hills should be.

import { table } from "./lesson_kit.js";

export const name = "curves";
export const title = "Around the corner";
export const opens =
  "Some things are right in the middle and wrong all around. How does a machine that adds up numbers learn that?";

export function pages(f) {
  return [
    {
      title: "No line goes round",
      text: [
        `The dose of a medicine, the heat of an oven, the price of a house that sells: too little is wrong, too much is
          wrong, and what is right lies between. Here ${f.points} points, one class within the other.`,
      ],
      bench: "rings",
      step: 0,
      show: { band: false },
      question: {
        ask: "Can one line part the inside from the outside?",
        options: f.options,
        whys: { "Yes.": "Whatever line you draw: on both of its sides there are points of the outside." },
        because: [
          "Points of the outside lie on both sides of any line through the middle, and a line beside it leaves the inside among them.",
        ],
        afterwards: { step: "end" },
      },
    },
    {
      title: "A hill for each mistake",
      text: [
        `So forget the line. The score of a place is now a sum of *hills* and *hollows*: a point of +1 that is wrong gets a
          hill, a point of −1 a hollow. At its point a hill is 1 high, and at a distance d only ‹e^(−γd²)›.`,
        `XOR, with γ = 1. The first mistake was ${f.first}: a hollow is there now, and nothing else.`,
      ],
      bench: "xor",
      step: { mistake: 1 },
      question: {
        ask: `${f.second} is next, at a distance of 1, where hills are ${f.height} high. What is its score?`,
        answer: f.asked,
        hint: "There is one hollow and no hill. A hollow goes down as far as a hill goes up.",
        because: [f.words],
        afterwards: { step: { mistake: 2 } },
      },
    },
    {
      title: "The list is the curve",
      text: [
        `After ${f.mistakes} mistakes every point is right, and the curve is where hills and hollows cancel.`,
        `There are no weights any more. All that is kept is the list of mistakes: the points on it are the *support points*,
          ringed on the plane, and how often each was added. What stands in the place of the product of two points is
          called a *kernel*; this one is rbf.`,
      ],
      bench: "xor",
      step: "end",
      extra: () =>
        table(
          "Scores of the four points",
          ["point", "class", "how often · how high"],
          f.sums.map((one) => [one.at, one.class, one.sum]),
        ),
    },
    {
      title: "How sharp?",
      text: [
        `A larger γ makes hills sharper. These are two moons; each point must be right by more than ${f.margin}. With hills
          as sharp as here, ${f.sharp} of ${f.all} points are ringed: every point speaks for itself, and the machine has
          learned them by heart.`,
      ],
      bench: "sharp",
      step: "end",
      show: { band: false },
      question: {
        ask: "With which γ does the curve need the fewest points?",
        options: f.fewest,
        hint: "Hills too sharp resemble nobody else. Hills too wide are all alike, and many are needed to make them differ.",
        because: ["In between, a few points speak for all of their neighbours."],
        afterwards: { bench: "between", step: "end", show: { band: false } },
      },
      extra: ({ answered, whole }) =>
        answered || whole
          ? table(
              "Support points",
              ["γ", "support points"],
              f.kept.map((one) => [one.gamma, one.points]),
            )
          : null,
    },
    {
      title: "What follows",
      text: [
        `The rule stayed the same: only a mistake changes anything. On the circles of the beginning it takes ${f.ringed} support
          points of ${f.points}.`,
        `A curve has a price: whoever gets the model gets its support points, rows of your data. ‹rosenblatt train --model kernel›
          learns one and says how many rows its file holds. Choose “curve” in the card “Try changing” to try your own points.`,
      ],
      bench: "around",
      step: "end",
      show: { band: false },
    },
  ];
}
