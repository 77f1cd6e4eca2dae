// A small chart of one curve over the updates, with a dot at this step and a dashed line for a limit.

import { numeral, svg } from "./draw.js";

export const CHART = { width: 500, height: 150, left: 52, right: 8, top: 20, bottom: 22 };

// points: [[x, y], …] with finite y. limit: a y, or null. log: the y axis in logarithms.
export function makeChart(label, { across, log = false, size = CHART } = {}) {
  const picture = svg("svg", {
    viewBox: `0 0 ${size.width} ${size.height}`,
    class: "chart",
    role: "img",
    "aria-label": label,
  });
  const dot = svg("circle", { r: 5, class: "dot" });
  let at = null;

  const draw = ({ points, limit = null, limitName = "", title = "", logarithmic = log }) => {
    picture.replaceChildren();
    at = null;
    const rise = (y) => (logarithmic ? Math.log10(Math.max(y, Number.MIN_VALUE)) : y);
    const values = [...points.map(([, y]) => y), ...(limit === null ? [] : [limit])].filter((y) =>
      logarithmic ? y > 0 : true,
    );
    if (!points.length || !values.length) return;
    const [low, high] = [logarithmic ? Math.min(...values) : 0, Math.max(...values)];
    const most = points.at(-1)[0] || 1;
    const tall = size.height - size.top - size.bottom;
    const y = (value) => size.height - size.bottom - ((rise(value) - rise(low)) / (rise(high) - rise(low) || 1)) * tall;
    const x = (value) => size.left + (value / most) * (size.width - size.left - size.right);
    at = (px, py) => [x(px), y(Math.max(py, logarithmic ? low : py))];
    const text = (tx, ty, words, anchor = "end") => svg("text", { x: tx, y: ty, "text-anchor": anchor }, words);
    const bottom = size.height - size.bottom;
    picture.append(svg("line", { x1: size.left, x2: size.width - size.right, y1: bottom, y2: bottom, class: "axis" }));
    picture.append(text(size.left - 5, y(high) + 4, shortest(high)), text(size.left - 5, bottom + 4, shortest(low)));
    picture.append(
      text(size.left, size.height - 6, "0", "middle"),
      text(size.width - size.right, size.height - 6, `${numeral(most)} ${across}`),
    );
    picture.append(text(size.width - size.right, 12, title));
    if (limit !== null) {
      picture.append(
        svg("line", { x1: size.left, x2: size.width - size.right, y1: y(limit), y2: y(limit), class: "limit" }),
      );
      const above = y(limit) > size.top + 20;
      picture.append(text(size.left + 4, above ? y(limit) - 5 : y(limit) + 15, limitName, "start"));
    }
    const line = points
      .map(([px, py]) =>
        at(px, py)
          .map((z) => z.toFixed(1))
          .join(","),
      )
      .join(" ");
    picture.append(svg("polyline", { points: line, class: "curve" }), dot);
  };

  const mark = (px, py) => {
    const shown = at !== null && Number.isFinite(py);
    dot.style.visibility = shown ? "visible" : "hidden";
    if (!shown) return;
    const [cx, cy] = at(px, py);
    dot.setAttribute("cx", cx);
    dot.setAttribute("cy", cy);
  };
  return { picture, draw, mark };
}

function shortest(value) {
  return numeral(Number(value.toPrecision(3)));
}
