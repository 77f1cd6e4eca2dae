// The boundary of the voted perceptron: no straight line, so the engine tells how the votes fall on a grid.

import { svg } from "./draw.js";
import { nameAt } from "./plane_marks.js";
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
    if (lines.length) parts.push(nameAt(plane.frame, lines[lines.length - 1], "voted"));
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
  const lines = [];
  const value = ([i, j]) => values[j * COLUMNS + i];
  const between = (a, b) => {
    const t = value(a) / (value(a) - value(b));
    const [p, q] = [middle(frame, ...a), middle(frame, ...b)];
    return [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
  };
  for (let j = 0; j + 1 < ROWS; j++) {
    for (let i = 0; i + 1 < COLUMNS; i++) {
      const corners = [
        [i, j],
        [i + 1, j],
        [i + 1, j + 1],
        [i, j + 1],
      ];
      const ends = corners.flatMap((a, k) => {
        const b = corners[(k + 1) % 4];
        return value(a) > 0 === value(b) > 0 ? [] : [between(a, b)];
      });
      for (let k = 0; k + 1 < ends.length; k += 2) lines.push([ends[k], ends[k + 1]]);
    }
  }
  return lines;
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
