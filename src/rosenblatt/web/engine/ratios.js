// Exact numbers: ratios of whole numbers [top, bottom] with bottom > 0, and their way from and to floats.

const view = new DataView(new ArrayBuffer(8));

export const abs = (value) => (value < 0n ? -value : value);

export function gcd(one, other) {
  let [a, b] = [abs(one), abs(other)];
  while (b) [a, b] = [b, a % b];
  return a;
}

export function reduced(top, bottom) {
  const divisor = gcd(top, bottom) || 1n;
  return bottom < 0n ? [-top / divisor, -bottom / divisor] : [top / divisor, bottom / divisor];
}

export const plus = ([a, b], [c, d]) => reduced(a * d + c * b, b * d);
export const times = ([a, b], [c, d]) => reduced(a * c, b * d);
export const over = ([a, b], [c, d]) => reduced(a * d, b * c);
export const minus = (one, [c, d]) => plus(one, [-c, d]);
export const less = ([a, b], [c, d]) => a * d < c * b;
export const square = (one) => times(one, one);

// Every float is a whole number over a power of two.
export function ratioOf(value) {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const digits = (bits & 0xfffffffffffffn) | (exponent ? 0x10000000000000n : 0n);
  const top = bits >> 63n ? -digits : digits;
  const shift = (exponent || 1) - 1075;
  return shift >= 0 ? [top << BigInt(shift), 1n] : reduced(top, 1n << BigInt(-shift));
}

// Whole numbers p and one scale q, a power of two, with values[j] = p[j] / q.
export function wholeOf(values) {
  const ratios = Array.from(values, ratioOf);
  const scale = ratios.reduce((most, [, bottom]) => (bottom > most ? bottom : most), 1n);
  return { numbers: ratios.map(([top, bottom]) => top * (scale / bottom)), scale };
}

const bitLength = (value) => (value ? BigInt(value.toString(16).length * 4) : 0n);

// The float nearest to a ratio, the even one of two.
export function floatOf([top, bottom]) {
  if (!top) return 0;
  const size = abs(top);
  const spare = 128n - bitLength(size) + bitLength(bottom);
  const shift = spare > 0n ? spare : 0n;
  let quotient = (size << shift) / bottom;
  if ((size << shift) % bottom) quotient |= 1n; // what is left over breaks ties
  const found = scaled(Number(quotient), -Number(shift));
  return top < 0n ? -found : found;
}

function scaled(value, power) {
  if (power >= -1000) return value * 2 ** power;
  return scaled(value * 2 ** -1000, power + 1000);
}

function next(value, up) {
  if (value === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE;
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 === up ? 1n : -1n));
  return view.getFloat64(0);
}

export function integerRoot(value) {
  if (value < 2n) return value;
  let guess = 1n << ((bitLength(value) + 1n) / 2n);
  for (;;) {
    const better = (guess + value / guess) >> 1n;
    if (better >= guess) return guess;
    guess = better;
  }
}

function nearRoot([top, bottom]) {
  const spare = 128n - bitLength(top) + bitLength(bottom);
  const shift = spare > 0n ? spare + (spare & 1n) : 0n;
  return floatOf([integerRoot((top << shift) / bottom), 1n << (shift / 2n)]);
}

// The largest float whose square is at most the ratio.
export function rootDown(ratio) {
  let guess = nearRoot(ratio);
  while (less(ratio, square(ratioOf(guess)))) guess = next(guess, false);
  while (!less(ratio, square(ratioOf(next(guess, true))))) guess = next(guess, true);
  return guess;
}

// The smallest float whose square is at least the ratio.
export function rootUp(ratio) {
  let guess = nearRoot(ratio);
  while (less(square(ratioOf(guess)), ratio)) guess = next(guess, true);
  while (guess > 0 && !less(square(ratioOf(next(guess, false))), ratio)) guess = next(guess, false);
  return guess;
}
