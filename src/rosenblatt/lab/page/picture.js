// A picture of the page as a file of its own: what style sheets say is written into it, so that it looks the same elsewhere.

const KEPT = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "text-anchor", "paint-order", "visibility",
];

export function svgText(picture) {
  const copy = picture.cloneNode(true);
  const [from, to] = [picture, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const look = getComputedStyle(element);
    for (const name of KEPT) {
      const value = look.getPropertyValue(name);
      if (value) to[i].setAttribute(name, value.replaceAll('"', "'"));
    }
    for (const name of ["class", "tabindex", "role", "aria-roledescription"]) to[i].removeAttribute(name);
  });
  const { width, height } = picture.viewBox.baseVal;
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width, height, fill: getComputedStyle(document.querySelector(".card")).backgroundColor })) ground.setAttribute(name, value);
  copy.prepend(ground);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

export async function pngBlob(picture) {
  const { width, height } = picture.viewBox.baseVal;
  const address = URL.createObjectURL(new Blob([svgText(picture)], { type: "image/svg+xml" }));
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
