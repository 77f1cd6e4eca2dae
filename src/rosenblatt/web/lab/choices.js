// The choices of the run, beside the plane. Each is tried first; one that is refused goes back, with the reason below.

import { button, card, checkbox, field, html, numeral, segments } from "./draw.js";
import { CHOICES } from "./defaults.js";
import { makeShown } from "./shown.js";

const TIES = [
  ["mistake", "wrong"],
  ["positive", "+"],
  ["negative", "−"],
];
const ORDERS = [
  ["false", "given"],
  ["true", "shuffled"],
];
const SHAPES = [
  ["line", "line"],
  ["curve", "curve"],
];
const KERNELS = ["rbf", "poly", "cosine"].map((name) => [name, name]);
const HELP = {
  shape: "What parts the classes: a straight line, or a curve made of the points that were mistakes.",
  kernel:
    "What a mistake adds to the score: rbf a hill around the point, poly a power of the product with it, cosine what lies " +
    "in its direction.",
  gamma: "How sharp hills are (rbf), or how much the product counts (poly).",
  degree: "The power: the higher, the more the curve may bend.",
  margin: "A point must be right by more than this, or it counts as a mistake.",
  alpha: "How much of a point is added to the weights at a mistake.",
  ties: "A score of 0 is on the line itself: a mistake, or one of the classes.",
  shuffle: "In which order the points are read: as they stand, or shuffled anew in each pass.",
  bias: "One more number of every point, always 1. Without it the line must go through the origin.",
};
const MARGINS = [0, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16];
const RATES = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16];
const GAMMAS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32];
const DEGREES = [1, 2, 3, 4, 5, 6, 8, 10, 12];
const FIGURES = {
  gamma: "sharpness γ",
  degree: "degree d",
  coef0: "constant c₀",
  alpha: "rate α",
  margin: "margin τ",
  seed: "shuffle seed",
  passes: "passes at most",
};
const { passes: _, ...USUAL } = CHOICES;

export function makeChoices(lab) {
  const { state } = lab;
  const element = card("Try changing");

  const set = async (some, again = false) => {
    try {
      await state.setChoices(some, again);
      lab.problem(element, "");
    } catch (problem) {
      lab.problem(element, problem.message);
    }
    draw();
  };
  const refuse = (words) => {
    lab.problem(element, words);
    draw();
  };

  const figures = Object.fromEntries(
    Object.entries(FIGURES).map(([name, told]) => {
      const input = html("input", { class: "figure", inputmode: "decimal", autocomplete: "off", "aria-label": told });
      input.addEventListener("change", () => {
        const given = Number(input.value.trim().replace("−", "-").replace(",", "."));
        if (input.value.trim() !== "" && Number.isFinite(given)) set({ [name]: given });
        else refuse(`${told} must be a number; got “${input.value}”.`);
      });
      return [name, input];
    }),
  );
  const shape = segments("boundary", SHAPES, (value) => set({ kernel: value === "line" ? "line" : "rbf" }));
  const kernel = segments("kernel", KERNELS, (value) => set({ kernel: value }));
  const dials = { gamma: GAMMAS, degree: DEGREES, margin: MARGINS, alpha: RATES };
  const [gamma, degree, margin, rate] = Object.entries(dials).map(([name, values]) => dial(name, values, figures, set));
  const ties = segments("a score of 0 is", TIES, (value) => set({ ties: value }));
  const order = segments("order", ORDERS, (value) => set({ shuffle: value === "true" }));
  const bias = checkbox("bias, always 1", true, (on) => set({ bias: on, start: null }));
  const seed = field(FIGURES.seed, figures.seed);
  const start = startField(set, refuse);
  const coef0 = field(FIGURES.coef0, figures.coef0);
  const told = {
    shape,
    kernel,
    gamma,
    degree,
    margin,
    alpha: rate,
    ties,
    shuffle: order,
    bias: { element: bias.label },
  };
  for (const [name, words] of Object.entries(HELP)) told[name].element.title = words;
  const usual = button("Undo all changes here", () => set(USUAL));
  const shown = makeShown(lab);
  const more = html(
    "details",
    { class: "more" },
    html("summary", {}, "More"),
    html(
      "div",
      { class: "stack" },
      field(FIGURES.passes, figures.passes),
      coef0,
      ...start.elements,
      shown.extras,
      usual,
    ),
  );
  element.classList.add("rail");
  const curves = [kernel.element, gamma.element, degree.element];
  const both = [margin.element, rate.element, order.element, seed, ties.element, shown.element, bias.label, more];
  element.append(shape.element, ...curves, ...both);

  const draw = () => {
    const now = state.choices;
    for (const name of Object.keys(FIGURES)) figures[name].value = String(now[name]);
    const line = now.kernel === "line";
    shape.set(line ? "line" : "curve");
    kernel.set(now.kernel);
    kernel.element.hidden = line;
    gamma.element.hidden = line || now.kernel === "cosine";
    degree.element.hidden = line || now.kernel === "rbf";
    coef0.hidden = now.kernel !== "poly";
    for (const own of [rate.element, bias.label, ...start.elements]) own.hidden = !line;
    gamma.draw(now.gamma);
    degree.draw(now.degree);
    margin.draw(now.margin);
    rate.draw(now.alpha);
    ties.set(now.ties);
    order.set(String(now.shuffle));
    bias.box.checked = now.bias;
    seed.hidden = !now.shuffle;
    start.draw(now.start);
  };
  state.on("choices", draw);
  draw();
  return { element, shown: shown.element };
}

