// The player: steps, plays and scrubs through a run in both directions. mount(element, data) is all a page needs.

import { Clock, PACES, SHORT, showPlaying } from "../clock.js";
import { makeBars } from "./bars.js";
import { colour, html, mark, svg } from "../elements.js";
import { makePlane } from "./plane.js";
import { Run } from "./run.js";
import { makeFacts } from "./facts.js";
import { makeSteps } from "../steps.js";
import { numeral } from "../engine/numerals.js";

const BINS = 400; // ticks under the slider at most; more updates than that share one

let players = 0;

// Puts a player of a trace (the object in the JSON of Trace.to_json) into the element.
// Returns { go(step), play(), pause(), remove(), step }.
export function mount(element, data) {
  const player = new Player(new Run(data));
  element.replaceChildren(player.element);
  player.go(0);
  return player;
}

class Player {
  constructor(run) {
    this.run = run;
    this.id = `rp-${players++}`;
    this.step = -1;
    this.clock = new Clock((playing) => {
      showPlaying(this.playing, playing);
      this.facts.quiet(playing); // a sentence every half second is more than can be read aloud
    });
    const planar = run.width - (run.bias ? 1 : 0) === 2;
    this.pictures = planar ? [makePlane(run)] : [makeBars(run)];
    this.facts = makeFacts(run);
    this.steps = makeSteps(run, (step) => this.go(step));
    this.element = this.#lay(planar);
    this.element.addEventListener("keydown", (event) => this.#press(event));
  }

  #lay(planar) {
    const { run } = this;
    const what = html("span", { class: "rp-chip" }, choices(run));
    const title = html("h2", { id: `${this.id}-picture` }, planar ? "The plane" : "The weights");
    const stage = html("section", { class: "rp-card rp-stage", "aria-labelledby": `${this.id}-picture` });
    stage.append(html("div", { class: "rp-row rp-apart" }, title, what));
    if (planar || run.vectors === 1) stage.append(this.#legend()); // groups of bars name their class themselves
    stage.append(...this.pictures.map((picture) => picture.element), this.#scrubber(), this.#buttons());
    const table = html("section", { class: "rp-card rp-all", "aria-labelledby": `${this.id}-all` });
    table.append(
      html("h2", { id: `${this.id}-all` }, run.recorded ? "Every update" : "Every step"),
      this.steps.element,
    );
    const parts = [stage, html("div", { class: "rp-stack" }, ...this.facts.elements), table];
    return html("div", { class: "rosenblatt-player" }, ...parts);
  }

  #legend() {
    const keys = this.run.classes.slice(0, 12).map((name, c) => {
      const look = this.run.look(c);
      const key = svg("svg", { viewBox: "0 0 16 16", class: "rp-key", "aria-hidden": "true" });
      key.append(svg("path", { d: mark(look, 8, 8, 6), fill: colour(look) }));
      return html("span", { class: "rp-legend" }, key, name);
    });
    return html("div", { class: "rp-row" }, ...keys);
  }

  #scrubber() {
    const { run } = this;
    this.slider = html("input", { type: "range", min: 0, max: run.length, step: 1, value: 0, "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const ticks = svg("svg", { viewBox: `0 0 ${BINS} 10`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const outlines = run.classes.map(() => new Set());
    for (const step of run.updateSteps) {
      const bin = run.length < BINS ? (step / run.length) * BINS : Math.round((step / run.length) * BINS);
      outlines[run.truth[run.rowOf[step - 1]]].add(bin.toFixed(2));
    }
    outlines.forEach((bins, c) => {
      const d = Array.from(bins, (x) => `M${x} 1V9`).join("");
      ticks.append(svg("path", { d, stroke: colour(run.look(c)), class: "rp-tick" }));
    });
    return html("div", { class: "rp-scrub" }, ticks, this.slider);
  }

  #buttons() {
    const button = (text, name, act) => {
      const made = html("button", { type: "button", "aria-label": name }, text);
      made.addEventListener("click", act);
      return made;
    };
    const { run } = this;
    this.playing = button("▶ Play", "Play", () => this.toggle());
    this.playing.className = "rp-main";
    this.pace = html(
      "select",
      { "aria-label": "Pace" },
      ...PACES.map(([value, name]) => html("option", { value }, name)),
    );
    this.pace.value = "450";
    this.onlyUpdates = html("input", { type: "checkbox" });
    this.onlyUpdates.checked = run.length > SHORT;
    this.count = html("span", { class: "rp-count" });
    const updates = [
      button("◀ update", "Previous update", () => this.go(run.previousUpdate(this.step))),
      button("update ▶", "Next update", () => this.go(run.nextUpdate(this.step))),
      html("label", {}, this.onlyUpdates, " play updates only"),
    ];
    const [back, on, only] = run.recorded ? ["", "", ""] : updates; // a record has no other steps
    const row = html(
      "div",
      { class: "rp-row rp-controls" },
      button("⇤", "To the start", () => this.go(0)),
      back,
      button("◀", "Back one step", () => this.go(this.step - 1)),
      this.playing,
      button("▶", "Forward one step", () => this.go(this.step + 1)),
      on,
      button("⇥", "To the end", () => this.go(run.length)),
      this.pace,
      only,
    );
    const move = run.recorded ? "an update" : "a step, Shift with them an update";
    const keys = `Keys: ← → ${move}, Home, End, P to play or pause.`;
    return html("div", {}, row, this.count, html("p", { class: "rp-note" }, keys));
  }

  go(step) {
    const to = Math.max(0, Math.min(this.run.length, step));
    if (to === this.step) return;
    this.step = to;
    const moment = this.run.moment(to);
    for (const part of [...this.pictures, this.facts, this.steps]) part.draw(moment);
    this.slider.value = to;
    const { run } = this;
    const update = `update ${moment.updates} of ${run.updates} · pass ${moment.pass}`;
    const place = run.recorded ? `step ${run.number(to)} of ${run.runSteps}` : `step ${to} of ${run.length}`;
    const where = `${place} · ${update}`;
    this.count.textContent = where;
    this.slider.setAttribute("aria-valuetext", where);
    if (to === run.length && this.clock.playing) this.pause();
  }

  play() {
    if (this.step === this.run.length) this.go(0);
    const step = () => {
      this.go(this.onlyUpdates.checked ? this.run.nextUpdate(this.step) : this.step + 1);
      return this.step < this.run.length;
    };
    this.clock.start(() => this.pace.value, step);
  }

  pause() {
    this.clock.stop();
  }

  toggle() {
    if (this.clock.playing) this.pause();
    else this.play();
  }

  remove() {
    this.pause();
    this.element.remove();
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === this.pace) return;
    const updates = event.shiftKey;
    const acts = {
      ArrowRight: () => this.go(updates ? this.run.nextUpdate(this.step) : this.step + 1),
      ArrowLeft: () => this.go(updates ? this.run.previousUpdate(this.step) : this.step - 1),
      Home: () => this.go(0),
      End: () => this.go(this.run.length),
      p: () => this.toggle(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

function choices(run) {
  const order = run.order || (run.seed === null ? "given order" : `shuffled, seed ${run.seed}`);
  const more = [run.margin ? `margin ${numeral(run.margin)}` : "", run.rate === 1 ? "" : `rate ${numeral(run.rate)}`];
  return [`bias ${run.bias ? "on" : "off"}`, `ties: ${run.ties}`, order, ...more].filter(Boolean).join(" · ");
}
