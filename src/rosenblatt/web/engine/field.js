// The scores of a curve all over a window of the plane, at the nodes of a grid. They are for the eye: sums are grouped by
// point, and e^x is the browser's own, so the last bits differ from those of scores that are told.

import { power } from "./kernels.js";

const LARGEST = 1e4; // of a lead: where nothing pulls the other way

export class Field {
  #counts;
  #axes = new Map();

  // x and y: the places of the nodes, ascending. What pulls up and what pulls down is summed apart, for each line of scores.
  constructor(rows, x, y) {
    const surfaces = () => Array.from({ length: rows.vectors }, () => new Float64Array(x.length * y.length));
    Object.assign(this, { rows, x, y, up: surfaces(), down: surfaces(), layer: new Float64Array(x.length * y.length) });
    this.#counts = new Float64Array(rows.size);
  }

  // The surfaces where points count so much. Where counts only grow, as in a run that goes on, only what changed is added.
  goTo(counts) {
    const { rows, up, down } = this;
    if (counts.some((is, k) => is * this.#counts[k] < 0 || Math.abs(is) < Math.abs(this.#counts[k]))) this.#clear();
    for (let i = 0; i < rows.n; i++) {
      let drawn = false;
      for (let v = 0; v < rows.vectors; v++) {
        const more = counts[v * rows.n + i] - this.#counts[v * rows.n + i];
        if (more === 0) continue;
        if (!drawn) this.#draw(i);
        drawn = true;
        add(more, this.layer, up[v], down[v]);
      }
    }
    this.#counts.set(counts);
  }

  // The score of each line at each node.
  scores(counts) {
    this.goTo(counts);
    return this.up.map((up, v) => up.map((value, k) => value - this.down[v][k]));
  }

  // For each class a surface that is above 0 where it scores highest. Hills fall off so fast that halfway between two nodes
  // a score is far from the mean of the two; the logarithm of what pulls up over what pulls down is close to it.
  leads(counts) {
    const lead = this.rows.kernel.kernel === "rbf" ? this.#ratios(counts) : this.#differences(counts);
    if (this.rows.vectors === 1) {
      const own = lead(0, -1);
      return [own.map((value) => -value), own];
    }
    return this.up.map((_, c) => {
      const others = this.up.flatMap((_, r) => (r === c ? [] : [lead(c, r)]));
      return others.reduce((lowest, other) => lowest.map((value, k) => Math.min(value, other[k])));
    });
  }

  #ratios(counts) {
    this.goTo(counts);
    const { up, down } = this;
    return (c, r) =>
      up[c].map((value, k) => {
        const [high, low] = r < 0 ? [value, down[c][k]] : [value + down[r][k], down[c][k] + up[r][k]];
        if (!high || !low) return high ? LARGEST : low ? -LARGEST : 0;
        return Math.log(high / low);
      });
  }

  #differences(counts) {
    const scores = this.scores(counts);
    return (c, r) => (r < 0 ? scores[c] : scores[c].map((score, k) => score - scores[r][k]));
  }

  #clear() {
    for (const surface of [...this.up, ...this.down]) surface.fill(0);
    this.#counts.fill(0);
  }

  // The kernel of point i at every node.
  #draw(i) {
    const { x, y, layer } = this;
    const { kernel, degree, gamma, coef0 } = this.rows.kernel;
    const [px, py] = this.rows.points[i];
    if (kernel === "rbf") return this.#drawHill(i);
    const long = Math.hypot(px, py);
    const [u, v] = kernel === "poly" ? [gamma * px, gamma * py] : [px / long, py / long];
    for (let b = 0, k = 0; b < y.length; b++) {
      for (let a = 0; a < x.length; a++, k++) {
        const score = u * x[a] + v * y[b];
        if (kernel === "poly") layer[k] = power(score + coef0, degree);
        else {
          const far = Math.hypot(x[a], y[b]);
          layer[k] = long && far ? power(score / far, degree) : 0;
        }
      }
    }
  }

  // e to the −γ|x − z|² is a product of one part along x and one along y.
  #drawHill(i) {
    const { x, y, layer, rows } = this;
    if (!this.#axes.has(i)) {
      const part = (nodes, at) => nodes.map((node) => Math.exp(-rows.kernel.gamma * (node - at) ** 2));
      this.#axes.set(i, [part(x, rows.points[i][0]), part(y, rows.points[i][1])]);
    }
    const [across, up] = this.#axes.get(i);
    for (let b = 0, k = 0; b < up.length; b++) {
      for (let a = 0; a < across.length; a++, k++) layer[k] = across[a] * up[b];
    }
  }
}

function add(factor, layer, up, down) {
  for (let k = 0; k < layer.length; k++) {
    const part = factor * layer[k];
    if (part > 0) up[k] += part;
    else down[k] -= part;
  }
}
