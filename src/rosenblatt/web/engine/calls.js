// The calls that the page answers by itself: name -> function(body), which gives the answer or a promise of it. Anything
// else is asked of the server. A function that throws a Problem of status 501 passes the call on.

import { run, words } from "./answer.js";
import { courseTable } from "./courses.js";
import { lossCurve, losses } from "./losses.js";
import { orders } from "./orders.js";
import { OTHER } from "./other_calls.js";
import { presets } from "./presets.js";
import { tellServed } from "./proof.js";
import { regions, surface } from "./regions.js";

export const LOCAL = {
  run,
  words,
  presets,
  losses,
  loss_curve: lossCurve,
  orders,
  course_table: courseTable,
  regions,
  surface,
  ...OTHER,
};

// What becomes of the server's answer to a call that was passed on, by name.
export const SERVED = { proof: tellServed };
