// The data that is built into a page: whoever has it puts it here before the first call that needs it. It is the JSON
// object that `rosenblatt.web.builtin` writes.

import { Problem } from "./problem.js";

const held = {};

export function setBuiltin(data) {
  Object.assign(held, data);
}

export function builtin(name) {
  if (held[name]) return held[name];
  throw new Problem(`the data set ${name} is not in this page. Export the page anew with \`rosenblatt lab --export\`.`);
}
