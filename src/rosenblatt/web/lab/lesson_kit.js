// What the pages of lessons are written with. A page is an object:
// A lesson is name, title, `opens`: the question that somebody would care about, and pages(facts).
//   title, text     its heading and its paragraphs; *a term* is stressed, ‹a sum› is set in figures
//   bench, step, show   what it lays on the bench: the name of a bench, a step (a number, "end" or {mistake: number}),
//                   and what is drawn
//   strength        a place of the slider k of the part on naive Bayes
//   place           "bench" (if not told), "bayes" or "xor": beside what the lesson stands
//   lit             parts of the bench to look at;  looks: [[part, words], …] parts further down, each with a button
//   extra(view)     more than text: a table. view: {lab, answered, whole}; whole: the lesson as text, nothing hidden
//   question        see lesson_question.js; its `afterwards` holds bench, step, show or strength for when it is answered

import { CHOICES, SHOWN } from "./defaults.js";
import { html } from "./draw.js";

// Text with *terms* and ‹figures› as elements; nothing in it can be read as HTML. It may go over several lines.
export function worded(text) {
  return text
    .replace(/\s*\n\s*/g, " ")
    .split(/(\*[^*]+\*|‹[^›]*›)/)
    .filter(Boolean)
    .map((piece) => {
      if (piece[0] === "*" && piece.length > 1) return html("em", {}, piece.slice(1, -1));
      return piece[0] === "‹" ? html("span", { class: "num" }, piece.slice(1, -1)) : piece;
    });
}

export function paragraphs(texts) {
  return texts.map((text) => html("p", {}, ...worded(text)));
}

// The question that a lesson opens with.
export function opening({ opens }) {
  return html("p", { class: "opens" }, opens);
}

const SEVERAL_WORDS = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i; // not set in figures, and may go on in a next line

// A table of texts. `name` is told to a screen reader; a line may be the one at hand.
export function table(name, head, lines, current = -1) {
  const top = html("tr", {}, ...head.map((cell) => html("th", { scope: "col" }, cell)));
  const rows = lines.map((cells, i) => {
    const kind = (cell) => (SEVERAL_WORDS.test(cell) ? "words" : null);
    const row = html("tr", {}, ...cells.map((cell) => html("td", { class: kind(cell) }, ...worded(String(cell)))));
    if (i === current) row.setAttribute("aria-current", "step");
    return row;
  });
  const made = html(
    "table",
    {},
    html("caption", { class: "unseen" }, name),
    html("thead", {}, top),
    html("tbody", {}, ...rows),
  );
  return html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, made);
}

const ONE_COLUMN = matchMedia("(max-width: 860px)");

// Puts a card beside the plane on a wide page, above it on a narrow one; or above another part of the page.
export function standBeside(element, place) {
  const columns = document.querySelector("#bench > .screen");
  const held = document.activeElement;
  if (place !== "bench") document.getElementById(place).prepend(element);
  else if (ONE_COLUMN.matches) columns.before(element);
  else document.getElementById("side").prepend(element);
  if (element.contains(held)) held.focus({ preventScroll: true });
}

// Tells when the page becomes narrow or wide.
export function onColumns(act) {
  ONE_COLUMN.addEventListener("change", act);
}

// Whether the points and choices of this bench are the ones on the page.
export function lies(state, laid) {
  const { data, choices } = dressed(laid);
  return JSON.stringify([data, choices]) === JSON.stringify([state.data, order(state.choices)]);
}

// Lays a bench, unless it lies there already, and goes to the step.
export async function lay(lab, laid, step = 0, show = {}) {
  const { state } = lab;
  lab.time?.pause();
  if (!lies(state, laid)) await state.restore({ ...dressed(laid), window: null, step: 0, show: { ...SHOWN, ...show } });
  else state.setShow({ ...SHOWN, ...show });
  if (step === "end") state.goTo(state.course.length);
  else if (typeof step === "object") state.goToMistake(step.mistake);
  else state.goTo(step);
}

function dressed({ points, labels, classes, features, settings }) {
  return { data: { points, labels, classes, features }, choices: order({ ...CHOICES, ...settings }) };
}

function order(choices) {
  return Object.fromEntries(Object.keys(CHOICES).map((name) => [name, choices[name]]));
}
