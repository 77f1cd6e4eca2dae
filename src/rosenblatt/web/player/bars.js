// Weights as bars, one group per class: for any number of features and classes. Grey dashes mark where a weight was.

import { colour, html, mark, svg } from "../elements.js";
import { numeral } from "../engine/numerals.js";

const MOST_GROUPS = 12;
const ROW = 22;
const SIZE = { wide: { width: 680, label: 190, value: 76 }, narrow: { width: 340, label: 132, value: 62 } };

export function makeBars(run) {
  const size = run.vectors === 1 ? SIZE.wide : SIZE.narrow;
  const most = run.vectors === 1 ? 22 : run.vectors <= 3 ? 12 : 7;
  const shown = largest(run, most);
  const groups = [];
  for (let c = 0; c < Math.min(run.vectors, MOST_GROUPS); c++) groups.push(new Group(run, c, shown, size));
  const grid = html(
    "div",
    { class: run.vectors === 1 ? "rp-groups rp-one" : "rp-groups" },
    ...groups.map((g) => g.element),
  );
  const note = html("p", { class: "rp-note" }, remark(run, shown.length));
  const draw = (moment) => {
    const most = shown.reduce((top, j) => {
      for (let c = 0; c < run.vectors; c++) {
        const at = c * run.width + j;
        top = Math.max(top, Math.abs(moment.before[at]), Math.abs(moment.after[at]));
      }
      return top;
    }, 0);
    groups.forEach((group) => group.draw(moment, most || 1));
  };
  return { element: html("div", {}, grid, note), draw };
}

// The features with the largest final weights, in their own order: the choice stays the same at every step.
function largest(run, most) {
  const size = Array.from({ length: run.width }, (_, j) => {
    let top = 0;
    for (let c = 0; c < run.vectors; c++) top = Math.max(top, Math.abs(run.final[c * run.width + j]));
    return [top, j];
  });
  size.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  return size
    .slice(0, most)
    .map(([, j]) => j)
    .sort((a, b) => a - b);
}

function remark(run, features) {
  const parts = [];
  if (features < run.width)
    parts.push(`Shows the ${features} of ${run.width} features with the largest weights at the end.`);
  if (run.vectors > MOST_GROUPS) parts.push(`Shows the first ${MOST_GROUPS} of ${run.vectors} classes.`);
  return parts.join(" ");
}

class Group {
  constructor(run, number, shown, size) {
    Object.assign(this, { run, number, shown, size });
    this.look = run.vectors === 1 ? null : run.look(number);
    this.change = html("span", { class: "rp-change" });
    this.middle = size.label + (size.width - size.label - size.value) / 2;
    this.picture = svg("svg", { viewBox: `0 0 ${size.width} ${shown.length * ROW + 4}`, role: "img" });
    this.bars = shown.map((j, k) => this.#row(j, k));
    const axis = { x1: this.middle, x2: this.middle, y1: 0, y2: shown.length * ROW, class: "rp-axis" };
    this.picture.append(svg("line", axis));
    this.element = html("figure", { class: "rp-group" }, this.#caption(), this.picture);
  }

  #caption() {
    if (this.look === null) return html("figcaption", {}, `weights: above 0 speaks for ${this.run.classes[1]}`);
    const key = svg("svg", { viewBox: "0 0 16 16", class: "rp-key", "aria-hidden": "true" });
    key.append(svg("path", { d: mark(this.look, 8, 8, 6), fill: colour(this.look) }));
    return html("figcaption", {}, key, this.run.classes[this.number], " ", this.change);
  }

  #row(j, k) {
    const y = k * ROW + ROW / 2;
    const limit = Math.floor((this.size.label - 8) / 6.2);
    const name = this.run.features[j];
    const short = name.length > limit ? `${name.slice(0, limit - 1)}…` : name;
    this.picture.append(svg("text", { x: this.size.label - 8, y: y + 4, "text-anchor": "end" }, short));
    const bar = svg("rect", { y: y - 6, height: 12, rx: 2 });
    const was = svg("line", { y1: y - 8, y2: y + 8, class: "rp-was" });
    const value = svg("text", { x: this.size.width - 4, y: y + 4, "text-anchor": "end", class: "rp-value" });
    this.picture.append(bar, was, value);
    return { bar, was, value };
  }

  draw(moment, most) {
    const reach = (this.size.width - this.size.label - this.size.value) / 2 - 4;
    const place = (weight) => this.middle + (weight / most) * reach;
    this.shown.forEach((j, k) => {
      const at = this.number * this.run.width + j;
      const [before, after] = [moment.before[at], moment.after[at]];
      const { bar, was, value } = this.bars[k];
      const [from, to] = [Math.min(this.middle, place(after)), Math.max(this.middle, place(after))];
      const fill = colour(this.look ?? this.run.look(after < 0 ? 0 : 1));
      for (const [name, given] of [
        ["x", from],
        ["width", to - from],
        ["fill", fill],
      ])
        bar.setAttribute(name, given);
      was.setAttribute("x1", place(before));
      was.setAttribute("x2", place(before));
      was.style.visibility = before === after ? "hidden" : "visible";
      value.textContent = numeral(after);
      value.classList.toggle("rp-changed", before !== after);
    });
    this.#say(moment);
  }

  #say(moment) {
    const rewarded = moment.rival >= 0 && this.look !== null && this.number === moment.truth;
    const punished = moment.rival >= 0 && this.look !== null && this.number === moment.rival;
    this.element.classList.toggle("rp-active", rewarded || punished);
    this.change.textContent = rewarded ? "+ its features" : punished ? "− its features" : "";
    const name = this.look === null ? "the run" : this.run.classes[this.number];
    this.picture.setAttribute("aria-label", `Weights of ${name} after step ${moment.step}, ${this.shown.length} bars`);
  }
}
