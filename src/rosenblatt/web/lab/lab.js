// The lab starts here. Each part of the page is a module with mount(element, lab), and `lab` is what they share:
//
//   lab.call(name, body)            asks the engine, of the page or of the server; every number comes from there
//   lab.say(text)                   spoken by a screen reader, once it is free
//   lab.problem(element, message)   a message where it happened; "" takes it away
//   lab.palette.chosen              the number of the class that a click on the plane adds
//   lab.state                       the bench (state.js). What a lesson needs to drive it:
//     await lab.ready                                the first run is on the page
//     await setPoints(points, labels, {classes, features, step, start, passes, …choices})   both fail with the
//     await setChoices({ties, bias, alpha, shuffle, seed, margin, start, passes})           reason if refused
//     setShow({final, averaged, voted, pocket, regions, band, normal})
//     goTo(step), goToMistake(number); step, course, moment() tell where it is: moment().after are the weights
//     bench() is all of it, and await restore(bench) puts it back; undo(), redo()
//     on("run" | "step" | "data" | "choices" | "show" | "proof", act)
//   lab.highlight(part)             draws the eye to "plane", "time", "update", "bound", "choices", "data", "points",
//                                   "boundaries", "steps", "takeaway", "mistakes", "certificate", "surface",
//                                   "homogeneous", "losses", "orders" or "courses"; null ends it
//   lab.time                        play(), pause(), toggle(), go(way, back), playing
//   lab.letters                     whether letters act on the whole page (hall.js)
//   lab.fragment()                  the link to what is seen, after the #
//   lab.taken                       the lesson or mission at hand: {leave()}, or null; there is one at a time
//   lab.tabs                        show("bench" | "views" | "xor" | …), now

import { call, isServed, takeToken } from "./api.js";
import { mount as mountBench } from "./bench.js";
import { html } from "./draw.js";
import { State } from "./state.js";
import { Tabs } from "./tabs.js";
import { mount as mountViews } from "./views.js";

// Parts that are loaded when they are first seen.
const PARTS = {
  xor: () => import("./xor.js"),
  likelihood: () => import("./likelihood.js"),
  bayes: () => import("./bayes.js"),
  digits: () => import("./digits.js"),
  mail: () => import("./mail.js"),
  labels: () => import("./labels.js"),
  missions: () => import("./missions.js"),
};

function makeLab() {
  const live = document.getElementById("live");
  let turn = 0;
  return {
    call,
    state: new State(call),
    parts: {},
    palette: { chosen: 1 },
    taken: null,
    // The same words twice are spoken twice: a space at the end makes them differ.
    say(text) {
      live.textContent = text + (turn++ % 2 ? "\u00a0" : "");
    },
    problem(element, message) {
      let line = element.querySelector(":scope > .problem.told");
      if (!line && message) {
        line = html("span", { class: "problem told", role: "alert" });
        element.append(line);
      }
      if (line) line.textContent = message;
    },
    highlight(part) {
      for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
      const element = this.parts[part];
      if (!element) return;
      element.classList.add("lit");
      this.tabs.showThatOf(element);
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      element.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
    },
  };
}

// A text that was dropped on the page is a message: Mail reads it.
async function readMessage(lab, text, name) {
  await lab.tabs.show("mail");
  await lab.message.paste(text);
  lab.say(`${name} is read as a message.`);
}

// What fills a part of the page; the bench and its views are there from the start.
async function load(section, lab) {
  if (!PARTS[section.id]) return;
  try {
    const part = await PARTS[section.id]();
    await part.mount(section, lab);
  } catch (problem) {
    console.error(problem);
    lab.problem(section, `This part could not be loaded: ${problem.message}`);
  }
}

async function start() {
  const banner = document.getElementById("page-problem");
  if (isServed() && !takeToken()) {
    banner.textContent =
      "This page has no key to its server. Open the link that the terminal printed when the lab was started.";
    banner.hidden = false;
    return;
  }
  const lab = makeLab();
  window.lab = lab; // for lessons, and for whoever opens the console
  lab.readMessage = (text, name) => readMessage(lab, text, name);
  lab.tabs = new Tabs(lab, (section) => load(section, lab));
  lab.ready = mountBench(document.getElementById("bench"), lab);
  mountViews(document.getElementById("views"), lab);
  try {
    await lab.ready;
  } catch (problem) {
    banner.textContent = problem.message;
    banner.hidden = false;
  }
  const lessons = await import("./lessons.js"); // at once: one may be open, whichever tab is seen
  await lessons.mount(document.getElementById("lessons"), lab);
}

start();
