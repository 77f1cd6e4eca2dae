// A file or a built-in set: read by the server, in memory; then two of its columns become the plane.

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

  file.addEventListener("change", () => {
    const [given] = file.files;
    if (!given) return;
    named.value = "";
    read(async () => {
      if (given.size > MOST_BYTES)
        throw new Error(`${given.name} has ${given.size} bytes; the lab reads at most ${MOST_BYTES}.`);
      return lab.call("load", given, { query: { name: given.name } });
    });
  });

  const offer = (found) => {
    const numeric = found.columns.filter((column) => column.numeric).map(({ name }) => [name, name]);
    const all = found.columns.map(({ name }) => [name, name]);
    if (numeric.length < 2) {
      const have = numeric.length
        ? `only the column ${numeric[0][0]} holds nothing but numbers`
        : "no column holds nothing but numbers";
      throw new Error(`${found.name}: ${have}; the plane needs two.`);
    }
    const others = numeric.filter(([name]) => name !== found.label);
    const [x, y, label] = [select(numeric, () => {}), select(numeric, () => {}), select(all, () => {})];
    label.value = found.label ?? all.at(-1)[0];
    x.value = others[0]?.[0];
    y.value = (others[1] ?? others[0])?.[0];
    const sample = html("input", { type: "checkbox" });
    const show = button(
      "Show these points",
      () => pick({ x: x.value, y: y.value, label: label.value, sample: sample.checked ? 0 : null }),
      { class: "main" },
    );
    columns.replaceChildren(
      html("p", {}, `${found.name}: ${found.rows} rows.`),
      field("across", x),
      field("up", y),
      field("class", label),
    );
    if (found.rows > 2000) columns.append(html("label", { class: "check" }, sample, "take 2,000 rows by chance"));
    columns.append(html("div", { class: "row" }, show));
    lab.say(`${found.rows} rows read. Choose two columns.`);
    show.focus();
  };

  const pick = async (wanted) => {
    try {
      const found = await lab.call("pick", wanted);
      await lab.state.setPoints(found.points, found.labels, { classes: found.classes, features: found.features });
      lab.problem(box, "");
      dialog.close();
      const note = found.note ? ` ${found.note}` : "";
      lab.sources.tell(`${found.points.length} points of ${wanted.x} and ${wanted.y}.${note}`);
    } catch (problem) {
      lab.problem(box, problem.message);
    }
  };

  return { button: button("Load a file…", () => dialog.showModal()) };
}
