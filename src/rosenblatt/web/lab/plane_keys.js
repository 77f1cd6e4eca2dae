// Points by keyboard: the plane is one stop of the Tab key, and keys pick, move, add and remove within it.

import { fineness, snapped, windowOf, within } from "./window.js";

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };

export function makeKeys(plane, lab) {
  const { picture, state } = plane;

  const tell = () => {
    const { points, labels, classes } = state.data;
    const i = state.picked;
    if (points[i])
      lab.say(`Point ${i + 1} of ${points.length}, class ${classes[labels[i]]}, at (${points[i].join(", ")}).`);
  };

  const pick = (by) => {
    const count = state.data.points.length;
    if (!count) return lab.say("There are no points. Enter adds one.");
    state.pick(state.picked < 0 ? (by > 0 ? 0 : count - 1) : (state.picked + by + count) % count);
    tell();
  };

  const move = ([dx, dy], far) => {
    if (state.picked < 0) return pick(1);
    const { frame } = plane;
    const shift = (axis, value, by) => {
      const step = fineness(axis) * (far ? 10 : 1);
      return by ? snapped(within(axis, value + by * step), fineness(axis)) : value;
    };
    const [x, y] = state.data.points[state.picked];
    state.holdWindow(windowOf(frame));
    state.movePoint(state.picked, [shift(frame.x, x, dx), shift(frame.y, y, dy)]);
    tell();
  };

  plane.add = (point) => {
    state.holdWindow(windowOf(plane.frame));
    try {
      state.addPoint(point, lab.palette.chosen);
      tell();
    } catch (problem) {
      lab.problem(plane.element, problem.message);
    }
  };

  plane.remove = () => {
    const i = state.picked;
    if (i < 0) return;
    state.holdWindow(windowOf(plane.frame));
    state.removePoint(i);
    lab.say(`Point ${i + 1} removed; ${state.data.points.length} left.`);
  };

  const middle = () => {
    const { x, y } = plane.frame;
    return [snapped((x.low + x.high) / 2, fineness(x)), snapped((y.low + y.high) / 2, fineness(y))];
  };

  picture.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      n: () => pick(1),
      N: () => pick(1),
      p: () => pick(-1),
      P: () => pick(-1),
      Delete: plane.remove,
      Backspace: plane.remove,
      Enter: () => plane.add(middle()),
      Escape: () => state.pick(-1),
    };
    if (MOVES[event.key]) move(MOVES[event.key], event.shiftKey);
    else if (/^[1-6]$/.test(event.key)) relabel(Number(event.key) - 1);
    else if (acts[event.key]) acts[event.key]();
    else return;
    event.preventDefault();
  });

  const relabel = (label) => {
    if (state.picked < 0 || label >= state.data.classes.length) return;
    state.setLabel(state.picked, label);
    tell();
  };
}
