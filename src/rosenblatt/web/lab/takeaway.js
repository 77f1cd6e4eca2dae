// What a person can take home: the picture, the trace, a player in one file, and words that make the same run again.

import { button, card, html } from "./draw.js";
import { pngBlob, saveAs, svgText } from "./picture.js";
import { write } from "./link.js";

export function makeTakeaway(lab) {
  const { state } = lab;
  const text = html("textarea", {
    class: "num",
    rows: 8,
    readonly: "",
    spellcheck: "false",
    "aria-label": "The text that was copied",
    hidden: "",
  });
  const done = html("p", { class: "note" });

  const tell = (words) => {
    done.textContent = words;
    lab.say(words);
  };
  const guard = (act) => async () => {
    try {
      lab.problem(element, "");
      done.textContent = ""; // it speaks of the press before
      await act();
    } catch (problem) {
      lab.problem(element, problem.message);
    }
  };
  const ask = (form) => lab.call("takeaway", { ...state.question(), form, weights: "final" });
  const save = (form) =>
    guard(async () => {
      const found = await ask(form);
      saveAs(found.name, new Blob([found.text], { type: found.type }));
      tell(`${found.name} was saved.`);
    });
  const give = async (words, what) => {
    text.value = words;
    text.hidden = false;
    try {
      await navigator.clipboard.writeText(words);
      tell(`${what} is on the clipboard.`);
    } catch {
      text.focus();
      text.select();
      tell(`${what} stands below; copy it with Ctrl+C.`);
    }
  };
  const copy = (form, what) => guard(async () => give((await ask(form)).text, what));

  const buttons = [
    button(
      "Picture as SVG",
      guard(() => {
        saveAs("plane.svg", new Blob([svgText(lab.plane.sheets)], { type: "image/svg+xml" }));
        tell("plane.svg was saved.");
      }),
    ),
    button(
      "Picture as PNG",
      guard(async () => {
        saveAs("plane.png", await pngBlob(lab.plane.sheets));
        tell("plane.png was saved.");
      }),
    ),
    button("Trace as JSON", save("json")),
    button("Player in one file", save("player")),
    button("Copy as Python", copy("python", "The Python text")),
    button("Copy as command", copy("command", "The command")),
    button(
      "Copy link",
      guard(() => give(location.href.replace(/#.*$/s, "") + write(state.bench()), "The link")),
    ),
  ];
  const element = card(
    "Take away",
    html("p", { class: "note lead" }, "The text makes exactly this run again, without the lab."),
    html("div", { class: "row" }, ...buttons),
    done,
    text,
  );
  state.on("run", () => {
    for (const one of buttons) one.disabled = !state.course;
    text.hidden = true; // it makes the run before
    done.textContent = "";
  });
  return element;
}
