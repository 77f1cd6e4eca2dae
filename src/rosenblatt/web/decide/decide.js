// The page of an exported model: a form or a text, the answer with its reasons, a file that comes back with classes.

import { html } from "../elements.js";
import { readTable, writeTable } from "../engine/csv.js";
import { Model } from "../engine/model.js";
import { Problem } from "../engine/problem.js";
import { turn } from "../engine/turns.js";

const SHOWN = 12; // parts of a score
const MOST_NAMED = 6; // classes that are named in a sentence
const MOST_BYTES = 50_000_000; // of a file
const at = (id) => document.getElementById(id);

const data = JSON.parse(at("builtin").textContent);
const model = new Model(data);
const fields = new Map();

function makeForm() {
  at("title").textContent = data.name;
  document.title = data.name;
  at("about").textContent = `${decides()} It works in this page: nothing that you type leaves it.`;
  const single = model.lines.length === 1 && model.texts.length === 1;
  for (const line of model.lines) {
    const text = line.kind === "text";
    const field = html(text ? "textarea" : "input", { name: line.column, ...(text ? {} : { autocomplete: "off" }) });
    if (line.kind === "straight" || line.kind === "curve") field.setAttribute("inputmode", "decimal");
    if (line.values) {
      const list = html(
        "datalist",
        { id: `of-${fields.size}` },
        ...line.values.map((value) => html("option", { value })),
      );
      field.setAttribute("list", list.id);
      at("form").append(list);
    }
    fields.set(line.column, field);
    const label = html("label", { class: text ? "wide" : "" }, single ? "A text" : line.column, field);
    at("form").append(label);
  }
  at("form").append(html("div", { class: "wide" }, html("button", { type: "submit" }, "Decide")));
  at("form").addEventListener("input", () => at("answer").classList.add("old"));
  at("form").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  for (const id of ["card", "columns"])
    for (const [name, value] of data[id]) at(id).append(html("dt", {}, name), html("dd", {}, value));
}

// What it tells apart, as far as that fits into a sentence.
function decides() {
  const { classes } = model;
  const what = model.lines.length === 1 && model.texts.length === 1 ? "a text" : "a row of a table";
  if (classes.length > MOST_NAMED) return `It tells which of ${classes.length} classes ${what} belongs to.`;
  return `It tells whether ${what} is ${listed(classes, "or")}.`;
}

function ask() {
  const values = Object.fromEntries([...fields].map(([name, field]) => [name, field.value]));
  try {
    if (Object.values(values).every((value) => !value.trim())) throw new Problem("Type something first.");
    show(values);
    tell(at("problem"), "");
  } catch (error) {
    at("answer").hidden = true;
    tell(at("problem"), said(error));
  }
}

function said(error) {
  if (error instanceof Problem) return error.message;
  throw error;
}

function tell(element, line) {
  element.textContent = line;
  element.hidden = !line;
}

function show(values) {
  const { code, scores } = model.predict(values);
  const shares = model.probabilities(scores);
  const { parts, constant, towards, over } = model.explain(values);
  const named = model.classes[towards];
  const about = shares ? `${percent(shares[code])} likely to be ${model.classes[code]}` : "";
  const line =
    scores.length === 1
      ? `score ${plain(scores[0])} for ${named}; above ${plain(data.threshold)} it is ${named}`
      : `score ${plain(scores[code])}, the highest`;
  const rest = parts.slice(SHOWN).reduce((sum, { part }) => sum + part, 0);
  const lines = [
    ...parts.slice(0, SHOWN),
    ...(parts.length > SHOWN ? [{ name: `${parts.length - SHOWN} more`, part: rest }] : []),
    ...(constant ? [{ name: "where it starts, before it reads anything", part: constant }] : []),
  ];
  const largest = Math.max(...lines.map(({ part }) => Math.abs(part)), 1e-300);
  at("answer").replaceChildren(
    html("h2", {}, "Its answer"),
    html("p", { class: "class" }, model.classes[code]),
    html("p", { class: "soft" }, [about, line].filter(Boolean).join(" · ")),
    html("p", { id: "turned" }, turned(values)),
    html(
      "table",
      {},
      html(
        "caption",
        { class: "soft" },
        over === null && scores.length > 1
          ? `what speaks for ${named} (right, +), and what against it (left, −)`
          : `what speaks for ${named} (right, +), and what for ${model.classes[over ?? 0]} (left, −)`,
      ),
      html("tbody", {}, ...lines.map((each) => partRow(each, largest))),
    ),
  );
  at("answer").classList.remove("old");
  at("answer").hidden = false;
}

