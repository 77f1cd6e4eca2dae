// The step table of the notes: the twin of the plane in numbers. The player's table, on the lab's run.

import { makeSteps } from "../steps.js";
import { html } from "./draw.js";
import { whenSeen } from "./space.js";

const PAUSE = 100; // milliseconds

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
  // At once, but not in every frame of a quick way through the run: the table costs as much as all other pictures.
  let [last, timer] = [-PAUSE, 0];
  const draw = () => {
    clearTimeout(timer);
    const wait = last + PAUSE - performance.now();
    if (wait > 0) timer = setTimeout(draw, wait);
    else if (seen() && state.course) {
      last = performance.now();
      shown?.draw(state.moment());
    }
  };
  const seen = whenSeen(element, () => draw());
  state.on("run", () => {
    last = -PAUSE;
    shown = state.course ? makeSteps(state.course, (step) => state.goTo(step)) : null;
    box.replaceChildren(...(shown ? [shown.element] : []));
  });
  state.on("step", draw);
  return element;
}
