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
    written = lab.fragment();
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
  lab.fragment = () => write({ ...state.bench(), tab: lab.tabs.now });
  for (const kind of ["data", "choices", "show", "step", "tab"]) state.on(kind, later);

  const tell = (message) => {
    banner.textContent = message;
    banner.hidden = !message;
  };

  // True if the address held a state; a broken one is told, and what was there stays.
  const open = async () => {
    const fragment = location.hash;
    if (lab.tabs.has(fragment.slice(1))) lab.tabs.show(fragment.slice(1));
    if (fragment.length < 2 || lab.tabs.has(fragment.slice(1))) return false;
    try {
      const { tab, ...bench } = read(fragment);
      await state.restore(bench);
      lab.tabs.show(tab);
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
