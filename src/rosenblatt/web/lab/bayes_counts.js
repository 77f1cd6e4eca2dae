// The count tables: one line for each word, with its count in each class to raise, lower or type, the probability that
// the present k makes of it, and whether the row to decide about has it.

import { button, html, key, lookOf, svg } from "./draw.js";

export class Counts {
  // `ask(tables, what)` is told the tables that a person wants, and in words what they changed.
  constructor(ask) {
    this.ask = ask;
    this.element = html("div", { class: "scroll counts", tabindex: "0", role: "region", "aria-label": "The counts" });
  }

  // The tables that the server accepted. Lines are made anew only where the words changed, so that focus stays.
  take(tables, found) {
    const names = (of) => JSON.stringify([of.classes, of.features.map((feature) => feature.name)]);
    if (!this.tables || names(this.tables) !== names(tables)) this.build(tables);
    this.tables = tables;
    this.found = found;
    this.restore();
  }

  // Edits what is wanted so far: keys pressed while an answer is on its way add up.
  change(edit, what) {
    this.wanted = structuredClone(this.wanted ?? this.tables);
    const value = edit(this.wanted);
    this.ask(this.wanted, what(value));
  }

  // What was typed and refused gives way to what is true.
  restore() {
    if (!this.tables) return;
    this.wanted = null;
    this.rows.forEach((cell, c) => cell.set(this.tables.rows[c]));
    this.lines.forEach((line, f) => {
      line.box.checked = this.tables.row[f] === 1;
      line.cells.forEach((cell, c) => cell.set(this.tables.features[f].counts[c]));
    });
  }

  build({ classes, features }) {
    const head = html("tr", {}, html("th", { scope: "col" }, "word"), html("th", { scope: "col" }, "in the row"));
    classes.forEach((name, c) =>
      head.append(html("th", { scope: "col" }, key(lookOf(c)), `${name} rows, P(word | ${name})`)),
    );
    this.rows = classes.map((name, c) =>
      spin(`All ${name} rows`, (next) =>
        this.change(
          ({ rows }) => (rows[c] = next(rows[c])),
          (value) => `${value} ${name} rows`,
        ),
      ),
    );
    const all = html("tr", {}, html("th", { scope: "row" }, "all rows"), html("td"));
    this.rows.forEach((cell) => all.append(html("td", {}, cell.element)));
    this.lines = features.map((feature, f) => {
      const box = html("input", { type: "checkbox", "aria-label": `The row has ${feature.name}` });
      box.addEventListener("change", () =>
        this.change(
          ({ row }) => (row[f] = box.checked ? 1 : 0),
          (value) => `The row ${value ? "has" : "lacks"} ${feature.name}`,
        ),
      );
      const cells = classes.map((name, c) =>
        spin(`${name} rows with ${feature.name}`, (next) =>
          this.change(
            ({ features: all }) => (all[f].counts[c] = next(all[f].counts[c])),
            (value) => `${feature.name} in ${value} ${name} rows`,
          ),
        ),
      );
      const chances = classes.map((_, c) => new Chance(lookOf(c)));
      const line = html(
        "tr",
        {},
        html("th", { scope: "row" }, feature.name),
        html("td", {}, html("label", { class: "check" }, box)),
      );
      classes.forEach((_, c) =>
        line.append(html("td", {}, html("div", { class: "count-cell" }, cells[c].element, chances[c].element))),
      );
      return { box, cells, chances, element: line };
    });
    const table = html(
      "table",
      {},
      html("thead", {}, head),
      html("tbody", {}, all, ...this.lines.map((line) => line.element)),
    );
    this.element.replaceChildren(table);
  }

  show(stop) {
    this.lines.forEach((line, f) => {
      line.chances.forEach((chance, c) => chance.show(stop.chances[f][c], this.found.zeros[f][c]));
    });
  }
}

// A count with a button on either side; arrow keys do the same. `act` is told how the new count comes from the old one;
// what is typed goes to the server as it is.
function spin(name, act) {
  const input = html("input", {
    type: "text",
    inputmode: "numeric",
    size: 4,
    class: "num",
    role: "spinbutton",
    "aria-label": name,
    autocomplete: "off",
  });
  const step = (by) => act((count) => Number(count) + by);
  input.addEventListener("change", () => act(() => input.value.trim()));
  input.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(by);
  });
  const less = button("−", () => step(-1), { class: "step", "aria-label": `Fewer ${name}`, tabindex: "-1" });
  const more = button("+", () => step(1), { class: "step", "aria-label": `More ${name}`, tabindex: "-1" });
  const set = (value) => {
    input.value = String(Number(value));
    input.setAttribute("aria-valuenow", input.value);
    input.setAttribute("aria-valuemin", 0);
  };
  return { element: html("span", { class: "spin" }, less, input, more), set };
}

// A probability as a bar and as a number; a count of 0 is flagged by a word, not by colour alone.
class Chance {
  constructor(look) {
    this.bar = svg("rect", { x: 0, y: 0, height: 10, class: `bar look${look}` });
    this.text = html("span", { class: "num" });
    this.flag = html("span", { class: "flag" });
    const picture = svg(
      "svg",
      { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { width: 100, height: 10, class: "track" }),
      this.bar,
    );
    this.element = html("div", { class: "chance" }, picture, this.text, this.flag);
  }

  show(chance, zero) {
    this.bar.setAttribute("width", chance * 100);
    this.text.textContent = chance;
    this.flag.textContent = zero ? "never seen" : "";
  }
}
