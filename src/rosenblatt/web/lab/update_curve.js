// The numbers of an update under a kernel: which points pull how much, what is added, and how many points it takes now.

import { facts, numeral } from "./draw.js";

const NAMES = ["pulls", "added", "support", "score after"];
const ABOUT = {
  rbf: "K(5) is a hill around point 5: 1 on top, less with the distance. A score is a sum of hills and hollows.",
  poly: "K(5) is a power of the product with point 5. A score is a sum of such powers.",
  cosine: "K(5) is 1 in the direction of point 5, seen from the origin, and less aside of it.",
};

export function makeCurveFacts() {
  const table = facts(NAMES);
  const fill = (course, moment, now) => {
    const { cells } = table;
    const told = moment.step > 0;
    const before = course.supportAfter(moment.updates - (moment.rival >= 0 ? 1 : 0)).length;
    const after = course.supportAfter(moment.updates).length;
    cells.pulls.textContent = told ? course.texts.arithmetic(course, moment) : "";
    cells.added.textContent = told ? course.texts.update(course, moment) : "";
    cells.support.textContent = `${numeral(after)} of ${course.rows.length} points${after > before ? ", one more" : ""}`;
    cells["score after"].replaceChildren(...now);
  };
  return { element: table.element, fill, about: (course) => ABOUT[course.kernel.kernel] };
}
