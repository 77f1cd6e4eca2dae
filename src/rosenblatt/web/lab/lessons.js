// The lessons, one file and one line in LESSONS each: a list to begin or take up one, the panel of the one at hand, and all of them as text.

import { button, html } from "./draw.js";
import { opening, paragraphs } from "./lesson_kit.js";
import { Panel } from "./lesson_panel.js";
import { Progress } from "./lesson_progress.js";
import { readQuestion } from "./lesson_question.js";
import * as line from "./lesson_line.js";
import * as update from "./lesson_update.js";
import * as bias from "./lesson_bias.js";
import * as classes from "./lesson_classes.js";
import * as separable from "./lesson_separable.js";
import * as losses from "./lesson_losses.js";
import * as features from "./lesson_features.js";
import * as curves from "./lesson_curves.js";
import * as likelihood from "./lesson_likelihood.js";
import * as smoothing from "./lesson_smoothing.js";
import * as parts from "./lesson_parts.js";
import * as many from "./lesson_many.js";

const LESSONS = [line, update, bias, classes, separable, losses, features, curves, likelihood, smoothing, parts, many];

export async function mount(element, lab) {
  const lessons = new Lessons(lab);
  element.querySelector("#lesson-list").replaceChildren(...lessons.lines);
  element.append(lessons.problem, lessons.text);
  const { open } = lessons.progress.now;
  document.getElementById("to-lessons")?.addEventListener("click", () => lessons.begin(line));
  if (open) await lessons.begin(LESSONS.find(({ name }) => name === open) ?? line, true);
}

class Lessons {
  constructor(lab) {
    this.lab = lab;
    this.progress = new Progress();
    this.panel = new Panel(lab, this.progress, { leave: () => this.leave(), next: () => this.next() });
    this.problem = html("div");
    this.buttons = new Map(LESSONS.map((lesson) => [lesson, button("", () => this.begin(lesson))]));
    this.lines = LESSONS.map((lesson) => html("li", {}, this.buttons.get(lesson)));
    this.text = this.asText();
    this.draw();
  }

  // The list says in words which lesson is open, begun or done.
  draw() {
    const { open, done } = this.progress.now;
    LESSONS.forEach((lesson, i) => {
      const made = this.buttons.get(lesson);
      const begun = this.progress.page(lesson.name) > 0;
      const mark = open === lesson.name ? "open" : begun ? "begun" : done.includes(lesson.name) ? "done" : "";
      made.replaceChildren(
        html("b", {}, String(i + 1)),
        ` ${lesson.title}`,
        ...(mark ? [" ", html("span", { class: "mark" }, mark)] : []),
      );
      if (open === lesson.name) made.setAttribute("aria-current", "true");
      else made.removeAttribute("aria-current");
    });
  }

  async begin(lesson, quietly = false) {
    const number = LESSONS.indexOf(lesson) + 1;
    try {
      const ready = await this.prepare(lesson);
      if (this.lab.taken !== this) await this.lab.taken?.leave();
      this.lab.taken = this;
      const { open, before } = this.progress.now;
      this.progress.keep({ open: lesson.name, before: open ? before : this.lab.state.bench() });
      this.lab.problem(this.problem, "");
      this.draw();
      await this.panel.open(ready, { number, total: LESSONS.length, last: number === LESSONS.length }, quietly);
    } catch (problem) {
      this.lab.problem(this.problem, problem.message);
    }
  }

  // A lesson with its numbers, which the engine gives.
  async prepare(lesson) {
    const { benches, facts } = await this.lab.call("lesson", { name: lesson.name });
    return {
      name: lesson.name,
      title: lesson.title,
      opens: lesson.opens,
      benches,
      pages: lesson.pages(facts, benches),
    };
  }

  // The bench becomes again what it was before the lessons.
  async leave() {
    const { open, before } = this.progress.now;
    this.progress.keep({ open: null, before: null });
    this.lab.taken = null;
    this.panel.close();
    this.draw();
    const lesson = LESSONS.find(({ name }) => name === open);
    this.lab.tabs.show("lessons");
    this.buttons.get(lesson ?? line).focus();
    if (before) await this.lab.state.restore(before);
    this.lab.say("You left the lesson. The picture is as it was before.");
  }

  next() {
    const place = LESSONS.findIndex(({ name }) => name === this.progress.now.open);
    return place + 1 < LESSONS.length ? this.begin(LESSONS[place + 1]) : this.leave();
  }

  // All lessons to read, with nothing to press but the answers.
  asText() {
    const body = html("div", { class: "lesson-text" });
    const element = html("details", {}, html("summary", {}, "Read all lessons as text"), body);
    element.addEventListener("toggle", async () => {
      if (!element.open || body.childElementCount) return;
      try {
        const ready = [];
        for (const lesson of LESSONS) ready.push(await this.prepare(lesson));
        body.replaceChildren(...ready.map((lesson, i) => this.article(lesson, i + 1)));
        this.lab.problem(this.problem, "");
      } catch (problem) {
        this.lab.problem(this.problem, problem.message);
      }
    });
    return element;
  }

  article(lesson, number) {
    const parts = lesson.pages.flatMap((page, i) => {
      // A table that several pages share stands once, at the last of them; one that tells an answer is folded with it.
      const later = lesson.pages.slice(i + 1).some((other) => other.extra === page.extra);
      const table = (whole) => (page.extra && !later ? page.extra({ lab: this.lab, answered: null, whole }) : null);
      const [shown, whole] = [table(!page.question), table(true)];
      const told = whole && whole.textContent !== shown?.textContent ? whole : null;
      if (told) told.ariaLabel += ", with the answer";
      return [
        html("h4", {}, page.title),
        ...paragraphs(page.text),
        shown,
        page.question && readQuestion(page.question, told),
      ].filter(Boolean);
    });
    return html(
      "article",
      { class: "card" },
      html("h3", {}, `Lesson ${number} · ${lesson.title}`),
      opening(lesson),
      ...parts,
    );
  }
}
