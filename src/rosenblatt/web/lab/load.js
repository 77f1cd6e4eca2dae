// A file or a built-in set: read by the server, in memory; then two of its columns become the plane.

import { thousands } from "../engine/numerals.js";
import { button, field, html, select } from "./draw.js";

const BUILT_IN = [
  ["", "choose a set…"],
  ["iris", "iris"],
  ["wine", "wine"],
  ["breast-cancer", "breast cancer"],
  ["digits", "digits"],
  ["apples", "apples"],
  ["notes", "the notes' five points"],
  ["and", "AND"],
  ["or", "OR"],
  ["xor", "XOR"],
];
const MOST_BYTES = 4_000_000;
const [TINY, ENOUGH, MOST_TENS] = [1, 8, 12]; // ranges, and powers of ten
const TABLE = /\.(csv|tsv|tab)$/i;

export function makeLoad(lab) {
  const file = html("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv" });
  const named = select(BUILT_IN, () => named.value && read(() => lab.call("open", { name: named.value })));
  const columns = html("div", { class: "stack" });
  const box = html("div");
  const close = button("Close", () => dialog.close());
  const dialog = html(
    "dialog",
    { "aria-labelledby": "load-title" },
    html("h3", { id: "load-title" }, "Load points"),
    html(
      "p",
      { class: "note" },
      "A table with a heading line, at least two columns of numbers and one of classes. It stays in the " +
        "memory of this computer.",
    ),
    html(
      "div",
      { class: "stack" },
      field("a CSV file", file),
      field("or a built-in set", named),
      columns,
      box,
      html("div", { class: "row" }, close),
    ),
  );
  document.body.append(dialog);

  const read = async (ask) => {
    columns.replaceChildren();
    lab.problem(box, "");
    try {
      offer(await ask());
    } catch (problem) {
      lab.problem(box, problem.message);
    }
  };

  const readFile = (given) => {
    named.value = "";
    return read(async () => {
      checkSize(given);
      return lab.call("load", given, { query: { name: given.name } });
    });
  };
  file.addEventListener("change", () => file.files[0] && readFile(file.files[0]));

  // A file that is dropped on the page: a table becomes points, a text is a message for Mail.
  const take = async (given) => {
    try {
      checkSize(given);
      if (TABLE.test(given.name)) {
        dialog.showModal();
        await readFile(given);
      } else await lab.readMessage(await textOf(given), given.name);
      lab.problem(lab.plane.element, "");
    } catch (problem) {
      lab.problem(lab.plane.element, problem.message);
    }
  };
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault(); // or the browser would leave the lab for the file
    const [given] = event.dataTransfer?.files ?? [];
    if (given) take(given);
  });

  const offer = (found) => {
    const numeric = found.columns.filter((column) => column.numeric).map(({ name }) => [name, name]);
    const all = found.columns.map(({ name }) => [name, name]);
    if (numeric.length < 2) {
      const have = numeric.length
        ? `only the column ${numeric[0][0]} holds nothing but numbers`
        : "no column holds nothing but numbers";
      throw new Error(`${found.name}: ${have}; the plane needs two. Texts with labels can be learned from under Mail.`);
    }
    const others = numeric.filter(([name]) => name !== found.label);
    const [x, y, label] = [select(numeric, () => {}), select(numeric, () => {}), select(all, () => {})];
    label.value = found.label ?? all.at(-1)[0];
    x.value = others[0]?.[0];
    y.value = (others[1] ?? others[0])?.[0];
    const sample = html("input", { type: "checkbox" });
    const rows = () => ({ label: label.value, sample: sample.checked ? 0 : null });
    const show = button("Show these points", () => pick({ x: x.value, y: y.value, ...rows() }), { class: "main" });
    const weights = button(`All ${all.length - 1} columns, as weights`, () => weigh(found.name, rows()));
    columns.replaceChildren(
      html("p", {}, `${found.name}: ${found.rows} rows.`),
      field("across", x),
      field("up", y),
      field("class", label),
    );
    if (found.rows > 2000) columns.append(html("label", { class: "check" }, sample, "take 2,000 rows by chance"));
    columns.append(html("div", { class: "row" }, show, all.length > 3 ? weights : ""));
    lab.say(`${found.rows} rows read. Choose two columns.`);
    show.focus();
  };

  const pick = async (wanted) => {
    try {
      const found = await lab.call("pick", wanted);
      const { points, features } = enlarged(found);
      await lab.state.setPoints(points, found.labels, { classes: found.classes, features });
      lab.problem(box, "");
      dialog.close();
      const note = found.note ? ` ${found.note}` : "";
      lab.sources.tell(`${points.length} points of ${features.join(" and ")}.${note}`);
    } catch (problem) {
      lab.problem(box, problem.message);
    }
  };

  const weigh = async (name, wanted) => {
    try {
      const found = await lab.call("weigh", wanted);
      dialog.close();
      lab.problem(box, "");
      await lab.showWide(name, found);
    } catch (problem) {
      lab.problem(box, problem.message);
    }
  };

  return { button: button("Load a file…", () => dialog.showModal()) };
}

// The plane keeps multiples of 1/64, which a column of a tiny range would not survive: it is shown some powers of ten
// larger, and its name says so.
function enlarged({ points, features }) {
  const factors = features.map((_, k) => {
    const values = points.map((point) => point[k]);
    const span = Math.max(...values) - Math.min(...values);
    return span > 0 && span < TINY ? 10 ** Math.min(MOST_TENS, Math.ceil(Math.log10(ENOUGH / span))) : 1;
  });
  return {
    points: points.map((point) => point.map((value, k) => value * factors[k])),
    features: features.map((name, k) => (factors[k] === 1 ? name : `${name} × ${thousands(factors[k])}`)),
  };
}

function checkSize({ name, size }) {
  if (size > MOST_BYTES)
    throw new Error(`${name} has ${thousands(size)} bytes; the lab reads at most ${thousands(MOST_BYTES)}.`);
}

// A NUL is in every picture and archive, and in no text.
async function textOf(given) {
  const text = await given.text();
  if (text.includes("\0")) throw new Error(`${given.name} is no text. The lab reads tables (CSV) and plain texts.`);
  return text;
}
