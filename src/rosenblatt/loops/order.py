"""The shuffling rule: which row is visited when, from a seed, the same in memory, on disk and on a cluster.

Rows are first put in the order of a hash of their number. Each pass then permutes blocks of 256 rows, and the rows
within each block. Blocks, because a fresh permutation of all rows for each pass leaves every row to a cold read
from memory. A hash, because a library's generator may change its stream between versions, and results with it.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import loop, loop_of, part

BLOCK = 256
# The finaliser of splitmix64 (Steele, Lea and Flood 2014). It maps 64 bits to 64 bits one to one: no two rows tie.
STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@part
def hashed(key, number):
    """64 bits that depend on every bit of key and number; distinct for distinct numbers."""
    z = key + (number + np.uint64(1)) * STEP
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return z ^ (z >> S31)


@loop_of(lambda key, rows, *_: len(rows))
def fill_hashes(key, rows, hashes):
    for position in range(len(rows)):
        hashes[position] = hashed(key, np.uint64(rows[position]))


@loop
def sort_by_hash(hashes, bits, ends, order):
    """order = the positions of hashes in ascending order; in linear time, because hashes are spread evenly.

    Given    2**bits + 1 zeros in `ends`: hashes are dealt into buckets by their top bits, then each bucket is sorted
    """
    shift = np.uint64(64 - bits)
    for position in range(len(hashes)):
        ends[np.intp(hashes[position] >> shift) + 1] += 1
    for bucket in range(1, len(ends)):
        ends[bucket] += ends[bucket - 1]
    for position in range(len(hashes)):  # ends[bucket] begins as the bucket's start
        bucket = np.intp(hashes[position] >> shift)
        order[ends[bucket]] = position
        ends[bucket] += 1
    start = 0
    for bucket in range(len(ends) - 1):
        for place in range(start + 1, ends[bucket]):
            item = order[place]
            while place > start and hashes[item] < hashes[order[place - 1]]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = item
        start = ends[bucket]


@part
def permute(key, items):
    """Puts the items in an order drawn by the key, in place (Fisher and Yates)."""
    for t in range(len(items) - 1, 0, -1):
        draw = np.intp(((hashed(key, np.uint64(t)) >> S32) * np.uint64(t + 1)) >> S32)
        items[t], items[draw] = items[draw], items[t]


@loop
def fill_pass_order(first, key, number, shard, order):
    """order = first, its blocks permuted by a hash of key, pass and shard; within a block also of the block."""
    key = hashed(hashed(key, np.uint64(number)), np.uint64(shard))
    blocks = np.arange((len(first) + BLOCK - 1) // BLOCK)
    permute(key, blocks)
    position = 0
    for block in blocks:
        start = block * BLOCK
        size = min(BLOCK, len(first) - start)
        target = order[position : position + size]
        target[:] = first[start : start + size]
        permute(hashed(key, np.uint64(block)), target)
        position += size


def key_of(seed: int, *numbers: int) -> np.uint64:
    """One key for a seed and the numbers that tell its uses apart."""
    with np.errstate(over="ignore"):
        key = np.uint64(hashed(np.uint64(seed), np.uint64(0)))
        for number in numbers:
            key = np.uint64(hashed(key, np.uint64(number)))
    return key


def row_hashes(seed: int, rows: np.ndarray) -> np.ndarray:
    """The hash that puts rows, given by number, in their first order."""
    hashes = np.empty(len(rows), np.uint64)
    with np.errstate(over="ignore"):
        fill_hashes(key_of(seed), rows, hashes)
    return hashes


def hash_order(hashes: np.ndarray) -> np.ndarray:
    """The positions of distinct hashes in ascending order."""
    bits = max(1, (len(hashes) // 4).bit_length())
    order = np.empty(len(hashes), np.uint32)
    sort_by_hash(hashes, bits, np.zeros(2**bits + 1, np.int64), order)
    return order


def pass_order(first: np.ndarray, key: np.uint64, number: int, shard: int, order: np.ndarray) -> None:
    """Fills `order` with the rows of `first`, a shard, in the order of one pass."""
    with np.errstate(over="ignore"):  # numpy's warning with the JIT off: hashes are meant to wrap
        fill_pass_order(first, key, number, shard, order)
