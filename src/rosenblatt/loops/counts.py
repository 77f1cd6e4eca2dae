"""Counting for naive Bayes: how often each column goes with each class, and many smoothing strengths in one pass.

Counts of dense rows lie class by class, those of sparse rows column by column, like the weights in `matrix`.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import loop, per_storage
from rosenblatt.loops.rows import Dense, Sparse, Words

FULL = 255  # what a byte can count


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
def count_right(rows, truth, which, tables, base, limit, right):
    """right[g] += the rows whose class is predicted with smoothing strength g, for all strengths in one pass.

    Given    tables[which[j, c], g], what column j adds to the score of class c at strength g; base[c, g], where the
             scores start; both with one lane more than strengths, which counts factors of zero; `limit`, the strength
             that is 0, where fewer such factors win before scores are compared, or -1
    """
    lanes = base.shape[1]
    scores = np.empty(base.shape)
    zeros = lanes - 1
    for i in range(len(truth)):
        scores[:] = 0
        for p in range(rows.starts[i], rows.starts[i + 1]):
            value, line = value_at(rows, i, p), which[rows.columns[p]]
            for c in range(len(scores)):
                score, added = scores[c], tables[line[c]]
                for g in range(lanes):
                    score[g] += added[g] * value
        scores += base
        for g in range(zeros):
            best = 0
            for c in range(1, len(scores)):
                fewer = scores[best, zeros] - scores[c, zeros] if g == limit else 0.0
                if fewer > 0 or (fewer == 0 and scores[c, g] > scores[best, g]):
                    best = c
            right[g] += best == truth[i]
