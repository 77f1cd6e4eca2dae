"""The shuffling rule: which row is visited when, from a seed, the same in memory, on disk and on a cluster.

Rows are first put in the order of a hash of their number. Each pass then permutes blocks of 256 rows, and the rows
within each block. Blocks, because a fresh permutation of all rows for each pass leaves every row to a cold read
from memory. A hash, because a library's generator may change its stream between versions, and results with it.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import loop

BLOCK = 256
# The finaliser of splitmix64 (Steele, Lea and Flood 2014). It maps 64 bits to 64 bits one to one: no two rows tie.
STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@loop
def hashed(key, number):
    """64 bits that depend on every bit of key and number; distinct for distinct numbers."""
    z = key + (number + np.uint64(1)) * STEP
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return z ^ (z >> S31)


@loop
def fill_hashes(key, rows, hashes):
    for position in range(len(rows)):
        hashes[position] = hashed(key, np.uint64(rows[position]))


@loop
def permute(key, items):
    """Puts the items in an order drawn by the key, in place (Fisher and Yates)."""
    for t in range(len(items) - 1, 0, -1):
        draw = np.intp(((hashed(key, np.uint64(t)) >> S32) * np.uint64(t + 1)) >> S32)
        items[t], items[draw] = items[draw], items[t]


@loop
def fill_pass_order(first, key, order):
    """order = first, its blocks permuted by the key and the rows within each block by a hash of key and block."""
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


def pass_order(first: np.ndarray, key: np.uint64, order: np.ndarray) -> None:
    """Fills `order` with the rows of `first` in the order of one pass."""
    with np.errstate(over="ignore"):
        fill_pass_order(first, key, order)
