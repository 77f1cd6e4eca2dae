"""One weight vector against one row: `score` and `add`, for each storage. The last weight is the constant's."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import fused_loop, per_storage
from rosenblatt.loops.rows import Dense, Sparse, Words

ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


def _size_dense(rows):
    return rows.values.shape[1] + 1


def _size_sparse(rows):
    return rows.n_columns + 1


@per_storage({Dense: _size_dense, Sparse: _size_sparse, Words: _size_sparse})
def vector_size(rows):
    """The length of a weight vector for these rows."""


def _score_dense(rows, i, w):
    x = rows.values[i]
    total = w[len(x)] * w.dtype.type(rows.bias)
    for j in range(len(x)):
        total += w[j] * x[j]
    return total


# Four partial sums: one alone would wait four cycles for each addition. Vector gathers measured slower.
def _score_sparse(rows, i, w):
    columns, values = rows.columns, rows.values
    k, stop = rows.starts[i], rows.starts[i + 1]
    by_four = stop - (stop - k) % FOUR
    a = b = c = d = w.dtype.type(0)
    while k < by_four:
        a += w[columns[k]] * values[k]
        b += w[columns[k + ONE]] * values[k + ONE]
        c += w[columns[k + TWO]] * values[k + TWO]
        d += w[columns[k + THREE]] * values[k + THREE]
        k += FOUR
    while k < stop:
        a += w[columns[k]] * values[k]
        k += ONE
    return ((a + b) + (c + d)) + w[len(w) - 1] * w.dtype.type(rows.bias)


def _score_words(rows, i, w):
    columns = rows.columns
    k, stop = rows.starts[i], rows.starts[i + 1]
    by_four = stop - (stop - k) % FOUR
    a = b = c = d = w.dtype.type(0)
    while k < by_four:
        a += w[columns[k]]
        b += w[columns[k + ONE]]
        c += w[columns[k + TWO]]
        d += w[columns[k + THREE]]
        k += FOUR
    while k < stop:
        a += w[columns[k]]
        k += ONE
    return ((a + b) + (c + d)) * rows.scales[i] + w[len(w) - 1] * w.dtype.type(rows.bias)


def _add_dense(rows, i, amount, w):
    x = rows.values[i]
    amount = w.dtype.type(amount)
    for j in range(len(x)):
        w[j] += amount * x[j]
    w[len(x)] += amount * w.dtype.type(rows.bias)


def _add_sparse(rows, i, amount, w):
    amount = w.dtype.type(amount)
    for k in range(rows.starts[i], rows.starts[i + 1]):
        w[rows.columns[k]] += amount * rows.values[k]
    w[len(w) - 1] += amount * w.dtype.type(rows.bias)


def _add_words(rows, i, amount, w):
    amount = w.dtype.type(amount)
    each = amount * w.dtype.type(rows.scales[i])
    for k in range(rows.starts[i], rows.starts[i + 1]):
        w[rows.columns[k]] += each
    w[len(w) - 1] += amount * w.dtype.type(rows.bias)


def _square_dense(rows, i):
    x = rows.values[i]
    total = rows.bias * rows.bias
    for j in range(len(x)):
        value = np.float64(x[j])
        total += value * value
    return total


def _square_sparse(rows, i):
    total = rows.bias * rows.bias
    for k in range(rows.starts[i], rows.starts[i + 1]):
        value = np.float64(rows.values[k])
        total += value * value
    return total


def _square_words(rows, i):
    scale = np.float64(rows.scales[i])
    return rows.bias * rows.bias + np.float64(rows.starts[i + 1] - rows.starts[i]) * scale * scale


@per_storage({Dense: _score_dense, Sparse: _score_sparse, Words: _score_words}, any_order=frozenset({Dense}))
def score(rows, i, w):
    """w . f(x[i]), the constant feature included."""


@per_storage({Dense: _add_dense, Sparse: _add_sparse, Words: _add_words})
def add(rows, i, amount, w):
    """w += amount * f(x[i]), in place."""


@per_storage({Dense: _square_dense, Sparse: _square_sparse, Words: _square_words}, any_order=frozenset({Dense, Sparse}))
def square(rows, i):
    """|f(x[i])| squared, the constant feature included, in float64."""


@fused_loop
def squares(rows, totals):
    """totals[i] = |f(x[i])| squared, for every row."""
    for i in range(len(totals)):
        totals[i] = square(rows, i)
