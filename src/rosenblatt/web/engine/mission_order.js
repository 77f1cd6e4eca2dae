// Mission: the same points in an order that costs half the mistakes.

import { run } from "./answer.js";
import { changed, laid, told, usual } from "./mission_bench.js";
import { FIVE } from "./presets.js";

export const name = "order";
export const title = "The same points, half the mistakes";
export const asks = [
  "Does it matter in which order one learns? Read as they stand, these five points cost 445 mistakes from a start at 0. Find an order that costs at most half of them.",
  "Only the order and its seed may change, in the card “Try changing”.",
];
export const hints = [
  "Choose “shuffled” in “Try changing”: every pass then has an order of its own.",
  "The seed decides the orders. Try some: 0, 1, 4.",
];
export const learned =
  "The bound holds for every order, but the number of mistakes within it depends on the order. Shuffling anew in each pass is a good habit, and a seed makes it repeatable.";
export const bench = { ...FIVE, settings: { seed: 2 } };

export function check(given) {
  const now = laid(given);
  if (changed(now, FIVE) || now.points.length !== FIVE.points.length) {
    return told(false, "These are other points. Press “Reset the points”, and change the order alone.");
  }
  const { shuffle = false, seed = 0 } = now.settings ?? {};
  const before = usual(FIVE, { passes: 10_000 }).n_mistakes;
  const found = run({ ...FIVE, settings: { shuffle, seed, passes: 10_000 } });
  const how = shuffle ? `Shuffled with seed ${seed}` : "In the given order";
  const made = `${how} it makes ${found.n_mistakes} mistakes; half of ${before} is ${before / 2}.`;
  return told(found.separated && found.n_mistakes <= before / 2, made);
}
