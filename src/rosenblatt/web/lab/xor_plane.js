// The square of the four inputs: regions, boundaries and the points, as the server gives them.

import { colour, html, lookOf, mark, svg } from "./draw.js";

const SIZE = 320;
const ROOM = 26;

export class Square {
  constructor(story, label) {
    this.story = story;
    this.behind = svg("g");
    this.lines = svg("g");
    this.points = svg("g");
    const axes = svg("g", { class: "axes" });
    this.element = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": label, class: "square" });
    for (const value of [0, 1]) {
      const [x, y] = this.at([value, value]);
      axes.append(
        svg("line", { x1: x, y1: ROOM / 2, x2: x, y2: SIZE - ROOM }),
        svg("line", { x1: ROOM, y1: y, x2: SIZE - ROOM / 2, y2: y }),
        svg("text", { x, y: SIZE - 8, "text-anchor": "middle" }, String(value)),
        svg("text", { x: 12, y: y + 4, "text-anchor": "middle" }, String(value)),
      );
    }
    axes.append(
      svg("text", { x: SIZE - ROOM / 2, y: SIZE - 8, "text-anchor": "end" }, "x₁"),
      svg("text", { x: 12, y: 20, "text-anchor": "middle" }, "x₂"),
    );
    this.element.append(this.behind, axes, this.lines, this.points);
    story.rows.forEach((row, i) => this.point(row, story.labels[i]));
  }

  at([x, y]) {
    const [left, right, low, high] = this.story.window;
    const size = SIZE - 1.5 * ROOM;
    return [ROOM + ((x - left) / (right - left)) * size, ROOM / 2 + ((high - y) / (high - low)) * size];
  }

  path(points, closed) {
    return (
      points
        .map(
          (point, i) =>
            `${i ? "L" : "M"}${this.at(point)
              .map((v) => v.toFixed(1))
              .join(" ")}`,
        )
        .join("") + (closed ? "Z" : "")
    );
  }

  point(row, label) {
    const look = lookOf(label);
    this.points.append(svg("path", { d: mark(look, ...this.at(row), 9), fill: colour(look), class: "pt" }));
  }

  region(polygon) {
    this.behind.append(svg("path", { d: this.path(polygon, true), class: "yes" }));
  }

  line(points, kind) {
    this.lines.append(svg("path", { d: this.path(points, false), class: kind }));
  }

  text(point, words, dx = 0, dy = 0, anchor = "middle") {
    const [x, y] = this.at(point);
    this.lines.append(svg("text", { x: x + dx, y: y + dy, "text-anchor": anchor, class: "strong" }, words));
  }

  ring(point) {
    const [x, y] = this.at(point);
    this.lines.append(svg("circle", { cx: x, cy: y, r: 15, class: "ring" }));
  }

  clear() {
    this.behind.replaceChildren();
    this.lines.replaceChildren();
  }
}

// What the shading means, in words.
export function legend(classes) {
  return html(
    "p",
    { class: "note" },
    html("i", { class: "swatch yes", "aria-hidden": "true" }),
    ` shaded: says ${classes[1]}; elsewhere it says ${classes[0]}`,
  );
}
