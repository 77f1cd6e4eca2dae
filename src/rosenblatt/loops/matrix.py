"""One weight vector per class against one row: `score_all` and `add_pair`, for each storage.

These two know how the weights lie in memory and nobody else does (`weight_shape` and `by_class` translate).
Dense rows: one line per class, and four classes share each read of the row. Sparse rows: one line per feature,
so that a value that is not zero touches one short run of memory for all classes at once.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import per_storage
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, n_features

ONE, TWO = np.uint64(1), np.uint64(2)


def weight_shape(rows: Rows, n_classes: int) -> tuple[int, ...]:
    """The shape of weights for these rows: a vector for two classes, a matrix for more."""
    width = n_features(rows) + 1
    if n_classes == 2:
        return (width,)
    return (n_classes, width) if isinstance(rows, Dense) else (width, n_classes)


def by_class(rows: Rows, weights: np.ndarray) -> np.ndarray:
    """The weights as one line per class, a view; applied to such lines, the layout for these rows."""
    return weights if weights.ndim == 1 or isinstance(rows, Dense) else weights.T


def _lines(rows, weights):
    return weights.shape[0]


def _line_length(rows, weights):
    return weights.shape[1]


@per_storage({Dense: _lines, Sparse: _line_length, Words: _line_length})
def class_count(rows, weights):
    """How many classes the weights have."""


def _score_all_dense(rows, i, weights, scores):
    x = rows.values[i]
    width = len(x)
    bias = weights.dtype.type(rows.bias)
    n_classes = len(weights)
    by_four = n_classes - n_classes % 4
    for c in range(0, by_four, 4):
        p, q, r, s = weights[c], weights[c + 1], weights[c + 2], weights[c + 3]
        at_p, at_q, at_r, at_s = p[width] * bias, q[width] * bias, r[width] * bias, s[width] * bias
        for j in range(width):
            value = weights.dtype.type(x[j])
            at_p += p[j] * value
            at_q += q[j] * value
            at_r += r[j] * value
            at_s += s[j] * value
        scores[c], scores[c + 1], scores[c + 2], scores[c + 3] = at_p, at_q, at_r, at_s
    if n_classes - by_four >= 2:
        p, q = weights[by_four], weights[by_four + 1]
        at_p, at_q = p[width] * bias, q[width] * bias
        for j in range(width):
            value = weights.dtype.type(x[j])
            at_p += p[j] * value
            at_q += q[j] * value
        scores[by_four], scores[by_four + 1] = at_p, at_q
    if n_classes % 2:
        p = weights[n_classes - 1]
        at_p = p[width] * bias
        for j in range(width):
            at_p += p[j] * x[j]
        scores[n_classes - 1] = at_p


def _score_all_sparse(rows, i, weights, scores):
    columns, values = rows.columns, rows.values
    k, stop = rows.starts[i], rows.starts[i + 1]
    by_two = stop - (stop - k) % TWO
    scores[:] = 0
    while k < by_two:  # two at a time, because each addition to a score waits for the one before
        p, q = weights[columns[k]], weights[columns[k + ONE]]
        at_p, at_q = values[k], values[k + ONE]
        for c in range(len(scores)):
            scores[c] += p[c] * at_p + q[c] * at_q
        k += TWO
    if k < stop:
        p, at_p = weights[columns[k]], values[k]
        for c in range(len(scores)):
            scores[c] += p[c] * at_p
    bias = weights.dtype.type(rows.bias)
    for c in range(len(scores)):
        scores[c] += weights[-1, c] * bias


def _score_all_words(rows, i, weights, scores):
    columns = rows.columns
    k, stop = rows.starts[i], rows.starts[i + 1]
    by_two = stop - (stop - k) % TWO
    scores[:] = 0
    while k < by_two:
        p, q = weights[columns[k]], weights[columns[k + ONE]]
        for c in range(len(scores)):
            scores[c] += p[c] + q[c]
        k += TWO
    if k < stop:
        p = weights[columns[k]]
        for c in range(len(scores)):
            scores[c] += p[c]
    for c in range(len(scores)):
        scores[c] *= rows.scales[i]
    bias = weights.dtype.type(rows.bias)
    for c in range(len(scores)):
        scores[c] += weights[-1, c] * bias


def _add_pair_dense(rows, i, amount, gains, loses, weights):
    x = rows.values[i]
    amount = weights.dtype.type(amount)
    up, down = weights[gains], weights[loses]
    for j in range(len(x)):
        change = amount * x[j]
        up[j] += change
        down[j] -= change
    up[len(x)] += amount * weights.dtype.type(rows.bias)
    down[len(x)] -= amount * weights.dtype.type(rows.bias)


def _add_pair_sparse(rows, i, amount, gains, loses, weights):
    amount = weights.dtype.type(amount)
    for k in range(rows.starts[i], rows.starts[i + 1]):
        line, change = weights[rows.columns[k]], amount * rows.values[k]
        line[gains] += change
        line[loses] -= change
    weights[-1, gains] += amount * weights.dtype.type(rows.bias)
    weights[-1, loses] -= amount * weights.dtype.type(rows.bias)


def _add_pair_words(rows, i, amount, gains, loses, weights):
    amount = weights.dtype.type(amount)
    change = amount * weights.dtype.type(rows.scales[i])
    for k in range(rows.starts[i], rows.starts[i + 1]):
        line = weights[rows.columns[k]]
        line[gains] += change
        line[loses] -= change
    weights[-1, gains] += amount * weights.dtype.type(rows.bias)
    weights[-1, loses] -= amount * weights.dtype.type(rows.bias)


@per_storage(
    {Dense: _score_all_dense, Sparse: _score_all_sparse, Words: _score_all_words}, any_order=frozenset({Dense})
)
def score_all(rows, i, weights, scores):
    """scores[c] = weights of class c . f(x[i]), the constant feature included, for every class c."""


@per_storage({Dense: _add_pair_dense, Sparse: _add_pair_sparse, Words: _add_pair_words})
def add_pair(rows, i, amount, gains, loses, weights):
    """Rewards and punishes: weights of class `gains` += amount * f(x[i]), of class `loses` -= the same, in place."""
