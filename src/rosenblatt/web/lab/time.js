// Time: steps by example, by mistake and by pass, play and pause, and a scrubber whose ticks are the mistakes.

import { Clock, PACES, SHORT, isStill, showPlaying } from "../clock.js";
import { button, checkbox, field, html, select, svg, colour } from "./draw.js";
import { sentence, whereabouts } from "./words.js";

const UNITS = [
  ["example", "examples"],
  ["mistake", "mistakes"],
  ["pass", "passes"],
];
const BINS = 500; // places for ticks
const CROWDED = 600; // mistakes beyond which places are wider, and a tick is as high as its share of them
const LEAST = 40; // steps on the bar at least, and two passes
const NEXT = () => html("span", { class: "long" }, "Next ");
// A long run is played to its end: every wait is a little shorter than the one before.
const QUICKER = { name: "quicker", first: 600, each: 0.97, least: 30 };
const LETTERS = "keys on the whole page: P plays, N and B are the next and the previous mistake, L is the lecture view";
const OPENING = { mistakes: 3, pace: 900 }; // what is played when the page opens

export function makeTime(lab) {
  const { state } = lab;
  const slider = html("input", { type: "range", min: 0, max: 0, step: 1, value: 0, "aria-label": "Example" });
  const ticks = svg("svg", { viewBox: `0 0 ${BINS} 10`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const count = html("span", { class: "num count" });
  const number = html("input", { type: "number", min: 0, step: 1 });
  const pace = select([[QUICKER.name, "quicker and quicker"], ...PACES], () => {});
  const unit = select(UNITS, () => {});

  const ways = {
    start: () => 0,
    end: () => state.course.length,
    example: (back) => state.step + (back ? -1 : 1),
    mistake: (back) => (back ? state.course.previousUpdate(state.step) : state.course.nextUpdate(state.step)),
    pass: (back) => (back ? state.course.previousPass(state.step) : state.course.nextPass(state.step)),
  };
  const go = (way, back) => {
    if (!state.course) return;
    state.goTo(ways[way](back));
  };

  const clock = new Clock((playing) => {
    showPlaying(main, playing);
    if (!playing) speak();
  });
  const pause = () => clock.stop();
  const play = () => {
    if (!state.course) return;
    if (state.step === state.course.length) state.goTo(0);
    let made = 0;
    const step = () => {
      go(unit.value);
      made++;
      return state.course && state.step < state.course.length;
    };
    const wait = () => Math.max(QUICKER.least, QUICKER.first * QUICKER.each ** made);
    clock.start(() => (pace.value === QUICKER.name ? wait() : pace.value), step);
  };
  const toggle = () => (clock.playing ? pause() : play());
  const main = button("▶ Play", toggle, { class: "main", "aria-label": "Play" });

  // A few mistakes, so that a newcomer sees what happens; whatever the person does ends it.
  const playSome = () => {
    if (isStill()) return state.goToMistake(OPENING.mistakes);
    const step = () => {
      go("mistake");
      return state.moment()?.updates < OPENING.mistakes || over.abort();
    };
    const over = new AbortController();
    const end = () => {
      over.abort();
      pause();
    };
    for (const act of ["pointerdown", "keydown"]) addEventListener(act, end, { capture: true, signal: over.signal });
    clock.start(() => OPENING.pace, step);
  };

  // A sentence every half second is more than can be read aloud, so playing is silent.
  const speak = () => {
    const moment = state.moment();
    if (!clock.playing && moment) lab.say(sentence(state.course, moment));
  };

  const first = [
    main,
    button("◀", () => go("mistake", true), { "aria-label": "Previous mistake" }),
    button(html("span", {}, NEXT(), "mistake ▶"), () => go("mistake"), { "aria-label": "Next mistake" }),
    button(html("span", {}, NEXT(), "pass"), () => go("pass"), { "aria-label": "Next pass" }),
  ];
  const others = [
    button("⇤ start", () => go("start"), { "aria-label": "To the start" }),
    button("◀ pass", () => go("pass", true), { "aria-label": "Previous pass" }),
    button("◀ example", () => go("example", true), { "aria-label": "Previous example" }),
    button("example ▶", () => go("example"), { "aria-label": "Next example" }),
    button("end ⇥", () => go("end"), { "aria-label": "To the end" }),
  ];
  const buttons = [...first, ...others];
  const scrub = html("div", { class: "scrub" }, ticks, slider);
  const keys =
    "Keys on the bar: ← → an example, Shift with them a mistake, Page Up and Page Down a pass, Home, End; " +
    "Space plays and pauses.";
  lab.letters = true;
  const letters = checkbox(LETTERS, true, (on) => (lab.letters = on));
  const more = html(
    "details",
    { class: "more" },
    html("summary", {}, "More ways", html("span", { class: "long" }, " through time")),
    html("div", { class: "row" }, ...others),
    html("div", { class: "row" }, field("jump to mistake", number), field("play by", unit), field("pace", pace)),
    html("p", { class: "note" }, keys),
    letters.label,
  );
  const element = html("div", { class: "time" }, scrub, html("div", { class: "row" }, ...first, count), more);

  slider.addEventListener("input", () => state.goTo(Number(slider.value)));
  slider.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      ArrowRight: () => go(event.shiftKey ? "mistake" : "example"),
      ArrowUp: () => go("example"),
      ArrowLeft: () => go(event.shiftKey ? "mistake" : "example", true),
      ArrowDown: () => go("example", true),
      PageDown: () => go("pass"),
      PageUp: () => go("pass", true),
      Home: () => go("start"),
      End: () => go("end"),
      " ": toggle,
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  });
  number.addEventListener("change", () => {
    const wanted = Number(number.value);
    if (Number.isInteger(wanted) && wanted >= 1) state.goToMistake(wanted);
    else if (wanted === 0) state.goTo(0);
    draw();
  });

  const draw = () => {
    const moment = state.moment();
    count.textContent = moment ? whereabouts(state.course, moment) : "";
    slider.value = state.step;
    slider.setAttribute("aria-valuetext", count.textContent);
    number.value = moment ? String(moment.updates) : "";
    if (moment && !dragging) fit();
    // Mistakes that were not yet seen stay hidden, and the bar grows with the run: the ending is not given away.
    ticks.style.clipPath = `inset(0 ${moment ? Math.max(0, 100 - (100 * state.reached) / scale) : 0}% 0 -4px)`;
  };
  let [scale, dragging] = [0, false];
  const fit = () => {
    const wanted = scaleFor(state);
    if (wanted === scale) return;
    scale = wanted;
    slider.max = scale;
    slider.value = state.step;
    ticks.replaceChildren(...marks(state.course, scale));
  };
  slider.addEventListener("pointerdown", () => (dragging = true));
  for (const act of ["pointerup", "pointercancel"])
    slider.addEventListener(act, () => {
      dragging = false;
      draw();
    });
  state.on("run", () => {
    const { course } = state;
    if (!course) pause();
    scale = 0; // of another run
    slider.disabled = !course;
    number.max = course?.updates ?? 0;
    for (const one of buttons) one.disabled = !course;
    if (!course) ticks.replaceChildren();
    if (course && course.rows !== state.timed) unit.value = course.length > SHORT ? "mistake" : "example";
    state.timed = course?.rows;
  });
  state.on("step", draw);
  state.on("moved", speak);
  return {
    element,
    play,
    toggle,
    go,
    playSome,
    pause,
    get playing() {
      return clock.playing;
    },
  };
}

