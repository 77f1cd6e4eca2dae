"""AROW: a confidence for each weight, so that a step moves most what is known least."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import fused_loop, loop
from rosenblatt.loops.confidence import move_pair, shift, spread, spread_pair
from rosenblatt.loops.matrix import class_count, score_all
from rosenblatt.loops.multiclass import best_other
from rosenblatt.loops.prefetch import far, hint, hint_weights, rows_ahead
from rosenblatt.loops.vector import score


@fused_loop
def binary_arow_pass(rows, given, order, r, state, noted, made):
    """One pass of diagonal AROW over `order`; returns how many updates and how many of them were mistakes.

    Rule     lead = y * (w . f(x[i])); where lead < 1, with v > 0 the variance of the score: β = 1 / (v + r / amount),
             α = (1 - lead) * β; w[j] += α * y * s[j] * f[j], s[j] -= β * (s[j] * f[j])²
    Given    given: truth and amounts of each row; state: w, and s beside it
    Updates  both, and the fronts of `noted` (positions in `order`) and `made` (α and β)
    Source   Crammer, Kulesza, Dredze 2009
    """
    truth, amounts = given
    w, s = state
    ahead = rows_ahead(rows)
    updates = mistakes = 0
    for step in range(len(order)):
        if step + 2 * ahead < len(order) and order[step + 2 * ahead] != order[step + ahead] + ahead:
            hint(rows, truth, amounts, np.intp(order[step + ahead]), np.intp(order[step + 2 * ahead]))
        i = np.intp(order[step])
        y = 2.0 * truth[i] - 1.0
        lead = np.float64(y * score(rows, i, w))
        if lead < 1.0:
            v = spread(rows, i, s)
            if v > 0:
                beta = 1.0 / (v + r / amounts[i])
                alpha = (1.0 - lead) * beta
                shift(rows, i, y * alpha, beta, w, s)
                noted[updates] = step
                made[updates, 0], made[updates, 1] = alpha, beta
                updates += 1
                mistakes += lead <= 0
    return updates, mistakes


@fused_loop
def multiclass_arow_pass(rows, given, order, r, state, noted, rivals, made):
    """The same for more classes: v is the variance of the lead, and true class and rival move against each other."""
    truth, amounts = given
    weights, s = state
    ahead, waiting = rows_ahead(rows), far(weights)
    updates = mistakes = 0
    scores = np.empty(class_count(rows, weights), weights.dtype)
    for step in range(len(order)):
        if step + 2 * ahead < len(order) and order[step + 2 * ahead] != order[step + ahead] + ahead:
            hint(rows, truth, amounts, np.intp(order[step + ahead]), np.intp(order[step + 2 * ahead]))
        if waiting and step + 1 < len(order):
            hint_weights(rows, np.intp(order[step + 1]), weights)
        i = np.intp(order[step])
        true = np.intp(truth[i])
        score_all(rows, i, weights, scores)
        rival = best_other(scores, true, False)
        lead = np.float64(scores[true]) - np.float64(scores[rival])
        if lead < 1.0:
            v = spread_pair(rows, i, true, rival, s)
            if v > 0:
                beta = 1.0 / (v + r / amounts[i])
                alpha = (1.0 - lead) * beta
                move_pair(rows, i, (alpha, beta), true, rival, weights, s)
                noted[updates] = step
                rivals[updates] = rival
                made[updates, 0], made[updates, 1] = alpha, beta
                updates += 1
                mistakes += lead <= 0
    return updates, mistakes


@loop
def binary_arow_sum(rows, which, factors, shrinks, s, total):
    """total += the sum of factors[u] * s * f(x[which[u]]), in order, while s shrinks as it did: replays, averages."""
    for u in range(len(which)):
        shift(rows, np.intp(which[u]), factors[u], shrinks[u], total, s)


@loop
def multiclass_arow_sum(rows, truth, which, rivals, factors, shrinks, s, total):
    """The same for more classes: for the true class of each row, and with the opposite sign for its rival."""
    for u in range(len(which)):
        i = np.intp(which[u])
        move_pair(rows, i, (factors[u], shrinks[u]), np.intp(truth[i]), np.intp(rivals[u]), total, s)
