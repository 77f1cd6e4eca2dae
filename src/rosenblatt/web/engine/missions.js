// The calls `missions`, `mission`, `mission_check` and `mission_code`. A mission is one file and one line here; the page
// shows what the file says and asks the engine whether it is solved.
//
//   name, title, asks, hints, learned   words; the name also stands in result codes
//   bench        points and labels to begin with, settings, and the step to begin at; then it is played on the plane
//   fields       what is typed: {name, label, kind}; `draws`: it is drawn as weights
//   table(), pictures(), quote()        what is shown beside the question
//   check({bench, fields})              {done, said}; `bench` is the question of the run at hand

import * as averaged from "./mission_averaged.js";
import * as column from "./mission_column.js";
import * as curve from "./mission_curve.js";
import * as digit from "./mission_digit.js";
import * as fool from "./mission_fool.js";
import * as forever from "./mission_forever.js";
import * as line from "./mission_line.js";
import * as order from "./mission_order.js";
import * as slow from "./mission_slow.js";
import * as smooth from "./mission_smooth.js";
import * as support from "./mission_support.js";
import { sha256 } from "./sha256.js";
import { oneOf, text, whole } from "./wanted.js";

const MISSIONS = [line, order, forever, slow, column, averaged, support, curve, smooth, fool, digit];
export const MOST_STARS = 3;
const HASHED = 10; // digits of the hash in a result code
const LONGEST_NAME = 100;

const find = (name) =>
  MISSIONS[
    MISSIONS.findIndex(
      (one) =>
        one.name ===
        oneOf(
          "name",
          name,
          MISSIONS.map((m) => m.name),
        ),
    )
  ];

export function missions() {
  return MISSIONS.map(({ name, title }) => ({ name, title }));
}

// What the page shows of one.
export function mission({ name }) {
  const { title, asks, hints, learned, fields, draws, ...own } = find(name);
  return {
    name,
    title,
    asks,
    hints,
    learned,
    fields: fields ?? [],
    draws: Boolean(draws),
    bench: structuredClone(own.bench ?? null),
    table: own.table?.() ?? null,
    pictures: own.pictures?.() ?? null,
    quote: own.quote?.() ?? null,
  };
}

export function missionCheck({ name, ...given }) {
  return find(name).check({ fields: {}, ...given });
}

// A code that says who solved which mission with how many stars (rosenblatt/course/codes.py reads it): text, and the
// first digits of its hash.
export function missionCode({ student, stars }) {
  const who = encodeURIComponent(text("your name", student.trim(), LONGEST_NAME)).replaceAll(".", "%2E");
  const solved = Object.entries(stars)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${find(name).name}${whole("stars", count, 1, MOST_STARS)}`)
    .sort()
    .join("-");
  const front = `R1.${who}.${solved}`;
  return { code: `${front}.${sha256(new TextEncoder().encode(front)).slice(0, HASHED)}` };
}
