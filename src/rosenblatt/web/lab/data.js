// Where points come from: presets, a file or a built-in set, and the tools that change them.

import { button, field, html, select } from "./draw.js";
import { makeLoad } from "./load.js";
import { makePalette } from "./palette.js";

const SEEDED = /^(wide|thin|noise|three|circles|moons|spirals)/; // presets that a seed decides

export function makeData(lab, plane) {
  const { state } = lab;
  let presets = [];
  const list = select([], () => use(list.value), { "aria-label": "Points" });
  const seed = html("input", { type: "number", min: 0, max: 2 ** 31 - 1, step: 1, value: 0 });
  const seedField = field("seed", seed);
  const load = makeLoad(lab);
  const short = html("span", { class: "brief" }, "×");
  const named = html("span", {}, html("span", { class: "long" }, "Remove"), short);
  const remove = button(named, () => plane.remove(), { "aria-label": "Remove the picked point", class: "remove" });
  const clear = button("Clear", () => {
    state.clear();
    lab.say("All points removed. Click on the plane to add some.");
  });
  clear.classList.add("clear");
  const refit = button("Fit", () => state.edit({ window: null }), { "aria-label": "Fit the picture to the points" });
  const sources = [list, seedField, load.button];
  const about = document.getElementById("lead"); // what the page begins with stays until other points are chosen
  const tools = html("span", { class: "row" }, remove, clear, refit);
  const element = html("div", { class: "row apart data" }, makePalette(lab), tools);

  const fetchPresets = async () => {
    const answer = await lab.call("presets", { seed: Number(seed.value) });
    presets = answer.presets;
    const chosen = list.value;
    list.replaceChildren(
      ...presets.map(({ name, title }) => html("option", { value: name }, title)),
      html("option", { value: "", hidden: "" }, "other points"),
    );
    list.value = chosen;
  };

  const usePreset = async (name, { step = 0, told = true } = {}) => {
    const found = presets.find((preset) => preset.name === name);
    const { points, labels, classes, features, start, settings } = found;
    await state.setPoints(points, labels, { classes, features, step, start: start ?? null, ...settings });
    [own, preset] = [state.data, name];
    list.value = name;
    if (told) about.textContent = found.words;
    seedField.hidden = !SEEDED.test(name);
  };

  const use = async (name) => {
    try {
      await usePreset(name);
      lab.problem(element, "");
      lab.say(`${list.selectedOptions[0]?.textContent}: ${state.data.points.length} points.`);
    } catch (problem) {
      lab.problem(element, problem.message);
    }
  };

  seed.addEventListener("change", async () => {
    const wanted = list.value;
    try {
      if (!/^\d{1,10}$/.test(seed.value))
        throw new Error(`A seed is a whole number of 0 or more; got “${seed.value}”.`);
      await fetchPresets();
      if (wanted) await use(wanted);
    } catch (problem) {
      lab.problem(element, problem.message);
    }
  });

  // What was loaded, in place of the words of a preset.
  lab.sources = {
    tell(words) {
      about.textContent = words;
      lab.say(words);
    },
  };
  let [own, preset] = [null, ""]; // the data of the preset that the list names
  state.on("data", () => {
    clear.disabled = !state.data.points.length;
    const same = state.data === own;
    list.value = same ? preset : "";
    seedField.hidden = !same || !SEEDED.test(preset);
  });
  state.on("pick", () => (remove.hidden = state.picked < 0));
  remove.hidden = true;
  seedField.hidden = true;
  return { element, tools, sources, loaded: fetchPresets(), usePreset };
}
