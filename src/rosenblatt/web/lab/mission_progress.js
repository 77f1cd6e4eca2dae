// How far a person is with the missions, kept in this browser: {student, stars: {mission: 1 to 3}, hints: {mission: seen}}.

import { keep, kept } from "./storage.js";

const KEY = "rosenblatt-missions";
const MOST = 3;

export class MissionProgress {
  constructor() {
    this.now = { student: "", stars: {}, hints: {} };
    try {
      const found = JSON.parse(kept(KEY, "browser") ?? "{}");
      if (typeof found.student === "string") this.now.student = found.student;
      for (const part of ["stars", "hints"]) {
        for (const [name, count] of Object.entries(found[part] ?? {})) {
          if (Number.isInteger(count) && count >= 0 && count <= MOST) this.now[part][name] = count;
        }
      }
    } catch {
      // what somebody else wrote there is no progress
    }
  }

  #keep() {
    keep(KEY, JSON.stringify(this.now), "browser");
  }

  stars(name) {
    return this.now.stars[name] ?? 0;
  }

  hints(name) {
    return this.now.hints[name] ?? 0;
  }

  setStudent(student) {
    this.now.student = student;
    this.#keep();
  }

  seeHint(name) {
    this.now.hints[name] = this.hints(name) + 1;
    this.#keep();
  }

  // Three stars without a hint, one less for each; the best of several times counts.
  solve(name) {
    const earned = Math.max(1, MOST - this.hints(name));
    this.now.stars[name] = Math.max(this.stars(name), earned);
    this.#keep();
    return this.now.stars[name];
  }
}

export const starred = (count) => "★".repeat(count) + "☆".repeat(MOST - count);
