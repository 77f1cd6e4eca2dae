// One lesson at hand, page by page: the text, the question, and back and forth. It stands beside the picture that the
// page speaks of, and each page lays its own points there.

import { button, html } from "./draw.js";
import { lay, onColumns, opening, paragraphs, standBeside } from "./lesson_kit.js";
import { makeQuestion } from "./lesson_question.js";

const LONGEST_WAIT = 8000; // milliseconds for a part further down to load

export class Panel {
  // `progress` keeps the place; `leave()` and `next()` are for when the lesson is over.
  constructor(lab, progress, { leave, next }) {
    Object.assign(this, { lab, progress, leave });
    this.next = next;
    this.name = html("h3", { id: "lesson-name" });
    this.title = html("h4", { tabindex: "-1" });
    this.body = html("div", { class: "lesson-body" });
    this.problem = html("div");
    this.back = button("◀ Back", () => this.move(-1));
    this.forth = button("", () => this.move(1), { class: "main" });
    this.where = html("span", { class: "num" });
    const again = button("Set the picture again", () => this.set(this.page), { class: "quiet" });
    const out = button("Leave", () => leave(), { "aria-label": "Leave the lesson" });
    this.element = html(
      "section",
      { class: "card lesson", "aria-labelledby": "lesson-name" },
      html("div", { class: "row apart" }, this.name, out),
      this.title,
      this.body,
      html("div", { class: "row steps" }, this.back, this.where, this.forth, again),
      html("p", { class: "note" }, "Keys in this card: ← → turn the page, Escape leaves the lesson."),
      this.problem,
    );
    this.element.addEventListener("keydown", (event) => this.key(event));
    lab.state.on("step", () => this.extra?.follow?.(lab.state));
    onColumns(() => this.lesson && this.stand());
  }

  // Begins where the person was. `quietly` after a reload: nothing moves, and the bench stays as the link has it.
  async open(lesson, { number, total, last }, quietly = false) {
    this.lesson = lesson;
    this.last = last;
    this.name.textContent = `Lesson ${number} of ${total} · ${lesson.title}`;
    const at = Math.min(this.progress.page(lesson.name), lesson.pages.length - 1);
    await this.turn(at, quietly);
  }

  close() {
    this.lesson = null;
    this.wait();
    this.light([]);
    this.element.remove();
  }

  get page() {
    return this.lesson.pages[this.at];
  }

  get answered() {
    return this.progress.settled(this.lesson.name, this.at);
  }

  move(by) {
    const to = this.at + by;
    if (to >= this.lesson.pages.length) {
      this.progress.finish(this.lesson.name);
      this.progress.goTo(this.lesson.name, 0);
      this.next();
    } else if (to >= 0) {
      this.turn(to);
    }
  }

  async turn(to, quietly = false) {
    this.at = to;
    const { lesson, page } = this;
    this.progress.goTo(lesson.name, to);
    this.title.textContent = page.title;
    this.where.textContent = `${to + 1} of ${lesson.pages.length}`;
    this.back.disabled = to === 0;
    this.forth.textContent = to + 1 < lesson.pages.length ? "Next ▶" : this.last ? "Finish" : "Next lesson ▶";
    this.write();
    this.stand();
    if (!quietly) this.lab.tabs.show(page.place ?? "bench");
    this.light(page.lit ?? []);
    this.wait();
    if (!quietly) {
      this.title.focus({ preventScroll: true });
      this.element.scrollIntoView({ block: "start", behavior: "auto" });
      await this.set(page);
      // Parts above one further down may have loaded meanwhile and pushed it away.
      if (page.place && this.lesson === lesson && this.page === page) this.element.scrollIntoView({ block: "start" });
    }
  }

  // As long as a question is open, what would tell its answer waits, and Check is what to press.
  wait() {
    const asks = Boolean(this.lesson && this.page.question && !this.answered);
    document.body.classList.toggle("asking", asks);
    this.forth.classList.toggle("main", !asks);
  }

  write() {
    const { page } = this;
    const view = { lab: this.lab, answered: this.answered, whole: false };
    this.extra = page.extra?.(view) ?? null;
    const question = page.question && makeQuestion(page.question, this.answered, (how) => this.settle(how));
    const looks = (page.looks ?? []).map(([part, words]) => button(`${words} ↓`, () => this.lab.highlight(part)));
    const first = this.at === 0 ? [opening(this.lesson)] : [];
    const told = [
      ...first,
      ...paragraphs(page.text),
      this.extra,
      looks.length ? html("div", { class: "row" }, ...looks) : null,
    ];
    this.told = html("div", {}, ...told.filter(Boolean));
    this.body.replaceChildren(...[this.told, question].filter(Boolean));
  }

  // The answer is known: the page shows the result, in its table and on the picture.
  async settle(how) {
    const { page, lesson, at } = this;
    this.progress.settle(lesson.name, at, how);
    this.wait();
    if (page.extra) {
      const made = page.extra({ lab: this.lab, answered: how, whole: false });
      if (this.extra && made) this.extra.replaceWith(made);
      else if (made) this.told.append(made);
      this.extra = made;
    }
    this.forth.focus(); // what was pressed is gone
    if (page.question.afterwards) await this.set({ ...page, ...page.question.afterwards });
  }

  // Lays what the page speaks of. A page whose question was answered shows its result.
  async set(page) {
    const { lesson, at } = this;
    const wanted = this.answered && page.question?.afterwards ? { ...page, ...page.question.afterwards } : page;
    try {
      if (wanted.bench) await lay(this.lab, lesson.benches[wanted.bench], wanted.step, wanted.show);
      if (this.lesson !== lesson || this.at !== at) return; // the person is faster
      if (wanted.strength !== undefined) await setStrength(wanted.strength);
      this.extra?.follow?.(this.lab.state);
      this.lab.problem(this.problem, "");
    } catch (problem) {
      this.lab.problem(this.problem, problem.message);
    }
  }

  // Beside what the page speaks of.
  stand() {
    standBeside(this.element, this.page.place ?? "bench");
  }

  light(parts) {
    for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
    for (const part of parts) this.lab.parts[part]?.classList.add("lit");
  }

  // Keys that a field needs for itself are left to it.
  key(event) {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.shiftKey ||
      event.target.closest("input, [role=region]")
    )
      return;
    const acts = { ArrowRight: () => this.move(1), ArrowLeft: () => this.move(-1), Escape: () => this.leave() };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }
}

// Lays the counts of mail in the part on naive Bayes and moves its slider, as a hand would. It loads when it comes near.
async function setStrength(place) {
  const find = () => document.querySelector('#bayes input[type="range"]');
  for (let waited = 0; !find() && waited < LONGEST_WAIT; waited += 100)
    await new Promise((done) => setTimeout(done, 100));
  const range = find();
  if (!range) throw new Error("The part on naive Bayes did not load; its picture cannot be set.");
  const example = document.querySelector("#bayes [data-choice=example]");
  example.value = "mail";
  example.dispatchEvent(new Event("change"));
  range.value = place;
  range.dispatchEvent(new Event("input"));
}
