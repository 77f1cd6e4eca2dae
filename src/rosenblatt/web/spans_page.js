// The texts of a report: each has its spans in the data of the page, and is marked when the page opens.

import { markText } from "./spans.js";

const texts = JSON.parse(document.getElementById("spans").textContent);
for (const element of document.querySelectorAll("[data-spans]")) {
  const { text, spans } = texts[Number(element.dataset.spans)];
  const named = spans.map(([start, end, sign, level, title]) => ({ start, end, sign, level, title }));
  const { nodes, tiers } = markText(text, named);
  element.replaceChildren(...nodes);
  element.classList.add(`deep${tiers}`);
}
