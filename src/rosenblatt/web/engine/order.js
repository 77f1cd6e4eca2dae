// The shuffling rule: which row is visited when, from a seed, bit by bit that of loops/order.py.
//
// Rows are first put in the order of a hash of their number. Each pass then permutes blocks of 256 rows, and the rows
// within each block. The hash is the finaliser of splitmix64; 64 bits are two halves of 32 here.

const BLOCK = 256;
const STEP = { high: 0x9e3779b9, low: 0x7f4a7c15 };
const FIRST = { high: 0xbf58476d, low: 0x1ce4e5b9 };
const SECOND = { high: 0x94d049bb, low: 0x133111eb };

// The upper half of the product of two numbers of 32 bits.
function upper(a, b) {
  const al = a & 0xffff;
  const ah = a >>> 16;
  const bl = b & 0xffff;
  const bh = b >>> 16;
  const across = al * bh;
  const along = ah * bl;
  const middle = ((al * bl) >>> 16) + (across & 0xffff) + (along & 0xffff);
  return (ah * bh + (across >>> 16) + (along >>> 16) + (middle >>> 16)) >>> 0;
}

// Halves of 64 bits while they are mixed. A pair for each of a pass's hashes would be work for the garbage collector.
class Bits {
  high = 0;
  low = 0;

  set(number) {
    this.high = Math.floor(number / 2 ** 32);
    this.low = number >>> 0;
  }

  times(by) {
    this.high = (upper(this.low, by.low) + Math.imul(this.high, by.low) + Math.imul(this.low, by.high)) >>> 0;
    this.low = Math.imul(this.low, by.low) >>> 0;
  }

  plus(other) {
    const sum = this.low + other.low;
    this.high = (this.high + other.high + (sum >= 2 ** 32 ? 1 : 0)) >>> 0;
    this.low = sum >>> 0;
  }

  // z ^= z >> shift, of a shift below 32.
  fold(shift) {
    this.low = (this.low ^ ((this.low >>> shift) | (this.high << (32 - shift)))) >>> 0;
    this.high = (this.high ^ (this.high >>> shift)) >>> 0;
  }
}

// 64 bits that depend on every bit of key and number; distinct for distinct numbers below 2^53.
export function hashed(key, number, into = new Bits()) {
  into.set(number + 1);
  into.times(STEP);
  into.plus(key);
  into.fold(30);
  into.times(FIRST);
  into.fold(27);
  into.times(SECOND);
  into.fold(31);
  return into;
}

// One key for a seed below 2^53.
export function keyOf(seed) {
  const key = new Bits();
  key.set(seed);
  return hashed(key, 0);
}

// Puts the items of a stretch in an order drawn by the key, in place (Fisher and Yates).
function permute(key, items, start, size) {
  const draw = new Bits();
  for (let t = size - 1; t > 0; t--) {
    const here = start + t;
    const there = start + upper(hashed(key, t, draw).high, t + 1);
    const item = items[here];
    items[here] = items[there];
    items[there] = item;
  }
}

// The row numbers below n by their hashes.
export function firstOrder(seed, n) {
  const key = keyOf(seed);
  const hashes = Array.from({ length: n }, (_, row) => hashed(key, row));
  const rows = Int32Array.from(hashes.keys());
  return rows.sort((a, b) => hashes[a].high - hashes[b].high || hashes[a].low - hashes[b].low);
}

// Orders of the passes over n rows: a function of the number of the pass, from 0. Without a seed, as they are given.
export function orders(n, seed) {
  if (seed === null) {
    const given = Int32Array.from({ length: n }, (_, row) => row);
    return () => given;
  }
  const [first, key, shard] = [firstOrder(seed, n), keyOf(seed), 0];
  return (number) => passOrder(first, hashed(hashed(key, number), shard));
}

function passOrder(first, key) {
  const order = new Int32Array(first.length);
  const blocks = Array.from({ length: Math.ceil(first.length / BLOCK) }, (_, block) => block);
  permute(key, blocks, 0, blocks.length);
  let position = 0;
  for (const block of blocks) {
    const part = first.subarray(block * BLOCK, (block + 1) * BLOCK);
    order.set(part, position);
    permute(hashed(key, block), order, position, part.length);
    position += part.length;
  }
  return order;
}
