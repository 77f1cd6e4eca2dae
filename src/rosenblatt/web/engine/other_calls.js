// Calls that need no server beside those of the plane's run, by name; `calls.js` joins them to its own.

import { bayes, bayesExamples } from "./bayes.js";
import { readDrawing } from "./digit_drawing.js";
import { digit, digits } from "./digits.js";
import { lesson } from "./lessons.js";
import { likelihood, likelihoodExamples } from "./likelihood.js";
import { mail, mailRead } from "./mail.js";
import { mission, missionCheck, missionCode, missions } from "./missions.js";
import { certificate, proof } from "./proof.js";
import { takeaway } from "./takeaway.js";
import { xor } from "./xor.js";

export const OTHER = {
  proof,
  certificate,
  takeaway,
  lesson,
  missions,
  mission,
  mission_check: missionCheck,
  mission_code: missionCode,
  xor,
  bayes,
  bayes_examples: bayesExamples,
  likelihood,
  likelihood_examples: likelihoodExamples,
  digits,
  digit,
  drawing: readDrawing,
  mail,
  mail_read: mailRead,
};
