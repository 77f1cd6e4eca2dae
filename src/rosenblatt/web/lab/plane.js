// The plane: points, regions, the boundaries of the run at this step, the normal vector, the band, and what was before.
// A step redraws the lines only; points are drawn anew when they change.

import { grid } from "../frame.js";
import { Marks } from "../marks.js";
import { colour, html, lookOf, svg } from "./draw.js";
import { Motion } from "./motion.js";
import * as curve from "./plane_curve.js";
import * as line from "./plane_line.js";
import { corners, halos, ring, termLight, wrong } from "./plane_marks.js";
import { makeKeys } from "./plane_keys.js";
import { makePointer } from "./plane_pointer.js";
import { makeVote } from "./vote.js";
import { SIZE, frameOf } from "./window.js";

// Three pictures on top of each other. Points are by far the most to paint and change the least: in a sheet of their
// own they are not painted anew when a step moves the lines below them or the marks above.
const SHEETS = [
  ["grid", "regions", "band", "vote", "others", "old", "borders"],
  ["points"],
  ["support", "cancelling", "ring", "wrong", "pick", "names", "light"],
];

const CANCELLING =
  "Circled: rows that cancel, each taken as often as the number beside it says (More: rows that cancel).";

export class Plane {
  constructor(lab) {
    this.lab = lab;
    this.state = lab.state;
    this.note = html("p", { class: "note" });
    this.layers = Object.fromEntries(SHEETS.flat().map((name) => [name, svg("g", { class: `layer-${name}` })]));
    this.sheets = SHEETS.map((names) => {
      const sheet = svg("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, "aria-hidden": "true" });
      sheet.append(...names.map((name) => this.layers[name]));
      return sheet;
    });
    this.defs = svg("g");
    this.clipped = svg("g", {}, ...SHEETS[0].slice(1).map((name) => this.layers[name]));
    this.sheets[0].append(this.defs, this.clipped);
    this.picture = html("div", { class: "plane", tabindex: "0", role: "application" }, ...this.sheets);
    this.picture.setAttribute("aria-roledescription", "plane of points");
    this.element = html("div", { class: "plane-box" }, this.picture, this.note);
    this.vote = makeVote(this, lab);
    this.proving = []; // rows that a proof points at, with their weights
    this.motion = new Motion();
    this.seen = { course: null, weights: [] }; // what the lines are drawn for
    makePointer(this, lab);
    makeKeys(this, lab);
    this.fit();
    const { state } = this;
    state.on("data", () => this.fit());
    state.on("choices", () => this.fit());
    state.on("run", () => this.draw());
    state.on("step", () => this.draw());
    state.on("moved", () => this.move());
    state.on("show", () => this.draw());
    state.on("pick", () => this.drawPick());
  }

  // The frame for the points at hand; most edits keep it, and then only points are drawn.
  fit() {
    const frame = frameOf(this.state);
    const same =
      this.frame &&
      this.features === this.state.data.features &&
      frame.box.flat().every((v, i) => v === this.frame.box.flat()[i]);
    if (!same) {
      this.frame = frame;
      this.features = this.state.data.features;
      this.defs.replaceChildren(frame.clip());
      this.clipped.setAttribute("clip-path", `url(#${frame.id})`);
      this.layers.grid.replaceChildren(grid({ features: this.features }, frame));
    }
    this.drawPoints();
    this.draw();
  }

  pointSize() {
    const count = this.state.data.points.length;
    return count > 600 ? 4 : count > 150 ? 6 : count > 40 ? 8 : 10;
  }

  drawPoints() {
    const { points, labels, classes } = this.state.data;
    const places = points.map((point) => this.frame.at(point));
    this.marks = new Marks(places, labels, lookOf, this.pointSize());
    const kind = this.marks.size < 8 ? "rp-points crowd" : "rp-points";
    const path = (d, c) => svg("path", { d, fill: colour(lookOf(c)), class: kind, "data-class": c });
    this.layers.points.replaceChildren(...this.marks.outlines(classes.length).map(path), ...this.marks.numbers());
    this.drawPick();
  }

  draw() {
    const { state, layers } = this;
    const { course, show } = state;
    this.motion.stop();
    this.former = this.seen;
    const stale = !course || course.rows.length !== state.data.points.length;
    if (stale) {
      const made = ["regions", "band", "others", "old", "borders", "names", "support", "wrong", "ring", "cancelling"];
      for (const name of made) layers[name].replaceChildren();
      this.vote.clear();
      this.describe(null, 0);
      return;
    }
    const moment = state.moment();
    layers.old.replaceChildren(...(moment.rival >= 0 ? this.pen.former(this, moment) : []));
    const others = ["averaged", "pocket"].filter((kind) => show[kind]);
    layers.others.replaceChildren(...others.flatMap((kind) => this.pen.other(this, kind)));
    const now = this.drawLines(moment);
    layers.ring.replaceChildren(...ring(this, moment));
    this.vote.draw();
    this.drawCancelling();
    this.describe(moment, now);
  }

  // What a change of the weights moves: regions, boundary and band, and the weights as arrows. `weights` are those of the
  // moment, or some on the way to them, `part` of the way from those before.
  drawLines(moment, weights = moment.after, part = 1) {
    const { layers } = this;
    const found = this.pen.drawn(this, moment, weights, part);
    this.seen = { course: this.state.course, weights };
    for (const name of ["regions", "band", "borders", "names", "support"]) layers[name].replaceChildren(...found[name]);
    layers.wrong.replaceChildren(...(this.marks.size < 8 ? [] : wrong(this, found.wrong)));
    return found.count;
  }

  // Who draws the boundary of the run at hand.
  get pen() {
    return this.state.course.kernel ? curve : line;
  }

  // After a step in time the boundary goes from where it was seen to where it is.
  move() {
    const { course, weights: from } = this.former;
    const moment = this.state.moment();
    if (!moment || course !== this.state.course || from.every((w, j) => w === moment.after[j])) return;
    this.motion.start((part) => {
      const weights = part === 1 ? moment.after : moment.after.map((w, j) => from[j] + part * (w - from[j]));
      this.drawLines(moment, weights, part);
    });
  }

  // The axis of a feature by its number, and how far the row at hand reaches along it; none is lit below 0.
  light(j) {
    const { state } = this;
    this.layers.light.replaceChildren(...(j < 0 ? [] : termLight(this, state.moment(), j - Number(state.course.bias))));
  }

  drawPick() {
    this.layers.pick.replaceChildren(...corners(this));
  }

  drawCancelling() {
    this.layers.cancelling.replaceChildren(...halos(this));
  }

  setProving(rows) {
    this.proving = rows;
    this.draw();
  }

  // The rows of the proof that are marked.
  get cancelling() {
    return this.state.show.proof && !this.state.course?.kernel ? this.proving : []; // it is about lines
  }

  describe(moment, count) {
    const { data } = this.state;
    const support = moment && this.state.course.kernel ? this.state.course.supportAfter(moment.updates).length : null;
    const lines = !moment ? "no run" : count ? `${count} border${count > 1 ? "s" : ""} in view` : "no border in view";
    const what = `Plane of ${data.features.join(" and ")} with ${data.points.length} points: ${lines}${support === null ? "" : `, ${support} support points`}.`;
    this.picture.setAttribute(
      "aria-label",
      `${what} Keys: N and P pick a point, arrows move it, Delete removes it, Enter adds one.`,
    );
    this.note.textContent = moment ? said(this, moment, count) : (this.state.trouble ?? "");
    this.note.classList.toggle("problem", !moment && Boolean(this.state.trouble));
  }
}

// What the picture cannot show, what was rounded on the way to it, and what is drawn just now.
function said(plane, moment, count) {
  const { state, pen, layers, cancelling } = plane;
  const drawn = [
    [layers.wrong.firstChild, "×: on the wrong side."],
    ...pen.legend(plane, moment, count),
    [cancelling.length, CANCELLING],
  ];
  const told = [state.course.answer.rounded?.words, pen.remark(state.course, moment, count)].filter(Boolean);
  return [...told, ...drawn.filter(([holds]) => holds).map(([, words]) => words)].join(" ");
}
