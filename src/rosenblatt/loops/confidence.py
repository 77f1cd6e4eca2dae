"""A variance beside each weight, against one row: `spread` and `shift`, for each storage and for a pair of classes.

Nothing here is fused or reordered, so that a list of updates gives the same weights and variances whoever replays it.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import AS_WRITTEN, part, per_storage
from rosenblatt.loops.rows import Dense, Sparse, Words

SMALLEST = np.finfo(np.float64).tiny  # what a variance never falls below


@part
def shrunk(variance, shrink, each):
    """The variance of a weight after an update, where each = variance * value."""
    return max(SMALLEST, variance - shrink * each * each)


def _spread_dense(rows, i, s):
    x = rows.values[i]
    total = s[len(x)] * rows.bias * rows.bias
    for j in range(len(x)):
        value = np.float64(x[j])
        total += s[j] * value * value
    return total


def _spread_sparse(rows, i, s):
    total = s[len(s) - 1] * rows.bias * rows.bias
    for k in range(rows.starts[i], rows.starts[i + 1]):
        value = np.float64(rows.values[k])
        total += s[rows.columns[k]] * value * value
    return total


def _spread_words(rows, i, s):
    total, scale = 0.0, np.float64(rows.scales[i])
    for k in range(rows.starts[i], rows.starts[i + 1]):
        total += s[rows.columns[k]]
    return s[len(s) - 1] * rows.bias * rows.bias + total * scale * scale


def _move_dense(rows, i, step, shrink, w, s):
    x = rows.values[i]
    for j in range(len(x)):
        each = s[j] * np.float64(x[j])
        w[j] += w.dtype.type(step * each)
        s[j] = shrunk(s[j], shrink, each)
    each = s[len(x)] * rows.bias
    w[len(x)] += w.dtype.type(step * each)
    s[len(x)] = shrunk(s[len(x)], shrink, each)


def _move_sparse(rows, i, step, shrink, w, s):
    for k in range(rows.starts[i], rows.starts[i + 1]):
        j = rows.columns[k]
        each = s[j] * np.float64(rows.values[k])
        w[j] += w.dtype.type(step * each)
        s[j] = shrunk(s[j], shrink, each)
    last = len(w) - 1
    each = s[last] * rows.bias
    w[last] += w.dtype.type(step * each)
    s[last] = shrunk(s[last], shrink, each)


def _move_words(rows, i, step, shrink, w, s):
    scale = np.float64(rows.scales[i])
    for k in range(rows.starts[i], rows.starts[i + 1]):
        j = rows.columns[k]
        each = s[j] * scale
        w[j] += w.dtype.type(step * each)
        s[j] = shrunk(s[j], shrink, each)
    last = len(w) - 1
    each = s[last] * rows.bias
    w[last] += w.dtype.type(step * each)
    s[last] = shrunk(s[last], shrink, each)


def _spread_pair_dense(rows, i, gains, loses, s):
    x, up, down = rows.values[i], s[gains], s[loses]
    total = (up[len(x)] + down[len(x)]) * rows.bias * rows.bias
    for j in range(len(x)):
        value = np.float64(x[j])
        total += (up[j] + down[j]) * value * value
    return total


def _spread_pair_sparse(rows, i, gains, loses, s):
    total = (s[-1, gains] + s[-1, loses]) * rows.bias * rows.bias
    for k in range(rows.starts[i], rows.starts[i + 1]):
        line, value = s[rows.columns[k]], np.float64(rows.values[k])
        total += (line[gains] + line[loses]) * value * value
    return total


def _spread_pair_words(rows, i, gains, loses, s):
    total, scale = 0.0, np.float64(rows.scales[i])
    for k in range(rows.starts[i], rows.starts[i + 1]):
        line = s[rows.columns[k]]
        total += line[gains] + line[loses]
    return (s[-1, gains] + s[-1, loses]) * rows.bias * rows.bias + total * scale * scale


@part
def move_one(w, s, c, value, step, shrink):
    """Weight and variance of class c in the lines of one feature."""
    each = s[c] * value
    w[c] += w.dtype.type(step * each)
    s[c] = shrunk(s[c], shrink, each)


def _move_pair_dense(rows, i, moved, gains, loses, weights, s):
    step, shrink = moved
    _move_dense_line(rows, i, step, shrink, weights[gains], s[gains])
    _move_dense_line(rows, i, -step, shrink, weights[loses], s[loses])


def _move_pair_sparse(rows, i, moved, gains, loses, weights, s):
    step, shrink = moved
    for k in range(rows.starts[i], rows.starts[i + 1]):
        j, value = rows.columns[k], np.float64(rows.values[k])
        move_one(weights[j], s[j], gains, value, step, shrink)
        move_one(weights[j], s[j], loses, value, -step, shrink)
    move_one(weights[-1], s[-1], gains, rows.bias, step, shrink)
    move_one(weights[-1], s[-1], loses, rows.bias, -step, shrink)


def _move_pair_words(rows, i, moved, gains, loses, weights, s):
    step, shrink = moved
    scale = np.float64(rows.scales[i])
    for k in range(rows.starts[i], rows.starts[i + 1]):
        j = rows.columns[k]
        move_one(weights[j], s[j], gains, scale, step, shrink)
        move_one(weights[j], s[j], loses, scale, -step, shrink)
    move_one(weights[-1], s[-1], gains, rows.bias, step, shrink)
    move_one(weights[-1], s[-1], loses, rows.bias, -step, shrink)


_move_dense_line = part(_move_dense)


@per_storage({Dense: _spread_dense, Sparse: _spread_sparse, Words: _spread_words}, fastmath=AS_WRITTEN)
def spread(rows, i, s):
    """The variance of the score of row i: the sum of s[j] * f(x[i])[j]²."""


@per_storage({Dense: _move_dense, Sparse: _move_sparse, Words: _move_words}, fastmath=AS_WRITTEN)
def shift(rows, i, step, shrink, w, s):
    """w[j] += step * s[j] * f(x[i])[j] and s[j] -= shrink * (s[j] * f(x[i])[j])², in place."""


@per_storage({Dense: _spread_pair_dense, Sparse: _spread_pair_sparse, Words: _spread_pair_words}, fastmath=AS_WRITTEN)
def spread_pair(rows, i, gains, loses, s):
    """The variance of the lead of one class over another on row i."""


@per_storage({Dense: _move_pair_dense, Sparse: _move_pair_sparse, Words: _move_pair_words}, fastmath=AS_WRITTEN)
def move_pair(rows, i, moved, gains, loses, weights, s):
    """`shift` of class `gains` by the step and of class `loses` by its opposite; moved: step and shrink."""
