// Making elements without markup in strings: nothing from the data can ever be read as HTML.

const SVG = "http://www.w3.org/2000/svg";

export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export const CLASS_COLOURS = 6; // --c0 … --c5 in the style sheet; more classes begin again, with the next shape

// Shape and colour of a class by its number, in every picture and however many classes there are: the second, which is
// the positive one of two, is a blue circle, the first a vermilion square, then come a diamond and on.
export function lookOf(number) {
  return number < 2 ? 1 - number : number;
}

// The outline of a class's mark around (x, y), as path data.
export function mark(look, x, y, r) {
  const shape = (look + Math.floor(look / CLASS_COLOURS)) % 6;
  const at = (dx, dy) => `${(x + dx * r).toFixed(1)} ${(y + dy * r).toFixed(1)}`;
  const polygon = (...corners) => `M${corners.map(([dx, dy]) => at(dx, dy)).join("L")}Z`;
  switch (shape) {
    case 0:
      return `M${at(-1, 0)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    case 1:
      return polygon([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]);
    case 2:
      return polygon([0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]);
    case 3:
      return polygon([0, -1.2], [1.15, 0.85], [-1.15, 0.85]);
    case 4:
      return polygon([0, 1.2], [1.15, -0.85], [-1.15, -0.85]);
    default:
      return polygon(
        [-1.2, -0.4],
        [-0.4, -0.4],
        [-0.4, -1.2],
        [0.4, -1.2],
        [0.4, -0.4],
        [1.2, -0.4],
        [1.2, 0.4],
        [0.4, 0.4],
        [0.4, 1.2],
        [-0.4, 1.2],
        [-0.4, 0.4],
        [-1.2, 0.4],
      );
  }
}

export function colour(look) {
  return `var(--c${look % CLASS_COLOURS})`;
}
