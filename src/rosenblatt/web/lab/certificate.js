// The proof: a line that separates, with its margin; or a few rows whose weighted sum is zero, so that no line can.

import { Frame } from "../frame.js";
import { borders, line } from "../border.js";
import { Marks } from "../marks.js";
import { band } from "./band.js";
import { card, checkbox, colour, html, key, lookOf, numeral, short, svg, twin, vector } from "./draw.js";
import { windowOf } from "./window.js";

const SIZE = { width: 620, height: 330, left: 10, right: 10, top: 10, bottom: 10 };

export function makeCertificate(lab) {
  const { state } = lab;
  const words = html("p", { class: "say" });
  const picture = svg("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, class: "chart", role: "img" });
  const cycle = html("p");
  const onPlane = checkbox("mark these rows on the plane", true, (on) => state.setShow({ proof: on }));
  const numbers = twin("The proof in numbers", ["row", "point", "class", "weight"], () => rowsOf(state));
  const facts = html("p", { class: "num" });
  const element = card("Can a line separate them?", words, picture, cycle, facts, onPlane.label, numbers.element);

  const markPlane = () =>
    lab.plane?.setProving(cancelling(state.proof).map(({ row, weight }) => ({ row, weight: times(weight) })));
  const draw = () => {
    const { proof } = state;
    const course = state.course?.line;
    words.textContent = !course ? (state.trouble ?? "") : proof ? proof.words + limits(course) : "Asking for a proof…";
    cycle.textContent = course?.answer.cycle?.words ?? "";
    onPlane.label.hidden = proof?.kind !== "inseparable" || Boolean(course?.kernel);
    numbers.element.hidden = !proof?.rows?.length && proof?.kind !== "separable";
    facts.textContent =
      proof?.kind === "separable"
        ? `separator ${separator(course, proof)} · margin ${short(proof.margin)}`
        : proof?.sum
          ? `sum of the weighted rows: ${sumText(proof.sum)}`
          : "";
    picture.replaceChildren(...(proof && course ? scene(lab, proof) : []));
    picture.setAttribute("aria-label", proof ? `The points and the proof: ${proof.words}` : "No proof yet");
    numbers.draw();
    markPlane();
  };
  state.on("run", draw);
  state.on("proof", draw);
  state.on("show", () => (onPlane.box.checked = state.show.proof));
  return element;
}

// What a verdict without a bias is about.
function limits(course) {
  return course.bias ? "" : " The bias is off, so only lines through the origin count.";
}

// Whole numbers mostly; where those are huge, shares of 1.
export function times(weight) {
  return `×${numeral(Number(Number(weight).toPrecision(3)))}`;
}

function cancelling(proof) {
  if (proof?.kind !== "inseparable") return [];
  return Array.from(proof.rows, (row, k) => ({ row, weight: String(proof.multipliers[k]) }));
}

function sumText(sum) {
  return Array.isArray(sum) || ArrayBuffer.isView(sum) ? vector(Array.from(sum).flat()) : String(sum);
}

function separator(course, proof) {
  const flat = Array.from(proof.weights).flat();
  return Array.from({ length: course.vectors }, (_, c) =>
    vector(flat.slice(c * course.width, (c + 1) * course.width).map((w) => Number(w.toPrecision(6)))),
  ).join("; ");
}

function rowsOf(state) {
  const { proof, data } = state;
  const course = state.course?.line;
  if (!proof || !course) return [];
  if (proof.kind === "separable") {
    const flat = Array.from(proof.weights).flat();
    return flat.map((w, j) => [
      "—",
      `weight of ${course.features[j % course.width]}`,
      course.vectors === 1 ? "" : course.classes[Math.floor(j / course.width)],
      numeral(w),
    ]);
  }
  return cancelling(proof).map(({ row, weight }, k) => {
    const label = data.labels[row];
    const other = course.vectors > 1 && proof.others ? ` against ${data.classes[proof.others[k]]}` : "";
    return [
      String(row + 1),
      `(${data.points[row].map(numeral).join(", ")})`,
      [key(lookOf(label)), ` ${data.classes[label]}${other}`],
      weight,
    ];
  });
}

// The points, small; above them the separating line with its room, or the rows that cancel and where they meet.
function scene(lab, proof) {
  const { state } = lab;
  const { data } = state;
  const course = state.course.line;
  const [x0, x1, y0, y1] = windowOf(lab.plane.frame);
  const frame = new Frame({ low: x0, high: x1, span: x1 - x0 }, { low: y0, high: y1, span: y1 - y0 }, SIZE);
  const size = data.points.length > 300 ? 3 : data.points.length > 60 ? 5 : 8;
  const places = data.points.map((point) => frame.at(point));
  const marks = new Marks(places, data.labels, lookOf, size);
  const kind = size < 8 ? "rp-points crowd" : "rp-points";
  const paint = (d, c) => svg("path", { d, fill: colour(lookOf(c)), class: kind });
  const points = marks.outlines(data.classes.length).map(paint);
  if (proof.kind === "separable") {
    const weights = Array.from(proof.weights).flat();
    const strip = band(course, frame, { after: weights, low: proof.margin }, 0);
    return [frame.clip(), ...strip, ...borders(course, frame, weights).map((ends) => line(ends, "rp-new")), ...points];
  }
  const rows = cancelling(proof);
  const meeting = proof.meeting ? frame.at(proof.meeting) : null;
  const spokes = meeting
    ? rows.map(({ row }) => {
        const [x, y] = frame.at(data.points[row]);
        return svg("line", { x1: x, y1: y, x2: meeting[0], y2: meeting[1], class: "spoke" });
      })
    : [];
  const halos = rows.flatMap(({ row, weight }) => {
    const [cx, cy] = places[row];
    const r = marks.reach([cx, cy]) + 5;
    return [
      svg("circle", { cx, cy, r, class: "halo" }),
      svg("text", { x: cx + r + 3, y: cy - r + 5, class: "halo-name" }, times(weight)),
    ];
  });
  const cross = meeting ? [svg("circle", { cx: meeting[0], cy: meeting[1], r: 5, class: "dot" })] : [];
  return [...spokes, ...points, ...halos, ...cross];
}
