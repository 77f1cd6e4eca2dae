// Weights, or scores under a kernel, that come back: then the updates in between cancel, and no separator exists (learn/cycle.py).

import { cancel } from "./curve.js";

const MOST_NAMED = 8; // rows of a cycle that are named
const UNIT = 64; // coordinates are whole numbers of 1/64
const PLURAL = { pass: "passes", update: "updates" };

// Looks for weights that come back, by Brent's method: a copy is kept at 0, 1, 3, 7, ...
export class Watch {
  constructor(weights) {
    Object.assign(this, { kept: weights.slice(), since: 0, patience: 1 });
  }

  // After how many passes the weights are back where they were; 0 if they are not.
  after(weights) {
    this.since++;
    if (weights.every((w, j) => w === this.kept[j])) return this.since;
    if (this.since === this.patience) {
      Object.assign(this, { kept: weights.slice(), since: 0, patience: 2 * this.patience });
    }
    return 0;
  }
}

// The cycle that the updates on these rows against these rivals make, or null if they do not cancel exactly. Sums of
// 100,000 updates on rows below 1e9 are whole numbers of 1/64 below 2^53, so they are exact even where weights are not.
export function proveCycle(rows, updated, rivals, length, unit) {
  const counts = new Map();
  updated.forEach((row, u) => {
    const key = row * rows.classes + rivals[u];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  const keys = [...counts.keys()].sort((a, b) => a - b);
  if (rows.kernel ? !cancel(rows, updated, rivals) : !addUpToNothing(rows, keys, counts)) return null;
  const found = keys.map((key) => Math.floor(key / rows.classes));
  return { passes: length, rows: found, updates: keys.map((key) => counts.get(key)), unit };
}

function addUpToNothing(rows, keys, counts) {
  const total = new Float64Array(rows.classes * rows.width);
  for (const key of keys) {
    const [row, loses] = [Math.floor(key / rows.classes), key % rows.classes];
    for (let j = 0; j < rows.width; j++) {
      const change = counts.get(key) * rows.values[row * rows.width + j] * UNIT;
      total[rows.truth[row] * rows.width + j] += change;
      total[loses * rows.width + j] -= change;
    }
  }
  return total.every((sum) => sum === 0);
}

// What the cycle is and which rows cancel, counted from 1.
export function cycleWords({ cycle, rows }, thing, bias) {
  const length = cycle.passes === 1 ? `one ${cycle.unit}` : `${cycle.passes} ${PLURAL[cycle.unit]}`;
  const boundary = rows.kernel ? "curve of this kernel" : bias ? "boundary" : "boundary through the origin";
  return (
    `the ${rows.kernel ? "scores" : "weights"} are back where they were ${length} ago. The updates in between cancel exactly ` +
    `(${counted(cycle, thing)}), so the run would go round for ever and no ${boundary} separates the ${thing}s.`
  );
}

function counted(cycle, thing) {
  const counts = new Map();
  cycle.rows.forEach((row, k) => counts.set(row, (counts.get(row) ?? 0) + cycle.updates[k]));
  const named = [...counts.keys()].slice(0, MOST_NAMED);
  const more = counts.size > MOST_NAMED ? ` and ${counts.size - MOST_NAMED} more` : "";
  if ([...counts.values()].every((count) => count === 1)) {
    return `one on each of the ${thing}s ${named.map((row) => row + 1).join(", ")}${more}`;
  }
  return named.map((row) => `${counts.get(row)} on ${thing} ${row + 1}`).join(", ") + more;
}
