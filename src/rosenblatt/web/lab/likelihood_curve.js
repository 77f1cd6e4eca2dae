// L over θ from 0 to 1: the estimate of the present k on it, the way of all k, and the θ that a person tries.

import { html, svg, twin } from "./draw.js";

const WIDTH = 520;
const HEIGHT = 230;
const BOX = { left: 24, right: 510, top: 24, bottom: 180 };

export class Curve {
  constructor() {
    this.curve = svg("path", { class: "curve" });
    this.way = svg("path", { class: "way" });
    this.here = svg("line", { y2: BOX.bottom, class: "here" });
    this.dot = svg("circle", { r: 6, class: "heredot" });
    this.tried = svg("path", { class: "tried" });
    this.top = svg("text", { x: BOX.left, y: 14 });
    this.name = svg("text", { x: BOX.right, y: HEIGHT - 6, "text-anchor": "end" });
    const axes = svg("g", { class: "axes" });
    for (const level of [0, 1]) {
      const y = this.y(level);
      axes.append(svg("line", { x1: BOX.left, y1: y, x2: BOX.right, y2: y }));
    }
    for (const theta of [0, 0.25, 0.5, 0.75, 1]) {
      axes.append(svg("text", { x: this.x(theta), y: BOX.bottom + 20, "text-anchor": "middle" }, String(theta)));
    }
    axes.append(svg("text", { x: BOX.left - 6, y: BOX.bottom + 4, "text-anchor": "end" }, "0"), this.top, this.name);
    this.picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "chart" });
    this.picture.append(axes, this.curve, this.way, this.here, this.dot, this.tried);
    this.table = twin("The estimates of all k as a table", ["k", "θ", "L(θ)", "log L(θ)"], () =>
      this.found.stops.map((stop) => [stop.k, stop.shown, stop.likelihood, stop.log]),
    );
    this.element = html("div", {}, this.picture, this.table.element);
  }

  x(theta) {
    return BOX.left + (BOX.right - BOX.left) * theta;
  }

  y(height) {
    return BOX.bottom - (BOX.bottom - BOX.top) * height;
  }

  line(points) {
    return points
      .map(({ theta, height }, i) => `${i ? "L" : "M"}${this.x(theta).toFixed(1)} ${this.y(height).toFixed(1)}`)
      .join("");
  }

  take(values, found) {
    this.values = values;
    this.found = found;
    this.top.textContent = `L(θ), at most ${found.top}`;
    this.name.textContent = `θ = P(${values[0]})`;
    this.curve.setAttribute("d", this.line(found.places));
    this.way.setAttribute("d", this.line(found.stops));
    this.table.draw();
  }

  show(place, stop) {
    const [x, y] = [this.x(stop.theta), this.y(stop.height)];
    this.here.setAttribute("x1", x);
    this.here.setAttribute("x2", x);
    this.here.setAttribute("y1", y);
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", y);
    const [a, b] = [this.x(place.theta), this.y(place.height)];
    this.tried.setAttribute("d", `M${a - 6} ${b - 6}L${a + 6} ${b + 6}M${a + 6} ${b - 6}L${a - 6} ${b + 6}`);
    this.picture.setAttribute(
      "aria-label",
      `L over θ = P(${this.values[0]}); with k = ${stop.k} the estimate is ${stop.shown}, where L is ${stop.likelihood}; at the θ that is tried, ${place.theta}, it is ${place.likelihood}`,
    );
  }
}
