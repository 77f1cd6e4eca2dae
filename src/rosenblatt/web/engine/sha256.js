// SHA-256 (FIPS 180-4) of bytes, as hexadecimal digits. The browser's own answers later, and to some pages not at all.

const primes = Array.from({ length: 312 }, (_, k) => k).filter((k) => k > 1 && !hasDivisor(k));
const fraction = (value) => Math.floor((value - Math.floor(value)) * 2 ** 32);
const FIRST = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
const ROUNDS = primes.slice(0, 64).map((p) => fraction(Math.cbrt(p)));

function hasDivisor(k) {
  for (let d = 2; d * d <= k; d++) if (k % d === 0) return true;
  return false;
}

const turn = (x, n) => (x >>> n) | (x << (32 - n));

export function sha256(bytes) {
  const length = bytes.length;
  const padded = new DataView(new ArrayBuffer((Math.floor((length + 8) / 64) + 1) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, length * 8);
  const state = Int32Array.from(FIRST);
  const words = new Int32Array(64);
  for (let start = 0; start < padded.byteLength; start += 64) block(padded, start, state, words);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function block(padded, start, state, words) {
  for (let t = 0; t < 16; t++) words[t] = padded.getInt32(start + 4 * t);
  for (let t = 16; t < 64; t++) {
    const [x, y] = [words[t - 15], words[t - 2]];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[t] = words[t - 16] + s0 + words[t - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < 64; t++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[t] + words[t]) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, k) => (state[k] = (state[k] + value) | 0));
}
