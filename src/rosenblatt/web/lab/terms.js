// The score of two classes term by term: a term that is pointed at, or reached with Tab, lights its weight, the axis of
// its feature and the point.

import { arithmetic, weightsText } from "../words.js";
import { terms, vectorParts } from "../engine/numerals.js";
import { html, numeral } from "./draw.js";

export function makeTerms(lab) {
  let lit = [];
  const light = (parts, j) => {
    for (const part of lit) part.classList.remove("lit-term");
    lit = parts;
    for (const part of lit) part.classList.add("lit-term");
    lab.plane?.light(j);
  };

  // Fills the cells of the score and of the weights that gave it.
  return (course, moment, score, before) => {
    light([], -1);
    const sum = moment.step > 0 && course.vectors === 1 && !course.wide;
    if (!sum) {
      score.textContent = moment.step > 0 ? arithmetic(course, moment) : "";
      before.textContent = weightsText(course, moment.before, moment);
      return;
    }
    const weights = vectorParts(moment.before).map((text) => html("span", { class: "weight" }, text));
    const made = terms(moment.before, moment.features).map((text, j) => {
      const name = `weight of ${course.features[j]}, ${numeral(moment.before[j])}, times ${numeral(moment.features[j])}`;
      const term = html("button", { type: "button", class: "term", title: name }, text);
      for (const act of ["pointerenter", "focus"]) term.addEventListener(act, () => light([term, weights[j]], j));
      for (const act of ["pointerleave", "blur"]) term.addEventListener(act, () => light([], -1));
      return term;
    });
    score.replaceChildren(...between(made, " + "), ` = ${numeral(moment.scores[0])}`);
    before.replaceChildren("[", ...between(weights, ", "), "]");
  };
}

const between = (parts, text) => parts.flatMap((part, j) => (j ? [text, part] : [part]));
