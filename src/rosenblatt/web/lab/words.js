// Each step in one sentence. The server tells those of updates; a step without one needs only the score that it gave.

import { figure } from "../engine/curve_words.js";
import { numeral } from "../engine/numerals.js";

export function sentence(course, moment) {
  if (moment.words) return moment.words;
  if (moment.step === 0 && course.kernel) return "The run starts with no support points: every score is 0.";
  if (moment.step === 0) {
    return moment.after.every((w) => w === 0)
      ? "The run starts with all weights at 0."
      : "The run starts with the weights that were given.";
  }
  const name = course.classes[moment.truth];
  const point = `Point ${moment.row + 1} at (${place(course, moment)}) is ${name}`;
  const shown = (course.kernel ? figure : numeral)(moment.scores[course.vectors === 1 ? 0 : moment.truth]);
  const how = course.vectors === 1 ? `its score is ${shown}` : `${name} scores highest with ${shown}`;
  return `${point} and ${how}: right, so nothing changes.`;
}

function place(course, moment) {
  return Array.from(course.bias ? moment.features.slice(1) : moment.features, numeral).join(", ");
}

// Where the run is, in the words of the line under the picture.
export function whereabouts(course, moment) {
  const what = course.margin > 0 ? "update" : "mistake";
  return `${what} ${moment.updates} · pass ${moment.pass} · example ${moment.step}`;
}
