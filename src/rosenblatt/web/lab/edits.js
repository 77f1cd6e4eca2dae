// Points and choices as they are now, and edits of points: at once, without asking; `follow` brings the run after them.
// And who hears of changes.

import { question } from "./course.js";
import { CLASSES, MOST_POINTS } from "./defaults.js";

export class Edits {
  constructor() {
    this.listeners = new Map();
  }

  get data() {
    return this.now.data;
  }

  get choices() {
    return this.now.choices;
  }

  // What the server is asked with.
  question() {
    return question(this.now);
  }

  on(kind, act) {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), act]);
  }

  tell(...kinds) {
    for (const kind of kinds) for (const act of this.listeners.get(kind) ?? []) act(this);
  }

  // Each gesture is one undo: a drag passes `again` for all moves but its first.
  edit(change, again = false) {
    const before = this.now;
    if (!again && this.data.points.length) this.history.leave(before);
    const { window = before.window, ...data } = change;
    this.now = { ...before, data: { ...before.data, ...data }, window };
    const dropped = this.#fitStart();
    this.tell("data", "pick", ...(dropped ? ["choices"] : []));
    this.follow();
  }

  // Start weights are one vector for two classes, and one each for more; when that changes, given ones mean nothing.
  #fitStart() {
    const { start } = this.choices;
    const used = new Set(this.data.labels).size;
    if (!start || used < 2 || (Array.isArray(start[0]) ? start.length : 2) === used) return false;
    this.now = { ...this.now, choices: { ...this.choices, start: null } };
    return true;
  }

  addPoint(point, label) {
    const { points, labels } = this.data;
    if (points.length >= MOST_POINTS) throw new Error(`${MOST_POINTS} points are the most that can be shown.`);
    this.picked = points.length;
    this.edit({ points: [...points, point], labels: [...labels, label] });
    return this.picked;
  }

  movePoint(index, point, again = false) {
    this.edit({ points: this.data.points.with(index, point) }, again);
  }

  setLabel(index, label) {
    this.edit({ labels: this.data.labels.with(index, label) });
  }

  removePoint(index) {
    const { points, labels } = this.data;
    this.picked = points.length > 1 ? Math.min(index, points.length - 2) : -1;
    this.edit({ points: points.toSpliced(index, 1), labels: labels.toSpliced(index, 1) });
  }

  clear() {
    this.picked = -1;
    this.edit({ points: [], labels: [] });
  }

  addClass() {
    const { classes } = this.data;
    if (classes.length >= CLASSES) throw new Error(`${CLASSES} classes are the most that can be told apart here.`);
    let name = classes.length;
    while (classes.includes(String(name))) name++;
    this.edit({ classes: [...classes, String(name)] });
    return classes.length;
  }

  pick(index) {
    this.picked = index;
    this.tell("pick");
  }

  // Keeps what is seen while points are edited; without it, every edit would shift the picture.
  holdWindow(window) {
    if (!this.now.window) this.now = { ...this.now, window };
  }
}
