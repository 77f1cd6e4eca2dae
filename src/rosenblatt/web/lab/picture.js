// A picture of the page as a file of its own: what style sheets say is written into it, so that it looks the same
// elsewhere.

const SVG = "http://www.w3.org/2000/svg";
const KEPT = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "paint-order",
  "visibility",
];

// Sheets that lie on top of each other become one picture.
export function svgText(sheets) {
  const { width, height } = sheets[0].viewBox.baseVal;
  const whole = document.createElementNS(SVG, "svg");
  const ground = document.createElementNS(SVG, "rect");
  const fill = getComputedStyle(document.querySelector(".card")).backgroundColor;
  for (const [name, value] of Object.entries({ width, height, fill })) ground.setAttribute(name, value);
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height }))
    whole.setAttribute(name, value);
  whole.append(ground, ...sheets.flatMap((sheet) => [...sheet.children].map(styled)));
  return new XMLSerializer().serializeToString(whole);
}

export function styled(original) {
  const copy = original.cloneNode(true);
  const [from, to] = [original, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const look = getComputedStyle(element);
    for (const name of KEPT) {
      const value = look.getPropertyValue(name);
      if (value) to[i].setAttribute(name, value.replaceAll('"', "'"));
    }
    to[i].removeAttribute("class");
  });
  return copy;
}

export async function pngBlob(sheets) {
  const { width, height } = sheets[0].viewBox.baseVal;
  const address = URL.createObjectURL(new Blob([svgText(sheets)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * width, 2 * height]; // sharp on paper
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

export function saveAs(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
