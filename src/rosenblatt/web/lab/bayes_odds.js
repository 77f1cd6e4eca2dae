// The log-odds of the second class over the first, one bar for each factor, on one scale for all k.

import { html, svg, twin } from "./draw.js";

const WIDTH = 520;
const LINE = 26;
const NAMES = 130; // room for names on the left
const FIGURES = 76; // and for figures on the right

export class OddsBars {
  constructor() {
    this.picture = svg("svg", { role: "img", class: "chart odds" });
    this.table = twin("The bars as a table", ["factor", "log-odds"], () => [
      ...this.stop.odds.bars.map((bar) => [bar.name, bar.text]),
      ["sum", this.stop.odds.total],
    ]);
    this.words = html("p", { class: "note" });
    this.element = html("div", {}, this.words, this.picture, this.table.element);
  }

  take(classes, stops) {
    this.classes = classes;
    this.stops = stops;
    const sizes = stops.flatMap((stop) => stop.odds.bars.map((bar) => Math.abs(bar.value)));
    this.largest = Math.max(0.1, ...sizes);
    this.words.textContent = `Bars to the right speak for ${classes[1]}, to the left for ${classes[0]}; together they are the log-odds. An arrow is a factor of 0: it outweighs everything.`;
    const count = stops[0].odds.bars.length + 1;
    const height = count * LINE + 8;
    this.picture.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
    this.middle = (NAMES + WIDTH - FIGURES) / 2;
    this.half = (WIDTH - FIGURES - NAMES) / 2;
    const axis = svg("line", { x1: this.middle, y1: 0, x2: this.middle, y2: height, class: "zero" });
    this.lines = Array.from({ length: count }, (_, i) => {
      const y = i * LINE + LINE / 2 + 4;
      const name = svg("text", { x: 0, y: y + 4, class: i === count - 1 ? "strong" : "" });
      const bar = svg("path", {});
      const text = svg("text", { x: WIDTH, y: y + 4, "text-anchor": "end", class: "num" });
      return { y, name, bar, text };
    });
    this.picture.replaceChildren(axis, ...this.lines.flatMap((line) => [line.bar, line.name, line.text]));
  }

  show(place) {
    this.stop = this.stops[place];
    const { bars, total } = this.stop.odds;
    this.lines.forEach((line, i) => {
      const bar = bars[i];
      line.name.textContent = bar ? bar.name : "sum";
      line.text.textContent = bar ? bar.text : total;
      if (!bar) return;
      const look = bar.value > 0 || bar.zeros > 0 ? 0 : 1;
      line.bar.setAttribute("class", `bar look${look}${bar.zeros ? " endless" : ""}`);
      line.bar.setAttribute("d", bar.zeros ? this.arrow(line.y, bar.zeros) : this.block(line.y, bar.value));
    });
    this.picture.setAttribute(
      "aria-label",
      `Log-odds of ${this.classes[1]} over ${this.classes[0]} at k = ${this.stop.k}: ${total}`,
    );
    this.table.draw();
  }

  block(y, value) {
    const end = this.middle + (this.half - 4) * (value / this.largest);
    return `M${this.middle} ${y - 8}H${end.toFixed(1)}V${y + 8}H${this.middle}Z`;
  }

  arrow(y, side) {
    const end = this.middle + side * (this.half - 2);
    return `M${this.middle} ${y - 5}H${end - side * 14}V${y - 10}L${end} ${y}L${end - side * 14} ${y + 10}V${y + 5}H${this.middle}Z`;
  }
}
