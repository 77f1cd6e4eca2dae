// The page that plays a run: the player's own page, with the run as its data and a table for readers without scripts.
//
// The page comes from `rosenblatt.lab.builtin` with its script and style in it; ⟦title⟧, ⟦data⟧, ⟦summary⟧ and ⟦table⟧
// stand for what is put in here.

import { vector } from "./numerals.js";
import { runOf } from "./trace.js";
import { stepWords } from "./words.js";

const MOST_LINES = 400; // of the table
const MOST_WEIGHTS = 24; // of all classes together, in one line of the table
const HEAD = ["step", "weights", "score", "correct?", "update"];
const CHOSEN = { "first wrong": "each on the first wrong row", "worst first": "each on the row that is most wrong" };
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

export function playerPage(course, body, page) {
  const { bench, run } = course;
  const steps = {
    pass: run.numbers.map((number) => number + 1),
    row: run.visited,
    rival: run.updateAt.map((update) => (update < 0 ? null : run.rivals[update])),
  };
  const [n, width] = [bench.points.length, bench.features.length];
  const parts = {
    title: `A perceptron's run: ${n} rows, ${width} feature${width === 1 ? "" : "s"}, ${bench.names.length} classes`,
    data: embedded({ ...runOf(course, body), steps, numbers: bench.classes }),
    summary: summary(course),
    table: table(course),
  };
  return page.replace(/⟦(title|data|summary|table)⟧/g, (_, name) => parts[name]);
}

// JSON that cannot end its script element or open a comment, whatever the names in the data.
function embedded(data) {
  const code = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(data).replace(/[&<>\u007f-\uffff]/g, code);
}

const escaped = (text) => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter]);

function summary({ bench, run, rows }) {
  const counted = (count, what, more = "s") => `${count} ${what}${count === 1 ? "" : more}`;
  const made = CHOSEN[bench.order]
    ? `${counted(run.steps.length, "update")}, ${CHOSEN[bench.order]}`
    : `${counted(run.passes, "pass", "es")}, ${counted(run.steps.length, "mistake")}`;
  const short =
    rows.vectors > 1 && rows.size > MOST_WEIGHTS
      ? `: each line shows the weights of at most 2 of ${rows.classes} classes (the true one, the one punished)`
      : "";
  return `${made}. Scripts are off, so this is the table without its player${short}.`;
}

// The step table; of a long run the first and the last lines, and a line that says so.
function table(course) {
  const { run } = course;
  const count = run.visited.length;
  const half = MOST_LINES / 2;
  const steps = Array.from({ length: count }, (_, step) => step);
  const shown = count <= MOST_LINES ? steps : [...steps.slice(0, half), ...steps.slice(-half)];
  const end = [`${count + 1}`, weightsText(course, run.steps.length, []), "", "", ""];
  const body = [...shown.map((step) => lineOf(course, step)), end].map(
    (line) => `<tr>${line.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`,
  );
  const left = `<tr><td colspan="${HEAD.length}">… ${count - MOST_LINES} steps are left out here</td></tr>`;
  if (count > MOST_LINES) body.splice(half, 0, left);
  const head = HEAD.map((name) => `<th scope="col">${name}</th>`).join("");
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join("\n")}\n</tbody>\n</table>`;
}

function lineOf(course, step) {
  const { run, rows } = course;
  const update = run.updateAt[step];
  const [own, rival] = [rows.truth[run.visited[step]], update < 0 ? -1 : run.rivals[update]];
  const before = update < 0 ? run.steps.filter((at) => at < step).length : update;
  const { arithmetic, change } = stepWords(course, step);
  const [up, down] =
    rival < 0 ? [] : change.slice(`${course.bench.names[own]} `.length).split(`, ${course.bench.names[rival]} `);
  const told = rows.vectors === 1 || rival < 0 ? change : `row ${own} ${up}, row ${rival} ${down}`;
  const weights = weightsText(course, before, rival < 0 ? [own] : [own, rival]);
  return [`${step + 1}`, weights, arithmetic, update < 0 ? "yes" : "no", told];
}

// Many classes with many features would fill a page for each step: then only the rows that an update changes.
function weightsText(course, updates, changed) {
  const { vectors, width, size } = course.rows;
  const weights = course.shown(course.rawAfter(updates));
  const line = (v) => vector(Array.from(weights.slice(v * width, (v + 1) * width)));
  if (vectors === 1 || size <= MOST_WEIGHTS) return Array.from({ length: vectors }, (_, v) => line(v)).join("; ");
  return changed.map((v) => `row ${v}: ${line(v)}`).join("; ");
}
