// Where a surface over a grid crosses 0, as closed rings and as lines between the edges of the grid (marching squares).
//
// Values stand at the nodes, row by row. Outside of the grid is below 0, so every ring closes; a piece that runs along the
// edge of the grid belongs to the ring and is no line. Places are in steps of the grid, between nodes by proportion.

// For each of the 16 kinds of cells from which side a ring enters it and by which it leaves, what is above 0 on its left.
// Corners, as bits: this node, the next, the one above that, the one above this. Sides: 0 below, 1 right, 2 above, 3 left.
const WAYS = [
  [],
  [[0, 3]],
  [[1, 0]],
  [[1, 3]],
  [[2, 1]],
  null,
  [[2, 0]],
  [[2, 3]],
  [[3, 2]],
  [[0, 2]],
  null,
  [[1, 2]],
  [[3, 1]],
  [[0, 1]],
  [[3, 0]],
  [],
];
// Two opposite corners are above 0: joined where the middle of the cell is.
const SADDLES = {
  5: {
    joined: [
      [0, 1],
      [2, 3],
    ],
    apart: [
      [0, 3],
      [2, 1],
    ],
  },
  10: {
    joined: [
      [3, 0],
      [1, 2],
    ],
    apart: [
      [1, 0],
      [3, 2],
    ],
  },
};

// The rings: lists of {x, y, rim}; `rim`: it lies on the edge of the grid because the grid ends there.
export function rings(values, columns, rows, level = 0) {
  const grid = { values, columns, rows, level, wide: columns + 2 };
  const next = new Map(); // from the side by which a ring enters a cell to that by which it leaves it
  for (let j = -1; j < rows; j++) {
    for (let i = -1; i < columns; i++) {
      const kind = kindOf(grid, i, j);
      if (kind === 0 || kind === 15) continue;
      const ways = WAYS[kind] ?? SADDLES[kind][middle(grid, i, j) > 0 ? "joined" : "apart"];
      for (const [from, to] of ways) next.set(side(grid, i, j, from), side(grid, i, j, to));
    }
  }
  const found = [];
  for (const first of next.keys()) {
    if (!next.has(first)) continue;
    const ring = [];
    for (let at = first; next.has(at); ) {
      ring.push(crossing(grid, at));
      const to = next.get(at);
      next.delete(at);
      at = to;
    }
    found.push(ring);
  }
  return found;
}

// The pieces of rings that do not run along the edge of the grid, nor through places that are left out on both ends.
export function linesOf(found, leftOut = () => false) {
  return found.flatMap((ring) => {
    const kept = ring.map((place, k) => {
      const next = ring[(k + 1) % ring.length];
      return !place.rim && !next.rim && !(leftOut(place) && leftOut(next));
    });
    const end = kept.indexOf(false);
    if (end < 0) return [[...ring, ring[0]]];
    const lines = [];
    for (let k = 1; k <= ring.length; k++) {
      const at = (end + k) % ring.length;
      if (!kept[at]) continue;
      if (!kept[(at + ring.length - 1) % ring.length]) lines.push([ring[at]]);
      lines.at(-1).push(ring[(at + 1) % ring.length]);
    }
    return lines;
  });
}

function valueAt({ values, columns, rows, level }, i, j) {
  const inside = i >= 0 && j >= 0 && i < columns && j < rows;
  return inside ? values[j * columns + i] - level : Number.NEGATIVE_INFINITY;
}

function kindOf(grid, i, j) {
  const above = (a, b, bit) => (valueAt(grid, a, b) > 0 ? bit : 0);
  return above(i, j, 1) + above(i + 1, j, 2) + above(i + 1, j + 1, 4) + above(i, j + 1, 8);
}

function middle(grid, i, j) {
  return valueAt(grid, i, j) + valueAt(grid, i + 1, j) + valueAt(grid, i + 1, j + 1) + valueAt(grid, i, j + 1);
}

// A number for each side of a cell; two cells that share a side know it by the same one.
function side({ wide }, i, j, which) {
  const node = (a, b) => (b + 1) * wide + a + 1;
  if (which === 0) return 2 * node(i, j);
  if (which === 2) return 2 * node(i, j + 1);
  return 2 * node(which === 1 ? i + 1 : i, j) + 1;
}

// Where the surface crosses a side: by proportion, or at the node within the grid.
function crossing(grid, number) {
  const [upright, node] = [number % 2, Math.floor(number / 2)];
  const [i, j] = [(node % grid.wide) - 1, Math.floor(node / grid.wide) - 1];
  const [a, b] = [valueAt(grid, i, j), valueAt(grid, i + 1 - upright, j + upright)];
  const rim = !Number.isFinite(a) || !Number.isFinite(b);
  const t = rim ? (Number.isFinite(a) ? 0 : 1) : a / (a - b);
  return { x: upright ? i : i + t, y: upright ? j + t : j, rim };
}
