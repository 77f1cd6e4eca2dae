// Other ways to see the run: mistakes against the bound, the proof, the losses, every order, two pictures in space.

import { makeCertificate } from "./certificate.js";
import { makeCourses } from "./courses.js";
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
  element.querySelector("#view-cards").append(...Object.values(parts));
  Object.assign(lab.parts, parts);
}
