// Mail: a message with the weight of each word in place, the decision, and the fewest words that would change it.

import { button, card, field, html, select, twin } from "./draw.js";
import { Marked } from "./mail_marked.js";
import { begin, introduce, latest } from "./parts.js";

const TITLE = "Mail: which words decide";
const TEXT =
  "A perceptron that has learned from mail, spam and ham (what is not spam), gives every word a weight. The score of a message is the sum of the weights of its words, " +
  "divided by √(number of known words) so that long messages do not count more; its sign is the decision. Paste a message to see what each word adds.";
const PAUSE = 250; // milliseconds without a key before the message is read

export function mount(element, lab) {
  const body = introduce(element, TITLE, TEXT);
  return begin(body, lab, "mail", (story) => new Part(lab, story).cards);
}

class Part {
  constructor(lab, story) {
    Object.assign(this, { lab, newest: latest(), timer: 0, before: null, speaks: false });
    lab.message = this; // for a text that is dropped on the page
    this.problem = html("div");
    this.fileProblem = html("div");
    this.box = html("textarea", { rows: 9, spellcheck: "false", "aria-label": "The message" });
    this.box.addEventListener("input", () => {
      this.samples.value = "";
      clearTimeout(this.timer);
      this.wait();
      this.timer = setTimeout(() => this.read(), PAUSE);
    });
    this.samples = select([], (place) => this.paste(this.story.samples[Number(place)].text));
    this.marked = new Marked();
    this.sentence = html("p", { class: "say", "data-fact": "decision" });
    this.flip = html("p", { class: "say", "data-fact": "flip" });
    this.without = button("Leave them out", () => this.leaveOut());
    this.back = button("Put them back", () => this.putBack());
    this.told = [this.sentence, this.flip, this.marked.element];
    this.words = twin("Every word of the message", ["word", "times", "weight", "adds"], () =>
      (this.found?.words ?? []).map((word) => [word.word, String(word.times), word.weight, word.adds]),
    );
    this.source = html("p", { class: "note", "data-fact": "model" });
    this.heaviest = html("div", { class: "heaviest" });
    this.file = html("input", { type: "file", accept: ".csv,text/csv" });
    this.file.addEventListener("change", () => this.learn());
    this.forget = button("Back to the built-in mail", () => this.renew(() => ({})));
    const cards = [
      card(
        "The message",
        html("div", { class: "row" }, field("Messages to try", this.samples)),
        this.box,
        this.problem,
        this.sentence,
        this.flip,
        html("div", { class: "row" }, this.without, this.back),
      ),
      card("What each word adds", this.marked.element, this.words.element),
      card(
        "The model",
        this.source,
        this.heaviest,
        html("div", { class: "row" }, field("Learn from your own CSV of texts and labels", this.file), this.forget),
        this.fileProblem,
      ),
    ];
    this.cards = Promise.resolve(this.take(story)).then(() => {
      this.speaks = true;
      return cards;
    });
  }

  take(story) {
    this.story = story;
    const titles = story.samples.map((sample, i) => html("option", { value: i }, sample.title));
    this.samples.replaceChildren(...titles, html("option", { value: "", hidden: "" }, "your own text"));
    this.source.textContent =
      `Learned from ${story.name}: ${story.train} messages, ${story.words} words, classes ${story.classes.join(" and ")}. ` +
      `Of ${story.test} messages kept apart it gets ${story.right} right. The messages to try are among them.`;
    this.heaviest.replaceChildren(
      ...Object.entries(story.heaviest).map(([name, words]) =>
        html(
          "p",
          {},
          `for ${name}: `,
          ...words.flatMap(({ word, weight }) => [
            html("span", { class: "chip" }, word, " ", html("span", { class: "num" }, weight)),
            " ",
          ]),
        ),
      ),
    );
    this.forget.hidden = !story.own;
    return story.samples.length ? this.paste(story.samples[0].text) : this.read();
  }

  paste(text) {
    this.box.value = text;
    this.before = null;
    return this.read();
  }

  // What was read is not what stands in the box now. It is greyed until the answer is there, and nothing acts on it.
  wait() {
    for (const one of this.told) one.setAttribute("aria-busy", "true");
    this.without.disabled = true;
  }

  // Reads what stands in the box. What cannot be read has no verdict.
  async read() {
    clearTimeout(this.timer);
    this.wait();
    const text = this.box.value;
    try {
      const found = await this.newest(this.lab.call("mail_read", { text }));
      if (!found) return;
      this.lab.problem(this.problem, "");
      this.show(found);
    } catch (problem) {
      this.show(null);
      this.lab.problem(this.problem, problem.message);
    }
  }

  show(found) {
    this.found = found;
    for (const one of this.told) one.setAttribute("aria-busy", "false");
    if (found) this.marked.show(found);
    else this.marked.clear();
    this.sentence.textContent = found?.sentence ?? "";
    this.flip.textContent = found?.flip.sentence ?? "";
    const several = (found?.flip.words.length ?? 2) > 1;
    this.without.textContent = several ? "Leave them out" : "Leave it out";
    this.without.disabled = !found?.flip.words.length;
    this.back.disabled = this.before === null;
    this.words.draw();
    if (found && this.speaks) this.lab.say(`${found.sentence} ${found.flip.sentence}`);
  }

  async leaveOut() {
    const before = this.before ?? this.box.value;
    await this.paste(this.found.flip.text);
    this.before = before;
    this.back.disabled = false;
  }

  putBack() {
    return this.paste(this.before);
  }

  async learn() {
    const [file] = this.file.files;
    const learned = () => this.lab.call("mail_learn", file, { query: { name: file.name } });
    if (file) await this.renew(async () => ({ learned: await learned() }));
    this.file.value = "";
  }

  // Another model: from a file, or the first one again. If it cannot be had, the present one stays.
  async renew(find) {
    try {
      const story = await this.lab.call("mail", await find());
      this.lab.problem(this.fileProblem, "");
      await this.take(story);
      this.lab.say(this.source.textContent);
    } catch (problem) {
      this.lab.problem(this.fileProblem, problem.message);
    }
  }
}
