// For the lecture hall: large type and one card at a time, and keys that act wherever the focus is.
//
// Page Down and Page Up, which presenters' remotes send, go from card to card. The letters can be turned off (time.js),
// since somebody who speaks to a computer may say them by chance.

import { button, html } from "./draw.js";
import { cardText } from "./card_picture.js";
import { saveAs } from "./picture.js";

const OWN_KEYS = "input, textarea, select, [contenteditable]";

export function makeHall(lab) {
  const hall = new Hall(lab);
  document.addEventListener("keydown", (event) => hall.key(event));
  lab.state.on("tab", () => hall.on && hall.goTo(0));
  return hall;
}

class Hall {
  constructor(lab) {
    Object.assign(this, { lab, on: false, at: 0 });
    this.where = html("span", { class: "num", role: "status" });
    this.bar = html(
      "div",
      { class: "hall-bar row", role: "toolbar", "aria-label": "Lecture view" },
      button("◀ Card", () => this.move(-1), { title: "Page Up" }),
      this.where,
      button("Card ▶", () => this.move(1), { title: "Page Down" }),
      button("Save card as SVG", () => this.save(), { title: "S" }),
      button("Leave", () => this.leave(), { title: "Escape or L", "aria-label": "Leave the lecture view" }),
    );
    this.button = button("Lecture view", () => this.toggle(), { title: "Large type, one card at a time (L)" });
  }

  // The cards of the part that is open, also those that are away at the moment. What can be changed beside the plane
  // comes after it.
  get cards() {
    const all = document.querySelectorAll("main > section:not([hidden]) .card");
    const own = (card) => !card.parentElement.closest(".card, [hidden], details:not([open])");
    const found = Array.from(all).filter((card) => own(card) && !card.hidden && card.childElementCount);
    const late = (card) => (card.closest("#rail") ? 1 : 0);
    return found.sort((one, other) => late(one) - late(other));
  }

  toggle() {
    if (this.on) this.leave();
    else this.enter();
  }

  enter() {
    this.on = true;
    document.body.classList.add("hall");
    document.querySelector("main").before(this.bar);
    this.goTo(0);
    this.lab.say("Lecture view. Page Down and Page Up go from card to card, Escape leaves.");
  }

  leave() {
    this.on = false;
    document.body.classList.remove("hall");
    for (const away of document.querySelectorAll(".away")) away.classList.remove("away");
    this.bar.remove();
    this.button.focus({ preventScroll: true });
    dispatchEvent(new Event("resize"));
  }

  goTo(place) {
    const { cards } = this;
    this.at = cards.length ? (place + cards.length) % cards.length : 0;
    cards.forEach((card, i) => card.classList.toggle("away", i !== this.at));
    this.where.textContent = `${this.at + 1} of ${cards.length}`;
    scrollTo({ top: 0, behavior: "instant" });
    dispatchEvent(new Event("resize"));
  }

  move(by) {
    this.goTo(this.at + by);
    const name = this.cards[this.at]?.querySelector("h3, h4")?.textContent ?? this.cards[this.at]?.ariaLabel;
    if (name) this.lab.say(name);
  }

  save() {
    const card = this.cards[this.at];
    if (!card) return;
    const title = card.querySelector("h3")?.textContent || card.ariaLabel || "card";
    const name = `${
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "") || "card"
    }.svg`;
    saveAs(name, new Blob([cardText(card)], { type: "image/svg+xml" }));
    this.lab.say(`${name} was saved.`);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
    if (event.target.closest?.(OWN_KEYS) && event.target.type !== "range") return;
    const { time } = this.lab;
    const letters = { l: () => this.toggle() };
    if (["bench", "views"].includes(this.lab.tabs.now)) {
      Object.assign(letters, {
        p: () => time.toggle(),
        n: () => time.go("mistake"),
        b: () => time.go("mistake", true),
      });
    }
    const here = { PageDown: () => this.move(1), PageUp: () => this.move(-1), Escape: () => this.leave() };
    const acts = { ...(this.lab.letters ? letters : {}), ...(this.on ? { ...here, s: () => this.save() } : {}) };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || event.shiftKey) return;
    event.preventDefault();
    act();
  }
}
