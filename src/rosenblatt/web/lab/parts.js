// What the parts below the bench share: their heading, their first question, and sliders with a spoken value.

import { html } from "./draw.js";

// The heading of a part and its two sentences, which are there before anything is asked of the server.
export function introduce(element, title, text) {
  const waiting = html("p", { class: "note waiting", role: "status" }, "Waiting for the engine …");
  const body = html("div", { class: "part" }, waiting);
  element.append(html("h2", {}, title), html("p", { class: "lead" }, text), body);
  return body;
}

// Asks what a part begins with, and shows the cards that `fill` makes of it. The very first call on a machine compiles the engine and may take too long for
// the server's patience; the work goes on there, so asking again finds it done.
export async function begin(body, lab, name, fill) {
  try {
    body.replaceChildren(...(await fill(await patiently(lab, name))));
  } catch (problem) {
    const place = html("div");
    const again = html("button", { type: "button" }, "Try again");
    again.addEventListener("click", () => begin(body, lab, name, fill));
    body.replaceChildren(place, again);
    lab.problem(place, problem.message);
  }
}

async function patiently(lab, name) {
  for (let tries = 1; ; tries++) {
    try {
      return await lab.call(name, {});
    } catch (problem) {
      if (problem.status !== 408 || tries === 4) throw problem;
    }
  }
}

// A slider over the places of a list; `words` says what stands at a place, for the eye and for the ear.
export function slider(name, length, words, act) {
  const range = html("input", { type: "range", min: 0, max: length - 1, step: 1, "aria-label": name });
  const shown = html("output", { class: "num" });
  const set = (place) => {
    range.value = place;
    shown.textContent = words(place);
    range.setAttribute("aria-valuetext", shown.textContent);
    act(Number(place));
  };
  range.addEventListener("input", () => set(Number(range.value)));
  return {
    range,
    shown,
    set,
    get place() {
      return Number(range.value);
    },
  };
}

// Only the answer to the last question counts, be it a refusal: earlier ones that come late are dropped.
export function latest() {
  let count = 0;
  return async (promise) => {
    const mine = ++count;
    try {
      const found = await promise;
      return mine === count ? found : null;
    } catch (problem) {
      if (mine === count) throw problem;
      return null;
    }
  };
}
