// The bench: data above the plane, the plane, time below it; beside it what just happened, what it proves, and choices.

import { makeAddress } from "./address.js";
import { makeChoices } from "./choices.js";
import { makeData } from "./data.js";
import { button, card, html } from "./draw.js";
import { Plane } from "./plane.js";
import { makeProved } from "./proved.js";
import { makeShown } from "./shown.js";
import { makeStepsTable } from "./steps_table.js";
import { makePointsTable } from "./points_table.js";
import { makeTakeaway } from "./takeaway.js";
import { makeTime } from "./time.js";
import { makeUpdate } from "./update.js";
import { chosen } from "./words.js";

const OPENING_STEP = 5; // of the notes' five points: the second mistake, where an old boundary and a new one are seen

export async function mount(element, lab) {
  const { state } = lab;
  const [stage, side, tables] = ["stage", "side", "tables"].map((id) => element.querySelector(`#${id}`));
  const plane = new Plane(lab);
  lab.plane = plane;
  const data = makeData(lab, plane);
  const time = makeTime(lab);
  lab.time = time;
  const chip = html("span", { class: "chip" });
  state.on("choices", () => (chip.textContent = chosen(state.choices)));
  const top = html("div", { class: "row apart" }, html("h3", {}, "The plane"), chip);
  const main = html("section", { class: "card" }, top, data.element, plane.element, time.element, data.about);
  const [update, proved, choices, shown] = [makeUpdate(lab), makeProved(lab), makeChoices(lab), makeShown(lab)];
  const takeaway = makeTakeaway(lab);
  const [points, steps] = [makePointsTable(lab), makeStepsTable(lab)];
  const points_card = card("Every point", points);
  const steps_card = card("Every step", steps);
  stage.append(main);
  side.append(update, proved);
  tables.append(
    html("div", { class: "grid" }, html("div", { class: "stack" }, shown, takeaway), choices, steps_card, points_card),
  );
  Object.assign(lab.parts, {
    plane: plane.element,
    time: time.element,
    data: data.element,
    update,
    bound: proved,
    choices,
    boundaries: shown,
    steps: steps_card,
    points: points_card,
    takeaway,
  });
  document.getElementById("header-tools").append(data.sources, ...tools(lab));
  // While the run of the points at hand is awaited, what is said is of others: it is greyed, and a screen reader waits.
  for (const kind of ["data", "choices", "run"])
    state.on(kind, () => {
      for (const id of ["bench", "views"]) document.getElementById(id).setAttribute("aria-busy", state.outdated);
    });
  const address = makeAddress(lab);
  await data.loaded;
  if (!(await address.open())) await data.usePreset("notes", OPENING_STEP);
  state.history.past = []; // what the page opened with cannot be undone
  lab.say("");
}

function tools(lab) {
  const { state } = lab;
  const back = button("Undo", () => undo(), { title: "Ctrl+Z" });
  const forth = button("Redo", () => redo(), { title: "Ctrl+Shift+Z or Ctrl+Y" });
  const undo = () => lab.say(state.undo() ? "Undone." : "Nothing to undo.");
  const redo = () => lab.say(state.redo() ? "Done again." : "Nothing to redo.");
  const enable = () => {
    back.disabled = !state.history.past.length;
    forth.disabled = !state.history.future.length;
  };
  for (const kind of ["data", "choices", "run"]) state.on(kind, enable);
  enable();
  document.addEventListener("keydown", (event) => {
    if (
      !(event.ctrlKey || event.metaKey) ||
      event.altKey ||
      event.target.closest("textarea, input:not([type=range], [type=checkbox], [type=radio])")
    )
      return;
    const key = event.key.toLowerCase();
    const act = key === "y" || (key === "z" && event.shiftKey) ? redo : key === "z" ? undo : null;
    if (!act) return;
    event.preventDefault();
    act();
  });
  return [back, forth];
}