// How many steps the bar spans: some more than were seen, twice as many when these are nearly all, the run at most.
function scaleFor({ course, reached }) {
  let scale = Math.max(LEAST, 2 * course.rows.length);
  while (scale < course.length && reached > 0.8 * scale) scale *= 2;
  return Math.min(scale, course.length);
}

// One tick for a mistake, in the colour of its class and in a lane of its own, so that colour is not needed.
function marks(course, scale) {
  const places = course.classes.map(() => new Map());
  const { step, row } = course.answer.updates;
  const wide = course.updatesBy[scale] > CROWDED ? 4 : 1;
  for (let u = 0; u < course.updatesBy[scale]; u++) {
    const at = (step[u] / scale) * BINS;
    const place = scale < BINS ? at.toFixed(2) : String(Math.round(at / wide) * wide);
    const found = places[course.truth[row[u]]];
    found.set(place, (found.get(place) ?? 0) + 1);
  }
  const lane = 8 / (course.classes.length + 1);
  return places.map((found, c) => {
    const top = 1 + (course.classes.length - 1 - c) * lane;
    const most = Math.max(...found.values());
    const high = (count) => 2 * lane * (wide === 1 ? 1 : 0.25 + (0.75 * count) / most);
    const d = Array.from(
      found,
      ([x, count]) => `M${x} ${(top + 2 * lane).toFixed(1)}v${(-high(count)).toFixed(2)}`,
    ).join("");
    return svg("path", { d, stroke: colour(course.look(c)), class: "tick" });
  });
}
