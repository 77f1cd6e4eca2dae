// The message as it is, with what each known word adds above it. A word for one class has a solid line below it, a word
// for the other a dotted one; thicker is stronger, and the number has its sign. So no one needs the colours.

import { html } from "./draw.js";

export class Marked {
  constructor() {
    this.key = html("p", { class: "note" });
    this.text = html("div", { class: "marked", tabindex: "0", role: "region", "aria-label": "The message with each word's part" });
    this.element = html("div", {}, this.key, this.text);
  }

  show({ pieces, words, towards, other, bias, unknown, flip }) {
    const flipping = new Set(flip.places ?? []);
    this.text.replaceChildren(...pieces.map(([text, place]) => (place < 0 ? text : this.word(text, words[place], flipping.has(place)))));
    this.key.replaceChildren(
      "A ", html("span", { class: "word for s3" }, "solid line"), ` speaks for ${towards}, a `, html("span", { class: "word against s3" }, "dotted line"),
      ` for ${other}; a frame marks the fewest words to leave out. The bias adds ${bias}. Words without a number, ${unknown} of them, are not known.`,
    );
  }

  word(text, word, flips) {
    const side = word.sign > 0 ? "for" : word.sign < 0 ? "against" : "none";
    const name = `word ${side} s${word.level}${flips ? " flips" : ""}`;
    return html("ruby", {}, html("span", { class: name }, text), html("rt", {}, word.short));
  }
}
