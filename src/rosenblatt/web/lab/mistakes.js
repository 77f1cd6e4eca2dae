// Mistakes so far against the bound of the convergence theorem, which holds for any order of the rows.

import { CHART, makeChart } from "./chart.js";
import { card, html, numeral, spread, twin } from "./draw.js";
import { boundText } from "./proved.js";

const SIZE = { ...CHART, width: 620, height: 300, left: 60 };
const MOST = 300;
const FAR = 5; // a bound so many times the mistakes needs a scale of logarithms

export function makeMistakes(lab) {
  const { state } = lab;
  const chart = makeChart("Mistakes so far after each example, below the bound of the convergence theorem", {
    across: "examples",
    size: SIZE,
  });
  const words = html("p", { class: "note" });
  const seen = () => state.course.updatesBy[state.reached]; // what comes after is not given away
  const rows = () => {
    const { course } = state;
    return course
      ? spread(seen(), 40).map((u) => [numeral(course.updateSteps[u]), numeral(course.answer.mistakes[u + 1])])
      : [];
  };
  const numbers = twin("This curve as a table", ["example", "mistakes so far"], rows);
  const about = html(
    "p",
    {},
    "If some line leaves a margin γ and no row is longer than R, the perceptron makes at most (R/γ)² mistakes" +
      " from 0, however the rows are ordered. Most runs need far fewer.",
  );
  const element = card("Mistakes against the bound", about, chart.picture, words, numbers.element);

  let drawn = {};
  const draw = () => {
    const { course, proof } = state;
    if (!course) {
      words.textContent = "";
      numbers.draw();
      return chart.draw({ points: [] });
    }
    const { mistakes } = course.answer;
    drawn = { course, reached: state.reached };
    const points = spread(seen(), MOST).map((u) => [course.updateSteps[u], mistakes[u + 1]]);
    if (seen()) points.push([state.reached, mistakes[seen()]]);
    const separable = proof?.kind === "separable";
    const bound = separable && Number.isFinite(proof.bound_here ?? NaN) ? proof.bound_here : null;
    const logarithmic = bound !== null && bound > FAR * mistakes[seen()];
    chart.draw({
      points,
      limit: bound,
      limitName: bound === null ? "" : `bound ${numeral(Number(bound.toPrecision(6)))}`,
      title: logarithmic ? "mistakes so far, log scale" : "mistakes so far",
      logarithmic,
    });
    words.textContent = !proof
      ? ""
      : separable
        ? boundWords(proof, bound)
        : proof.kind === "inseparable"
          ? `There is no bound: no line${course.bias ? "" : " through the origin"} has every point strictly on its side.${course.ties === "mistake" ? " Mistakes never end." : ""}`
          : "";
    numbers.draw();
    mark();
  };
  const mark = () => {
    const moment = state.moment();
    if (moment) chart.mark(moment.step, moment.mistakes || NaN);
  };
  state.on("run", draw);
  state.on("proof", draw);
  state.on("step", () => (drawn.course === state.course && drawn.reached === state.reached ? mark() : draw()));
  return element;
}

// The theorem speaks of runs from 0; another start, a margin and a rate move the bound of this run a little.
function boundWords(proof, here) {
  const general = `From 0: (R/γ*)² = ${boundText(proof)}.`;
  return here === null || here === proof.bound
    ? general
    : `${general} With the start and choices of this run: at most ${numeral(here)} update${here === 1 ? "" : "s"}.`;
}
