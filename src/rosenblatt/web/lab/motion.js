// A picture that changes goes there in a few frames, unless the person or the system wants less motion, or one change
// follows the other too fast to be seen.

import { isStill } from "../clock.js";

const TIME = 260; // milliseconds
const BRISK = 200; // milliseconds between changes, below which they are shown at once

export class Motion {
  #frame = 0;
  #last = Number.NEGATIVE_INFINITY;

  // `draw(part)` with parts that go up to 1; what is drawn at first is drawn before the next picture is painted.
  start(draw) {
    const begun = performance.now();
    const brisk = begun - this.#last < BRISK;
    this.#last = begun;
    if (brisk || isStill()) return;
    const next = (now) => {
      const t = Math.max(0, Math.min(1, (now - begun) / TIME));
      draw(1 - (1 - t) ** 3); // slower towards the end
      if (t < 1) this.#frame = requestAnimationFrame(next);
    };
    this.#frame = requestAnimationFrame(next);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
  }
}
