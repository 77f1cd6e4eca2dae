// The data that is built into a page: whoever has it puts it here before the first call that needs it. It is the JSON
// object that `rosenblatt.lab.builtin` writes. Without it a call is passed on to the server.

import { Problem } from "./problem.js";

const held = {};

export function setBuiltin(data) {
  Object.assign(held, data);
}

export function builtin(name) {
  if (held[name]) return held[name];
  throw new Problem(`${name} is not in this page. Write it anew with \`rosenblatt lab --export\`.`, 501);
}
