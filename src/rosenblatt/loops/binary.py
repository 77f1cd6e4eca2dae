"""The perceptron rule for two classes, and what can be read off its weights. Truth is 0 or 1, y is -1 or +1."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import fused_loop, loop
from rosenblatt.loops.prefetch import hint, rows_ahead
from rosenblatt.loops.scores import given_score
from rosenblatt.loops.vector import add, score, vector_size


@fused_loop
def binary_pass(rows, truth, amounts, order, bounds, w, noted):
    """One pass of the perceptron rule over `order`; returns how many updates and how many of them were mistakes.

    Rule     y * (w . f(x[i])) <= bound: w += y * amounts[i] * f(x[i]); a mistake unless the row was right but close
    Given    rows in any storage; amounts, one per row; room in `noted` for one entry per row of `order`
    Updates  w, and the front of `noted` with the positions in `order` that were updated on
    Source   Rosenblatt 1958; a return of no updates with both bounds >= 0 means that w separates the rows
    """
    ahead = rows_ahead(rows)
    updates = mistakes = 0
    for step in range(len(order)):
        if step + 2 * ahead < len(order) and order[step + 2 * ahead] != order[step + ahead] + ahead:
            hint(rows, truth, amounts, np.intp(order[step + ahead]), np.intp(order[step + 2 * ahead]))
        i = np.intp(order[step])
        y = 2.0 * truth[i] - 1.0
        lead = np.float64(y * score(rows, i, w))
        if lead <= (bounds.later if truth[i] else bounds.earlier):
            add(rows, i, y * amounts[i], w)
            noted[updates] = step
            updates += 1
            mistakes += lead <= 0
    return updates, mistakes


@fused_loop
def binary_sum(rows, which, factors, w):
    """w += the sum of factors[u] * f(x[which[u]]), in order: replays updates, folds averages."""
    for u in range(len(which)):
        add(rows, np.intp(which[u]), factors[u], w)


@fused_loop
def binary_lowest_lead(rows, truth, which, w):
    """The lowest y * (w . f(x[i])) over `which` if all are positive, otherwise 0, as soon as that is known."""
    lowest = np.inf
    for position in range(len(which)):
        i = np.intp(which[position])
        lead = np.float64((2.0 * truth[i] - 1.0) * score(rows, i, w))
        if not lead > 0:
            return 0.0
        lowest = min(lowest, lead)
    return lowest


@fused_loop
def binary_right(rows, truth, which, bounds, w):
    """How many rows of `which` need no update."""
    right = 0
    for position in range(len(which)):
        i = np.intp(which[position])
        lead = np.float64((2.0 * truth[i] - 1.0) * score(rows, i, w))
        right += lead > (bounds.later if truth[i] else bounds.earlier)
    return right


@fused_loop
def binary_pass_scores(rows, which, w, scores):
    """scores[u] = w . f(x[which[u]]), to the bit as a pass computes it. What is given out is in `scores.py`."""
    for u in range(len(which)):
        scores[u] = score(rows, np.intp(which[u]), w)


@loop
def binary_votes(queries, rows, which, factors, survived, scores, tie, ballots):
    """ballots[q] += the votes of every weight vector of a run: survived[v] * sign(w[v] . f(q)).

    Given    scores[q] = w[0] . f(q); w[v] = w[v - 1] + factors[v - 1] * f(x[which[v - 1]]); `tie`, the sign of 0
    Source   Freund and Schapire 1999; the products of q with the rows give all scores, so no w is kept
    """
    as_weights = np.zeros(vector_size(queries))
    products = np.zeros(which.max() + 1 if len(which) else 0)
    for q in range(len(ballots)):
        as_weights[:] = 0
        add(queries, q, 1.0, as_weights)
        for i in range(len(products)):
            products[i] = given_score(rows, i, as_weights)
        s = scores[q]
        for v in range(len(survived)):
            if v:
                s += factors[v - 1] * products[which[v - 1]]
            ballots[q] += survived[v] * (1 if s > 0 else -1 if s < 0 else tie)
