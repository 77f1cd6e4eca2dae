// The whole bench in the fragment of an address, so that a link reproduces it: #v=2&sum=…&points=1,1,0~3,2,1&…
//
// Only what differs from the usual is written. `sum` tells a link that lost or changed a letter; a link written by hand
// may leave it out. Reading checks everything, and throws an Error whose message can be shown.

import { KERNELS } from "../engine/kernels.js";
import { CHOICES, CLASSES, MOST_POINTS, SHOWN, TABS } from "./defaults.js";

const VERSION = "2"; // 1 had no tabs; its links are read as well
const LONGEST_NAME = 80; // as the server has it
const TIES = ["mistake", "positive", "negative"];

export function write(bench) {
  const { data, choices } = bench;
  const parts = [["points", data.points.map((p, i) => [...p, data.labels[i]].join(",")).join("~")]];
  parts.push(["classes", list(data.classes)]);
  if (list(data.features) !== "x1,x2") parts.push(["features", list(data.features)]);
  for (const [name, usual] of Object.entries(CHOICES)) {
    if (name !== "start" && choices[name] !== usual) parts.push([name, String(choices[name])]);
  }
  if (choices.start !== null)
    parts.push(["start", choices.start.map((row) => [row].flat().join(",")).join(many(choices.start) ? "~" : ",")]);
  const shown = Object.keys(SHOWN)
    .filter((name) => bench.show[name])
    .join(",");
  if (
    shown !==
    Object.keys(SHOWN)
      .filter((name) => SHOWN[name])
      .join(",")
  )
    parts.push(["show", shown]);
  if (bench.window) parts.push(["window", bench.window.join(",")]);
  if (bench.step) parts.push(["step", String(bench.step)]);
  if (bench.tab !== TABS[0]) parts.push(["tab", bench.tab]);
  const body = parts.map(([name, value]) => `${name}=${value}`).join("&");
  return `#v=${VERSION}&sum=${sum(body)}&${body}`;
}

export function read(fragment) {
  const [version, ...rest] = fragment.replace(/^#/, "").split("&");
  if (!["v=1", `v=${VERSION}`].includes(version)) throw broken(`it does not begin with v=${VERSION}`);
  if (rest[0]?.startsWith("sum=")) {
    const told = rest.shift().slice(4);
    if (told !== sum(rest.join("&"))) throw broken("some of its letters were lost or changed on the way");
  }
  const given = new Map();
  for (const part of rest) {
    const at = part.indexOf("=");
    const name = part.slice(0, at);
    if (at < 1 || given.has(name) || !Object.hasOwn(READERS, name))
      throw broken(`it holds “${part.slice(0, 30)}”, which means nothing here`);
    given.set(name, part.slice(at + 1));
  }
  const bench = { choices: { ...CHOICES }, show: { ...SHOWN }, window: null, step: 0, tab: TABS[0] };
  bench.data = { points: [], labels: [], classes: ["-1", "1"], features: ["x1", "x2"] };
  for (const [name, value] of given) READERS[name](bench, value);
  if (version === "v=1") bench.show.proof = SHOWN.proof; // it could not say
  const { points, labels, classes } = bench.data;
  if (!points.length) throw broken("it has no points");
  const wrong = labels.find((label) => label >= classes.length);
  if (wrong !== undefined) throw broken(`a point has class number ${wrong}, but ${classes.length} classes are named`);
  return bench;
}

const READERS = {
  points(bench, value) {
    const rows = value.split("~").map((row) => row.split(",").map((item) => number(item, "points")));
    if (rows.length > MOST_POINTS) throw broken(`it has ${rows.length} points; at most ${MOST_POINTS} are shown`);
    const bad = rows.find((row) => row.length !== 3 || !Number.isInteger(row[2]) || row[2] < 0 || row[2] >= CLASSES);
    if (bad) throw broken(`the point ${short(bad.join(","))} is not two numbers and a class number`);
    bench.data.points = rows.map(([x, y]) => [x, y]);
    bench.data.labels = rows.map((row) => row[2]);
  },
  classes(bench, value) {
    bench.data.classes = names(value, "classes", 2, CLASSES);
  },
  features(bench, value) {
    bench.data.features = names(value, "features", 2, 2);
  },
  ties: (bench, value) => void (bench.choices.ties = oneOf(value, TIES, "ties")),
  bias: (bench, value) => void (bench.choices.bias = oneOf(value, ["true", "false"], "bias") === "true"),
  shuffle: (bench, value) => void (bench.choices.shuffle = oneOf(value, ["true", "false"], "shuffle") === "true"),
  alpha: (bench, value) => void (bench.choices.alpha = number(value, "alpha")),
  margin: (bench, value) => void (bench.choices.margin = number(value, "margin")),
  kernel: (bench, value) => void (bench.choices.kernel = oneOf(value, KERNELS, "kernel")),
  gamma: (bench, value) => void (bench.choices.gamma = number(value, "gamma")),
  coef0: (bench, value) => void (bench.choices.coef0 = number(value, "coef0")),
  degree: (bench, value) => void (bench.choices.degree = whole(value, "degree")),
  seed: (bench, value) => void (bench.choices.seed = whole(value, "seed")),
  passes: (bench, value) => void (bench.choices.passes = whole(value, "passes")),
  step: (bench, value) => void (bench.step = whole(value, "step")),
  tab: (bench, value) => void (bench.tab = oneOf(value, TABS, "tab")),
  start(bench, value) {
    const rows = value.split("~").map((row) => row.split(",").map((item) => number(item, "start")));
    bench.choices.start = rows.length === 1 ? rows[0] : rows;
  },
  show(bench, value) {
    const asked = value ? value.split(",").map((name) => oneOf(name, Object.keys(SHOWN), "show")) : [];
    for (const name of Object.keys(SHOWN)) bench.show[name] = asked.includes(name);
  },
  window(bench, value) {
    const found = value.split(",").map((item) => number(item, "window"));
    if (found.length !== 4 || found[0] >= found[1] || found[2] >= found[3])
      throw broken("its window is not low, high, low, high");
    bench.window = found;
  },
};

const many = (start) => Array.isArray(start[0]);
const short = (text) => text.slice(0, 20);
// No address can hold half a character.
const list = (texts) => texts.map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "?"))).join(",");
const broken = (why) => new Error(`This link cannot be read: ${why}. What was on the page is still here.`);

function names(value, what, least, most) {
  let found;
  try {
    found = value.split(",").map(decodeURIComponent);
  } catch {
    throw broken(`${what} holds letters that are not written as a link writes them`);
  }
  const right =
    found.length >= least && found.length <= most && found.every((name) => [...name].length <= LONGEST_NAME);
  if (!right || new Set(found).size < found.length)
    throw broken(`${what} must hold ${least} to ${most} different names`);
  return found;
}

function number(text, what) {
  const value = Number(text);
  if (!/^[-+]?[\d.]/.test(text) || !Number.isFinite(value))
    throw broken(`${what} holds “${short(text)}”, which is no number`);
  return value;
}

function whole(text, what) {
  const value = number(text, what);
  if (!Number.isSafeInteger(value) || value < 0) throw broken(`${what} must be a whole number; it is ${short(text)}`);
  return value;
}

function oneOf(value, allowed, what) {
  if (!allowed.includes(value)) throw broken(`${what} must be one of ${allowed.join(", ")}; it is “${short(value)}”`);
  return value;
}

// FNV-1a over the letters: finds a changed letter, keeps no secret.
function sum(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}
