// Labels: doubtful labels of a person's own CSV, one after the other, and a corrected copy of it.

import { button, card, field, html, select } from "./draw.js";
import { introduce } from "./parts.js";
import { saveAs } from "./picture.js";

const TITLE = "Labels: which are doubtful";
const TEXT =
  "Some labels are wrong. Every row of your CSV is judged by a perceptron that did not see it; below stand the rows whose label is least probable. " +
  "Accept the suggestion, choose another label, or keep what is there. Your file is never changed: you save a corrected copy.";

export function mount(element, lab) {
  const body = introduce(element, TITLE, TEXT);
  body.replaceChildren(...new Part(lab).cards);
}

class Part {
  constructor(lab) {
    Object.assign(this, { lab, file: null, found: null, decided: new Map() });
    this.input = html("input", { type: "file", accept: ".csv,.tsv,text/csv" });
    this.input.addEventListener("change", () => this.review(this.input.files[0]));
    this.problem = html("div");
    this.facts = html("div", { "data-fact": "review" });
    this.list = html("ol", { class: "doubts" });
    this.count = html("p", { class: "note", "data-fact": "decided" });
    this.save = button("Save a corrected copy", () => this.saveCopy(), { disabled: "" });
    this.cards = [
      card("Your file", field("A CSV of rows with labels", this.input), this.problem, this.facts),
      card("Doubtful labels", this.count, html("div", { class: "row" }, this.save), this.list),
    ];
  }

  async review(file) {
    if (!file) return;
    this.facts.textContent = "Reading …";
    try {
      const found = await this.lab.call("review", file, { query: { name: file.name } });
      this.lab.problem(this.problem, "");
      this.show(file, found);
    } catch (problem) {
      this.facts.textContent = "";
      this.lab.problem(this.problem, problem.message);
    }
    this.input.value = ""; // the same file may be chosen again, after it was changed
  }

  show(file, found) {
    Object.assign(this, { file, found, decided: new Map() });
    this.facts.replaceChildren(
      ...found.facts.map(({ label, text }) => html("p", {}, html("b", {}, label), ` ${text}`)),
    );
    this.list.replaceChildren(...found.doubtful.map((row) => this.line(row)));
    this.tell();
    this.lab.say(`${found.all} doubtful labels in ${found.name}.`);
  }

  // One doubtful row with its three ways out. The list is the one state of a row; both buttons set it.
  line(row) {
    const choices = this.found.classes.map((name) => [name, name]);
    const list = select(choices, (label) => this.decide(row, label), { "aria-label": `Label of ${row.place}` });
    list.value = row.label;
    const set = (label) => {
      list.value = label;
      this.decide(row, label);
    };
    const accept = button(`Accept ${row.suggested}`, () => set(row.suggested), {
      disabled: row.suggested === row.label ? "" : null,
    });
    const keep = button(`Keep ${row.label}`, () => set(row.label));
    const chance = `${(100 * row.probability).toFixed(1)}%`;
    const why = [
      row.copies.length ? `copies with another label: ${row.copies.join(", ")}` : "",
      row.contradicts ? "contradicts other rows" : "",
      row.every_pass ? "wrong in every pass" : "",
      row.behind.length ? `against it: ${row.behind.map((other) => `${other.place} (${other.label})`).join(", ")}` : "",
    ].filter(Boolean);
    return html(
      "li",
      {},
      html("p", {}, html("b", {}, row.place), ` ${row.label} has a chance of ${chance}; suggested: ${row.suggested}`),
      html("p", { class: "note" }, row.shown),
      html("p", { class: "note" }, why.join(" · ")),
      html("div", { class: "row" }, accept, keep, list),
    );
  }

  decide(row, label) {
    if (label === row.label) this.decided.delete(row.row);
    else this.decided.set(row.row, label);
    this.tell();
    this.lab.say(`${row.place}: ${label}.`);
  }

  tell() {
    const more = this.found.all - this.found.doubtful.length;
    const rest = more > 0 ? `, ${more} more are in rosenblatt review` : "";
    this.count.textContent = `${this.found.doubtful.length} shown${rest}; ${this.decided.size} labels will change in the copy.`;
    this.save.disabled = !this.decided.size;
  }

  async saveCopy() {
    try {
      const text = await this.file.text();
      const found = await this.lab.call("corrected", { name: this.file.name, text, labels: [...this.decided] });
      saveAs(found.name, new Blob([found.text], { type: "text/csv" }));
      this.lab.problem(this.problem, "");
      this.lab.say(`${found.name} was saved with ${found.changed} other labels.`);
    } catch (problem) {
      this.lab.problem(this.problem, problem.message);
    }
  }
}
