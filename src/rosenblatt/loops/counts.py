"""Counting for naive Bayes: how often each column goes with each class, and many smoothing strengths in one pass.

Counts of dense rows lie class by class, those of sparse rows column by column, like the weights in `matrix`.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import fused_loop, fused_part, loop, loop_of, part, per_storage
from rosenblatt.loops.rows import Dense, Sparse, Words

FULL = 255  # what a byte can count
BLOCK = 256  # rows
LOWEST = -1e308
TIE = 1e-13  # relative; two classes whose factors are the same in another order differ by less
ONE, EIGHT = np.uint64(1), np.uint64(8)


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
    """counts[truth[i], j] += 1 for every column j that row i names; the columns are not looked at first."""
    for i in range(len(truth)):
        line = counts[np.uintp(truth[i])]
        for p in range(starts[i], starts[i + 1]):
            line[columns[p]] += counts.dtype.type(1)


@loop_of(len)
def count_descents(columns):
    """How many columns are not above the one before. Without a way out, the loop does many columns at a time."""
    descents = np.int64(0)
    for p in range(len(columns) - 1):
        descents += np.int64(columns[p + 1] <= columns[p])
    return descents


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


@fused_loop
def count_rows(rows, truth, amounts, counts):
    """Adds amounts[i] * x[i] to the counts of class truth[i], for every row in order.

    In order, so that with weights the sum over some of the rows of a class never exceeds the sum over all of them.
    """
    for i in range(len(truth)):
        count_row(rows, i, np.intp(truth[i]), amounts[i], counts)


@loop_of(lambda counts, *_: counts.size)
def look_up(counts, tables, found):
    """found[j, c] = tables[c, counts[j, c]]: a logarithm is taken once per distinct count, not once per column."""
    for j in range(len(counts)):
        for c in range(counts.shape[1]):
            found[j, c] = tables[c, counts[j, c]]


@loop_of(lambda values, *_: len(values))
def compensated_sums(values, times, starts, totals):
    """totals[c] = the sum of values * times from starts[c] to starts[c + 1], with what rounding lost added at the end.

    Source  Neumaier 1974
    """
    for c in range(len(totals)):
        total = lost = 0.0
        for p in range(starts[c], starts[c + 1]):
            value = values[p] * times[p]
            after = total + value
            lost += (total - after) + value if abs(total) >= abs(value) else (value - after) + total
            total = after
        totals[c] = total + lost


@loop_of(lambda values, *_: values.size)
def list_nonzero(values, starts, columns):
    """The columns that are not zero, row after row; row i has columns[starts[i]:starts[i + 1]]. Returns their number.

    Every column is written, and the place moves on only behind those that stay: no branch to guess.
    """
    place = 0
    for i in range(len(values)):
        starts[i] = place
        for j in range(values.shape[1]):
            columns[place] = j
            place += values[i, j] != 0
    starts[len(values)] = place
    return place


def _value_sparse(rows, i, p):
    return rows.values[p]


def _value_words(rows, i, p):
    return rows.scales[i]


@per_storage({Sparse: _value_sparse, Words: _value_words})
def value_at(rows, i, p):
    """The value at place p, which belongs to row i."""


@part
def line_at(rows, p, places, tables):
    """The line of the tables for the column at place p."""
    return tables[places[rows.columns[p]]]


@fused_part
def add_lines(rows, i, places, tables, scores):
    """scores[g] = the sum of value * tables[places[column], g] over what row i holds, in its order.

    Eight lines at a time, so that the scores are loaded and stored once for eight additions.
    """
    scores[:] = 0
    p, stop = rows.starts[i], rows.starts[i + 1]
    by_eight = stop - (stop - p) % EIGHT
    while p < by_eight:
        a, b = line_at(rows, p, places, tables), line_at(rows, p + np.uint64(1), places, tables)
        c, d = line_at(rows, p + np.uint64(2), places, tables), line_at(rows, p + np.uint64(3), places, tables)
        e, f = line_at(rows, p + np.uint64(4), places, tables), line_at(rows, p + np.uint64(5), places, tables)
        g, h = line_at(rows, p + np.uint64(6), places, tables), line_at(rows, p + np.uint64(7), places, tables)
        q, r = value_at(rows, i, p), value_at(rows, i, p + np.uint64(1))
        s, t = value_at(rows, i, p + np.uint64(2)), value_at(rows, i, p + np.uint64(3))
        u, v = value_at(rows, i, p + np.uint64(4)), value_at(rows, i, p + np.uint64(5))
        w, x = value_at(rows, i, p + np.uint64(6)), value_at(rows, i, p + np.uint64(7))
        for n in range(len(scores)):
            first = (((scores[n] + a[n] * q) + b[n] * r) + c[n] * s) + d[n] * t
            scores[n] = (((first + e[n] * u) + f[n] * v) + g[n] * w) + h[n] * x
        p += EIGHT
    while p < stop:
        a, q = line_at(rows, p, places, tables), value_at(rows, i, p)
        for n in range(len(scores)):
            scores[n] += a[n] * q
        p += ONE


@part
def beats(score, best):
    """True if score is above best by more than rounding can explain: what is closer is a tie."""
    return score > best + TIE * abs(best) if best > -np.inf else score > best


@loop_of(lambda scores: scores.size)
def level_ties(scores):
    """Raises in each row, in place, the first score that rounding cannot tell from the highest one to that one.

    So whoever compares the scores exactly and takes the first among equals decides as if nothing had been rounded.
    """
    for i in range(len(scores)):
        first, highest = 0, scores[i, 0]
        for c in range(1, scores.shape[1]):
            highest = max(highest, scores[i, c])
            if beats(scores[i, c], scores[i, first]):
                first = c
        scores[i, first] = highest


@part
def keep_better(scores, c, best, winner):
    """best and winner hold, for each lane, the highest score so far and its class; class c has these scores."""
    for g in range(len(winner)):
        better = scores[g] > best[g] + TIE * abs(best[g])
        best[g] = scores[g] if better else best[g]
        winner[g] = c if better else winner[g]


@fused_loop
def count_right(rows, truth, which, tables, base, limit, right):
    """right[g] += the rows whose class is predicted with smoothing strength g, for all strengths in one pass.

    Given    tables[which[c, j], g], what column j adds to the score of class c at strength g; base[c, g], where the
             scores start, finite; both with a last lane that counts factors of zero; `limit`, the
             strength that is 0, where fewer such factors win before scores are compared, or -1
    A block of rows is scored class by class, so that the tables of one class stay in the cache.
    """
    n_classes, lanes = base.shape
    scores = np.empty(lanes)
    best = np.empty((BLOCK, lanes))
    winner = np.empty((BLOCK, lanes - 1), np.int64)
    at_limit = np.empty(BLOCK)
    winner_at_limit = np.empty(BLOCK, np.int64)
    for first in range(0, len(truth), BLOCK):
        size = min(BLOCK, len(truth) - first)
        best[:] = LOWEST
        best[:, -1] = np.inf  # fewest factors of zero
        for c in range(n_classes):
            for r in range(size):
                add_lines(rows, first + r, which[c], tables, scores)
                for g in range(lanes):
                    scores[g] += base[c, g]
                keep_better(scores, c, best[r], winner[r])
                fewer = best[r, -1] - scores[-1]
                if limit >= 0 and (fewer > 0 or (fewer == 0 and beats(scores[limit], at_limit[r]))):
                    best[r, -1] = scores[-1]
                    at_limit[r], winner_at_limit[r] = scores[limit], c
        for r in range(size):
            if limit >= 0:
                winner[r, limit] = winner_at_limit[r]
            for g in range(lanes - 1):
                right[g] += winner[r, g] == truth[first + r]
