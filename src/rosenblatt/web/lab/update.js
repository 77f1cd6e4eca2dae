// What just happened: one sentence, the numbers, and the sum of vectors that it is.

import { figure } from "../engine/curve_words.js";
import { update as change, weightsText } from "../words.js";
import { makeArrows } from "./arrows.js";
import { card, facts, html, key, numeral } from "./draw.js";
import { makeTerms } from "./terms.js";
import { makeCurveFacts } from "./update_curve.js";
import { sentence } from "./words.js";

const NAMES = ["score", "w before", "update", "w after", "its score now"];

export function makeUpdate(lab) {
  const { state } = lab;
  const say = html("p", { class: "say" });
  const [table, curve] = [facts(NAMES), makeCurveFacts()];
  const ended = html("p", { class: "ended" }); // why the run stopped, once it has
  const arrows = makeArrows();
  const fillSum = makeTerms(lab);
  const about = html("p", { class: "note" });
  const element = card("This update", say, ended, table.element, curve.element, about);
  const sum = card("The update as a sum of arrows", arrows.element);

  state.on("step", () => {
    const { course } = state;
    const moment = state.moment();
    if (!moment) {
      say.textContent = state.trouble ?? "";
      ended.textContent = "";
      for (const name of NAMES) table.cells[name].textContent = "";
      return arrows.clear();
    }
    const mark = moment.step ? [key(course.look(moment.truth)), " "] : [];
    say.replaceChildren(...mark, sentence(course, moment));
    const { words, limited } = course.answer;
    ended.textContent = moment.step === course.length ? [words, limited].filter(Boolean).join(" ") : "";
    table.element.hidden = sum.hidden = Boolean(course.kernel);
    curve.element.hidden = !course.kernel;
    if (course.kernel) {
      curve.fill(course, moment, now(course, moment));
      about.textContent = curve.about(course);
      return;
    }
    fillSum(course, moment, table.cells.score, table.cells["w before"]);
    fill(course, moment, table.cells);
    arrows.draw(course, moment);
    const line =
      course.vectors === 1 ? "The line is where the score is 0." : "A line is where two classes score the same.";
    about.textContent = line + (course.bias ? " The first number of a point is the bias, always 1." : "");
  });
  return { element, arrows: sum };
}

function fill(course, moment, cells) {
  cells["w after"].textContent = weightsText(course, moment.after, moment);
  cells.update.textContent = moment.step > 0 ? change(course, moment) : "";
  cells["its score now"].replaceChildren(...now(course, moment));
}

// What became of the score of the point at hand.
function now(course, moment) {
  if (!moment.step || !moment.scoresAfter) return [];
  const { scoresAfter: after, truth } = moment;
  const rivals = Array.from(after).filter((_, c) => c !== truth);
  const wrong =
    course.vectors === 1 ? (truth ? after[0] : -after[0]) <= 0 : rivals.some((score) => score >= after[truth]);
  const tied = course.vectors === 1 ? after[0] === 0 : wrong && rivals.every((score) => score <= after[truth]);
  const [word, name] = tied ? ["tied", "bad"] : wrong ? ["still wrong", "bad"] : ["right", "good"];
  return [`${Array.from(after, course.kernel ? figure : numeral).join("; ")} `, html("span", { class: name }, word)];
}
