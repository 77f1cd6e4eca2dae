// Dates of a table as features/moment.py has them: what was written, as seconds since 1970, and the parts of that moment.

import { Problem } from "./problem.js";

const DAY = 86_400; // seconds
const CLOCK = "(?:[ T](\\d{1,2}):(\\d{2})(?::(\\d{2}(?:\\.\\d{1,6})?))?)?$";
const ISO = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})${CLOCK}`);
const SHORT = new RegExp(`^(\\d{1,2})[./-](\\d{1,2})[./-](\\d{4})${CLOCK}`); // the day or the month first
const SHOWN = { "day first": "31.05.2024", "month first": "05/31/2024", timestamp: "2024-05-31 14:30" };

// The numbers of the moment that a text writes, by the names of its parts.
export function momentOf({ column, reads }, text) {
  const ordered = reads === "day first" || reads === "month first";
  const [iso, short] = [ISO.exec(text), ordered ? SHORT.exec(text) : null];
  const days = iso ? dayOf(iso[1], iso[2], iso[3]) : short ? shortDay(short, reads) : null;
  const [hour, minute, second] = (iso ?? short ?? []).slice(4).map((part) => Number(part ?? 0));
  if (days === null || hour > 23 || minute > 59 || second >= 60)
    throw new Problem(`column '${column}': '${text.slice(0, 40)}' is no date such as ${SHOWN[reads] ?? "2024-05-31"}.`);
  const date = new Date(days * DAY * 1000);
  return {
    day: days,
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    weekday: (((days + 3) % 7) + 7) % 7,
    "day of month": date.getUTCDate(),
    hour: reads === "date" ? 0 : (hour * 3600 + minute * 60 + second) / 3600,
  };
}

function shortDay([, first, other, year], reads) {
  return reads === "day first" ? dayOf(year, other, first) : dayOf(year, first, other);
}

// Days since 1970; null where the calendar has no such day.
function dayOf(year, month, day) {
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date / (DAY * 1000) : null;
}

// Columns and values of the features: each part lies between two of its knots, hours on a circle.
export function dateFeatures(line, text) {
  const moment = momentOf(line, text);
  const found = [];
  let { first } = line;
  for (const { name, knots, size } of line.parts) {
    const inside = Math.min(Math.max(moment[name], knots[0]), knots[knots.length - 1]);
    const left = Math.min(
      Math.max(
        knots.findLastIndex((knot) => knot <= inside),
        0,
      ),
      knots.length - 2,
    );
    const share = (inside - knots[left]) / (knots[left + 1] - knots[left]);
    found.push([first + left, 1 - share], [first + ((left + 1) % size), share]);
    first += size;
  }
  return found.filter(([, weight]) => weight !== 0).sort(([a], [b]) => a - b);
}
