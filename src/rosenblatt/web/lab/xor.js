// XOR: the proof that one perceptron cannot, then three of them, then one with one more column.

import { card, facts, html, key, lookOf, twin } from "./draw.js";
import { begin, introduce, slider } from "./parts.js";
import { drawNetwork } from "./xor_network.js";
import { Square, legend } from "./xor_plane.js";

const TITLE = "XOR: what one perceptron cannot do";
const TEXT =
  "XOR says yes when exactly one of two inputs is 1, and no straight line has its two yeses on one side and its two noes on the other. " +
  "The proof is four rows that cancel; after it come two ways out: three perceptrons instead of one, or one more column.";

export function mount(element, lab) {
  const body = introduce(element, TITLE, TEXT);
  return begin(body, lab, "xor", (story) => [proof(story), network(story, lab), product(story, lab)]);
}

function at(story, row) {
  return `(${story.rows[row].join(", ")})`;
}

function className(story, label) {
  return html("span", { class: "class" }, key(lookOf(label)), story.classes[label]);
}

function proof(story) {
  const square = new Square(
    story,
    "Four points; the segment between the two yeses and that between the two noes cross in the middle",
  );
  for (const label of [0, 1]) {
    const ends = story.proof.parts
      .filter((part) => story.labels[part.row] === label)
      .map((part) => story.rows[part.row]);
    square.line(ends, label ? "pull" : "pull dashed");
  }
  for (const part of story.proof.parts) {
    const [x, y] = story.rows[part.row];
    square.text([x, y], part.weight, x ? 16 : -16, y ? -12 : 22);
  }
  square.ring(story.proof.meet[0]);
  const rows = () => [
    ...story.proof.parts.map((part) => [
      at(story, part.row),
      className(story, story.labels[part.row]),
      part.weight,
      part.signed,
      part.times,
    ]),
    ["sum", "", "", "", html("b", { "data-fact": "sum" }, story.proof.sum)],
  ];
  const table = twin("The rows that cancel", ["row", "class", "weight", "signed row", "product"], rows);
  const steps = twin(
    "One pass from 0, step by step",
    ["step", "row", "weights", "score", "update", "weights after"],
    () =>
      story.cycle.steps.map((step) => [
        String(step.step),
        at(story, step.row),
        step.before,
        step.arithmetic,
        step.update,
        step.after,
      ]),
  );
  table.element.open = true;
  return card(
    "Impossible for one",
    square.element,
    html("p", { class: "say", "data-fact": "proof" }, story.proof.words),
    html("p", { class: "note", "data-fact": "cycle" }, `${story.cycle.words} So it goes round for ever.`),
    table.element,
    steps.element,
  );
}

function network(story, lab) {
  const { units, inputs, regions } = story.network;
  const square = new Square(story, "The plane cut by the lines of OR and AND; the strip between them says yes");
  for (const region of regions) if (region.says) square.region(region.polygon);
  units.slice(0, 2).forEach((unit, i) => {
    square.line(unit.line, i ? "edge dashed" : "edge");
    square.text(unit.line[0], unit.name, i ? 22 : 20, i ? 16 : 4);
  });
  const drawing = drawNetwork(story);
  const say = html("p", { class: "say", "data-fact": "network" });
  const show = (place, speak) => {
    drawing.show(inputs[place]);
    square.points.querySelectorAll(".pt").forEach((dot, i) => dot.classList.toggle("chosen", i === place));
    const [or, and, end] = inputs[place].units;
    say.textContent =
      `Input (${inputs[place].x.join(", ")}): OR says ${or.fires}, AND says ${and.fires}, so the third says ${end.fires}. ` +
      (inputs[place].says === inputs[place].true ? "Right." : "Wrong.");
    if (speak) lab.say(say.textContent);
  };
  const choices = inputs.map((input, i) => {
    const radio = html("input", { type: "radio", name: "xor-input", value: i });
    radio.addEventListener("change", () => show(i, true));
    return { radio, label: html("label", { class: "check" }, radio, `(${input.x.join(", ")})`) };
  });
  choices[1].radio.checked = true;
  show(1, false);
  const weights = twin("The three weight vectors", ["perceptron", "of", "weights, bias first", "trained in"], () =>
    units.map((unit) => [
      unit.name,
      unit.inputs.join(", "),
      unit.text,
      `${unit.passes} passes, ${unit.mistakes} mistakes`,
    ]),
  );
  const table = twin("All four inputs", ["input", "OR", "AND", "OR and not AND", "says", "true"], () =>
    inputs.map((input) => [
      `(${input.x.join(", ")})`,
      ...input.units.map((unit) => `${unit.arithmetic} → ${unit.fires}`),
      className(story, input.says),
      className(story, input.true),
    ]),
  );
  weights.element.open = true;
  return card(
    "Solved by three perceptrons",
    square.element,
    legend(story.classes),
    html("fieldset", { class: "row" }, html("legend", {}, "Input"), ...choices.map((choice) => choice.label)),
    drawing.element,
    say,
    weights.element,
    table.element,
  );
}

function product(story, lab) {
  const { moments, rows } = story.product;
  const square = new Square(story, "The boundary of a perceptron with the column x₁·x₂, a curve in the plane");
  const table = facts(["mistake", "row", "score", "update", "weights"]);
  const say = html("p", { class: "say", "data-fact": "product" }, story.product.words);
  let ready = false;
  const show = (place) => {
    const moment = moments[place];
    square.clear();
    moment.regions.forEach((region) => square.region(region));
    moment.lines.forEach((line) => square.line(line, "edge"));
    if (moment.row !== null) square.ring(story.rows[moment.row]);
    table.cells.mistake.textContent = `${moment.mistake} of ${story.product.mistakes}`;
    table.cells.row.textContent = moment.row === null ? "none yet" : at(story, moment.row);
    table.cells.score.textContent = moment.arithmetic ?? "";
    table.cells.update.textContent = moment.update ?? "";
    table.cells.weights.textContent = moment.after;
    if (ready) lab.say(`Mistake ${moment.mistake}: weights ${moment.after}.`);
  };
  const time = slider(
    "Mistake of the run with the product column",
    moments.length,
    (place) => `mistake ${place}`,
    show,
  );
  time.set(moments.length - 1);
  ready = true;
  const twinned = twin("The four rows under the last weights", ["row [x₁, x₂, x₁·x₂]", "score", "says", "true"], () =>
    rows.map((row) => [row.features, row.arithmetic, className(story, row.fires), className(story, row.true)]),
  );
  return card(
    "Solved by one more column",
    square.element,
    legend(story.classes),
    html("div", { class: "slide" }, time.range, time.shown),
    table.element,
    say,
    twinned.element,
  );
}
