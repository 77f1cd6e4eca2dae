// The boundary of the voted perceptron: no straight line, so the engine tells how the votes fall on a grid.

import { linesOf, rings } from "../engine/contour.js";
import { svg } from "./draw.js";
import { longest, nameOn } from "./plane_marks.js";
import { windowOf } from "./window.js";

const [COLUMNS, ROWS] = [140, 112];

export function makeVote(plane, lab) {
  const { state } = plane;
  const layer = plane.layers.vote;
  let [asked, busy] = [null, false];

  // Asked once for each run and window, and one question at a time.
  const ask = async () => {
    if (busy || !state.show.voted || !state.course) return;
    const [course, frame] = [state.course, plane.frame];
    if (asked?.course === course && asked.frame === frame) return;
    asked = { course, frame };
    busy = true;
    try {
      const question = {
        ...course.question,
        window: windowOf(frame),
        columns: COLUMNS,
        rows: ROWS,
        variants: ["voted"],
      };
      const answer = await lab.call("regions", question);
      if (state.course === course && plane.frame === frame) {
        paint(answer);
        state.setVoted(answer.right.voted);
        lab.problem(plane.element, "");
      }
    } catch (problem) {
      lab.problem(plane.element, problem.message);
    }
    busy = false;
    if (state.course !== course || plane.frame !== frame) ask();
  };

  const paint = (answer) => {
    const lines = answer.voted_values ? smooth(answer.voted_values, plane.frame) : stairs(answer.voted, plane.frame);
    const parts = [
      svg("path", { d: lines.map((ends) => `M${ends.map(text).join("L")}`).join(""), class: "other voted" }),
    ];
    parts.push(...longest(lines).map((line) => nameOn(plane.frame, line, "voted")));
    layer.replaceChildren(...parts);
  };

  const clear = () => {
    layer.replaceChildren();
    asked = null;
  };
  const draw = () => (state.show.voted ? ask() : clear());
  return { draw, clear };
}

const text = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

// The middle of a cell; halves more or less are its corners.
function middle(frame, i, j) {
  return frame.at([
    frame.x.low + (frame.x.span * (i + 0.5)) / COLUMNS,
    frame.y.low + (frame.y.span * (j + 0.5)) / ROWS,
  ]);
}

// Where the votes of the two classes are equal, between the middles of the cells.
function smooth(values, frame) {
  return linesOf(rings(values, COLUMNS, ROWS)).map((line) => line.map(({ x, y }) => middle(frame, x, y)));
}

// More classes: the edges between cells that the vote gives to different ones.
function stairs(cells, frame) {
  const lines = [];
  for (let j = 0; j < ROWS; j++) {
    for (let i = 0; i < COLUMNS; i++) {
      const own = cells[j * COLUMNS + i];
      if (i + 1 < COLUMNS && cells[j * COLUMNS + i + 1] !== own) {
        lines.push([middle(frame, i + 0.5, j - 0.5), middle(frame, i + 0.5, j + 0.5)]);
      }
      if (j + 1 < ROWS && cells[(j + 1) * COLUMNS + i] !== own) {
        lines.push([middle(frame, i - 0.5, j + 0.5), middle(frame, i + 0.5, j + 0.5)]);
      }
    }
  }
  return lines;
}
