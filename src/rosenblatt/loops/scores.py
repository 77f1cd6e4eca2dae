"""Every score that is given out: one order of sums, plain products. `reference.scores` states it in plain Python.

Dense rows are summed in eight lanes (`lanes`), sparse ones in four parts: the values in turn, those that are left over
when a row's length is no multiple of four to the first part. The constant comes last. No product is fused with a sum.
So numpy, plain Python and a browser find the same bits. Predictions, evaluations and explanations are these scores.
Training passes have their own sums (`vector`, `matrix`), which may be reordered; none of those is given out.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import AS_WRITTEN, loop_of, per_storage
from rosenblatt.loops.lanes import lane_sums
from rosenblatt.loops.prefetch import far, hint_weights
from rosenblatt.loops.rows import Dense, Sparse, Words

PARTS = 4
ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))


def _score_dense(rows, i, w):
    return lane_sums(rows.values, i, w, (0,))[0] + w[rows.values.shape[1]] * w.dtype.type(rows.bias)


# Four partial sums: one alone would wait four cycles for each addition. Vector gathers measured slower. Training
# passes score by these bodies too (`vector`), where products may be fused.
def score_sparse(rows, i, w):
    columns, values = rows.columns, rows.values
    k, stop = rows.starts[i], rows.starts[i + 1]
    by_four = stop - (stop - k) % FOUR
    a = b = c = d = w.dtype.type(0) * values.dtype.type(0)
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


def score_words(rows, i, w):
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


def _fill_dense(rows, weights, scores):
    width, n_classes = rows.values.shape[1], len(weights)
    bias, by_four, last = weights.dtype.type(rows.bias), n_classes - n_classes % 4, n_classes - 1
    for i in range(len(scores)):
        for c in range(0, by_four, 4):  # four classes share each read of the row
            p, q, r, s = lane_sums(rows.values, i, weights, (c, c + 1, c + 2, c + 3))
            scores[i, c] = p + weights[c, width] * bias
            scores[i, c + 1] = q + weights[c + 1, width] * bias
            scores[i, c + 2] = r + weights[c + 2, width] * bias
            scores[i, c + 3] = s + weights[c + 3, width] * bias
        if n_classes - by_four >= 2:
            p, q = lane_sums(rows.values, i, weights, (by_four, by_four + 1))
            scores[i, by_four] = p + weights[by_four, width] * bias
            scores[i, by_four + 1] = q + weights[by_four + 1, width] * bias
        if n_classes % 2:
            scores[i, last] = lane_sums(rows.values, i, weights, (last,))[0] + weights[last, width] * bias


def _fill_sparse(rows, weights, scores):
    parts = np.full((PARTS, scores.shape[1]), weights.dtype.type(0) * rows.values.dtype.type(0))
    last, bias, waiting = len(weights) - 1, weights.dtype.type(rows.bias), far(weights)
    for i in range(len(scores)):
        if waiting and i + 1 < len(scores):
            hint_weights(rows, i + 1, weights)
        first, stop = rows.starts[i], rows.starts[i + 1]
        by_four = stop - (stop - first) % FOUR
        parts[:] = 0
        for k in range(first, stop):
            line, value = weights[rows.columns[k]], rows.values[k]
            part = parts[(k - first) % FOUR if k < by_four else ZERO]
            for n in range(len(part)):
                part[n] += line[n] * value
        for n in range(scores.shape[1]):
            total = (parts[0, n] + parts[1, n]) + (parts[2, n] + parts[3, n])
            scores[i, n] = total + weights[last, n] * bias


def _fill_words(rows, weights, scores):
    parts = np.zeros((PARTS, scores.shape[1]), weights.dtype)
    last, bias, waiting = len(weights) - 1, weights.dtype.type(rows.bias), far(weights)
    for i in range(len(scores)):
        if waiting and i + 1 < len(scores):
            hint_weights(rows, i + 1, weights)
        first, stop = rows.starts[i], rows.starts[i + 1]
        by_four = stop - (stop - first) % FOUR
        parts[:] = 0
        for k in range(first, stop):
            line = weights[rows.columns[k]]
            part = parts[(k - first) % FOUR if k < by_four else ZERO]
            for n in range(len(part)):
                part[n] += line[n]
        for n in range(scores.shape[1]):
            total = (parts[0, n] + parts[1, n]) + (parts[2, n] + parts[3, n])
            scores[i, n] = total * rows.scales[i] + weights[last, n] * bias


@per_storage({Dense: _score_dense, Sparse: score_sparse, Words: score_words}, fastmath=AS_WRITTEN)
def given_score(rows, i, w):
    """w . f(x[i]), the constant feature included, in the order of sums that is given out."""


@per_storage({Dense: _fill_dense, Sparse: _fill_sparse, Words: _fill_words}, fastmath=AS_WRITTEN)
def fill_all(rows, weights, scores):
    """The same of every row for each class: scores[i, c]. Weights are in the layout of the rows (`matrix`)."""


def _work(rows, weights, scores):
    """About how many steps the scores take in Python. Numpy makes one of the products of a dense row."""
    if isinstance(rows, Dense):
        return 20 * scores.size + rows.values.size // 100
    return scores.size + int(rows.starts[-1] - rows.starts[0]) * (scores.size // max(1, len(scores)))


@loop_of(_work)
def binary_scores(rows, w, scores):
    """scores[i] = w . f(x[i]) for every row."""
    for i in range(len(scores)):
        scores[i] = given_score(rows, i, w)


@loop_of(_work)
def multiclass_scores(rows, weights, scores):
    """scores[i, c] = weights of class c . f(x[i]) for every row and class."""
    fill_all(rows, weights, scores)