// A line of the table, its bar on one side of the middle.
function partRow({ name, part }, largest) {
  const bar = html("div", { class: part < 0 ? "bar against" : "bar" });
  bar.style.width = `${(100 * Math.abs(part)) / largest}%`;
  return html(
    "tr",
    {},
    html("th", { scope: "row" }, name),
    html("td", { class: "num" }, signed(part)),
    html("td", {}, html("div", { class: "bars" }, bar)),
  );
}

// What would turn the decision, as a sentence.
function turned(values) {
  const found = turn(model, values);
  if (!found) return model.texts.length === model.lines.length ? "Leaving words out would not change it." : "";
  const words = found.changes.filter(({ word }) => word).map(({ before }) => `“${before}”`);
  const others = found.changes
    .filter(({ word }) => !word)
    .map(({ column, before, after }) => `${column} ${after} instead of ${before || "nothing"}`);
  const ways = [words.length ? `without ${listed(words)}` : "", others.length ? `with ${listed(others)}` : ""];
  const said = `${ways.filter(Boolean).join(" and ")} it would be ${model.classes[found.becomes]}.`;
  return `${said[0].toUpperCase()}${said.slice(1)}${found.exact ? "" : " Perhaps fewer changes would do."}`;
}

function listed(names, word = "and") {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
}

async function readFile(file) {
  try {
    if (file.size > MOST_BYTES)
      throw new Problem(`${file.name} has more than ${MOST_BYTES / 1e6} MB. Give a part of it.`);
    const { names, rows } = readTable(await file.text());
    const lacking = model.lines.filter((line) => !names.includes(line.column) && line.missing === null);
    if (!lacking.length) return decideAll(file, names, rows, (row) => row);
    const [{ column }] = lacking;
    if (model.lines.length > 1)
      throw new Problem(`${file.name}: no column named '${column}'. Columns are: ${names.join(", ")}.`);
    const chosen = (name) => decideAll(file, names, rows, (row) => ({ [column]: row[name] }));
    return names.length === 1 ? chosen(names[0]) : askColumn(names, chosen);
  } catch (error) {
    at("file-told").textContent = said(error);
  }
}

// A model of one column takes any column of a file; which one, a person knows.
function askColumn(names, chosen) {
  const list = html("select", {}, ...names.map((name) => html("option", {}, name)));
  const go = html("button", { type: "button" }, "Decide");
  go.addEventListener("click", () => chosen(list.value));
  at("file-told").replaceChildren(html("label", {}, "Which column is it to read?", list), " ", go);
}

// Every row with its class, and how likely that is; saved at once.
function decideAll(file, names, rows, given) {
  try {
    const counts = new Map();
    const lines = rows.map((row, k) => {
      try {
        const { code, scores } = model.predict(given(row));
        counts.set(code, (counts.get(code) ?? 0) + 1);
        const shares = model.probabilities(scores);
        return [...names.map((name) => row[name]), model.classes[code], ...(shares ? [shares[code].toFixed(4)] : [])];
      } catch (error) {
        throw error instanceof Problem ? new Problem(`${file.name}, row ${k + 1}, ${error.message}`) : error;
      }
    });
    const head = [...names, "prediction", ...(data.calibration ? ["probability"] : [])];
    const link = html("a", { download: `${file.name.replace(/\.\w+$/, "")}-predicted.csv` }, "Save it again");
    link.href = URL.createObjectURL(new Blob([writeTable([head, ...lines])], { type: "text/csv" }));
    const often = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_NAMED);
    const shown = often.map(([code, count]) => `${count} ${model.classes[code]}`).join(", ");
    at("file-told").replaceChildren(`${rows.length} rows decided: ${shown}. ${link.download} is saved. `, link);
    link.click();
  } catch (error) {
    at("file-told").textContent = said(error);
  }
}

function plain(value) {
  return Number(value.toPrecision(4)).toString();
}

function signed(value) {
  return `${value < 0 ? "−" : "+"}${plain(Math.abs(value))}`;
}

function percent(share) {
  return `${(100 * share).toFixed(1)}%`;
}

makeForm();
at("file").addEventListener("change", () => at("file").files[0] && readFile(at("file").files[0]));
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("drop");
});
addEventListener("dragleave", () => document.body.classList.remove("drop"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("drop");
  if (event.dataTransfer.files[0]) readFile(event.dataTransfer.files[0]);
});