// A number as a slider over usual values, with a field for any other. A gesture on the slider is one undo.
function dial(name, values, figures, set) {
  const range = html("input", { type: "range", min: 0, max: values.length - 1, step: 1 });
  range.setAttribute("aria-label", `${FIGURES[name]}, slider`);
  let again = false;
  range.addEventListener("input", () => {
    set({ [name]: values[Number(range.value)] }, again);
    again = true;
  });
  range.addEventListener("change", () => (again = false));
  const draw = (value) => {
    const near = values.map((one) => Math.abs(one - value));
    range.value = near.indexOf(Math.min(...near));
    range.setAttribute("aria-valuetext", numeral(value));
  };
  const top = html("div", { class: "row apart" }, html("span", {}, FIGURES[name]), figures[name]);
  return { element: html("div", { class: "dial" }, top, range), draw };
}

function startField(set, refuse) {
  const input = html("input", {
    class: "figure",
    autocomplete: "off",
    placeholder: "0, 0, 0",
    "aria-describedby": "start-note",
  });
  input.addEventListener("change", () => {
    try {
      set({ start: readStart(input.value) });
    } catch (problem) {
      refuse(problem.message);
    }
  });
  const about =
    "The bias first, like -1, 0, 0; with more classes one line each, like 0,0,0; 1,0,0; 0,1,0. Empty: all 0.";
  const note = html("p", { class: "note", id: "start-note" }, about);
  const draw = (now) => {
    const lines = now && Array.isArray(now[0]) ? now : [now ?? []];
    input.value = lines.map((line) => line.join(", ")).join("; ");
  };
  return { elements: [field("start weights", input), note], draw };
}

// "-1, 0, 0" or "0,0,0; 1,0,0": numbers, or lines of numbers; empty is null.
export function readStart(text) {
  const plain = text.replace(/[[\]]/g, "").replaceAll("−", "-").trim();
  if (!plain) return null;
  const rows = plain.split(";").map((row) =>
    row
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((item) => {
        const value = Number(item);
        if (!Number.isFinite(value)) throw new Error(`start weights must be numbers; got “${item}”.`);
        return value;
      }),
  );
  return rows.length === 1 ? rows[0] : rows;
}
