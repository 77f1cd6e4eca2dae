// Time that goes by itself: one step after the other at a pace, until it is stopped or the run is over.

export const PACES = [
  ["1200", "slow"],
  ["450", "normal"],
  ["120", "fast"],
  ["30", "very fast"],
]; // milliseconds between steps
export const SHORT = 60; // steps up to which playing shows the right rows too
const CALM = 1000; // milliseconds at least, where the system asks for less motion

export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Whether nothing should move by itself: the system asks for less motion, or the address says "still".
export function isStill() {
  return isCalm() || new URLSearchParams(location.search).has("still");
}

export class Clock {
  // `told(playing)` hears when it starts and stops.
  constructor(told) {
    Object.assign(this, { told, timer: null });
  }

  get playing() {
    return this.timer !== null;
  }

  // `pace()` are milliseconds until the next step; `step()` goes on, and is false when nothing comes after it.
  start(pace, step) {
    if (this.playing) return;
    const wait = () => Math.max(Number(pace()), isCalm() ? CALM : 0);
    const next = () => {
      const more = step();
      if (this.playing) this.timer = more ? setTimeout(next, wait()) : this.stop();
    };
    this.timer = setTimeout(next, wait());
    this.told(true);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.told(false);
    return null;
  }
}

// What the button of playing says.
export function showPlaying(button, playing) {
  button.textContent = playing ? "‖ Pause" : "▶ Play";
  button.setAttribute("aria-label", playing ? "Pause" : "Play");
}
