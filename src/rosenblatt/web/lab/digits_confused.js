// Which of the digits kept apart are read as which: a line for each true digit, a column for what was read. A number of
// digits that were read wrong leads to them, one after the other.

import { button, html } from "./draw.js";

export class Confused {
  constructor(story, choose) {
    Object.assign(this, { story, choose, turn: new Map() });
    this.body = html("tbody");
    const names = story.classes.map((name) => html("th", { scope: "col" }, name));
    const head = html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "is \\ read as"), ...names));
    const table = html("table", { class: "confused" }, head, this.body);
    const label = "Test digits: what they are and what they are read as";
    this.element = html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
  }

  show(place) {
    const { classes, truth, said } = this.story;
    const rows = classes.map(() => classes.map(() => []));
    truth.forEach((own, row) => rows[own][said[place][row]].push(row));
    this.body.replaceChildren(
      ...rows.map((line, own) =>
        html(
          "tr",
          {},
          html("th", { scope: "row" }, classes[own]),
          ...line.map((found, read) => this.cell(found, own, read)),
        ),
      ),
    );
  }

  cell(found, own, read) {
    if (own === read) return html("td", { class: "right" }, `${found.length}`);
    if (!found.length) return html("td", { class: "none" }, "0");
    const { classes } = this.story;
    const name = `${found.length} of ${classes[own]} read as ${classes[read]}: show one`;
    const next = () => {
      const last = this.turn.get(`${own} ${read}`) ?? -1;
      const row = found.find((each) => each > last) ?? found[0];
      this.turn.set(`${own} ${read}`, row);
      this.choose(row);
    };
    return html("td", { class: "wrong" }, button(`${found.length}`, next, { "aria-label": name }));
  }
}
