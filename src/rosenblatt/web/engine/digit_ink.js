// The ink of a stroke that a person draws: a square of 0 (paper) and 1 (ink), row after row. Places go from 0 to 1.

export const FINE = 64; // pixels on a side
const PEN = 2.6; // of them, from the middle of the line to its edge

export const paper = () => new Uint8Array(FINE * FINE);

// Adds the line from one place to another.
export function addLine(ink, [x0, y0], [x1, y1]) {
  const [ax, ay, bx, by] = [x0, y0, x1, y1].map((place) => place * FINE);
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  const low = (a, b) => Math.max(0, Math.floor(Math.min(a, b) - PEN));
  const high = (a, b) => Math.min(FINE - 1, Math.ceil(Math.max(a, b) + PEN));
  for (let y = low(ay, by); y <= high(ay, by); y++) {
    for (let x = low(ax, bx); x <= high(ax, bx); x++) {
      const along = Math.max(0, Math.min(1, ((x + 0.5 - ax) * dx + (y + 0.5 - ay) * dy) / length));
      if (Math.hypot(x + 0.5 - ax - along * dx, y + 0.5 - ay - along * dy) <= PEN) ink[y * FINE + x] = 1;
    }
  }
}
