// The call `takeaway`: the run as a trace, as a page that plays it, and as text that makes the same run again.

import { builtin } from "./builtin.js";
import { NO_WEIGHTS } from "./curve_course.js";
import { asciiText, floatText, repr } from "./formats.js";
import { courseOf } from "./latest.js";
import { playerPage } from "./player_page.js";
import { Problem } from "./problem.js";
import { runOf, stepsOf } from "./trace.js";
import { oneOf } from "./wanted.js";

const FORMS = ["json", "player", "python", "command"];
const VARIANTS = ["final", "averaged", "voted", "pocket"];
const CHOSEN = { "first wrong": "first-wrong", "worst first": "worst-first" };

// A text, the name of a file for it, and its type.
export function takeaway(given) {
  const form = oneOf("form", given.form, FORMS);
  const variant = oneOf("weights", given.weights ?? "final", VARIANTS);
  const body = wholePasses(given);
  const course = courseOf(body);
  if (course.rows.kernel && form !== "python") throw new Problem(NO_WEIGHTS);
  if (form === "json") {
    const text = JSON.stringify({ ...runOf(course, body), steps: stepsOf(course, body) });
    return { text, name: "run.json", type: "application/json" };
  }
  if (form === "player") {
    return { text: playerPage(course, body, builtin("player").page), name: "run.html", type: "text/html" };
  }
  if (form === "python") return { text: asPython(course, variant), name: "run.py", type: "text/x-python" };
  return { text: asCommand(course), name: "run.sh", type: "text/x-shellscript" };
}

// The request. A run of chosen rows that the lab cut short goes as far as whole passes, which all forms can name.
function wholePasses(given) {
  const course = courseOf(given);
  if (!course.limited || !course.run.chosen) return given;
  const passes = Math.max(1, Math.floor(course.run.steps.length / given.points.length));
  return { ...given, settings: { ...given.settings, passes } };
}

const passesOf = ({ bench, run }) => (run.chosen ? bench.passes : run.passes);
const startOf = ({ start }) => start && (start.length === 1 ? start[0] : start);
const floats = (values) => (Array.isArray(values) ? `[${values.map(floats).join(", ")}]` : floatText(values));
const pythonOf = (choices) => Object.entries(choices).map(([name, value]) => `${name}=${repr(value)}`);

// A program that learns the same weights. Names are written as Python writes strings, so they can do no harm.
function asPython(course, variant) {
  const { bench } = course;
  const rows = [
    `classes = [${bench.names.map(asciiText).join(", ")}]`,
    `X = [${bench.points.map(repr).join(", ")}]`,
    `y = [${bench.codes.join(", ")}]  # places in classes`,
  ];
  if (course.rows.kernel) return `${curved(course, rows, variant).join("\n")}\n`;
  const text = course.run.chosen ? traced(course, rows) : fitted(course, rows, variant);
  return `${text.join("\n")}\n`;
}

function fitted(course, rows, variant) {
  const { bench } = course;
  const settings = pythonOf({
    weights: variant,
    margin: bench.margin,
    ties: bench.ties,
    eta0: bench.rate,
    fit_intercept: bench.bias,
    max_iter: passesOf(course),
    tol: null,
    shuffle: bench.order === "shuffled",
    random_state: bench.order === "shuffled" ? bench.seed : 0,
    record: true,
  });
  return [
    "from rosenblatt import Perceptron\n",
    ...rows,
    `model = Perceptron(${settings.join(", ")})`,
    `model.fit(X, y${initial(bench)})`,
    "print(model.stopped_, model.n_iter_, model.n_mistakes_, model.intercept_, model.coef_)",
  ];
}

function curved(course, rows, variant) {
  const { bench } = course;
  const { kernel, degree, gamma, coef0 } = bench.kernel;
  const own = { rbf: { gamma }, poly: { degree, gamma, coef0 }, cosine: { degree } }[kernel];
  const settings = pythonOf({
    kernel,
    ...own,
    weights: variant,
    margin: bench.margin,
    ties: bench.ties,
    max_iter: passesOf(course),
    shuffle: bench.order === "shuffled",
    random_state: bench.order === "shuffled" ? bench.seed : 0,
    record: true,
  });
  return [
    "from rosenblatt import KernelPerceptron\n",
    ...rows,
    `model = KernelPerceptron(${settings.join(", ")})`,
    "model.fit(X, y)",
    "print(model.stopped_, model.n_iter_, model.n_mistakes_, len(model.support_), model.dual_coef_)",
  ];
}

// The start weights as `fit` takes them.
function initial(bench) {
  if (!bench.start) return "";
  const one = bench.start.length === 1;
  const part = (take) => floats(one ? take(bench.start[0]) : bench.start.map(take));
  if (!bench.bias) return `, coef_init=${part((line) => line)}`;
  return `, coef_init=${part((line) => line.slice(1))}, intercept_init=${part((line) => line[0])}`;
}

// An order in which rows are chosen one by one is a trace's.
function traced(course, rows) {
  const { bench } = course;
  const choices = {
    passes: passesOf(course),
    ties: bench.ties,
    bias: bench.bias,
    margin: bench.margin,
    rate: bench.rate,
  };
  const start = bench.start ? [`start=${repr(startOf(bench))}`] : [];
  const settings = [...start, ...pythonOf({ ...choices, order: CHOSEN[bench.order] })];
  return [
    "from rosenblatt import trace\n",
    ...rows,
    `run = trace(X, y, ${settings.join(", ")})`,
    "print(run.stopped, run.n_mistakes, run.weights)",
  ];
}

// Commands for a shell: the points as a file, and the trace of the run. Nothing in it was typed by anybody.
function asCommand(course) {
  const { bench } = course;
  const head = [...bench.features.map((_, j) => `x${j + 1}`), "label"].join(",");
  const lines = bench.points.map((point, i) => [...point.map(repr), bench.codes[i]].join(","));
  const words = ["rosenblatt", "trace", "points.csv", "--label", "label", "--passes", `${passesOf(course)}`];
  words.push("--ties", bench.ties);
  if (!bench.bias) words.push("--no-bias");
  if (bench.margin) words.push("--margin", repr(bench.margin));
  if (bench.rate !== 1) words.push("--rate", repr(bench.rate));
  if (bench.order === "shuffled") words.push("--shuffle", `${bench.seed}`);
  if (CHOSEN[bench.order]) words.push("--order", CHOSEN[bench.order]);
  if (bench.start) words.push(`--start=${bench.start.map((line) => line.map(repr).join(",")).join(";")}`);
  return `${["cat > points.csv <<'END'", head, ...lines, "END", words.map(shellWord).join(" ")].join("\n")}\n`;
}

const shellWord = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\"'\"'")}'`);
