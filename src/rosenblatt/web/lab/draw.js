// What every picture of the page is drawn with. Elements are made without markup in strings, so nothing that a person
// typed or loaded can be read as HTML.

import { colour, html, lookOf, mark, svg } from "../elements.js";

export { colour, html, lookOf, mark, svg };
export { numeral, vector } from "../engine/numerals.js";

// The mark of a class within a line of text.
export function key(look) {
  const picture = svg("svg", { viewBox: "0 0 16 16", class: "key", "aria-hidden": "true" });
  picture.append(svg("path", { d: mark(look, 8, 8, 6), fill: colour(look) }));
  return picture;
}

export function button(text, act, attributes = {}) {
  const made = html("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

let names = 0;

// A control with its name beside it. The name is the text alone: that of a list would hold all of its choices.
export function field(name, control, attributes = {}) {
  const id = `name-${names++}`;
  control.setAttribute("aria-labelledby", id);
  return html("label", { class: "field", ...attributes }, html("span", { id }, name), control);
}

export function checkbox(name, checked, act, ...after) {
  const box = html("input", { type: "checkbox" });
  box.checked = checked;
  box.addEventListener("change", () => act(box.checked));
  return { box, label: html("label", { class: "check" }, box, name, ...after) };
}

export function select(choices, act, attributes = {}) {
  const made = html("select", attributes, ...choices.map(([value, text]) => html("option", { value }, text)));
  made.addEventListener("change", () => act(made.value));
  return made;
}

// One of a few, as a row of buttons: radios with a shared name. `set` chooses without telling.
export function segments(name, choices, act) {
  const group = `group-${names++}`;
  const inputs = choices.map(([value, text]) => {
    const input = html("input", { type: "radio", name: group, value });
    input.addEventListener("change", () => act(value));
    return [input, html("label", {}, input, text)];
  });
  const labels = inputs.map(([, label]) => label);
  const element = html("fieldset", { class: "segments" }, html("legend", {}, name), html("div", {}, ...labels));
  const set = (value) => {
    for (const [input] of inputs) input.checked = input.value === value;
  };
  return { element, set };
}

export function card(title, ...children) {
  return html("section", { class: "card" }, html("h3", {}, title), ...children);
}

// The head of a column; one without a name is no head.
export function heading(name) {
  return name ? html("th", { scope: "col" }, name) : html("td");
}

// The numbers of a picture as a table, made when a person opens it and kept up to date while it is open.
export function twin(title, head, rows) {
  const body = html("tbody");
  const top = html("tr", {}, ...head.map(heading));
  const table = html("table", {}, html("thead", {}, top), body);
  const box = html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, table);
  const element = html("details", { class: "twin" }, html("summary", {}, title), box);
  const draw = () => {
    if (!element.open) return;
    const line = (cells) => html("tr", {}, ...cells.map((cell) => html("td", {}, ...[cell].flat())));
    body.replaceChildren(...rows().map(line));
  };
  element.addEventListener("toggle", draw);
  return { element, draw };
}

// A table of names and values; `cells` are filled by name.
export function facts(names) {
  const cells = Object.fromEntries(names.map((name) => [name, html("td", { "data-fact": name })]));
  const lines = names.map((name) => html("tr", {}, html("th", { scope: "row" }, name), cells[name]));
  return { cells, element: html("table", { class: "facts" }, html("tbody", {}, ...lines)) };
}

// At most so many places of a list, evenly spread, the last among them.
export function spread(length, most) {
  if (length <= most) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: most }, (_, k) => Math.round(((k + 1) / most) * length) - 1);
}

// Four digits are enough to read; the exact number stands in the trace.
export function short(value) {
  return Number.isFinite(value) ? Number(value.toPrecision(4)).toString() : "none yet";
}
