"""The perceptron rule for more than two classes, and what can be read off its weights."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import fused_loop, loop, part
from rosenblatt.loops.matrix import add_pair, class_count, score_all
from rosenblatt.loops.prefetch import far, hint, hint_weights, rows_ahead
from rosenblatt.loops.scores import given_score
from rosenblatt.loops.vector import add, vector_size


@part
def best_other(scores, true, last):
    """The class other than `true` with the highest score; among equals the first, or the last."""
    best = 1 if true == 0 else 0
    for c in range(best + 1, len(scores)):
        if c != true and (scores[c] > scores[best] or (last and scores[c] == scores[best])):
            best = c
    return best


@fused_loop
def multiclass_pass(rows, truth, amounts, order, bounds, weights, noted, rivals):
    """One pass of the multiclass rule over `order`; returns how many updates and how many of them were mistakes.

    Rule     lead = score of the true class less that of its rival, the best other class; where lead <= bound:
             reward the true class, punish the rival, each by amounts[i] * f(x[i])
    Given    rows in any storage; amounts, one per row; room in `noted` and `rivals` for one entry per row of `order`
    Updates  weights, and the front of `noted` and `rivals` with the positions in `order` and the classes punished
    Source   Duda and Hart 1973 (Kesler's construction); not one class against the rest
    """
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
        rival = best_other(scores, true, bounds.last)
        lead = np.float64(scores[true] - scores[rival])
        if lead <= (bounds.later if true > rival else bounds.earlier):
            add_pair(rows, i, amounts[i], true, rival, weights)
            noted[updates] = step
            rivals[updates] = rival
            updates += 1
            mistakes += lead <= 0
    return updates, mistakes


@fused_loop
def multiclass_sum(rows, which, truth, rivals, factors, weights):
    """For each u in order: weights of truth[which[u]] += factors[u] * f(x[which[u]]), of rivals[u] -= the same."""
    for u in range(len(which)):
        i = np.intp(which[u])
        add_pair(rows, i, factors[u], np.intp(truth[i]), np.intp(rivals[u]), weights)


@fused_loop
def multiclass_lowest_lead(rows, truth, which, weights):
    """The lowest lead of a true class over `which` if all are positive, otherwise 0, as soon as that is known."""
    scores = np.empty(class_count(rows, weights), weights.dtype)
    lowest = np.inf
    for position in range(len(which)):
        i = np.intp(which[position])
        true = np.intp(truth[i])
        score_all(rows, i, weights, scores)
        lead = np.float64(scores[true] - scores[best_other(scores, true, False)])
        if not lead > 0:
            return 0.0
        lowest = min(lowest, lead)
    return lowest


@fused_loop
def multiclass_right(rows, truth, which, bounds, weights):
    """How many rows of `which` need no update."""
    scores = np.empty(class_count(rows, weights), weights.dtype)
    right = 0
    for position in range(len(which)):
        i = np.intp(which[position])
        true = np.intp(truth[i])
        score_all(rows, i, weights, scores)
        rival = best_other(scores, true, bounds.last)
        right += np.float64(scores[true] - scores[rival]) > (bounds.later if true > rival else bounds.earlier)
    return right


@fused_loop
def multiclass_pass_scores(rows, which, weights, scores):
    """scores[u, c] = weights of class c . f(x[which[u]]), to the bit as a pass computes it."""
    for u in range(len(which)):
        score_all(rows, np.intp(which[u]), weights, scores[u])


@loop
def multiclass_votes(queries, rows, updates, survived, scores, last, ballots):
    """ballots[q, c] += survived[v] for every weight matrix v of a run that gives q its highest score for class c.

    Given    updates: arrays of the rows, the classes rewarded and punished, and the factors; scores[q], those
             under the weights the run began with, in float64, which are used up; `last`: how ties are broken
    Source   Freund and Schapire 1999; the products of q with the rows give all scores, so no weights are kept
    """
    which, gains, loses, factors = updates
    as_weights = np.zeros(vector_size(queries))
    products = np.zeros(which.max() + 1 if len(which) else 0)
    for q in range(len(ballots)):
        as_weights[:] = 0
        add(queries, q, 1.0, as_weights)
        for i in range(len(products)):
            products[i] = given_score(rows, i, as_weights)
        for v in range(len(survived)):
            if v:
                change = factors[v - 1] * products[which[v - 1]]
                scores[q, gains[v - 1]] += change
                scores[q, loses[v - 1]] -= change
            ballots[q, best_other(scores[q], -1, last)] += survived[v]
