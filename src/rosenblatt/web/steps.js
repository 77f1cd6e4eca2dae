// The step table of the notes. Only the lines in view exist, so a run of 100,000 steps scrolls like one of 10.

import { html } from "./elements.js";
import * as words from "./words.js";

const LINE = 30; // the height of a line in the style sheet
const AROUND = 6; // lines kept ready above and below
const HEAD = ["step", "weights", "score", "correct?", "update"];
const RECORDED_HEAD = ["step", "weights", "score", "row", "update"]; // every line is an update
const WIDE_HEAD = ["step", "score", "row", "update"];

const headOf = (run) => run.texts?.head ?? (run.wide ? WIDE_HEAD : run.recorded ? RECORDED_HEAD : HEAD);

export function makeSteps(run, choose) {
  const body = html("tbody");
  const head = html("thead", {}, html("tr", {}, ...headOf(run).map((name) => html("th", { scope: "col" }, name))));
  const table = html("table", { "aria-rowcount": run.length + 2 }, head, body);
  const box = html("div", { class: "rp-steps", tabindex: "0", role: "region", "aria-label": "All steps" }, table);
  const view = { run, body, box, choose, now: 0 };
  box.addEventListener("scroll", () => render(view), { passive: true });
  const draw = (moment) => {
    view.now = moment.step;
    // The line of a step shows the weights before it, so its result stands in the next one.
    const top = (moment.step - 1) * LINE;
    const room = box.clientHeight - 2 * LINE;
    if (top < box.scrollTop || top > box.scrollTop + room - LINE) box.scrollTop = Math.max(0, top - room / 2);
    render(view);
  };
  return { element: box, draw };
}

function render(view) {
  const { run, body, box } = view;
  const lines = run.length + (run.wide ? 0 : 1); // and one with the weights at the end, where they can be shown
  const first = Math.max(0, Math.min(lines - 1, Math.floor(box.scrollTop / LINE) - AROUND));
  const last = Math.min(lines, first + Math.ceil((box.clientHeight || 10 * LINE) / LINE) + 2 * AROUND);
  const rows = [];
  if (first) rows.push(space(first));
  for (let i = first; i < last; i++) rows.push(line(view, i + 1));
  if (last < lines) rows.push(space(lines - last));
  body.replaceChildren(...rows);
}

// Empty lines in place of many; an even height in one piece is beyond what some browsers draw.
function space(count) {
  const cell = html("td", { colspan: HEAD.length });
  cell.style.height = `${count * LINE}px`;
  return html("tr", { class: "rp-space", "aria-hidden": "true" }, cell);
}

function told(run, moment) {
  if (run.recorded) return `${run.origins[moment.row]} (${run.classes[moment.truth]})`;
  return moment.rival < 0 ? "yes" : "no";
}

function line(view, step) {
  const { run } = view;
  const end = step > run.length;
  const weights = run.weightsAfter(step - 1);
  const moment = end ? { step: 0 } : run.moment(step);
  const { weightsText, arithmetic, update } = run.texts ?? words; // a run without weights has words of its own
  const cells = [String(run.number(step)), weightsText(run, weights, moment), "", "", ""];
  if (!end) cells.splice(2, 3, arithmetic(run, moment), told(run, moment), update(run, moment));
  if (run.wide) cells.splice(1, 1);
  const row = html("tr", { "aria-rowindex": step + 1 }, ...cells.map((cell) => html("td", {}, cell)));
  if (step === view.now) row.setAttribute("aria-current", "step");
  if (!end) row.addEventListener("click", () => view.choose(step)); // by keyboard: the slider and the keys
  return row;
}
