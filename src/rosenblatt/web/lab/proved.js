// What the run proves so far: no line has a larger margin than |w − w₀| / (α · updates), which closes on the best one.

import { boundText as formula } from "../words.js";
import { makeChart } from "./chart.js";
import { facts, html, numeral, short, spread, twin } from "./draw.js";

const NAMES = ["margin γ*", "mistakes so far", "bound (R/γ*)²", "verdict"];
// Of rbf it is known that its hills around distinct places can be weighed so that each has any sign that is wanted.
const CURVES = {
  rbf: "Yes: no two points of different classes share a place, and then hills can always be piled up so that all are right.",
  poly: "Not known beforehand: it depends on whether a curve of this degree can separate the points.",
  cosine: "Not known beforehand: it depends on whether the directions of the points can be told apart.",
};
const TWINS = "No: two points of different classes share a place, and there every curve has one score for both.";
const PLAIN = {
  separable:
    "Yes: some line leaves room on both sides. At every mistake the weights come closer to that line's own by at least " +
    "that room, and they can only be so far away. So the mistakes run out.",
  inseparable: "No: no line has every point on its side, so some point is wrong again and again.",
};
const ABOUT =
  "At every moment: the weights have moved so far in so many updates, so no line can have a larger " +
  "margin. The scale is logarithmic.";
const ABOUT_CURVES =
  "At every moment, in feature space, where each kernel is an arrow: the sum has come so far in so many updates, so no " +
  "curve of this kernel can have a larger margin. The scale is logarithmic.";
const MOST = 300; // points of the curve

export function makeProved(lab) {
  const { state } = lab;
  const chart = makeChart("Upper bound on the margin after each update, falling towards the best margin", {
    across: "updates",
    log: true,
  });
  const table = facts(NAMES);
  const rows = () => {
    if (!state.course) return [];
    const bounds = state.course.answer.margin_at_most;
    return spread(state.course.updatesBy[state.step], 40).map((u) => [numeral(u + 1), short(bounds[u + 1])]);
  };
  const numbers = twin("These bounds as a table", ["updates", "margin at most"], rows);
  const about = html("p", { class: "note" }, ABOUT);
  const summary = html("summary", {}, "Must it stop?");
  const plain = html("p");
  const element = html(
    "details",
    { class: "why" },
    summary,
    plain,
    chart.picture,
    table.element,
    about,
    numbers.element,
  );
  element.addEventListener("toggle", () => redraw());

  const redraw = () => {
    const { course, proof } = state;
    if (!course) {
      about.textContent = ABOUT;
      numbers.draw();
      return chart.draw({ points: [] });
    }
    const bounds = course.answer.margin_at_most;
    const points = spread(course.updatesBy[state.step], MOST).map((u) => [u + 1, bounds[u + 1]]);
    const known = proof?.kind === "separable" && !course.kernel; // a proof is about lines
    const best = known ? (proof.best_margin?.[0] ?? proof.margin) : null;
    chart.draw({ points, limit: best, title: formula(course) });
    about.textContent =
      (course.kernel ? ABOUT_CURVES : ABOUT) +
      (best === null ? "" : ` The dashes are the best margin there is, ${short(best)}.`);
    numbers.draw();
    told();
  };
  const told = () => {
    const moment = state.moment();
    const { cells } = table;
    if (!moment) {
      for (const name of NAMES) cells[name].textContent = "";
      return;
    }
    chart.mark(moment.updates, moment.marginAtMost);
    const high = short(moment.marginAtMost);
    const bracket = moment.low > 0 ? `between ${short(moment.low)} and ${high}` : `at most ${high}`;
    cells["margin γ*"].textContent = moment.updates ? bracket : "no bound before the first update";
    cells["mistakes so far"].textContent =
      `${moment.mistakes}${moment.mistakes === moment.updates ? "" : ` (${moment.updates} update${moment.updates === 1 ? "" : "s"})`}`;
  };
  const verdict = () => {
    const { proof, course } = state;
    const { cells } = table;
    if (course?.kernel) {
      const [low] = course.answer.bracket;
      const twins = contradicts(course);
      plain.textContent = twins ? TWINS : CURVES[course.kernel.kernel];
      const known = course.answer.separated || (course.kernel.kernel === "rbf" && !twins);
      cells.verdict.textContent = twins ? "inseparable" : known ? "separable by a curve" : "not known";
      const bound = numeral(Math.floor((course.answer.radius / low) ** 2));
      cells["bound (R/γ*)²"].textContent = low ? `at most ${bound}, known at the end` : "not known";
      return;
    }
    const lines = course && !course.bias ? " by a line through the origin" : "";
    cells.verdict.textContent = !course ? "" : !proof ? "asking…" : proof.kind + lines;
    const known = proof?.kind === "separable" && Number.isFinite(proof.bound);
    plain.textContent = PLAIN[proof?.kind] ?? "";
    const none = proof?.kind === "inseparable" ? "none: there is no margin" : "";
    cells["bound (R/γ*)²"].textContent = known ? boundText(proof) : none;
  };
  state.on("run", () => {
    redraw();
    verdict();
  });
  state.on("proof", () => {
    redraw();
    verdict();
  });
  state.on("step", () => (element.open ? redraw() : told()));
  return element;
}

// Whether points of different classes share a place.
function contradicts({ rows, truth }) {
  const classes = new Map(rows.map((place, i) => [place.join(), truth[i]]));
  return rows.some((place, i) => classes.get(place.join()) !== truth[i]);
}

export function boundText(proof) {
  const margin = proof.best_margin?.[0] ?? proof.margin;
  return `${numeral(Number(proof.bound.toPrecision(6)))} with γ* = ${short(margin)}, R = ${short(proof.radius)}`;
}
