// Other ways to see the run: mistakes against the bound, the proof, the losses, every order, two pictures in space.

import { makeCertificate } from "./certificate.js";
import { makeCourses } from "./courses.js";
import { button, html } from "./draw.js";
import { makeHomogeneous } from "./homogeneous.js";
import { makeLosses, makeOrders } from "./losses.js";
import { makeMistakes } from "./mistakes.js";
import { askForProofs } from "./proofs.js";
import { makeSurface } from "./surface.js";

export function mount(element, lab) {
  askForProofs(lab);
  const parts = {
    mistakes: makeMistakes(lab),
    certificate: makeCertificate(lab),
    surface: makeSurface(lab),
    homogeneous: makeHomogeneous(lab),
    losses: makeLosses(lab),
    orders: makeOrders(lab),
    courses: makeCourses(lab),
  };
  const ofWeights = Object.values(parts).filter((one) => one !== parts.certificate);
  const curved = html("p", { class: "curve-note" }, CURVED, " ");
  curved.append(button("Show the line", () => lab.state.setChoices({ kernel: "line" })));
  curved.hidden = true;
  lab.state.on("run", () => {
    const hidden = Boolean(lab.state.course?.kernel);
    curved.hidden = !hidden;
    for (const one of ofWeights) one.hidden = hidden;
  });
  const cards = element.querySelector("#view-cards");
  cards.before(curved);
  cards.append(...Object.values(parts));
  Object.assign(lab.parts, parts);
}

const CURVED =
  "The plane shows a curve now. It has no weights, so only one of these views is left: whether a line could do the same.";
