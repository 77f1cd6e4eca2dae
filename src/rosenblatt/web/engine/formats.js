// Numbers and texts as Python writes them, for what has to be the same wherever it comes from.

const ALL = 100; // digits, the most that can be asked for

// `size` with so many digits after the first, in scientific notation. What lies half way goes to the even one.
function scientific(size, digits) {
  const near = size.toExponential(digits);
  const longer = size.toExponential(digits + 1);
  if (Number(longer) !== size || !longer.includes("5e")) return near;
  const exact = size.toExponential(ALL).split("e")[0].replace(".", "");
  if (!/^50*$/.test(exact.slice(digits + 1))) return near;
  const [head, power] = longer.split("e");
  const below = head.slice(0, -1).replace(/\.$/, "");
  return Number(below.at(-1)) % 2 === 0 ? `${below}e${power}` : near;
}

// f"{value:.{digits}g}"
export function general(value, digits = 6) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (value === 0) return `${sign}0`;
  const [head, power] = scientific(Math.abs(value), digits - 1).split("e");
  const exponent = Number(power);
  const figures = head.replace(".", "").replace(/0+$/, "");
  if (exponent < -4 || exponent >= digits) {
    return `${sign}${figures[0]}${figures.length > 1 ? "." : ""}${figures.slice(1)}${exponentOf(exponent)}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${figures}`;
  const rest = figures.slice(exponent + 1);
  return `${sign}${figures.slice(0, exponent + 1).padEnd(exponent + 1, "0")}${rest && "."}${rest}`;
}

// f"{value:.{digits}f}"
export function fixed(value, digits) {
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  const near = size >= 1e21 ? BigInt(size).toString() + (digits ? `.${"0".repeat(digits)}` : "") : size.toFixed(digits);
  const longer = size >= 1e21 ? "" : size.toFixed(digits + 1);
  const exact =
    longer.endsWith("5") && Number(longer) === size && /^50*$/.test(size.toFixed(ALL).split(".")[1].slice(digits));
  const below = longer.slice(0, -1).replace(/\.$/, "");
  return sign + (exact && Number(below.at(-1)) % 2 === 0 ? below : near);
}

// The sign always before it: f"{value:+…}".
export function signed(text) {
  return text.startsWith("-") ? text : `+${text}`;
}

// round(value, digits)
export function round(value, digits) {
  return Number(fixed(value, digits));
}

function exponentOf(exponent) {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

// A float as `repr` writes it; whole numbers keep their point.
export function floatText(value) {
  if (!Number.isFinite(value)) return general(value, 1);
  const [head, power] = value.toExponential().split("e"); // the fewest digits that mean this number, as in Python
  const exponent = Number(power);
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  if (exponent < -4 || exponent >= 16) return `${head}${exponentOf(exponent)}`;
  const plain = Math.abs(exponent) < 7 ? String(value) : large(head, exponent);
  return plain.includes(".") ? plain : `${plain}.0`;
}

function large(head, exponent) {
  const sign = head.startsWith("-") ? "-" : "";
  const figures = head.replace(/[-.]/g, "").padEnd(exponent + 1, "0");
  const rest = figures.slice(exponent + 1);
  return `${sign}${figures.slice(0, exponent + 1)}${rest && "."}${rest}`;
}

// A plain value as `repr` writes it. JSON does not tell 3 from 3.0, so whole numbers are written without a point.
export function repr(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isInteger(value) ? String(BigInt(value)) : floatText(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([name, each]) => `${quoted(name)}: ${repr(each)}`)
    .join(", ")}}`;
}

const ESCAPES = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function quoted(value, ascii = false) {
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
  const letters = Array.from(value, (letter) => {
    if (letter === mark) return `\\${letter}`;
    if (letter in ESCAPES) return ESCAPES[letter];
    const code = letter.codePointAt(0);
    const shown = ascii
      ? code >= 32 && code < 127
      : !/[\p{C}\p{Zl}\p{Zp}]/u.test(letter) && (code === 32 || !/\p{Zs}/u.test(letter));
    if (shown) return letter;
    const [kind, size] = code < 256 ? ["x", 2] : code < 65536 ? ["u", 4] : ["U", 8];
    return `\\${kind}${code.toString(16).padStart(size, "0")}`;
  });
  return mark + letters.join("") + mark;
}

// ascii(value) of a text
export function asciiText(value) {
  return quoted(value, true);
}

// The bytes of a text in base64.
export function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
