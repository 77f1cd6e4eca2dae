// Which boundaries are drawn together, and how many points each of them gets right.

import { card, checkbox, html, svg } from "./draw.js";

const KINDS = {
  final: "the weights at this step",
  averaged: "the mean of all weights so far",
  voted: "every weight votes, by how long it lasted (whole run)",
  pocket: "the longest clean run so far, if it also got more points right",
};
const OF_CURVES = {
  final: "the score at this step",
  averaged: "the mean of all scores so far",
  voted: "every curve votes, by how long it lasted (whole run)",
};
const LINES_ONLY = ["pocket", "normal", "proof"];
const EXTRAS = { regions: "regions", band: "margin band", normal: "normal vector", proof: "rows that cancel" };

export function makeShown(lab) {
  const { state } = lab;
  const boxes = {};
  const box = (kind, name, ...before) => {
    const made = checkbox(name, state.show[kind], (on) => state.setShow({ [kind]: on }));
    boxes[kind] = made.box;
    made.label.append(...before);
    return made.label;
  };
  const kinds = Object.keys(KINDS).map((kind) => {
    const label = box(kind, kind, sample(kind));
    label.title = KINDS[kind];
    return label;
  });
  const legend = html("legend", {}, "weights shown");
  const element = html("fieldset", { class: "segments two" }, legend, html("div", {}, ...kinds));
  const extras = html(
    "div",
    { class: "stack tight" },
    ...Object.entries(EXTRAS).map(([kind, name]) => box(kind, name)),
  );
  state.on("show", () => {
    for (const [kind, made] of Object.entries(boxes)) made.checked = state.show[kind];
  });
  state.on("choices", () => {
    const curve = state.choices.kernel !== "line";
    for (const kind of LINES_ONLY) boxes[kind].parentElement.hidden = curve;
    legend.textContent = curve ? "curves shown" : "weights shown";
    element.classList.toggle("three", curve);
    for (const [kind, about] of Object.entries(curve ? OF_CURVES : KINDS)) boxes[kind].parentElement.title = about;
  });
  return { element, extras };
}

// The four kinds of weights side by side; how many points they get right is told when the run is over.
export function makeKinds(lab) {
  const { state } = lab;
  const [right, about] = [{}, {}];
  const rows = Object.keys(KINDS).map((kind) => {
    right[kind] = html("td", { "data-right": kind });
    about[kind] = html("td", { class: "note" });
    const name = html("th", { scope: "row" }, sample(kind), kind);
    return html("tr", {}, name, about[kind], right[kind]);
  });
  const head = ["weights", "what they are", "right at the end"].map((name) => html("th", { scope: "col" }, name));
  const table = html(
    "table",
    { class: "kinds" },
    html("thead", {}, html("tr", {}, ...head)),
    html("tbody", {}, ...rows),
  );
  const draw = () => {
    const { course } = state;
    const found = course && state.reached === course.length ? course.answer.final.right : {};
    const voted = found.final === undefined ? undefined : (state.votedRight ?? found.voted);
    for (const [kind, count] of Object.entries({ ...found, voted }))
      right[kind].textContent = count === undefined ? "" : `${count} of ${state.data.points.length}`;
  };
  for (const kind of ["run", "step", "vote"]) state.on(kind, draw);
  const made = card("Four kinds of weights", table);
  state.on("run", () => {
    const curve = Boolean(state.course?.kernel);
    made.querySelector("h3").textContent = curve ? "Three kinds of curves" : "Four kinds of weights";
    for (const kind of Object.keys(KINDS)) {
      about[kind].textContent = (curve ? OF_CURVES : KINDS)[kind] ?? "";
      about[kind].parentElement.hidden = curve && kind === "pocket";
    }
  });
  return made;
}

function sample(kind) {
  const picture = svg("svg", { viewBox: "0 0 26 10", width: 26, height: 10, "aria-hidden": "true" });
  picture.append(svg("line", { x1: 1, x2: 25, y1: 5, y2: 5, class: kind === "final" ? "rp-new" : `other ${kind}` }));
  return picture;
}
