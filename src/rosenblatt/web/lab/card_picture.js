// A card of the page as one SVG file: its pictures as they are drawn, its text as text, its boxes and lines as rectangles.

import { styled } from "./picture.js";

const SVG = "http://www.w3.org/2000/svg";
const CLEAR = "rgba(0, 0, 0, 0)";
const FIELDS = "input:not([type=range], [type=checkbox], [type=radio], [type=file]), textarea, select";

// Everything within the element that is seen, at the places that it has on the screen.
export function cardText(card) {
  const frame = card.getBoundingClientRect();
  const whole = make("svg", {
    viewBox: `0 0 ${frame.width} ${frame.height}`,
    width: frame.width,
    height: frame.height,
  });
  const ruler = document.createElement("canvas").getContext("2d");
  const grown = frame.width / card.offsetWidth; // a card that is shown larger has larger type, too
  draw(card, { whole, frame, ruler, grown });
  return new XMLSerializer().serializeToString(whole);
}

function make(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function draw(element, view) {
  if (!element.checkVisibility({ visibilityProperty: true }) || element.classList.contains("unseen")) return;
  const box = element.getBoundingClientRect();
  const look = getComputedStyle(element);
  const at = { x: box.left - view.frame.left, y: box.top - view.frame.top, width: box.width, height: box.height };
  if (element instanceof SVGSVGElement) return drawPicture(element, at, view);
  if (element instanceof HTMLCanvasElement)
    return view.whole.append(make("image", { ...at, href: element.toDataURL() }));
  drawBox(look, at, view);
  if (element.matches(FIELDS)) return drawField(element, look, at, view);
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) drawText(child, look, view);
    else if (child.nodeType === Node.ELEMENT_NODE) draw(child, view);
  }
}

function drawPicture(element, at, { whole }) {
  const { x, y, width, height } = element.viewBox.baseVal ?? {};
  const nested = make("svg", { ...at, overflow: "hidden" });
  if (width) nested.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  const fit = element.getAttribute("preserveAspectRatio");
  if (fit) nested.setAttribute("preserveAspectRatio", fit);
  nested.append(...[...element.children].map(styled));
  whole.append(nested);
}

// The ground and the frame of an element, where it has any.
function drawBox(look, { x, y, width, height }, { whole }) {
  const line = Number.parseFloat(look.borderTopWidth) || 0;
  const framed = line > 0 && look.borderTopStyle !== "none" && look.borderTopColor !== CLEAR;
  if (look.backgroundColor !== CLEAR || framed) {
    const fill = look.backgroundColor === CLEAR ? "none" : look.backgroundColor;
    const edge = framed ? { stroke: look.borderTopColor, "stroke-width": line } : {};
    const rx = Math.min(Number.parseFloat(look.borderTopLeftRadius) || 0, height / 2);
    whole.append(make("rect", { x, y, width, height, rx, fill, ...edge }));
  } else if (Number.parseFloat(look.borderBottomWidth) > 0 && look.borderBottomColor !== CLEAR) {
    const [y1, stroke] = [y + height, look.borderBottomColor];
    whole.append(make("line", { x1: x, x2: x + width, y1, y2: y1, stroke, "stroke-width": look.borderBottomWidth }));
  }
}

function drawField(element, look, at, view) {
  const words = element.matches("select") ? (element.selectedOptions[0]?.text ?? "") : element.value;
  const size = Number.parseFloat(look.fontSize) * view.grown;
  const x = at.x + Number.parseFloat(look.paddingLeft) * view.grown;
  words.split("\n").forEach((line, i) => write(line, x, at.y + at.height / 2 + size * (0.35 + 1.4 * i), look, view));
}

// A text line by line, as it was broken.
function drawText(node, look, view) {
  const range = document.createRange();
  const lines = [];
  for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const box = range.getClientRects()[0];
    if (!box) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.top - box.top) < 2) last.words.push(word);
    else lines.push({ left: box.left, top: box.top, words: [word] });
  }
  view.ruler.font = look.font;
  const rise = view.ruler.measureText("x").fontBoundingBoxAscent * view.grown;
  for (const { left, top, words } of lines) {
    write(words.join(" "), left - view.frame.left, top - view.frame.top + rise, look, view);
  }
}

function write(words, x, y, look, { whole, grown }) {
  const size = Number.parseFloat(look.fontSize) * grown;
  const shown = look.textTransform === "uppercase" ? words.toUpperCase() : words;
  const type = {
    "font-family": look.fontFamily.replaceAll('"', "'"),
    "font-size": size,
    "font-weight": look.fontWeight,
  };
  const made = make("text", { x, y, fill: look.color, ...type });
  if (Number.parseFloat(look.letterSpacing)) made.setAttribute("letter-spacing", look.letterSpacing);
  made.textContent = shown;
  whole.append(made);
}
