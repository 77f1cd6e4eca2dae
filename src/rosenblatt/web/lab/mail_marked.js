// The message as it is, with what each known word adds above its first place: a word counts once, wherever it stands. A word for one class has a solid line below it, a word
// for the other a dotted one; thicker is stronger, and the number has its sign. So no one needs the colours.

import { html } from "./draw.js";

export class Marked {
  constructor() {
    this.key = html("p", { class: "note" });
    this.text = html("div", {
      class: "marked",
      tabindex: "0",
      role: "region",
      "aria-label": "The message, with what each word adds",
    });
    this.element = html("div", {}, this.key, this.text);
  }

  show({ pieces, words, towards, other, bias, unknown, flip }) {
    const flipping = new Set(flip.places ?? []);
    const told = new Set();
    const shown = ([text, place]) => {
      if (place < 0) return text;
      const first = !told.has(place);
      told.add(place);
      return this.word(text, words[place], flipping.has(place), first);
    };
    this.text.replaceChildren(...pieces.map(shown));
    this.key.replaceChildren(
      "A ",
      html("span", { class: "word for s3" }, "solid line"),
      ` speaks for ${towards}, a `,
      html("span", { class: "word against s3" }, "dotted line"),
      ` for ${other}; a frame marks the fewest words to leave out. A word counts once, and its number stands above its first place. The bias adds ${bias}. ${unknown === 1 ? "1 word is" : `${unknown} words are`} not known.`,
    );
  }

  clear() {
    this.text.replaceChildren();
    this.key.replaceChildren();
  }

  word(text, word, flips, first) {
    const side = word.sign > 0 ? "for" : word.sign < 0 ? "against" : "none";
    const name = `word ${side} s${word.level}${flips ? " flips" : ""}`;
    const marked = html("span", { class: name }, text);
    return first ? html("ruby", {}, marked, html("rt", {}, word.short)) : marked;
  }
}
