// Which boundaries are drawn together, and how many rows each of them gets right.

import { card, checkbox, html, svg } from "./draw.js";

const KINDS = {
  final: "the weights at this step",
  averaged: "the mean of all weights so far",
  voted: "every weight votes, by how long it lasted (whole run)",
  pocket: "the longest clean run so far, if it also got more points right",
};
const EXTRAS = { regions: "regions", band: "margin band", normal: "normal vector" };

export function makeShown(lab) {
  const { state } = lab;
  const boxes = {};
  const right = {};
  const line = (kind) => {
    const sample = svg("svg", { viewBox: "0 0 36 10", width: 36, height: 10, "aria-hidden": "true" });
    sample.append(svg("line", { x1: 1, x2: 35, y1: 5, y2: 5, class: kind === "final" ? "rp-new" : `other ${kind}` }));
    return sample;
  };
  const rows = Object.entries(KINDS).map(([kind, about]) => {
    const made = checkbox(kind, state.show[kind], (on) => state.setShow({ [kind]: on }));
    boxes[kind] = made.box;
    made.box.before(line(kind));
    right[kind] = html("td", { "data-right": kind });
    return html("tr", {}, html("td", {}, made.label), html("td", { class: "note" }, about), right[kind]);
  });
  const extras = Object.entries(EXTRAS).map(([kind, name]) => {
    const made = checkbox(name, state.show[kind], (on) => state.setShow({ [kind]: on }));
    boxes[kind] = made.box;
    return made.label;
  });
  const head = html(
    "tr",
    {},
    ...["boundary", "what it is", "right at the end"].map((name) => html("th", { scope: "col" }, name)),
  );
  const table = html("table", { class: "kinds" }, html("thead", {}, head), html("tbody", {}, ...rows));
  const element = card("Boundaries drawn together", table, html("div", { class: "row" }, ...extras));

  state.on("show", () => {
    for (const [kind, box] of Object.entries(boxes)) box.checked = state.show[kind];
  });
  state.on("run", () => {
    const found = state.course?.answer.final.right;
    for (const kind of Object.keys(KINDS))
      right[kind].textContent = found?.[kind] === undefined ? "" : `${found[kind]} of ${state.data.points.length}`;
  });
  state.on("vote", () => (right.voted.textContent = `${state.votedRight} of ${state.data.points.length}`));
  return element;
}
