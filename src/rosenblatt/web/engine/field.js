// The scores of a curve all over a window of the plane, at the nodes of a grid. They are for the eye: sums are grouped by
// point, and e^x is the browser's own, so the last bits differ from those of scores that are told.

import { power } from "./kernels.js";

const RENEWED = 256; // changes after which all is added up anew, so that what is rounded does not pile up

export class Field {
  #counts;
  #changes = 0;
  #axes = new Map();

  // x and y: the places of the nodes, ascending.
  constructor(rows, x, y) {
    Object.assign(this, { rows, x, y });
    this.sums = Array.from({ length: rows.vectors }, () => new Float64Array(x.length * y.length));
    this.layer = new Float64Array(x.length * y.length);
    this.sizes = new Float64Array(x.length * y.length); // what the surfaces would be if all points pulled one way
    this.#counts = new Float64Array(rows.size);
  }

  // One surface for two classes, otherwise one for each, where points count so much. Only what changed is added.
  goTo(counts) {
    const { rows, sums } = this;
    if (this.#changes > RENEWED) this.#clear();
    for (let i = 0; i < rows.n; i++) {
      let [size, changed] = [0, false];
      for (let v = 0; v < rows.vectors; v++) {
        const [was, is] = [this.#counts[v * rows.n + i], counts[v * rows.n + i]];
        if (was === is) continue;
        if (!changed) this.#draw(i);
        changed = true;
        size += Math.abs(is) - Math.abs(was);
        add(is - was, this.layer, sums[v]);
      }
      if (!changed) continue;
      this.#changes++;
      add(size, this.layer.map(Math.abs), this.sizes);
    }
    this.#counts.set(counts);
    return sums;
  }

  // For each class a surface that is above 0 where it scores highest, as a share of all pulls: hills fall off so fast that
  // halfway between two nodes a score is far from the mean of the two, but not its share.
  leads(counts) {
    const sums = this.goTo(counts);
    const share = (lead, k) => (this.sizes[k] > 0 ? lead / this.sizes[k] : 0);
    if (sums.length === 1) {
      const own = sums[0].map(share);
      return [own.map((lead) => -lead), own];
    }
    return sums.map((own, c) => own.map((score, k) => share(score - highest(sums, c, k), k)));
  }

  #clear() {
    for (const sum of [...this.sums, this.sizes]) sum.fill(0);
    this.#counts.fill(0);
    this.#changes = 0;
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

function add(factor, layer, sum) {
  for (let k = 0; k < sum.length; k++) sum[k] += factor * layer[k];
}

function highest(sums, own, k) {
  let best = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < sums.length; c++) if (c !== own && sums[c][k] > best) best = sums[c][k];
  return best;
}
