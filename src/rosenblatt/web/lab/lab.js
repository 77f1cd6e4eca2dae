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
//   lab.time                        play(), pause(), playing

import { call, isServed, takeToken } from "./api.js";
import { mount as mountBench } from "./bench.js";
import { html } from "./draw.js";
import { State } from "./state.js";
import { mount as mountViews } from "./views.js";

const HELD = 5000; // milliseconds
// The parts further down, each loaded when it comes near.
const PARTS = {
  xor: () => import("./xor.js"),
  likelihood: () => import("./likelihood.js"),
  bayes: () => import("./bayes.js"),
  digits: () => import("./digits.js"),
  mail: () => import("./mail.js"),
};

function makeLab() {
  const live = document.getElementById("live");
  let turn = 0;
  return {
    call,
    state: new State(call),
    parts: {},
    palette: { chosen: 1 },
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
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      element.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
    },
  };
}

// Parts further down load when a person comes near them, so that the plane is there at once.
function loadLater(lab) {
  const load = async (section, fetch) => {
    try {
      const part = await fetch();
      await part.mount(section, lab);
    } catch (problem) {
      console.error(problem);
      lab.problem(section, `This part could not be loaded: ${problem.message}`);
    }
  };
  const watch = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        load(target, PARTS[target.id]);
      }
    },
    { rootMargin: "600px" },
  );
  load(document.getElementById("lessons"), () => import("./lessons.js")); // at once: one may be open, wherever on the page the person is
  for (const id of Object.keys(PARTS)) watch.observe(document.getElementById(id));
}

// Marks where the reader is in the page's own list of parts.
function followReading() {
  const links = new Map(Array.from(document.querySelectorAll("nav a"), (link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (!isIntersecting) continue;
        for (const [id, link] of links) {
          if (id === target.id) link.setAttribute("aria-current", "true");
          else link.removeAttribute("aria-current");
        }
      }
    },
    { rootMargin: "-30% 0px -60% 0px" },
  );
  for (const id of links.keys()) watch.observe(document.getElementById(id));
  // The fragment holds the state of the bench, so these links scroll and leave the address alone.
  for (const [id, link] of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const section = document.getElementById(id);
      section.scrollIntoView();
      hold(section);
      section.tabIndex = -1;
      section.focus({ preventScroll: true });
    });
  }
}

// Parts on the way load and grow while the page scrolls: until the person moves, the section stays where it was asked for.
function hold(section) {
  const again = new ResizeObserver(() => section.scrollIntoView({ behavior: "instant" }));
  again.observe(document.body);
  const end = () => again.disconnect();
  for (const act of ["wheel", "touchstart", "keydown", "pointerdown"]) {
    addEventListener(act, end, { once: true, passive: true, capture: true });
  }
  setTimeout(end, HELD);
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
  followReading();
  lab.ready = mountBench(document.getElementById("bench"), lab);
  mountViews(document.getElementById("views"), lab);
  try {
    await lab.ready;
  } catch (problem) {
    banner.textContent = problem.message;
    banner.hidden = false;
  }
  loadLater(lab);
}

start();
