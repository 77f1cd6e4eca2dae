// The message as it is, with what each known word adds above its first place: a word counts once, wherever it stands. A word for one class has a solid line below it, a word
// for the other a dotted one; thicker is stronger, and the number has its sign. So no one needs the colours.

import { markText } from "../spans.js";
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

  show({ text, spans, words, towards, other, bias, unknown, flip }) {
    const flipping = new Set(flip.places ?? []);
    const told = new Set();
    const shown = ({ start, end, place }) => {
      const [{ sign, level, short, word, adds }, first] = [words[place], !told.has(place)];
      told.add(place);
      return {
        start,
        end,
        sign,
        level,
        short: first ? short : "",
        title: `${word} ${adds}`,
        flips: flipping.has(place),
      };
    };
    const { nodes, tiers } = markText(text, spans.map(shown));
    this.text.replaceChildren(...nodes);
    this.text.className = `marked deep${tiers}`;
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
}
