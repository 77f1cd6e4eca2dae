// w before + f(x) = w after, as arrows in the plane of the two weights; the weight of the bias is told beside them.

import { colour, html, numeral, svg } from "./draw.js";

const [WHOLE, HEIGHT, ROOM] = [500, 150, 22];

export function makeArrows() {
  const pictures = html("div", { class: "arrows" });
  const note = html("p", { class: "note" });
  const clear = () => {
    pictures.replaceChildren();
    note.textContent = "";
  };
  const draw = (course, moment) => {
    if (moment.rival < 0) {
      pictures.replaceChildren();
      note.textContent = moment.step ? "No update, so no arrows: the weights stay where they are." : "";
      return;
    }
    // Two classes share one vector; with more, the true class is rewarded and its rival punished.
    const changed =
      course.vectors === 1
        ? [[0, moment.truth ? 1 : -1]]
        : [
            [moment.truth, 1],
            [moment.rival, -1],
          ];
    pictures.replaceChildren(...changed.map(([c, sign]) => picture(course, moment, c, sign, WHOLE / changed.length)));
    note.textContent = changed
      .map(([c, sign]) => bias(course, moment, c, sign))
      .filter(Boolean)
      .join(" ");
  };
  return { element: html("div", {}, pictures, note), draw, clear };
}

function picture(course, moment, c, sign, width) {
  const [before, after] = [moment.before, moment.after].map((w) => Array.from(course.vector(w, c).slice(-2)));
  const reach = Math.max(...[...before, ...after].map(Math.abs)) || 1;
  const all = [[0, 0], before, after];
  const [low, high] = [0, 1]
    .map((j) => all.map((p) => p[j]))
    .reduce(
      ([l, h], values) => [
        [...l, Math.min(...values)],
        [...h, Math.max(...values)],
      ],
      [[], []],
    );
  const scale = Math.min(
    (width - 2 * ROOM - 60) / (high[0] - low[0] || reach),
    (HEIGHT - 2 * ROOM) / (high[1] - low[1] || reach),
  );
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  const at = ([x, y]) => [width / 2 + (x - middle[0]) * scale, HEIGHT / 2 - (y - middle[1]) * scale];
  const name = course.vectors === 1 ? "w" : `w of ${course.classes[c]}`;
  const label = `${name}: before (${before.map(numeral).join(", ")}), after (${after.map(numeral).join(", ")})`;
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label });
  const [origin, was, is] = [[0, 0], before, after].map(at);
  const times = course.rate === 1 ? "" : `${numeral(course.rate)}·`;
  drawn.append(
    svg("circle", { cx: origin[0], cy: origin[1], r: 3, fill: "var(--soft)" }),
    named(origin, "0", -6, 14, width),
    ...arrow(origin, was, "arrow-old", "var(--soft)"),
    ...arrow(was, is, "arrow-row", colour(course.look(moment.truth))),
    ...arrow(origin, is, "arrow-new", "var(--accent)"),
    named(along(origin, was, 0.35), `${name} before`, -8, -6, width),
    named(along(was, is, 0.5), `${sign > 0 ? "+" : "−"} ${times}f(x)`, 12, 4, width),
    named(is, `${name} after`, 6, 14, width),
  );
  return drawn;
}

const along = ([a, b], [c, d], t) => [a + t * (c - a), b + t * (d - b)];

function named([x, y], text, dx, dy, width) {
  const end = (dx < 0 && x > 90) || x > width - 90;
  return svg(
    "text",
    {
      x: end ? x - Math.abs(dx) : x + Math.abs(dx),
      y: Math.max(12, Math.min(HEIGHT - 4, y + dy)),
      "text-anchor": end ? "end" : "start",
      class: "line-name",
    },
    text,
  );
}

export function arrow([x1, y1], [x2, y2], name, fill) {
  const size = Math.hypot(x2 - x1, y2 - y1);
  if (size < 1) return [];
  const [ex, ey] = [(x2 - x1) / size, (y2 - y1) / size];
  const head = Math.min(11, size);
  const wing = (side) => `${x2 - ex * head - side * ey * head * 0.45} ${y2 - ey * head + side * ex * head * 0.45}`;
  const shaft = svg("line", { x1, y1, x2: x2 - ex * head * 0.8, y2: y2 - ey * head * 0.8, class: name });
  if (name === "arrow-row") shaft.setAttribute("stroke", fill);
  return [shaft, svg("path", { d: `M${x2} ${y2}L${wing(1)}L${wing(-1)}Z`, fill })];
}

function bias(course, moment, c, sign) {
  if (!course.bias) return "";
  const [before, after] = [moment.before, moment.after].map((w) => numeral(course.vector(w, c)[0]));
  const of = course.vectors === 1 ? "" : ` of ${course.classes[c]}`;
  const times = course.rate === 1 ? "1" : numeral(course.rate);
  return `The weight of the bias${of} goes the same way: ${before} ${sign > 0 ? "+" : "−"} ${times} = ${after}.`;
}
