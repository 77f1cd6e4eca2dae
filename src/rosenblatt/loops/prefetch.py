"""Asking for rows some time before they are visited, so that a shuffled pass does not wait for memory.

A shuffled order defeats the processor's own look-ahead. Two hints per row mend that: first for where it starts and
what its label is, then, when that is known, for the row itself. A block ahead is best: then a block is fetched as a
whole while the one before it is visited; for long rows only as many as fit in the cache. Rows in their own order
need no hints, and the loops give none where two rows some way apart in the order are as far apart in memory.

The weights of many classes are the other thing to wait for: one short run for each value of a sparse row, anywhere in
some megabytes. The loops ask for those of the next row before they score this one.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import part, per_storage
from rosenblatt.loops.hint import ask_for
from rosenblatt.loops.order import BLOCK
from rosenblatt.loops.rows import Dense, Sparse, Words

ROOM = 2**19  # bytes for rows that were asked for: half of a common second-level cache
FEWEST = 16
LINE = 64  # bytes that a processor loads at once


def _ahead_dense(rows):
    return max(FEWEST, min(BLOCK, ROOM // (rows.values.shape[1] * rows.values.itemsize)))


def _ahead_sparse(rows):
    mean = (4 + rows.values.itemsize) * len(rows.columns) // max(1, len(rows.starts) - 1)
    return max(FEWEST, min(BLOCK, ROOM // max(1, mean)))


def _ahead_words(rows):
    mean = 4 * len(rows.columns) // max(1, len(rows.starts) - 1)
    return max(FEWEST, min(BLOCK, ROOM // max(1, mean)))


def _hint_dense(rows, truth, amounts, soon, later):
    ask_for(truth, np.uintp(later))
    ask_for(amounts, np.uintp(later))
    width, item = rows.values.shape[1], rows.values.itemsize
    for j in range(0, min(width, ROOM // FEWEST // item), LINE // item):
        ask_for(rows.values, np.uintp(soon * width + j))


def _hint_sparse(rows, truth, amounts, soon, later):
    ask_for(truth, np.uintp(later))
    ask_for(amounts, np.uintp(later))
    ask_for(rows.starts, np.uintp(later))
    start = rows.starts[soon]
    stop = start + min(rows.starts[soon + 1] - start, np.uint64(ROOM // FEWEST // 12))
    for k in range(start, stop, np.uint64(LINE // 4)):
        ask_for(rows.columns, k)
    for k in range(start, stop, np.uint64(LINE // rows.values.itemsize)):
        ask_for(rows.values, k)


def _hint_words(rows, truth, amounts, soon, later):
    ask_for(truth, np.uintp(later))
    ask_for(amounts, np.uintp(later))
    ask_for(rows.starts, np.uintp(later))
    ask_for(rows.scales, np.uintp(later))
    start = rows.starts[soon]
    stop = start + min(rows.starts[soon + 1] - start, np.uint64(ROOM // FEWEST // 4))
    for k in range(start, stop, np.uint64(LINE // 4)):
        ask_for(rows.columns, k)


def _weights_of_none(rows, i, weights):
    pass


def _weights_of_columns(rows, i, weights):
    length, step = np.uintp(weights.shape[1]), np.uintp(LINE // weights.itemsize)
    first = rows.starts[i]
    stop = first + min(rows.starts[i + 1] - first, np.uint64(ROOM // max(1, weights.shape[1] * weights.itemsize)))
    for k in range(first, stop):
        start = np.uintp(rows.columns[k]) * length
        for c in range(start, start + length, step):
            ask_for(weights, c)


@per_storage({Dense: _ahead_dense, Sparse: _ahead_sparse, Words: _ahead_words})
def rows_ahead(rows):
    """How many rows ahead to ask for one."""


@per_storage({Dense: _hint_dense, Sparse: _hint_sparse, Words: _hint_words})
def hint(rows, truth, amounts, soon, later):
    """Asks for the values of row `soon`, and for the label, amount and start of row `later`. Changes nothing."""


@per_storage({Dense: _weights_of_none, Sparse: _weights_of_columns, Words: _weights_of_columns})
def hint_weights(rows, i, weights):
    """Asks for what `score_all` will read of the weights for row i. Changes nothing."""


@part
def far(weights):
    """Whether the weights are so many that the cache near the processor does not hold them."""
    return weights.size * weights.itemsize > ROOM
