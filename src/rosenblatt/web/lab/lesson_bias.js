// A lesson: without a bias every boundary meets the origin; with it, it can stand anywhere.

import { table } from "./lesson_kit.js";

export const name = "bias";
export const title = "Why there is a bias";
export const opens = "Why can it fail on two groups that anybody can tell apart?";

export function pages(f) {
  const { near, far } = f;
  return [
    {
      title: "Through the origin",
      text: [
        `Here the bias is switched off. A score is only the weight of x1 times x1 plus the weight of x2 times x2. At
          the origin that is 0, whatever the weights: ‹${f.origin.sum}›.`,
        "So every boundary goes through the origin. Learning can turn it, and nothing else.",
      ],
      bench: "trial",
      step: 0,
      show: { band: false },
      question: {
        ask: `With the weights ‹${f.trial}› the point ${near.at} scores ‹${near.sum}›. The point ${far.at} lies in
          the same direction, ${f.times} times as far out. What does it score?`,
        answer: far.score,
        answerText: far.text,
        hint: `Both numbers of ${near.at} are multiplied by ${f.times}. What does that do to each product of the sum?`,
        because: [
          `‹${far.sum}›: ${f.times} times as much. That holds for all weights, so the two points always get the same
            sign.`,
          `But ${near.at} is ${near.class} and ${far.at} is ${far.class}. One of them will always be wrong.`,
        ],
        afterwards: { bench: "without", step: "end", show: { band: false } },
      },
    },
    {
      title: "It cannot be done",
      text: [
        "The page can prove that no boundary through the origin is right on these points:",
        f.impossible,
        `And the run shows it. ${f.ended_without}`,
      ],
      bench: "without",
      step: "end",
      show: { band: false },
      looks: [["certificate", "See the proof"]],
    },
    {
      title: "One more feature",
      text: [
        `Now every point gets one more feature, which is always 1. Its weight is the *bias*. It is learned like any
          other weight: plus 1 or minus 1 at each mistake.`,
        `${f.ended_with} The weights are ‹${f.final}›, the bias first. The origin now scores ‹${f.origin_with.sum}›,
          so the boundary need not meet it.`,
      ],
      bench: "with",
      step: "end",
      extra: () =>
        table(
          "The two points on one ray, with the bias",
          ["point", "class", "score"],
          [
            [near.at, near.class, f.near_with.sum],
            [far.at, far.class, f.far_with.sum],
          ],
        ),
    },
    {
      title: "The same thing, one dimension up",
      text: [
        `Nothing else about the rule has changed. With the extra 1, the points lie in a space of one more dimension,
          all at height 1. There the boundary is a plane through the origin again.`,
        `What we see in the picture is the line where this plane cuts the height 1. This way to write it is called
          the *homogeneous form*.`,
      ],
      bench: "with",
      step: "end",
      looks: [
        ["surface", "The score as a surface"],
        ["homogeneous", "The plane through the origin"],
      ],
    },
  ];
}
