// The run as Berkeley, UCLA or Cornell make and write it: ties, order, place of the bias, and letters are the course's.

import { card, field, heading, html, select } from "./draw.js";
import { whenSeen } from "./space.js";

const COURSES = [
  ["berkeley", "Berkeley CS 188"],
  ["ucla", "UCLA CS M146"],
  ["cornell", "Cornell CS 4780"],
];
const ABOUT = {
  berkeley: "A score of 0 counts as +. The bias is first; rows come in their order.",
  ucla: "y θᵀx ≤ 0 is a mistake; the update is θ + α y x. The bias is first; rows come in their order.",
  cornell: "While there is a wrong row, update on it: here the first. t counts updates, and the bias is last.",
};

export function makeCourses(lab) {
  const { state } = lab;
  const chosen = select(COURSES, () => ask());
  const [about, why] = [html("p", { class: "note" }), html("p", { class: "note" })];
  const box = html("div", {
    class: "scroll",
    tabindex: "0",
    role: "region",
    "aria-label": "The run as the course has it",
  });
  const element = card("As a course writes it", field("course", chosen), about, box, why);
  let turn = 0;

  const ask = async () => {
    const { course } = state;
    if (!course) return;
    const mine = ++turn;
    about.textContent = ABOUT[chosen.value];
    try {
      const found = await lab.call("course_table", { ...course.question, course: chosen.value });
      if (mine !== turn) return;
      const [head, ...rows] = found.set;
      box.replaceChildren(...(head ? [table(head, rows)] : []), table(found.head, found.lines));
      why.textContent = `${found.left_out ? `${found.left_out} more lines. ` : ""}${found.why}`;
      lab.problem(element, "");
    } catch (problem) {
      if (mine !== turn) return;
      box.replaceChildren();
      why.textContent = "";
      lab.problem(element, problem.message);
    }
  };
  const seen = whenSeen(element, ask);
  state.on("run", () => seen() && ask());
  return element;
}

function table(head, lines) {
  const top = html("tr", {}, ...head.map(heading));
  const body = lines.map((line) => html("tr", {}, ...line.map((cell) => html("td", {}, cell))));
  return html("table", {}, html("thead", {}, top), html("tbody", {}, ...body));
}
