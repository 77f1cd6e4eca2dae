// The weights of a class as a smooth picture: numbers between those of the pixels are made up on the way from one to the
// next. What speaks against the digit is hatched, so that signs are told by more than colour.

import { html } from "./draw.js";

const SIZE = 96; // pixels on a side
const HATCH = 6; // of them, from one line to the next

export class Smooth {
  constructor(side, label) {
    this.side = side;
    this.element = html("canvas", { width: SIZE, height: SIZE, class: "smooth", role: "img", "aria-label": label });
  }

  show(values, largest) {
    const pen = this.element.getContext("2d");
    const picture = pen.createImageData(SIZE, SIZE);
    const [own, other] = ["--c0", "--c1"].map((name) => rgb(name));
    for (let k = 0; k < SIZE * SIZE; k++) {
      const [x, y] = [k % SIZE, Math.floor(k / SIZE)];
      const value = between(values, this.side, (x / SIZE) * this.side - 0.5, (y / SIZE) * this.side - 0.5);
      const hatched = value < 0 && (x + y) % HATCH < HATCH / 2 ? 0.5 : 1;
      picture.data.set(value > 0 ? own : other, 4 * k);
      picture.data[4 * k + 3] = 255 * Math.min(1, Math.abs(value) / (largest || 1)) * hatched;
    }
    pen.putImageData(picture, 0, 0);
  }
}

// The number at a place between pixels, of its four neighbours, without a kink at any of them.
function between(values, side, x, y) {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const ease = (part) => part * part * (3 - 2 * part);
  const [right, low] = [ease(x - left), ease(y - top)];
  const at = (column, row) => {
    const inside = (place) => Math.max(0, Math.min(side - 1, place));
    return values[inside(row) * side + inside(column)];
  };
  const line = (row) => at(left, row) * (1 - right) + at(left + 1, row) * right;
  return line(top) * (1 - low) + line(top + 1) * low;
}

// A colour of the page as red, green and blue: the scheme may be light or dark.
function rgb(name) {
  const pen = html("canvas", { width: 1, height: 1 }).getContext("2d");
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  pen.fillRect(0, 0, 1, 1);
  return Array.from(pen.getImageData(0, 0, 1, 1).data.slice(0, 3));
}
