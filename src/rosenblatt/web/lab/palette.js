// Which class a click adds: one button for each, by shape, colour and name.

import { button, html, key, lookOf } from "./draw.js";
import { CLASSES } from "./defaults.js";

export function makePalette(lab) {
  const { state } = lab;
  const element = html(
    "fieldset",
    { class: "palette" },
    html("legend", { class: "unseen" }, "Class of the points you add"),
  );
  const more = button(
    html("span", {}, "+", html("span", { class: "long" }, " class")),
    () => {
      lab.palette.chosen = state.addClass();
      draw();
      lab.say(`Class ${state.data.classes[lab.palette.chosen]} added; click on the plane to give it points.`);
    },
    { "aria-label": "+ class" },
  );
  let drawn = null;
  const draw = () => {
    const { classes } = state.data;
    if (lab.palette.chosen >= classes.length) lab.palette.chosen = 1;
    if (drawn !== classes) build(classes);
    for (const choice of element.querySelectorAll("input"))
      choice.checked = Number(choice.value) === lab.palette.chosen;
  };
  const build = (classes) => {
    drawn = classes;
    const one = (name, number) => {
      const choice = html("input", { type: "radio", name: "class", value: number });
      choice.addEventListener("change", () => (lab.palette.chosen = number));
      return html("label", {}, choice, key(lookOf(number)), name);
    };
    element.replaceChildren(element.firstChild, ...classes.map(one), more);
    more.hidden = classes.length >= CLASSES;
  };
  state.on("data", draw);
  draw();
  return element;
}
