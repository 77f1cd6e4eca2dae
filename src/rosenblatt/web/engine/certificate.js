// A verdict as the JSON text that `rosenblatt check` reads (proofs/certificate.py): the mark of the data, the proof, and
// a checksum over both. Whole numbers are BigInt here and floats are numbers, since the text tells them apart.

import { floatText } from "./formats.js";
import { abs } from "./ratios.js";
import { sha256 } from "./sha256.js";

const FORMAT = "rosenblatt certificate 2";
const SAFE = 2n ** 53n;

export function certificateOf(bench, found) {
  const content = {
    format: FORMAT,
    verdict: found.kind + (bench.bias ? "" : " through the origin"),
    data: mark(bench),
    ...(found.kind === "separable" ? separator(bench, found) : combination(found)),
  };
  return `${written({ ...content, checksum: sha256(new TextEncoder().encode(written(content))) })}\n`;
}

function separator({ classes }, { whole, margin, gap, radius, bound }) {
  const width = whole.length / classes.length;
  const lines = classes.map((_, c) => whole.slice(c * width, (c + 1) * width));
  return { weights: classes.length === 2 ? whole : lines, margin, gap, radius, mistake_bound: bound };
}

function combination({ kind, rows, others, multipliers, high }) {
  const plain = { rows: rows.map(BigInt), others: others.map(BigInt), multipliers };
  return kind === "undecided" ? { ...plain, high } : plain;
}

// Which data it is about. Labels are the places of the classes, as the call `takeaway` writes them.
function mark({ points, codes, classes, bias }) {
  const [rows, columns] = [BigInt(points.length), BigInt(points[0].length)];
  const names = classes.map((_, place) => String(place));
  const head = `[${rows}, ${columns}, ${bias}, [${names.map((name) => `"${name}"`).join(", ")}]]`;
  const held = points.map((point) => Array.from(point.keys()).filter((j) => point[j] !== 0));
  const parts = [
    new TextEncoder().encode(head),
    bytes(Array.from(codes), 4, "setInt32"),
    bytes(
      held.map((line) => line.length),
      4,
      "setUint32",
    ),
    bytes(held.flat(), 4, "setUint32"),
    bytes(
      points.flatMap((point, row) => held[row].map((j) => point[j])),
      8,
      "setFloat64",
    ),
  ];
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return { rows, columns, classes: names, bias, sha256: sha256(all) };
}

function bytes(values, size, set) {
  const view = new DataView(new ArrayBuffer(values.length * size));
  values.forEach((value, k) => view[set](k * size, value, true));
  return new Uint8Array(view.buffer);
}

// JSON in one canonical spelling: names sorted, no spaces, whole numbers that floats cannot hold in hexadecimal.
function written(value) {
  if (typeof value === "bigint") {
    return abs(value) > SAFE ? `"${value < 0n ? "-" : ""}0x${abs(value).toString(16)}"` : String(value);
  }
  if (typeof value === "number") return floatText(value);
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${written(value[name])}`).join(",")}}`;
}
