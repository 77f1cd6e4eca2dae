// The call `lesson`: what a lesson puts on the bench, and every number that it speaks of. The words of
// the lessons stand with the page; a number in them is one of the facts given here, each worked out by the engine.

import { many, separable, smoothing } from "./lessons_beyond.js";
import { curves } from "./lessons_curves.js";
import { features, likelihood, losses, parts } from "./lessons_practice.js";
import { bias, classes, line, update } from "./lessons_rule.js";
import { oneOf } from "./wanted.js";

const LESSONS = {
  line,
  update,
  bias,
  classes,
  separable,
  losses,
  features,
  curves,
  likelihood,
  smoothing,
  parts,
  many,
};
const told = new Map();

// One lesson by its name: {benches: {name: points and settings}, facts: {…}}.
export function lesson(body) {
  const name = oneOf("name", body.name, Object.keys(LESSONS));
  if (!told.has(name)) told.set(name, LESSONS[name]());
  return structuredClone(told.get(name)); // a page may change what it gets
}
