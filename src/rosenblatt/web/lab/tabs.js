// The parts of the page as tabs: one is seen at a time, and loaded when it is first seen. Arrow keys go along the tabs,
// Enter opens one; `show(id)` does so from elsewhere. Who hears of it: lab.state.on("tab").

export class Tabs {
  // `load(section)` fills a part; it is called once for each.
  constructor(lab, load) {
    Object.assign(this, { lab, load, now: "bench", loaded: new Map() });
    this.list = document.querySelector('[role="tablist"]');
    this.tabs = new Map(Array.from(this.list.children, (tab) => [tab.getAttribute("aria-controls"), tab]));
    for (const [id, tab] of this.tabs) tab.addEventListener("click", () => this.open(id));
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.show(this.now);
  }

  has(id) {
    return this.tabs.has(id);
  }

  // As a person opens it: from its beginning.
  open(id) {
    this.show(id);
    scrollTo({ top: 0, behavior: "instant" });
  }

  show(id) {
    this.now = id;
    for (const [part, tab] of this.tabs) {
      tab.setAttribute("aria-selected", part === id);
      tab.tabIndex = part === id ? 0 : -1;
      document.getElementById(part).hidden = part !== id;
    }
    const { offsetLeft, offsetWidth } = this.tabs.get(id);
    this.list.scrollLeft = offsetLeft + offsetWidth / 2 - this.list.clientWidth / 2; // in the middle, where there is room
    if (!this.loaded.has(id)) this.loaded.set(id, this.load(document.getElementById(id)));
    this.lab.state.tell("tab");
    return this.loaded.get(id); // a promise: the part is filled
  }

  // The part that holds the element is shown.
  showThatOf(element) {
    const part = element.closest("main > section");
    if (part && part.id !== this.now) this.show(part.id);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tabs = [...this.tabs.values()];
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tabs.at(to % tabs.length).focus();
  }
}
