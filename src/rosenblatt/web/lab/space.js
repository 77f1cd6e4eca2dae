// A picture in space, drawn as SVG, turned by dragging, keys or buttons. Things lie within -1 … 1 on each axis:
// { face: [[x, y, z], …], name }, { line: […], name }, { text, at, name }, { mark: path data of a look, at, size, look }.

import { button, colour, html, mark, svg } from "./draw.js";

const [WIDTH, HEIGHT, ZOOM, FAR] = [620, 430, 192, 6];
const START = { yaw: -38, pitch: 18 };
const TURN = 6; // degrees for a key

export class Space {
  constructor(lab, name) {
    Object.assign(this, { lab, name, ...START, things: [] });
    this.picture = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "space",
      tabindex: "0",
      role: "application",
    });
    this.picture.setAttribute("aria-roledescription", "picture that can be turned");
    const turn = (text, label, yaw, pitch) => button(text, () => this.turn(yaw, pitch), { "aria-label": label });
    const buttons = html(
      "div",
      { class: "row" },
      turn("⟲", "Turn left", -3 * TURN, 0),
      turn("⟳", "Turn right", 3 * TURN, 0),
      turn("↥", "Look from higher", 0, 2 * TURN),
      turn("↧", "Look from lower", 0, -2 * TURN),
      button("Reset", () => this.reset(), { "aria-label": "Reset the view" }),
    );
    this.element = html("div", {}, this.picture, buttons);
    this.#listen();
  }

  show(things, words) {
    this.things = things;
    this.words = words;
    this.draw();
  }

  turn(yaw, pitch) {
    this.yaw = ((this.yaw + yaw + 540) % 360) - 180;
    this.pitch = Math.max(-85, Math.min(85, this.pitch + pitch));
    this.draw();
  }

  reset() {
    Object.assign(this, START);
    this.draw();
  }

  // Where a point of space is in the picture, and how near it is.
  place([x, y, z]) {
    const [a, b] = [(this.yaw * Math.PI) / 180, (this.pitch * Math.PI) / 180];
    const [right, away] = [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)];
    const up = z * Math.cos(b) + away * Math.sin(b);
    const near = z * Math.sin(b) - away * Math.cos(b);
    const grow = (ZOOM * FAR) / (FAR - near);
    return [WIDTH / 2 + right * grow, HEIGHT / 2 - up * grow, near];
  }

  draw() {
    const drawn = this.things.map((thing) => this.#one(thing));
    drawn.sort((p, q) => p.near - q.near);
    this.picture.replaceChildren(...drawn.map((one) => one.node));
    this.picture.setAttribute("aria-label", `${this.name}. ${this.words ?? ""} Arrow keys turn it; Home puts it back.`);
    this.picture.dataset.turned = `${Math.round(this.yaw)} ${Math.round(this.pitch)}`;
  }

  #one(thing) {
    const places = (thing.face ?? thing.line ?? [thing.at]).map((p) => this.place(p));
    const near = places.reduce((sum, p) => sum + p[2], 0) / places.length + (thing.lift ?? 0);
    const d = () => `M${places.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
    const [x, y] = places[0];
    if (thing.face)
      return { near, node: svg("path", { d: `${d()}Z`, class: thing.name, fill: thing.fill, stroke: thing.fill }) };
    if (thing.line)
      return { near, node: svg("path", { d: d(), class: thing.name, fill: "none", stroke: thing.stroke }) };
    if (thing.text !== undefined)
      return {
        near: near + 9,
        node: svg("text", { x, y: y + 4, class: thing.name ?? "line-name", "text-anchor": "middle" }, thing.text),
      };
    return {
      near,
      node: svg("path", { d: mark(thing.look, x, y, thing.size), fill: colour(thing.look), class: "rp-points" }),
    };
  }

  #listen() {
    let from = null;
    this.picture.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      this.picture.setPointerCapture(event.pointerId);
    });
    this.picture.addEventListener("pointermove", (event) => {
      if (!from) return;
      this.turn((event.clientX - from[0]) * 0.4, (event.clientY - from[1]) * 0.3);
      from = [event.clientX, event.clientY];
    });
    for (const kind of ["pointerup", "pointercancel"]) this.picture.addEventListener(kind, () => (from = null));
    const keys = { ArrowLeft: [-TURN, 0], ArrowRight: [TURN, 0], ArrowUp: [0, TURN], ArrowDown: [0, -TURN] };
    this.picture.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Home") this.reset();
      else if (keys[event.key]) this.turn(...keys[event.key]);
      else return;
      event.preventDefault();
      this.lab.say(`Turned to ${Math.round(this.yaw)} degrees, seen from ${Math.round(this.pitch)} degrees above.`);
    });
  }
}

// True while the element is on the screen or near it: pictures that nobody sees are not drawn.
export function whenSeen(element, act) {
  let seen = false;
  new IntersectionObserver(
    ([entry]) => {
      seen = entry.isIntersecting;
      if (seen) act();
    },
    { rootMargin: "200px" },
  ).observe(element);
  return () => seen;
}
