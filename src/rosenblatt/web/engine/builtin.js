// The data that is built into a page: the JSON object that `rosenblatt.lab.builtin` writes. Whoever calls puts it here as
// soon as a call says that it lacks it; so a page that never needs it never reads it.

import { Problem } from "./problem.js";

let held = null;

export class Lacking extends Problem {}

export function setBuiltin(data) {
  held = data;
}

export function builtin(name) {
  if (held === null) throw new Lacking("The built-in data is not there yet.", 501);
  return held[name];
}
