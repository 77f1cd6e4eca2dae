// What a person can take home: the picture, the trace, a player in one file, and words that make the same run again.

import { button, card, html } from "./draw.js";
import { pngBlob, saveAs, svgText } from "./picture.js";

const SAID = 2000; // milliseconds

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

  const picture = (name, blob) =>
    guard(async () => {
      saveAs(name, await blob());
      tell(`${name} was saved.`);
    });
  const svg = picture("plane.svg", () => new Blob([svgText(lab.plane.sheets)], { type: "image/svg+xml" }));
  const buttons = [
    button("Python", copy("python", "The Python text"), { title: "Copy a program that makes this run" }),
    button("Command", copy("command", "The command"), { title: "Copy a command that makes this run" }),
    button("SVG", svg, { title: "Save the picture as SVG" }),
    button(
      "PNG",
      picture("plane.png", () => pngBlob(lab.plane.sheets)),
      { title: "Save the picture as PNG" },
    ),
    button("Player", save("player"), { title: "Save a page that plays this run" }),
    button("JSON", save("json"), { title: "Save every step of this run" }),
  ];
  const ofWeights = buttons.filter((one) => ["Command", "Player", "JSON"].includes(one.textContent));
  const row = html("div", { class: "row" }, ...buttons);
  const element = card("Take it with you", row, done, text);
  state.on("run", () => {
    for (const one of buttons) one.disabled = !state.course;
    for (const one of ofWeights) one.hidden = Boolean(state.course?.kernel);
    text.hidden = true; // it makes the run before
    done.textContent = "";
  });
  const link = button(
    "Copy link",
    guard(async () => {
      await give(location.href.replace(/#.*$/s, "") + lab.fragment(), "The link");
      link.textContent = "Link copied";
      setTimeout(() => (link.textContent = "Copy link"), SAID);
    }),
  );
  return { element, link, buttons: row };
}
