"""The passive-aggressive rules: a step as long as the row needs to lead by 1, and no longer than C allows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.loops.compile import fused_loop, part
from rosenblatt.loops.matrix import add_pair, class_count, score_all
from rosenblatt.loops.multiclass import best_other
from rosenblatt.loops.prefetch import far, hint, hint_weights, rows_ahead
from rosenblatt.loops.vector import add, score


class Hinge(NamedTuple):
    """What bounds a step: PA-I has a cap of C and no softness, PA-II a softness of 1/(2C) and no cap."""

    cap: float
    soft: float


@part
def length_of_step(hinge, loss, square, amount):
    """min(cap * amount, loss / (square + soft / amount)); 0 for a row of zeros, which no step can help."""
    return min(hinge.cap * amount, loss / (square + hinge.soft / amount)) if square > 0 else 0.0


@fused_loop
def binary_hinge_pass(rows, given, order, hinge, w, noted, made):
    """One pass of a passive-aggressive rule over `order`; returns how many updates and how many of them were mistakes.

    Rule     loss = 1 - y * (w . f(x[i])); where loss > 0: w += step * y * f(x[i]); a mistake where the lead is <= 0
    Given    rows in any storage; given: truth, amounts (factors on C) and |f(x)|², one of each per row
    Updates  w, and the fronts of `noted` and `made` with the positions in `order` and the lengths of the steps
    Source   Crammer, Dekel, Keshet, Shalev-Shwartz, Singer 2006
    """
    truth, amounts, squares = given
    ahead = rows_ahead(rows)
    updates = mistakes = 0
    for step in range(len(order)):
        if step + 2 * ahead < len(order) and order[step + 2 * ahead] != order[step + ahead] + ahead:
            hint(rows, truth, amounts, np.intp(order[step + ahead]), np.intp(order[step + 2 * ahead]))
        i = np.intp(order[step])
        y = 2.0 * truth[i] - 1.0
        lead = np.float64(y * score(rows, i, w))
        if lead < 1.0:
            length = length_of_step(hinge, 1.0 - lead, squares[i], amounts[i])
            if length > 0:
                add(rows, i, y * length, w)
                noted[updates] = step
                made[updates] = length
                updates += 1
                mistakes += lead <= 0
    return updates, mistakes


@fused_loop
def multiclass_hinge_pass(rows, given, order, hinge, weights, noted, rivals, made):
    """The same for more classes: the lead is that over the best other class, and the signed row has twice the length².

    Updates  weights, and the fronts of `noted`, `rivals` (the classes punished) and `made`
    """
    truth, amounts, squares = given
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
            length = length_of_step(hinge, 1.0 - lead, 2.0 * squares[i], amounts[i])
            if length > 0:
                add_pair(rows, i, length, true, rival, weights)
                noted[updates] = step
                rivals[updates] = rival
                made[updates] = length
                updates += 1
                mistakes += lead <= 0
    return updates, mistakes
