// The choices of the run. Each is tried on the server; one that is refused goes back, with the reason beside it.

import { button, card, checkbox, field, html, select } from "./draw.js";

const TIES = [
  ["mistake", "a mistake"],
  ["positive", "positive"],
  ["negative", "negative"],
];

export function makeChoices(lab) {
  const { state } = lab;
  const box = html("div", { class: "choices" });
  const element = card("Choices", html("p", { class: "note lead" }, "Change one and the whole run is made anew."), box);

  const set = async (some) => {
    try {
      await state.setChoices(some);
      lab.problem(element, "");
    } catch (problem) {
      lab.problem(element, problem.message);
    }
    draw();
  };

  const figure = (name, value) => {
    const input = html("input", { class: "figure", inputmode: "decimal", autocomplete: "off" });
    input.addEventListener("change", () => {
      const given = Number(input.value.trim().replace("−", "-").replace(",", "."));
      if (input.value.trim() === "" || !Number.isFinite(given)) {
        lab.problem(element, `${value} must be a number; got “${input.value}”.`);
        return draw();
      }
      set({ [name]: given });
    });
    return input;
  };

  const ties = select(TIES, () => set({ ties: ties.value }));
  const bias = checkbox("bias, always 1", true, (on) => set({ bias: on, start: null }));
  const shuffle = checkbox("shuffle each pass", false, (on) => set({ shuffle: on }));
  const [alpha, margin, seed, passes] = [
    figure("alpha", "α"),
    figure("margin", "margin"),
    figure("seed", "seed"),
    figure("passes", "passes"),
  ];
  const start = html("input", {
    class: "figure",
    autocomplete: "off",
    placeholder: "0, 0, 0",
    "aria-describedby": "start-note",
  });
  start.addEventListener("change", () => {
    try {
      set({ start: readStart(start.value) });
    } catch (problem) {
      lab.problem(element, problem.message);
      draw();
    }
  });
  const usual = button("Back to the usual", () =>
    set({ ties: "mistake", bias: true, alpha: 1, shuffle: false, seed: 0, margin: 0, start: null }),
  );
  box.append(
    field("a score of 0 is", ties),
    field("rate α", alpha),
    field("margin τ", margin),
    field("passes at most", passes),
    bias.label,
    shuffle.label,
    field("seed of it", seed),
    field("start weights", start, { class: "field wide" }),
    html(
      "p",
      { class: "note wide", id: "start-note" },
      "Start weights: the bias first, like -1, 0, 0; with more classes one line each, like 0,0,0; 1,0,0; " +
        "0,1,0. Empty: all 0.",
    ),
    html("div", { class: "row wide" }, usual),
  );

  const draw = () => {
    const now = state.choices;
    ties.value = now.ties;
    bias.box.checked = now.bias;
    shuffle.box.checked = now.shuffle;
    for (const [input, name] of [
      [alpha, "alpha"],
      [margin, "margin"],
      [seed, "seed"],
      [passes, "passes"],
    ])
      input.value = String(now[name]);
    seed.disabled = !now.shuffle;
    start.value = now.start
      ? Array.isArray(now.start[0])
        ? now.start.map((row) => row.join(", ")).join("; ")
        : now.start.join(", ")
      : "";
  };
  state.on("choices", draw);
  draw();
  return element;
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
