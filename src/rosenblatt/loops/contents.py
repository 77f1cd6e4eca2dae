"""A hash of what rows hold, the same on every machine and in every version."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import loop_of, part
from rosenblatt.loops.order import hashed

EIGHT = np.uint64(8)


@loop_of(lambda data, starts, _: len(starts) + int(starts[-1] - starts[0]))
def mix_spans(data, starts, hashes):
    """hashes[i] = a hash of itself and of the bytes data[starts[i]:starts[i + 1]], of which the length is part.

    The bytes are taken 8 at a time, the first lowest, so that the order of bytes in memory does not matter.
    """
    for i in range(len(starts) - 1):
        bits, start, stop = hashes[i], starts[i], starts[i + 1]
        bits = hashed(bits, np.uint64(stop - start))
        for first in range(start, stop, 8):
            packed = np.uint64(0)
            for place in range(first, min(first + 8, stop)):
                packed |= np.uint64(data[place]) << (EIGHT * np.uint64(place - first))
            bits = hashed(bits, packed)
        hashes[i] = bits


@loop_of(lambda one, *_: len(one))
def join_groups(one, other, joined):
    """joined[i] = a number shared by all rows that are linked, directly or through others, by one or the other.

    Given    two numberings of the rows, each from 0; rows with the same number in either belong together
    """
    n = one.max() + 1
    parents = np.arange(n + other.max() + 1)
    for i in range(len(one)):
        a, b = root(parents, one[i]), root(parents, n + other[i])
        parents[max(a, b)] = min(a, b)
    for i in range(len(one)):
        joined[i] = root(parents, one[i])


@part
def root(parents, item):
    """The smallest member of the item's set; the way there is halved for the next one who goes it."""
    while parents[item] != item:
        parents[item] = parents[parents[item]]
        item = parents[item]
    return item
