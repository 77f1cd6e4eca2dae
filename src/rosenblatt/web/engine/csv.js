// A table that was dropped on a page: rows of texts by the names of its columns, and back to CSV.

import { Problem } from "./problem.js";

const FORMULA = /^[=+\-@\t\r]/; // what a spreadsheet takes for the beginning of one
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

export function readTable(text) {
  const [names, ...lines] = linesOf(text.replace(/^\ufeff/, ""));
  if (!lines.length) throw new Problem("the file has a header but no rows.");
  lines.forEach((line, k) => {
    if (line.length !== names.length) {
      throw new Problem(`row ${k + 1} has ${line.length} values, and the header has ${names.length}.`);
    }
  });
  return { names, rows: lines.map((line) => Object.fromEntries(names.map((name, k) => [name, line[k]]))) };
}

// The file cut at the sign that is most often in its header, if the first row has as many values then: names may hold
// signs too.
function linesOf(text) {
  const header = text.slice(0, text.search(/\r?\n|$/)).replace(/"[^"]*"/g, "");
  const count = (sign) => header.split(sign).length;
  const signs = [",", ";", "\t"].sort((one, other) => count(other) - count(one));
  for (const sign of signs) {
    try {
      const lines = cells(text, sign);
      if (lines[1]?.length === lines[0]?.length) return lines;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return cells(text, signs[0]);
}

function cells(text, sign) {
  const [lines, quoted] = [[], /^"/];
  let [line, at] = [[], 0];
  while (at < text.length) {
    let value;
    if (quoted.test(text[at])) {
      let end = at + 1;
      while (end < text.length && (text[end] !== '"' || text[end + 1] === '"')) end += text[end] === '"' ? 2 : 1;
      if (end >= text.length) throw new Problem(`a quote in row ${lines.length} is not closed.`);
      value = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      let end = at;
      while (end < text.length && text[end] !== sign && text[end] !== "\n" && text[end] !== "\r") end++;
      value = text.slice(at, end);
      at = end;
    }
    line.push(value);
    if (text[at] === sign) {
      at++;
      if (at < text.length) continue;
      line.push("");
    }
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    if (line.length > 1 || line[0] !== "") lines.push(line);
    line = [];
  }
  return lines;
}

export function writeTable(lines) {
  const cell = (value) => {
    const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return lines.map((line) => `${line.map(cell).join(",")}\n`).join("");
}
