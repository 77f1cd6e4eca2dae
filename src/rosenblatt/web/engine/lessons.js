// The call `lesson`: what one of the seven lessons puts on the bench, and every number that it speaks of. The words of
// the lessons stand with the page; a number in them is one of the facts given here, each worked out by the engine.

import { many, separable, smoothing } from "./lessons_beyond.js";
import { bias, classes, line, update } from "./lessons_rule.js";
import { oneOf } from "./wanted.js";

const LESSONS = { line, update, bias, classes, separable, smoothing, many }; // in the order of the notes
const told = new Map();

// One lesson by its name: {benches: {name: points and settings}, facts: {…}}.
export function lesson(body) {
  const name = oneOf("name", body.name, Object.keys(LESSONS));
  if (!told.has(name)) told.set(name, LESSONS[name]());
  return structuredClone(told.get(name)); // a page may change what it gets
}
