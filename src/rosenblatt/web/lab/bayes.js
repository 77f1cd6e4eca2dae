// Naive Bayes: tables that a person edits, the strength k from 0 to infinity, and one row decided before their eyes.

import { button, card, field, heading, html, key, lookOf, select } from "./draw.js";
import { Chart } from "./bayes_chart.js";
import { Counts } from "./bayes_counts.js";
import { OddsBars } from "./bayes_odds.js";
import { begin, introduce, latest, slider } from "./parts.js";

const TITLE = "Naive Bayes: counting, and what smoothing is for";
const TEXT =
  "Naive Bayes counts how often each word goes with each class and multiplies: P(y) times P(word | y) for every word, there or not. " +
  "A word never seen with a class makes its product 0; adding k to every count mends that, from k = 0 (the counts alone) to k = ∞ (the counts say nothing).";
const CHANGED = "These are your own counts. “Reset counts” restores those of the table.";

export function mount(element, lab) {
  const body = introduce(element, TITLE, TEXT);
  return begin(body, lab, "bayes_examples", (found) => new Part(lab, found).cards);
}

class Part {
  constructor(lab, { examples, stops, one }) {
    this.lab = lab;
    this.examples = examples;
    this.newest = latest();
    this.problem = html("div");
    this.decision = html("p", { class: "say", "data-fact": "decision" });
    this.remarks = html("ul", { class: "remarks", "data-fact": "remarks" });
    this.counts = new Counts((tables, what) => this.ask(tables, what));
    this.chart = new Chart(stops);
    this.odds = new OddsBars();
    this.products = html("tbody");
    this.head = html("tr");
    this.k = slider(
      "Strength k of smoothing",
      stops.length,
      (place) => `k = ${stops[place]}`,
      () => this.show(true),
    );
    this.k.range.value = one;
    const to = (text, place) => button(`k = ${text}`, () => this.k.set(place));
    const which = select(
      examples.map((example) => [example.name, example.title]),
      (name) => this.choose(name),
      { "data-choice": "example" },
    );
    this.about = html("p", { class: "note" });
    const table = html(
      "table",
      { class: "products num" },
      html("caption", {}, "The products, factor by factor"),
      html("thead", {}, this.head),
      this.products,
    );
    const cards = [
      card(
        "The counts",
        html(
          "div",
          { class: "row" },
          field("Tables", which),
          button("Reset counts", () => this.choose(which.value)),
        ),
        this.about,
        this.counts.element,
        this.problem,
      ),
      card(
        "Smoothing and the decision",
        html("div", { class: "slide" }, this.k.range, this.k.shown),
        html("div", { class: "row" }, to("0", 0), to("1", one), to("∞", stops.length - 1)),
        this.chart.element,
        this.decision,
        this.remarks,
      ),
      card("What each word adds", this.odds.element),
      card(
        "The working",
        html(
          "div",
          { class: "scroll", tabindex: "0", role: "region", "aria-label": "The products, factor by factor" },
          table,
        ),
      ),
    ];
    this.cards = this.choose(examples[0].name).then(() => cards);
  }

  choose(name) {
    const { about, classes, rows, features, row } = this.examples.find((example) => example.name === name);
    this.example = { about, tables: { classes, rows, features, row } };
    return this.ask(structuredClone(this.example.tables), null);
  }

  // Asks for all stops of k at once. What the server refuses leaves tables and pictures as they were.
  async ask(tables, what) {
    try {
      const found = await this.newest(this.lab.call("bayes", tables));
      if (!found) return;
      this.lab.problem(this.problem, "");
      this.found = found;
      const given = JSON.stringify(tables) === JSON.stringify(this.example.tables);
      this.about.textContent = given ? this.example.about : CHANGED; // what is said of an example holds for it alone
      this.counts.take(tables, found);
      this.chart.take(tables.classes, found.stops);
      this.odds.take(tables.classes, found.stops);
      this.show(false);
      if (what) this.lab.say(`${what}. ${this.decision.textContent}`);
    } catch (problem) {
      this.counts.restore();
      this.lab.problem(this.problem, problem.message);
    }
  }

  show(speak) {
    const place = this.k.place;
    const { classes } = this.counts.tables;
    const stop = this.found.stops[place];
    this.k.shown.textContent = `k = ${stop.k}`;
    this.k.range.setAttribute("aria-valuetext", `k = ${stop.k}`);
    this.counts.show(stop);
    this.chart.show(place);
    this.odds.show(place);
    const look = lookOf(classes.indexOf(stop.predicted));
    const chances = classes.map((name, c) => `P(${name} | row) = ${stop.posterior[c]}`).join(", ");
    this.decision.replaceChildren(
      "The row is classified as ",
      key(look),
      html("b", {}, stop.predicted),
      `: ${chances}.`,
    );
    this.remarks.replaceChildren(...stop.words.map((text) => html("li", {}, text)));
    this.head.replaceChildren(...stop.cells[0].map(heading));
    const line = ([name, ...cells]) =>
      html("tr", {}, html("th", { scope: "row" }, name), ...cells.map((cell) => html("td", {}, cell)));
    this.products.replaceChildren(...stop.cells.slice(1).map(line));
    if (speak) this.lab.say(`k = ${stop.k}. ${this.decision.textContent}`);
  }
}
