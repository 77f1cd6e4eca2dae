// Numbers as people type them.

const MOST = 1e9; // beyond, pictures and sums say nothing

export function place(text, name) {
  const plain = text
    .trim()
    .replace("−", "-")
    .replace(/^(-?\d+),(\d+)$/, "$1.$2");
  const value = Number(plain);
  if (plain === "" || !Number.isFinite(value)) throw new Error(`${name} must be a number; got “${text}”.`);
  if (Math.abs(value) > MOST) throw new Error(`${name} must lie between -1e9 and 1e9; got ${text}.`);
  return value;
}
