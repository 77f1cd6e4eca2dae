// The network of three perceptrons as a drawing: what goes in, what each says, what comes out.

import { svg } from "./draw.js";

const WIDTH = 320;
const HEIGHT = 150;
const PLACES = { x1: [22, 40], x2: [22, 110], OR: [125, 40], AND: [125, 110], end: [236, 75], out: [304, 75] };

export function drawNetwork(story) {
  const element = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "network" });
  const wires = svg("g");
  const nodes = svg("g");
  element.append(wires, nodes);
  const wire = (from, to) => {
    const [x1, y1] = PLACES[from];
    const [x2, y2] = PLACES[to];
    const line = svg("line", { x1, y1, x2, y2, class: "wire" });
    wires.append(line);
    return line;
  };
  const input = ["x1", "x2"].map((name) => [wire(name, "OR"), wire(name, "AND")]);
  const middle = ["OR", "AND"].map((name) => wire(name, "end"));
  const last = wire("end", "out");
  const texts = {};
  const node = (name, label, box) => {
    const [x, y] = PLACES[name];
    const shape = box
      ? svg("rect", { x: x - 40, y: y - 21, width: 80, height: 42, rx: 9, class: "node" })
      : svg("circle", { cx: x, cy: y, r: 15, class: "node" });
    texts[name] = svg("text", { x, y: y + (box ? 14 : 4), "text-anchor": "middle", class: "num" });
    nodes.append(shape, texts[name]);
    if (box) nodes.append(svg("text", { x, y: y - 4, "text-anchor": "middle", class: "strong" }, label));
    else nodes.append(svg("text", { x, y: y - 21, "text-anchor": "middle" }, label));
  };
  node("x1", "x₁");
  node("x2", "x₂");
  node("OR", "OR", true);
  node("AND", "AND", true);
  node("end", "and not", true);
  node("out", "out");
  const show = (shown) => {
    const [or, and, end] = shown.units;
    texts.x1.textContent = shown.x[0];
    texts.x2.textContent = shown.x[1];
    texts.OR.textContent = `${or.score} → ${or.fires}`;
    texts.AND.textContent = `${and.score} → ${and.fires}`;
    texts.end.textContent = `${end.score} → ${end.fires}`;
    texts.out.textContent = story.classes[shown.says];
    shown.x.forEach((value, i) => input[i].forEach((line) => line.classList.toggle("on", value === 1)));
    [or, and].forEach((unit, i) => middle[i].classList.toggle("on", unit.fires === 1));
    last.classList.toggle("on", end.fires === 1);
    element.setAttribute(
      "aria-label",
      `Input ${shown.x.join(" and ")}: OR scores ${or.score}, AND scores ${and.score}, the third scores ${end.score} and says ${story.classes[shown.says]}`,
    );
  };
  return { element, show };
}
