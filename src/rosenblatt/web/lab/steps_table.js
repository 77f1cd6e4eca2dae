// The step table of the notes: the twin of the plane in numbers. The player's table, on the lab's run.

import { makeSteps } from "../steps.js";
import { html } from "./draw.js";
import { whenSeen } from "./space.js";

export function makeStepsTable(lab) {
  const { state } = lab;
  const box = html("div");
  const element = html(
    "div",
    {},
    html("p", { class: "note" }, "The table of the notes. A click on a line goes there."),
    box,
  );
  let shown = null;
  const draw = () => seen() && state.course && shown?.draw(state.moment());
  const seen = whenSeen(element, () => draw());
  state.on("run", () => {
    shown = state.course ? makeSteps(state.course, (step) => state.goTo(step)) : null;
    box.replaceChildren(...(shown ? [shown.element] : []));
  });
  state.on("step", draw);
  return element;
}
