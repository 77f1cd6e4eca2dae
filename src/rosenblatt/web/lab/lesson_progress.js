// How far a person is. It is kept in this tab, so that a lesson can be left and taken up, also after a reload.
//   open: the name of the lesson at hand, or null;  pages: {name: page};  settled: {"name page": "right" | "shown"};
//   done: [name, …];  before: the bench as it was before the first lesson

import { keep, kept } from "./storage.js";

const KEY = "rosenblatt-lessons";
const EMPTY = { open: null, pages: {}, settled: {}, done: [], before: null };

export class Progress {
  constructor() {
    this.now = { ...EMPTY };
    try {
      this.now = { ...EMPTY, ...JSON.parse(kept(KEY) ?? "{}") };
    } catch {
      // what somebody else wrote there is no progress
    }
  }

  keep(some) {
    this.now = { ...this.now, ...some };
    keep(KEY, JSON.stringify(this.now));
  }

  page(name) {
    return this.now.pages[name] ?? 0;
  }

  goTo(name, page) {
    this.keep({ pages: { ...this.now.pages, [name]: page } });
  }

  finish(name) {
    if (!this.now.done.includes(name)) this.keep({ done: [...this.now.done, name] });
  }

  settled(name, page) {
    return this.now.settled[`${name} ${page}`] ?? null;
  }

  settle(name, page, how) {
    this.keep({ settled: { ...this.now.settled, [`${name} ${page}`]: how } });
  }
}
