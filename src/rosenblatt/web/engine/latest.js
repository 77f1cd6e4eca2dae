// The runs that were asked about last: a page asks many things about one run.

import { readBench } from "./bench.js";
import { Course } from "./course.js";
import { CurveCourse } from "./curve_course.js";

const MOST_KEPT = 6; // a person goes back a few runs, not a hundred
const latest = new Map();

// The course of a body: of a line, or of a curve where a kernel is chosen.
export function courseOf({ points, labels, classes, features, settings }) {
  const key = JSON.stringify([points, labels, classes, features, settings]);
  const course = latest.get(key) ?? begun(readBench({ points, labels, classes, features, settings }));
  latest.delete(key);
  latest.set(key, course); // now the last to be dropped
  if (latest.size > MOST_KEPT) latest.delete(latest.keys().next().value);
  return course;
}

const begun = (bench) => (bench.kernel ? new CurveCourse(bench) : new Course(bench));
