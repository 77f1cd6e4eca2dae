// The missions: a list with stars, the card of the one at hand, and the result code that a teacher checks.

import { button, card, field, html } from "./draw.js";
import { MissionCard } from "./mission_card.js";
import { MissionProgress, starred } from "./mission_progress.js";

const COPIED = 2000; // milliseconds that the button says so

export async function mount(element, lab) {
  const missions = new Missions(lab, await lab.call("missions"));
  element.querySelector("#mission-list").replaceChildren(...missions.lines);
  element.append(missions.problem, missions.result());
  missions.draw();
}

class Missions {
  constructor(lab, all) {
    Object.assign(this, { lab, all, open: null, before: null });
    this.progress = new MissionProgress();
    this.card = new MissionCard(lab, this.progress, {
      leave: () => this.leave(),
      next: () => this.next(),
      solved: () => this.draw(),
    });
    this.problem = html("div");
    this.buttons = all.map((one) => button("", () => this.begin(one)));
    this.lines = this.buttons.map((made) => html("li", {}, made));
  }

  draw() {
    this.all.forEach(({ name, title }, i) => {
      const count = this.progress.stars(name);
      const stars = html("span", { class: "mark", role: "img", "aria-label": `${count} of 3 stars` }, starred(count));
      this.buttons[i].replaceChildren(html("b", {}, String(i + 1)), ` ${title} `, stars);
      if (this.open?.name === name) this.buttons[i].setAttribute("aria-current", "true");
      else this.buttons[i].removeAttribute("aria-current");
    });
    this.tell();
  }

  async begin(one) {
    try {
      const mission = await this.lab.call("mission", { name: one.name });
      if (this.lab.taken !== this) await this.lab.taken?.leave();
      this.lab.taken = this;
      this.before ??= this.lab.state.bench();
      this.open = one;
      this.lab.problem(this.problem, "");
      this.draw();
      await this.card.open(mission, this.all.indexOf(one) + 1, this.all.length);
    } catch (problem) {
      this.lab.problem(this.problem, problem.message);
    }
  }

  // The bench becomes again what it was before.
  async leave() {
    const [place, { before }] = [this.all.indexOf(this.open), this];
    Object.assign(this, { open: null, before: null });
    this.lab.taken = null;
    this.card.close();
    this.draw();
    this.lab.tabs.show("missions");
    this.buttons[Math.max(0, place)].focus();
    if (before) await this.lab.state.restore(before);
    this.lab.say("You left the mission. The picture is as it was before.");
  }

  next() {
    const place = this.all.indexOf(this.open) + 1;
    return place < this.all.length ? this.begin(this.all[place]) : this.leave();
  }

  // A name and the code that follows from it and from the stars.
  result() {
    const student = html("input", { type: "text", autocomplete: "name", maxlength: "100" });
    student.value = this.progress.now.student;
    student.addEventListener("input", () => {
      this.progress.setStudent(student.value);
      this.tell();
    });
    this.code = html("output", { class: "num code", "data-fact": "code" });
    this.copy = button("Copy", async () => {
      await navigator.clipboard?.writeText(this.code.textContent);
      this.copy.textContent = "Copied ✓";
      setTimeout(() => {
        this.copy.textContent = "Copy";
      }, COPIED);
      this.lab.say("The code is copied.");
    });
    return card(
      "Your result",
      html("div", { class: "row" }, field("Your name", student), this.copy),
      this.code,
      html(
        "p",
        { class: "note" },
        "Hand this code in. It holds your name and your stars for each mission, and a teacher checks it without a network.",
      ),
    );
  }

  async tell() {
    if (!this.code) return;
    const { student, stars } = this.progress.now;
    const ready = student.trim() !== "" && Object.values(stars).some(Boolean);
    this.copy.disabled = !ready;
    const known = Object.fromEntries(this.all.map(({ name }) => [name, stars[name] ?? 0]));
    const made = ready ? await this.lab.call("mission_code", { student, stars: known }) : null;
    const missing = Object.values(stars).some(Boolean) ? "Type your name" : "Type your name and solve a mission";
    this.code.textContent = made?.code ?? `${missing}: your code will stand here.`;
  }
}
