// The bench: left what can be changed, in the middle the plane with time below it, right what just happened.

import { makeAddress } from "./address.js";
import { makeChoices } from "./choices.js";
import { makeData } from "./data.js";
import { button, card, html } from "./draw.js";
import { makeHall } from "./hall.js";
import { Plane } from "./plane.js";
import { makePasses } from "./passes.js";
import { makeProved } from "./proved.js";
import { makeKinds } from "./shown.js";
import { makeStepsTable } from "./steps_table.js";
import { makePointsTable } from "./points_table.js";
import { makeTakeaway } from "./takeaway.js";
import { makeTime } from "./time.js";
import { makeUpdate } from "./update.js";
import { makeWide } from "./wide.js";

export async function mount(element, lab) {
  const { state } = lab;
  const [rail, stage, side, tables] = ["rail", "stage", "side", "tables"].map((id) => element.querySelector(`#${id}`));
  makeWide(lab, element.querySelector("#wide"));
  const plane = new Plane(lab);
  lab.plane = plane;
  const data = makeData(lab, plane);
  const time = makeTime(lab);
  lab.time = time;
  data.tools.prepend(...tools(lab));
  const main = html("section", { class: "card", "aria-label": "The plane" }, data.element, plane.element, time.element);
  const [update, proved, choices, kinds] = [makeUpdate(lab), makeProved(lab), makeChoices(lab), makeKinds(lab)];
  const passes = makePasses(lab, proved);
  const takeaway = makeTakeaway(lab);
  const points = card("Every point", makePointsTable(lab));
  const steps = card("Every step", makeStepsTable(lab));
  rail.append(choices.element);
  stage.append(main);
  side.append(update.element, passes, takeaway.element);
  tables.append(html("div", { class: "grid" }, steps, points, update.arrows, kinds));
  Object.assign(lab.parts, {
    plane: plane.element,
    time: time.element,
    data: data.element,
    update: update.element,
    bound: passes,
    choices: choices.element,
    boundaries: choices.shown,
    steps,
    points,
    takeaway: takeaway.element,
  });
  const sources = html("div", { class: "row" }, ...data.sources);
  document.getElementById("header-tools").append(sources, takeaway.link);
  takeaway.buttons.append(makeHall(lab).button);
  state.on("tab", () => (sources.hidden = !["bench", "views"].includes(lab.tabs.now))); // no other part has points
  // While the run of the points at hand is awaited, what is said is of others: it is greyed, and a screen reader waits.
  for (const kind of ["data", "choices", "run"])
    state.on(kind, () => {
      for (const id of ["bench", "views"]) document.getElementById(id).setAttribute("aria-busy", state.outdated);
    });
  const address = makeAddress(lab);
  await data.loaded;
  const given = document.getElementById("points"); // of a page that was made for some points, as in a notebook
  if (given) {
    const { points, labels, ...names } = JSON.parse(given.textContent);
    await state.setPoints(points, labels, names);
  } else if (!(await address.open())) {
    await data.usePreset("notes", { told: false });
    time.playSome();
  }
  state.history.past = []; // what the page opened with cannot be undone
  lab.say("");
}

function tools(lab) {
  const { state } = lab;
  const back = button("↶", () => undo(), { title: "Undo (Ctrl+Z)", "aria-label": "Undo" });
  const forth = button("↷", () => redo(), { title: "Redo (Ctrl+Shift+Z or Ctrl+Y)", "aria-label": "Redo" });
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
