// Numbers over pixels as images: squares speak for, diamonds against, and the darker the more. So signs are told by
// shape as well as by colour.

import { html, svg, twin } from "./draw.js";

const LEVELS = 8;

// The image of so many numbers, all on the scale of the largest; one path for each sign and strength keeps it light.
export class Signed {
  constructor(side, label) {
    this.side = side;
    this.element = svg("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", class: "pixels" });
    this.paths = new Map();
    this.element.append(svg("rect", { width: side, height: side, class: "paper" }));
    for (let level = 1; level <= LEVELS; level++) {
      for (const sign of [1, -1]) {
        const path = svg("path", { class: sign > 0 ? "for" : "against", "fill-opacity": (level / LEVELS).toFixed(3) });
        this.paths.set(sign * level, path);
        this.element.append(path);
      }
    }
    this.name(label);
  }

  name(label) {
    this.element.setAttribute("aria-label", label);
  }

  show(values, largest) {
    const parts = new Map();
    for (let j = 0; j < values.length; j++) {
      const level = Math.sign(values[j]) * Math.ceil((Math.abs(values[j]) / (largest || 1)) * LEVELS);
      if (!level) continue;
      const [x, y] = [j % this.side, Math.floor(j / this.side)];
      const shape = level > 0 ? `M${x} ${y}h1v1h-1z` : `M${x + 0.5} ${y}l.5 .5l-.5 .5l-.5 -.5z`;
      parts.set(level, (parts.get(level) ?? "") + shape);
    }
    for (const [level, path] of this.paths) path.setAttribute("d", parts.get(level) ?? "");
  }
}

// A digit as it was written: ink on paper.
export function written(values, side, ink, label) {
  const element = svg("svg", {
    viewBox: `0 0 ${side} ${side}`,
    class: "pixels",
    ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }),
  });
  element.append(svg("rect", { width: side, height: side, class: "paper" }));
  const parts = new Map();
  values.forEach((value, j) => {
    if (value) parts.set(value, `${parts.get(value) ?? ""}M${j % side} ${Math.floor(j / side)}h1v1h-1z`);
  });
  for (const [value, d] of parts)
    element.append(svg("path", { d, class: "ink", "fill-opacity": (value / ink).toFixed(3) }));
  return element;
}

// The ten images side by side.
export class Images {
  constructor(story) {
    this.story = story;
    this.pictures = story.classes.map((name) => new Signed(story.side, `Weights of ${name}`));
    const figures = this.pictures.map((picture, c) =>
      html("figure", {}, picture.element, html("figcaption", {}, story.classes[c])),
    );
    this.table = twin("The strongest pixels", ["digit", "for it", "against it"], () =>
      this.moment.strongest.map((line, c) => [story.classes[c], line.for, line.against]),
    );
    this.key = html("p", { class: "note" });
    this.element = html("div", {}, html("div", { class: "images" }, ...figures), this.key, this.table.element);
  }

  show(place) {
    const { classes, side, weights } = this.story;
    this.moment = this.story.moments[place];
    const size = side * side;
    this.pictures.forEach((picture, c) => {
      const start = (place * classes.length + c) * size;
      picture.show(weights.subarray(start, start + size), this.moment.largest);
    });
    this.key.textContent = this.moment.largest
      ? `Squares speak for the digit, diamonds against it; the strongest colour is a weight of ±${this.moment.largest}.`
      : "All weights are 0: every digit scores the same for every class.";
    this.table.draw();
  }
}
