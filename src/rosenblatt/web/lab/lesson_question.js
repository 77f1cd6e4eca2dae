// A question of a lesson, answered before the page shows the result: a number to type, or one of several answers.
//   { ask, answer: 5, hint, because: [paragraph, …], afterwards }                    a number; 3/5 and 0,6 are understood
//   { ask, options: [{text, right}, …], whys: {text: why it is not so} or one hint, because, afterwards }

import { button, html } from "./draw.js";
import { paragraphs, worded } from "./lesson_kit.js";

const NEAR = 0.002; // of the number: what is rounded to three digits counts as right

let questions = 0;

// `settled(how)` is called with "right" or "shown" once the answer may be seen; `known` is how it was settled before.
export function makeQuestion(question, known, settled) {
  const name = `question-${++questions}`;
  const field = question.options ? choices(question, name) : number(question, name);
  const feedback = html("div", { class: "feedback", role: "status" });
  const show = button("Show me", () => settle("shown"));
  const check = html("button", { type: "submit", class: "main" }, "Check");
  const buttons = html("div", { class: "row" }, check, show);
  const legend = html("legend", {}, html("b", {}, "Your turn. "), ...worded(question.ask));
  const set = html("fieldset", {}, legend, field.element);
  const element = html("form", { class: "question", novalidate: "" }, set, buttons, feedback);

  const settle = (how) => {
    tell(how);
    settled(how);
  };
  const tell = (how) => {
    const start =
      how === "right"
        ? [html("p", { class: "good" }, "✓ Right.")]
        : [html("p", {}, html("b", {}, `Answer: ${answerText(question)}`))];
    feedback.replaceChildren(...start, ...paragraphs(question.because));
    field.fill();
    set.disabled = true;
    buttons.hidden = true;
  };
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = field.read();
    if (given === null) return wrong("", field.missing);
    if (question.options ? given.right : Math.abs(given - question.answer) <= NEAR * Math.abs(question.answer))
      return settle("right");
    wrong("Not quite. ", question.whys?.[given.text] ?? question.hint);
  });
  const wrong = (start, words) =>
    feedback.replaceChildren(html("p", {}, html("b", { class: "bad" }, start), ...worded(words)));
  if (known) tell(known);
  return element;
}

export function answerText(question) {
  return question.options
    ? question.options.find((option) => option.right).text
    : (question.answerText ?? String(question.answer));
}

// The question for reading only, its answer folded away, with the table that shows it if there is one.
export function readQuestion(question, shown) {
  const options = question.options
    ? [html("ul", {}, ...question.options.map((option) => html("li", {}, ...worded(option.text))))]
    : [];
  const answer = html("p", {}, html("b", {}, `Answer: ${answerText(question)}`));
  const folded = html("details", {}, html("summary", {}, "The answer"), answer, ...paragraphs(question.because));
  if (shown) folded.append(shown);
  return html(
    "div",
    { class: "question" },
    html("p", {}, html("b", {}, "A question. "), ...worded(question.ask)),
    ...options,
    folded,
  );
}

function choices(question, name) {
  const boxes = question.options.map((option, i) => html("input", { type: "radio", name, value: i }));
  const labels = question.options.map((option, i) =>
    html("label", { class: "check" }, boxes[i], html("span", {}, ...worded(option.text))),
  );
  const read = () => question.options[boxes.findIndex((box) => box.checked)] ?? null;
  const fill = () => question.options.forEach((option, i) => (boxes[i].checked = option.right));
  return {
    element: html("div", { class: "answers" }, ...labels),
    read,
    fill,
    missing: "Choose one of the answers, or let the page show you.",
  };
}

function number(question, name) {
  const input = html("input", { class: "figure", id: name, inputmode: "decimal", autocomplete: "off" });
  const read = () => readNumber(input.value);
  const fill = () => (input.value = answerText(question));
  return {
    element: html("label", { class: "field" }, html("span", {}, "your answer"), input),
    read,
    fill,
    missing: "Type a number, like -3, 0.5 or 1/2.",
  };
}

// "−3", "0,5" or "1/2" as a number, null for anything else.
export function readNumber(text) {
  const plain = text.trim().replaceAll("−", "-").replace(",", ".");
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:\s*\/\s*(\d+\.?\d*))?$/.exec(plain);
  const value = found ? Number(found[1]) / Number(found[2] ?? 1) : NaN;
  return Number.isFinite(value) ? value : null;
}
