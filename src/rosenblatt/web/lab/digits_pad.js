// The sheet on which a person draws a digit, with a finger, a mouse, or the keys: arrows move the pen, Space puts it down
// and lifts it. A stroke is a list of places from 0 to 1 and its ink.

import { addLine, FINE, paper } from "../engine/digit_ink.js";
import { html, svg } from "./draw.js";

const STEP = 1 / 16; // that an arrow key moves the pen
const MOST_STROKES = 40;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const HOW =
  "Draw a digit here. Keys: arrows move the pen, Space puts it down or lifts it, Backspace takes a stroke back.";

export class Pad {
  // `moved` is told whenever there is other ink, `ended` when a stroke is done or taken back.
  constructor(moved, ended) {
    Object.assign(this, { moved, ended, strokes: [], drawing: false, pen: [0.5, 0.25] });
    this.lines = svg("g", { class: "strokes" });
    this.numbers = svg("g", { class: "numbers" });
    this.cross = svg("circle", { r: 2.2, class: "pen" });
    this.sheet = svg("svg", { viewBox: `0 0 ${FINE} ${FINE}`, "aria-hidden": "true" }, this.lines, this.numbers);
    this.sheet.append(this.cross);
    this.element = html("div", { class: "pad", tabindex: "0", role: "application", "aria-label": HOW }, this.sheet);
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("pointermove", (event) => this.follow(event));
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, () => this.lift());
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("blur", () => this.lift());
    this.place();
  }

  at({ clientX, clientY }) {
    const box = this.sheet.getBoundingClientRect();
    const part = (value) => Math.max(0, Math.min(1, value));
    return [part((clientX - box.left) / box.width), part((clientY - box.top) / box.height)];
  }

  press(event) {
    if (event.button > 0 || this.drawing) return;
    this.element.setPointerCapture(event.pointerId);
    this.pointer = event.pointerId;
    this.begin(this.at(event));
  }

  follow(event) {
    if (!this.drawing || event.pointerId !== this.pointer) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const each of all.length ? all : [event]) this.draw(this.at(each));
  }

  begin(place) {
    if (this.strokes.length >= MOST_STROKES) return;
    const line = svg("polyline", { class: "stroke" });
    this.lines.append(line);
    this.strokes.push({ places: [], ink: paper(), line });
    this.drawing = true;
    this.draw(place);
  }

  draw(place) {
    const stroke = this.strokes.at(-1);
    addLine(stroke.ink, stroke.places.at(-1) ?? place, place);
    stroke.places.push(place);
    const shown = stroke.places.length > 1 ? stroke.places : [place, place];
    stroke.line.setAttribute("points", shown.map(([x, y]) => `${x * FINE},${y * FINE}`).join(" "));
    this.pen = place;
    this.place();
    this.moved();
  }

  lift() {
    if (!this.drawing) return;
    this.drawing = false;
    this.place();
    this.label();
    this.ended();
  }

  key(event) {
    const by = KEYS[event.key];
    if (by) {
      this.pen = this.pen.map((value, k) => Math.max(0, Math.min(1, value + by[k] * STEP)));
      if (this.drawing) this.draw(this.pen);
      this.place();
    } else if (event.key === " ") {
      this.pointer = null;
      if (this.drawing) this.lift();
      else this.begin(this.pen);
    } else if (event.key === "Backspace") this.undo();
    else return;
    event.preventDefault();
  }

  // Where the pen of the keys is; it is seen while the sheet has the focus.
  place() {
    this.cross.setAttribute("cx", this.pen[0] * FINE);
    this.cross.setAttribute("cy", this.pen[1] * FINE);
    this.cross.classList.toggle("down", this.drawing);
  }

  // Where there are several strokes, each has its number where it begins.
  label() {
    const numbers = this.strokes.length > 1 ? this.strokes : [];
    this.numbers.replaceChildren(
      ...numbers.map(({ places: [[x, y]] }, k) => svg("text", { x: x * FINE, y: y * FINE + 1.5 }, `${k + 1}`)),
    );
  }

  undo() {
    this.drawing = false;
    this.strokes.pop()?.line.remove();
    this.label();
    this.moved();
    this.ended();
  }

  clear() {
    while (this.strokes.length) this.strokes.pop().line.remove();
    this.drawing = false;
    this.label();
    this.moved();
    this.ended();
  }
}
