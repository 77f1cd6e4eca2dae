// Four other ways to see the run: mistakes against the bound, the proof, and two pictures in space.

import { makeCertificate } from "./certificate.js";
import { makeHomogeneous } from "./homogeneous.js";
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
  };
  element.querySelector("#view-cards").append(...Object.values(parts));
  Object.assign(lab.parts, parts);
}
