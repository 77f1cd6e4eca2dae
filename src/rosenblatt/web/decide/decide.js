// The page of an exported model: a form or a text, the answer with its reasons, a file that comes back with classes.

import { html } from "../elements.js";
import { readTable, writeTable } from "../engine/csv.js";
import { Model } from "../engine/model.js";
import { Problem } from "../engine/problem.js";
import { turn } from "../engine/turns.js";

const SHOWN = 12; // parts of a score
const MOST_BYTES = 50_000_000; // of a file
const at = (id) => document.getElementById(id);

const data = JSON.parse(at("builtin").textContent);
const model = new Model(data);
const fields = new Map();

function makeForm() {
  at("title").textContent = data.name;
  document.title = data.name;
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
  at("form").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  for (const id of ["card", "columns"])
    for (const [name, value] of data[id]) at(id).append(html("dt", {}, name), html("dd", {}, value));
}

function ask() {
  const values = Object.fromEntries([...fields].map(([name, field]) => [name, field.value]));
  try {
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
  const about = shares ? `probability ${percent(shares[code])}` : "";
  const line =
    scores.length === 1
      ? `score ${plain(scores[0])} for ${named}; above ${plain(data.threshold)} it is ${named}`
      : `score ${plain(scores[code])}, the highest`;
  const largest = Math.max(...parts.map(({ part }) => Math.abs(part)), 1e-300);
  const rows = parts.slice(0, SHOWN).map(({ name, part }) => {
    const bar = html("div", { class: part < 0 ? "bar against" : "bar" });
    bar.style.width = `${(100 * Math.abs(part)) / largest}%`;
    return html(
      "tr",
      {},
      html("th", { scope: "row" }, name),
      html("td", { class: "num" }, signed(part)),
      html("td", {}, bar),
    );
  });
  const rest = parts.slice(SHOWN).reduce((sum, { part }) => sum + part, 0);
  if (parts.length > SHOWN) rows.push(sumRow(`${parts.length - SHOWN} more`, rest));
  if (constant) rows.push(sumRow("constant", constant));
  at("answer").replaceChildren(
    html("h2", {}, "Its answer"),
    html("p", { class: "class" }, model.classes[code]),
    html("p", { class: "soft" }, [about, line].filter(Boolean).join(" · ")),
    html(
      "table",
      {},
      html(
        "caption",
        { class: "soft" },
        over === null
          ? `what adds to the score of ${named}, and what takes from it`
          : `what speaks for ${named} (+), and what for ${model.classes[over]} (−)`,
      ),
      html("tbody", {}, ...rows),
    ),
    html("p", { class: "soft", id: "turned" }, turned(values, code)),
  );
  at("answer").hidden = false;
}

function sumRow(name, part) {
  return html("tr", {}, html("th", { scope: "row" }, name), html("td", { class: "num" }, signed(part)), html("td"));
}

// What would turn the decision, as a sentence.
function turned(values, code) {
  const found = turn(model, values);
  if (!found) return `No word taken out and no other value makes it anything but ${model.classes[code]}.`;
  const words = found.changes.filter(({ word }) => word).map(({ before }) => `“${before}”`);
  const others = found.changes
    .filter(({ word }) => !word)
    .map(({ column, before, after }) => `${column} ${after} instead of ${before || "nothing"}`);
  const ways = [words.length ? `without ${listed(words)}` : "", others.length ? `with ${listed(others)}` : ""];
  const said = `${ways.filter(Boolean).join(" and ")} it would be ${model.classes[found.becomes]}.`;
  return `${said[0].toUpperCase()}${said.slice(1)}${found.exact ? "" : " Fewer changes may do."}`;
}

function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

async function readFile(file) {
  try {
    if (file.size > MOST_BYTES)
      throw new Problem(`${file.name} has more than ${MOST_BYTES / 1e6} MB. Give a part of it.`);
    const { names, rows } = readTable(await file.text());
    const lacking = model.lines.find((line) => !names.includes(line.column) && line.missing === null);
    if (lacking)
      throw new Problem(`${file.name}: no column named '${lacking.column}'. Columns are: ${names.join(", ")}.`);
    const lines = [[...names, "prediction"]];
    rows.forEach((row, k) => {
      try {
        lines.push([...names.map((name) => row[name]), model.classes[model.predict(row).code]]);
      } catch (error) {
        throw error instanceof Problem ? new Problem(`${file.name}, row ${k + 1}, ${error.message}`) : error;
      }
    });
    const link = html("a", { download: `${file.name.replace(/\.\w+$/, "")}-predicted.csv` });
    link.href = URL.createObjectURL(new Blob([writeTable(lines)], { type: "text/csv" }));
    link.textContent = "Save it";
    at("file-told").replaceChildren(`${rows.length} rows decided. `, link);
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
