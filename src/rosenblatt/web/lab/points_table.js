// Every point in a table: type coordinates, change classes, remove and add points. Only lines in view exist.

import { button, html, select } from "./draw.js";
import { place } from "./typed.js";

const LINE = 38;
const AROUND = 5;

export function makePointsTable(lab) {
  const { state } = lab;
  const body = html("tbody");
  const names = ["", "", ""].map(() => html("th", { scope: "col" }));
  const head = html(
    "tr",
    {},
    html("th", { scope: "col" }, "row"),
    ...names,
    html("th", { scope: "col" }, html("span", { class: "unseen" }, "remove")),
  );
  const table = html("table", { class: "points" }, html("thead", {}, head), body);
  const box = html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "All points" }, table);
  const element = html("div", {}, box);
  element.prepend(adder(lab, element));

  const render = () => {
    const { points } = state.data;
    const first = Math.max(0, Math.min(points.length - 1, Math.floor(box.scrollTop / LINE) - AROUND));
    const last = Math.min(points.length, first + Math.ceil((box.clientHeight || 320) / LINE) + 2 * AROUND);
    const lines = [];
    if (first > 0) lines.push(space(first));
    for (let i = first; i < last; i++) lines.push(line(lab, element, i));
    if (last < points.length) lines.push(space(points.length - last));
    body.replaceChildren(...lines);
  };
  // A line that holds the focus is left in place while its point is moved from elsewhere.
  const draw = () => {
    [...state.data.features, "class"].forEach((name, k) => (names[k].textContent = name));
    table.setAttribute("aria-rowcount", state.data.points.length + 1);
    if (!body.contains(document.activeElement)) return render();
    const held = document.activeElement.dataset.cell;
    render();
    body.querySelector(`[data-cell="${held}"]`)?.focus();
  };
  box.addEventListener("scroll", () => !body.contains(document.activeElement) && render(), { passive: true });
  state.on("data", draw);
  state.on("pick", () => {
    const i = state.picked;
    if (i >= 0 && (i * LINE < box.scrollTop || i * LINE > box.scrollTop + box.clientHeight - 2 * LINE))
      box.scrollTop = Math.max(0, (i - 2) * LINE);
    for (const row of body.rows) row.toggleAttribute("aria-current", Number(row.dataset.row) === i);
  });
  return element;
}

function space(count) {
  const cell = html("td", { colspan: 5 });
  cell.style.height = `${count * LINE}px`;
  return html("tr", { class: "space-row", "aria-hidden": "true" }, cell);
}

function line(lab, element, i) {
  const { state } = lab;
  const { points, labels, classes, features } = state.data;
  const number = (j) => {
    const input = html("input", {
      class: "figure",
      "data-cell": `${i}-${j}`,
      "aria-label": `${features[j]} of row ${i + 1}`,
      autocomplete: "off",
    });
    input.value = String(points[i][j]);
    input.addEventListener("focus", () => state.pick(i));
    input.addEventListener("change", () => {
      try {
        const value = place(input.value, features[j]);
        lab.problem(element, "");
        state.movePoint(i, state.data.points[i].with(j, value));
      } catch (problem) {
        lab.problem(element, problem.message);
        input.value = String(state.data.points[i][j]);
      }
    });
    return html("td", {}, input);
  };
  const kind = select(
    classes.map((name, c) => [String(c), name]),
    () => state.setLabel(i, Number(kind.value)),
    { "data-cell": `${i}-c`, "aria-label": `Class of row ${i + 1}` },
  );
  kind.value = String(labels[i]);
  const remove = button("×", () => state.removePoint(i), {
    "aria-label": `Remove row ${i + 1}`,
    "data-cell": `${i}-x`,
  });
  const row = html(
    "tr",
    { "data-row": i, "aria-rowindex": i + 2 },
    html("td", { class: "num" }, String(i + 1)),
    number(0),
    number(1),
    html("td", {}, kind),
    html("td", {}, remove),
  );
  if (state.picked === i) row.setAttribute("aria-current", "true");
  return row;
}

// A new point by its numbers.
function adder(lab, element) {
  const { state } = lab;
  const [x, y] = [0, 1].map(() => html("input", { class: "figure", autocomplete: "off" }));
  const names = [html("span"), html("span")];
  const kind = html("select", { "aria-label": "Class of the new point" });
  const add = () => {
    try {
      const point = [place(x.value, state.data.features[0]), place(y.value, state.data.features[1])];
      state.addPoint(point, Number(kind.value));
      lab.problem(element, "");
      lab.say(`Point ${state.data.points.length} added at (${point.join(", ")}).`);
      x.value = y.value = "";
      x.focus();
    } catch (problem) {
      lab.problem(element, problem.message);
    }
  };
  const form = html(
    "form",
    { class: "row" },
    html("label", { class: "field" }, names[0], x),
    html("label", { class: "field" }, names[1], y),
    kind,
    html("button", { type: "submit" }, "Add"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    add();
  });
  state.on("data", () => {
    names.forEach((name, j) => (name.textContent = state.data.features[j]));
    const chosen = kind.value;
    kind.replaceChildren(...state.data.classes.map((name, c) => html("option", { value: c }, name)));
    kind.value = chosen && Number(chosen) < state.data.classes.length ? chosen : "1";
  });
  return form;
}
