// A lesson: the bound on mistakes, the bracket of the margin, and rows that cancel.

import { table } from "./lesson_kit.js";

export const name = "separable";
export const title = "Can it be done at all?";
export const opens = "It keeps making mistakes. Will it ever stop?";

export function pages(f) {
  return [
    {
      title: "A bound before the first step",
      text: [
        `If some line has every +1 strictly on one side and every −1 on the other, the points are *separable*. Then
          the perceptron always finds such a line.`,
        `Better still, we know how many mistakes it can make at most: ‹(R/γ)²›. R is the length of the longest row. γ
          is the *margin*: how far the best boundary stays away from the nearest row. Both count the feature that is
          always 1.`,
        `Here R² = ${f.squared} and γ = ${f.margin}. That makes at most ${f.bound} mistakes for a run from 0.`,
      ],
      bench: "five",
      step: 0,
      lit: ["bound"],
      question: {
        ask: `The points may come in another order, as unlucky as you like. Could a run from 0 make ${f.asked}
          mistakes?`,
        options: f.options,
        whys: { "Yes, with bad luck.": `The bound of ${f.bound} asks nothing about the order.` },
        because: [`At most ${f.bound}, in every order. In the order given here there are ${f.mistakes}. ${f.ended}`],
        afterwards: { step: "end" },
      },
    },
    {
      title: "The run measures the margin",
      text: [
        `While it runs, a perceptron measures the margin for nothing. After n mistakes from 0, no line can have a
          margin above the length of the weights divided by n.`,
        `At the end all points are right, and the weights have a margin of their own. So the best margin lies between
          ${f.low} and ${f.high}. It is ${f.margin}.`,
      ],
      bench: "five",
      step: { mistake: f.bracket.at(-2).mistakes },
      lit: ["bound"],
      looks: [["mistakes", "Mistakes against the bound"]],
      extra: () =>
        table(
          "What the run knows of the margin",
          ["mistakes", "margin at most"],
          f.bracket.map((one) => [one.mistakes, one.at_most]),
        ),
    },
    {
      title: "Wide and thin",
      text: [
        `A wide gap between the classes is easy: few mistakes are possible at all. A thin one is hard. The bound
        is for the worst case; most runs stay far below it.`,
      ],
      bench: "thin",
      step: "end",
      extra: () =>
        table(
          "Two sets of points",
          ["points", "margin", "R", "bound", "mistakes made"],
          f.sets.map((one) => [one.name, one.margin, one.radius, one.bound, one.mistakes]),
        ),
    },
    {
      title: "When no line can do it",
      text: [
        "These four points are XOR: +1 where exactly one input is 1. No line separates them, and four rows prove it.",
        `Take each row with its 1 in front, and turn the sign of every −1 row. Weights that were right everywhere
          would give all four a score above 0. But ${f.parts[0].weight} of each adds up to ‹${f.sum}›, and that
          scores 0. So there are no such weights.`,
      ],
      bench: "xor",
      step: 0,
      extra: () =>
        table(
          "Rows that cancel",
          ["point", "signed row", "share", "share × row"],
          [...f.parts.map((part) => [part.at, part.signed, part.weight, part.times]), ["sum", "", "", f.sum]],
        ),
      question: {
        ask: "What will the perceptron do with these points?",
        options: f.xor_options,
        whys: {
          "It finds a line after very many passes.": "There is no line to be found; the rows above prove it.",
          "The weights grow without end.": "What one row adds, the others take away again. Look at the sum.",
        },
        because: [
          `After pass ${f.passes} the weights are ‹${f.after}›, where they began. ${f.cycle}`,
          `On points that cannot be separated the weights always stay bounded. In a fixed order, with fractions as
            features, they come back in the end, though that may take very long.`,
        ],
        afterwards: { step: "end" },
      },
    },
  ];
}
