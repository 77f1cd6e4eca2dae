"""One weight vector against one row: `score` and `add`, for each storage. The last weight is the constant's."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import fused_loop, per_storage
from rosenblatt.loops.rows import Dense, Sparse, Words
from rosenblatt.loops.scores import score_sparse, score_words


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


@per_storage({Dense: _score_dense, Sparse: score_sparse, Words: score_words}, any_order=frozenset({Dense}))
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
