// The probability of the second class over all stops of k, with a mark at the present one.

import { html, svg, twin } from "./draw.js";

const WIDTH = 520;
const HEIGHT = 190;
const BOX = { left: 34, right: 510, top: 12, bottom: 138 };

export class Chart {
  constructor(stops) {
    this.stops = stops;
    this.curve = svg("path", { class: "curve" });
    this.here = svg("line", { y1: BOX.top, y2: BOX.bottom, class: "here" });
    this.dot = svg("circle", { r: 5, class: "heredot" });
    this.picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "chart" });
    const axes = svg("g", { class: "axes" });
    for (const level of [0, 0.5, 1]) {
      const y = this.y(level);
      axes.append(
        svg("line", { x1: BOX.left, y1: y, x2: BOX.right, y2: y }),
        svg("text", { x: BOX.left - 6, y: y + 4, "text-anchor": "end" }, String(level)),
      );
    }
    for (const name of ["0", "0.01", "0.1", "1", "10", "100", "∞"]) {
      const place = stops.indexOf(name);
      if (place >= 0) axes.append(svg("text", { x: this.x(place), y: BOX.bottom + 20, "text-anchor": "middle" }, name));
    }
    this.name = svg("text", { x: BOX.left, y: HEIGHT - 4 }, "");
    axes.append(svg("text", { x: BOX.right, y: HEIGHT - 4, "text-anchor": "end" }, "strength k"), this.name);
    this.picture.append(axes, this.here, this.curve, this.dot);
    this.table = twin("The curve as a table", ["k", "first class", "second class", "decision"], () =>
      this.answers.map((stop) => [stop.k, ...stop.posterior.map(String), stop.predicted]),
    );
    this.element = html("div", {}, this.picture, this.table.element);
  }

  x(place) {
    return BOX.left + ((BOX.right - BOX.left) * place) / (this.stops.length - 1);
  }

  y(chance) {
    return BOX.bottom - (BOX.bottom - BOX.top) * chance;
  }

  take(classes, answers) {
    this.answers = answers;
    this.classes = classes;
    this.name.textContent = `P(${classes[1]} | row)`;
    this.table.element.querySelectorAll("thead th").forEach((cell, i) => {
      if (i === 1 || i === 2) cell.textContent = `P(${classes[i - 1]} | row)`;
    });
    this.curve.setAttribute(
      "d",
      answers
        .map((stop, i) => `${i ? "L" : "M"}${this.x(i).toFixed(1)} ${this.y(stop.posterior[1]).toFixed(1)}`)
        .join(""),
    );
    this.table.draw();
  }

  show(place) {
    const stop = this.answers[place];
    this.here.setAttribute("x1", this.x(place));
    this.here.setAttribute("x2", this.x(place));
    this.dot.setAttribute("cx", this.x(place));
    this.dot.setAttribute("cy", this.y(stop.posterior[1]));
    this.picture.setAttribute(
      "aria-label",
      `P(${this.classes[1]} | row) over k; at k = ${stop.k} it is ${stop.posterior[1]}`,
    );
  }
}
