// The marks of rows in a picture. Where rows share a place, each class there has one mark, in full view: the first class
// the largest, the next on top of it, smaller. Marks are never moved aside, for beside their place they could stand on
// the wrong side of a boundary. How many rows there are stands below.

import { colour, mark, svg } from "./elements.js";

const RIM = 0.6; // of a mark: so much of the one below shows around the one on top
const MOST_NUMBERED = 150; // rows, beyond which numbers would hide more than they tell

const nameOf = ([x, y]) => `${x} ${y}`;

export class Marks {
  // Places in the picture, the class of each, what look a class has, and the size of a mark that stands alone.
  constructor(places, classes, look, size) {
    Object.assign(this, { look, size, rows: places.length });
    this.spots = new Map();
    places.forEach((place, i) => {
      const spot = this.spots.get(nameOf(place)) ?? { place, counts: new Map() };
      spot.counts.set(classes[i], (spot.counts.get(classes[i]) ?? 0) + 1);
      this.spots.set(nameOf(place), spot);
    });
  }

  // The classes at a place with the sizes of their marks, from below to the top.
  stack(place, own = []) {
    const found = new Set([...(this.spots.get(nameOf(place))?.counts.keys() ?? []), ...own]);
    const classes = [...found].sort((a, b) => a - b);
    return classes.map((c, k) => [c, this.size * (1 + RIM * (classes.length - 1 - k))]);
  }

  // How far the marks at a place reach.
  reach(place) {
    return this.stack(place)[0]?.[1] ?? this.size;
  }

  // One outline for all marks of each class, by its number; drawn in this order none is hidden.
  outlines(count) {
    const found = Array.from({ length: count }, () => []);
    for (const { place } of this.spots.values())
      for (const [c, size] of this.stack(place)) found[c].push(mark(this.look(c), ...place, size));
    return found.map((parts) => parts.join(""));
  }

  // All marks at the place of a row of this class, to be drawn over everything else.
  over(place, own) {
    return this.stack(place, [own]).map(([c, size]) => {
      const look = this.look(c);
      return svg("path", { d: mark(look, ...place, size), fill: colour(look), class: "rp-points" });
    });
  }

  // Below places of several rows: how many there are, of each class where there are two.
  numbers() {
    if (this.rows > MOST_NUMBERED) return [];
    return Array.from(this.spots.values())
      .filter(({ counts }) => Math.max(...counts.values()) > 1)
      .map(({ place, counts }) => this.#number(place, counts));
  }

  #number(place, counts) {
    const [x, y] = [place[0], place[1] + 1.2 * this.reach(place) + 13];
    const several = counts.size > 1;
    const wide = several ? 40 : 0;
    const parts = this.stack(place).flatMap(([c], k) => {
      const at = x + (k - (counts.size - 1) / 2) * wide;
      const key = several
        ? [svg("path", { d: mark(this.look(c), at - 11, y - 4, 4), fill: colour(this.look(c)) })]
        : [];
      return [...key, svg("text", { x: several ? at + 5 : at, y, "text-anchor": "middle" }, `×${counts.get(c)}`)];
    });
    return svg("g", { class: "rp-here" }, ...parts);
  }
}
