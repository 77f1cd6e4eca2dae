// Maximum likelihood: two counts, the curve of L over θ, any θ to try, and where smoothing by k puts the estimate.

import { button, card, facts, field, html, select } from "./draw.js";
import { Curve } from "./likelihood_curve.js";
import { begin, introduce, latest, slider } from "./parts.js";

const TITLE = "Maximum likelihood: why counting is right";
const TEXT =
  "A sample was drawn, each draw with the same unknown probability θ. L(θ) is how probable that very sample is. " +
  "The θ that makes L largest is the share that was counted; k pretends that each value was drawn k times more, and moves the estimate towards one half.";

export function mount(element, lab) {
  const body = introduce(element, TITLE, TEXT);
  return begin(body, lab, "likelihood_examples", (found) => new Part(lab, found).cards);
}

class Part {
  constructor(lab, { examples, stops, most, places }) {
    this.lab = lab;
    this.examples = examples;
    this.newest = latest();
    this.problem = html("div");
    this.about = html("p", { class: "note" });
    this.formulas = html("ul", { class: "formulas num", "data-fact": "formulas" });
    this.said = html("p", { class: "say", "data-fact": "estimate" });
    this.tried = facts(["L(θ)", "log L(θ)", "(log L)′"]);
    this.curve = new Curve();
    this.names = [html("span"), html("span")];
    this.counts = [0, 1].map((which) =>
      slider(
        `How often the ${which ? "second" : "first"} value was drawn`,
        most + 1,
        (place) => `${place}`,
        () => this.ask(),
      ),
    );
    this.theta = slider(
      "θ to try",
      places + 1,
      (place) => `θ = ${place / places}`,
      () => this.show(true),
    );
    this.k = slider(
      "Strength k of smoothing",
      stops.length,
      (place) => `k = ${stops[place]}`,
      () => this.show(true),
    );
    this.theta.range.value = places / 2;
    this.k.range.value = 0;
    const which = select(
      examples.map((example) => [example.name, example.title]),
      (name) => this.choose(name),
      { "data-choice": "sample" },
    );
    const slide = (name, { range, shown }) => html("div", { class: "slide named" }, name, range, shown);
    const to = (text, place) => button(`k = ${text}`, () => this.k.set(place));
    const cards = [
      card(
        "The sample and the estimate",
        html("div", { class: "row" }, field("Sample", which)),
        this.about,
        ...this.counts.map((count, i) => slide(this.names[i], count)),
        this.formulas,
        this.problem,
        slide(html("span", {}, "k"), this.k),
        html("div", { class: "row" }, to("0", 0), to("1", stops.indexOf("1")), to("∞", stops.length - 1)),
        this.said,
      ),
      card("The likelihood", this.curve.element, slide(html("span", {}, "try θ"), this.theta), this.tried.element),
    ];
    this.cards = this.choose(examples[0].name).then(() => cards);
  }

  choose(name) {
    this.example = this.examples.find((example) => example.name === name);
    this.example.counts.forEach((count, i) => {
      this.counts[i].range.value = count;
    });
    return this.ask();
  }

  async ask() {
    const { values, counts: given, about } = this.example;
    const counts = this.counts.map(({ place }) => place);
    try {
      const found = await this.newest(this.lab.call("likelihood", { values, counts }));
      if (!found) return;
      this.lab.problem(this.problem, "");
      this.found = found;
      this.values = values;
      this.about.textContent = `${counts}` === `${given}` ? about : "Counts of your own.";
      this.names.forEach((name, i) => {
        name.textContent = values[i];
      });
      this.counts.forEach(({ range, shown, place }, i) => {
        shown.textContent = `${place}`;
        range.setAttribute("aria-valuetext", `${values[i]}: ${place}`);
      });
      this.formulas.replaceChildren(...found.formulas.map((line) => html("li", {}, line)));
      this.curve.take(values, found);
      this.show(false);
    } catch (problem) {
      this.lab.problem(this.problem, problem.message);
    }
  }

  show(speak) {
    if (!this.found) return;
    const place = this.found.places[this.theta.place];
    const stop = this.found.stops[this.k.place];
    this.theta.shown.textContent = `θ = ${place.theta}`;
    this.theta.range.setAttribute("aria-valuetext", `θ = ${place.theta}`);
    this.k.shown.textContent = `k = ${stop.k}`;
    this.k.range.setAttribute("aria-valuetext", `k = ${stop.k}`);
    const shown = { "L(θ)": place.likelihood, "log L(θ)": place.log, "(log L)′": place.slope };
    for (const [name, text] of Object.entries(shown)) this.tried.cells[name].textContent = text;
    this.curve.show(place, stop);
    this.said.textContent = `With k = ${stop.k}: P(${this.values[0]}) = θ = ${stop.shown}, L = ${stop.likelihood}, log L = ${stop.log}.`;
    if (speak) this.lab.say(this.said.textContent);
  }
}
