// The address follows the bench, and the bench follows a link that is opened or pasted.

import { read, write } from "./link.js";

const PAUSE = 300; // milliseconds: browsers refuse an address that changes all the time

export function makeAddress(lab) {
  const { state } = lab;
  const banner = document.getElementById("page-problem");
  let timer = null;
  let written = "";

  const put = () => {
    timer = null;
    if (!state.data.points.length) return;
    written = write(state.bench());
    try {
      history.replaceState(history.state, "", written);
    } catch {
      // a page within a page may have no address of its own; links can still be copied
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(put, PAUSE);
  };
  for (const kind of ["data", "choices", "show", "step"]) state.on(kind, later);

  const tell = (message) => {
    banner.textContent = message;
    banner.hidden = !message;
  };

  // True if the address held a state; a broken one is told, and what was there stays.
  const open = async () => {
    const fragment = location.hash;
    if (fragment.length < 2 || document.getElementById(fragment.slice(1))) return false;
    try {
      await state.restore(read(fragment));
      tell("");
      lab.say("The link was opened.");
      return true;
    } catch (problem) {
      tell(problem.message);
      if (state.data.points.length) put();
      return false;
    }
  };
  addEventListener("hashchange", () => {
    if (location.hash !== written) open();
  });
  return { open };
}
