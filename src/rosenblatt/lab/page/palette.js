// Which class a click adds: one button for each, by shape, colour and name.

import { html, key } from "./draw.js";
import { CLASSES, lookOfClass } from "./defaults.js";
import { button } from "./draw.js";

export function makePalette(lab) {
  const { state } = lab;
  const element = html(
    "fieldset",
    { class: "palette" },
    html("legend", { class: "unseen" }, "Class of the points you add"),
  );
  const more = button("+ class", () => {
    lab.palette.chosen = state.addClass();
    draw();
    lab.say(`Class ${state.data.classes[lab.palette.chosen]} added; click on the plane to give it points.`);
  });
  let drawn = null;
  const draw = () => {
    const { classes } = state.data;
    if (lab.palette.chosen >= classes.length) lab.palette.chosen = 1;
    if (drawn === classes) return;
    drawn = classes;
    const one = (name, number) => {
      const choice = html("input", { type: "radio", name: "class", value: number });
      choice.checked = number === lab.palette.chosen;
      choice.addEventListener("change", () => (lab.palette.chosen = number));
      return html("label", {}, choice, key(lookOfClass(number)), name);
    };
    element.replaceChildren(element.firstChild, ...classes.map(one), more);
    more.hidden = classes.length >= CLASSES;
  };
  state.on("data", draw);
  draw();
  return element;
}
