"""Counting for naive Bayes: how often each column goes with each class, and many smoothing strengths in one pass.

Counts of dense rows lie class by class, those of sparse rows column by column, like the weights in `matrix`.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import loop, per_storage
from rosenblatt.loops.rows import Dense, Sparse, Words

FULL = 255  # what a byte can count
BLOCK = 256  # rows
ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


@loop
def count_bytes(values, truth, counts):
    """counts[truth[i], j] += values[i, j] for rows of bytes that are 0 or 1.

    A row is added to one byte per column, 16 or 32 columns in one instruction; a class whose bytes have taken
    255 rows is emptied into its counts. So the rows are read once, at the speed of memory.
    """
    held = np.zeros(counts.shape, np.uint8)
    taken = np.zeros(len(counts), np.int64)
    for i in range(len(values)):
        c = np.intp(truth[i])
        x, line = values[i], held[c]
        for j in range(len(x)):
            line[j] += x[j]
        taken[c] += 1
        if taken[c] == FULL:
            counts[c] += line
            line[:] = 0
            taken[c] = 0
    for c in range(len(counts)):
        counts[c] += held[c]


@loop
def count_ones(starts, columns, truth, counts):
    """counts[j, truth[i]] += 1 for every column j that row i names.

    False, with counts half done, if a row names a column twice, out of order, or beyond the last.
    """
    width = np.uint32(len(counts))
    for i in range(len(truth)):
        c, least = np.uintp(truth[i]), np.uint32(0)
        for p in range(starts[i], starts[i + 1]):
            j = columns[p]
            if j < least or j >= width:
                return False
            least = np.uint32(j + ONE)
            counts[j, c] += 1
    return True


def _count_dense(rows, i, c, amount, counts):
    x, line = rows.values[i], counts[c]
    for j in range(len(x)):
        line[j] += counts.dtype.type(amount * x[j])


def _count_sparse(rows, i, c, amount, counts):
    for p in range(rows.starts[i], rows.starts[i + 1]):
        counts[rows.columns[p], c] += counts.dtype.type(amount * rows.values[p])


def _count_words(rows, i, c, amount, counts):
    each = counts.dtype.type(amount * rows.scales[i])
    for p in range(rows.starts[i], rows.starts[i + 1]):
        counts[rows.columns[p], c] += each


@per_storage({Dense: _count_dense, Sparse: _count_sparse, Words: _count_words})
def count_row(rows, i, c, amount, counts):
    """Adds amount * x[i] to the counts of class c, in place."""


@loop
def count_rows(rows, truth, amounts, counts):
    """Adds amounts[i] * x[i] to the counts of class truth[i], for every row in order.

    In order, so that with weights the sum over some of the rows of a class never exceeds the sum over all of them.
    """
    for i in range(len(truth)):
        count_row(rows, i, np.intp(truth[i]), amounts[i], counts)


@loop
def look_up(counts, tables, found):
    """found[j, c] = tables[c, counts[j, c]]: a logarithm is taken once per distinct count, not once per column."""
    for j in range(len(counts)):
        for c in range(counts.shape[1]):
            found[j, c] = tables[c, counts[j, c]]


def _value_sparse(rows, i, p):
    return rows.values[p]


def _value_words(rows, i, p):
    return rows.scales[i]


@per_storage({Sparse: _value_sparse, Words: _value_words})
def value_at(rows, i, p):
    """The value at place p, which belongs to row i."""


@loop
def add_lines(rows, i, places, tables, scores):
    """scores[g] = the sum of value * tables[places[column], g] over what row i holds, in its order.

    Four lines at a time, so that the scores are loaded and stored once for four additions.
    """
    scores[:] = 0
    p, stop = rows.starts[i], rows.starts[i + 1]
    by_four = stop - (stop - p) % FOUR
    while p < by_four:
        a, b = tables[places[rows.columns[p]]], tables[places[rows.columns[p + ONE]]]
        c, d = tables[places[rows.columns[p + TWO]]], tables[places[rows.columns[p + THREE]]]
        u, v = value_at(rows, i, p), value_at(rows, i, p + ONE)
        w, x = value_at(rows, i, p + TWO), value_at(rows, i, p + THREE)
        for g in range(len(scores)):
            scores[g] = (((scores[g] + a[g] * u) + b[g] * v) + c[g] * w) + d[g] * x
        p += FOUR
    while p < stop:
        a, u = tables[places[rows.columns[p]]], value_at(rows, i, p)
        for g in range(len(scores)):
            scores[g] += a[g] * u
        p += ONE


@loop
def count_right(rows, truth, which, tables, base, limit, right):
    """right[g] += the rows whose class is predicted with smoothing strength g, for all strengths in one pass.

    Given    tables[which[c, j], g], what column j adds to the score of class c at strength g; base[c, g], where the
             scores start; both with one lane more than strengths, which counts factors of zero; `limit`, the strength
             that is 0, where fewer such factors win before scores are compared, or -1
    A block of rows is scored class by class, so that the tables of one class stay in the cache.
    """
    n_classes, lanes = base.shape
    zeros = lanes - 1
    scores = np.empty(lanes)
    best = np.empty((BLOCK, lanes))
    winner = np.empty((BLOCK, zeros), np.int64)
    for first in range(0, len(truth), BLOCK):
        size = min(BLOCK, len(truth) - first)
        fewest = np.full(size, np.inf)
        best[:] = -np.inf
        winner[:] = 0
        for c in range(n_classes):
            for r in range(size):
                add_lines(rows, first + r, which[c], tables, scores)
                for g in range(lanes):
                    scores[g] += base[c, g]
                for g in range(zeros):
                    if scores[g] > best[r, g] and g != limit:
                        best[r, g] = scores[g]
                        winner[r, g] = c
                if limit >= 0 and (
                    scores[zeros] < fewest[r] or (scores[zeros] == fewest[r] and scores[limit] > best[r, limit])
                ):
                    fewest[r] = scores[zeros]
                    best[r, limit] = scores[limit]
                    winner[r, limit] = c
        for r in range(size):
            for g in range(zeros):
                right[g] += winner[r, g] == truth[first + r]
