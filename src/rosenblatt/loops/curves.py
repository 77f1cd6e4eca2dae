"""The kernel perceptron over tiles: every training row keeps its scores, and only an update costs anything.

A row's scores are needed when it is visited. So a tile is brought up to date when a pass comes to it, by all updates
that were made since: each score is a sum over the updates in their order, whenever and by whichever thread it is added
up. Two classes have one line of scores, that of the second class; more have a line each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.loops.compile import loop, part
from rosenblatt.loops.kernels import to_values
from rosenblatt.loops.multiclass import best_other
from rosenblatt.loops.tiles import GROUP, TILE, keep, multiply


@part
def apply_update(scores, gains, loses, amount, values):
    """Adds amount * values to the line of the class rewarded, and takes it from that of the class punished."""
    if len(scores) == 1:
        signed, line = amount if gains == 1 else -amount, scores[0]
        for r in range(len(values)):
            line[r] += signed * values[r]
        return
    up, down = scores[gains], scores[loses]
    for r in range(len(values)):
        value = amount * values[r]
        up[r] += value
        down[r] -= value


@loop
def catch_up(tiles, tile, kernel, squares, other_squares, updates, scores):
    """scores[c, r] of a tile, brought up to date by the updates given, in their order.

    Given    squares: |x|² of the tile's rows; updates: arrays of the others, the classes rewarded and punished, and the
             amounts
    """
    which, gains, loses, amounts = updates
    products, base = np.empty((GROUP, len(squares))), np.empty(len(squares))
    for start in range(0, len(which), GROUP):
        some = which[start : start + GROUP]
        multiply(tiles, tile, some, products[: len(some)])
        for k in range(len(some)):
            u = start + k
            to_values(kernel, other_squares[some[k]], squares, products[k], base)
            apply_update(scores, gains[u], loses[u], amounts[u], products[k])


@part
def lead_of(scores, r, true, last):
    """How far the true class of row r of a tile leads, and its rival."""
    if len(scores) == 1:
        return (scores[0, r] if true == 1 else -scores[0, r]), 1 - true
    rival = best_other(scores[:, r], true, last)
    return scores[true, r] - scores[rival, r], rival


class Kept(NamedTuple):
    """The list of updates with room for more, and the rows that they are on, each once: the others of the tiles."""

    which: np.ndarray  # of each update, the other
    gains: np.ndarray  # the class rewarded
    loses: np.ndarray  # the class punished
    amounts: np.ndarray
    steps: np.ndarray  # its position in the pass
    squares: np.ndarray  # of each other, |x|²
    rows: np.ndarray  # and its number among the rows, in the order of the tiles
    counts: np.ndarray  # updates, others, and updates on rows that were wrong or tied


@loop
def visit_tile(tiles, tile, kernel, squares, visit, places, kept, scores):
    """Visits the rows of a tile whose scores are up to date, and brings its scores up to date with each update.

    Rule     the true class must lead by more than the bound; otherwise it is rewarded, and its rival punished
    Given    visit: the order of the rows, by their place in the tile; their classes, amounts, the rule, and where in
             the pass the tile begins; places: for each row its place among the others, or -1
    Updates  kept, which has room for one update and one other for each row, places and scores
    """
    order, truth, amounts, rule, start = visit
    products, base = np.empty((1, len(squares))), np.empty(len(squares))
    for position in range(len(order)):
        r = np.intp(order[position])
        true = np.intp(truth[r])
        lead, rival = lead_of(scores, r, true, rule.last)
        if lead > (rule.later if true > rival else rule.earlier):
            continue
        u = kept.counts[0]
        if places[r] < 0:
            places[r] = kept.counts[1]
            keep(tiles, tile, r, places[r])
            kept.squares[places[r]], kept.rows[places[r]] = squares[r], tile * TILE + r
            kept.counts[1] += 1
        kept.which[u], kept.gains[u], kept.loses[u] = places[r], true, rival
        kept.amounts[u], kept.steps[u] = amounts[r], start + position
        kept.counts[0] += 1
        kept.counts[2] += lead <= 0
        multiply(tiles, tile, kept.which[u : u + 1], products)
        to_values(kernel, squares[r], squares, products[0], base)
        apply_update(scores, true, rival, amounts[r], products[0])


@loop
def own_values(kernel, squares, values):
    """values[i] = the kernel of a row of length² squares[i] with itself."""
    base = np.empty(1)
    for i in range(len(squares)):
        values[i] = squares[i]
        to_values(kernel, squares[i], squares[i : i + 1], values[i : i + 1], base)


@loop
def lowest_lead(truth, scores):
    """The lowest lead of a true class in a tile."""
    lowest = np.inf
    for r in range(len(truth)):
        lead, _ = lead_of(scores, r, np.intp(truth[r]), False)
        lowest = min(lowest, lead)
    return lowest


@loop
def score_tile(tiles, tile, kernel, squares, other_squares, dual, scores):
    """scores[c, r] += dual[c, s] times the kernel of other s with row r, for every s in order."""
    products, base = np.empty((GROUP, len(squares))), np.empty(len(squares))
    for start in range(0, dual.shape[1], GROUP):
        some = np.arange(start, min(start + GROUP, dual.shape[1]))
        multiply(tiles, tile, some, products[: len(some)])
        for k in range(len(some)):
            s = start + k
            values = products[k]
            to_values(kernel, other_squares[s], squares, values, base)
            for c in range(len(scores)):
                factor, line = dual[c, s], scores[c]
                if factor != 0:
                    for r in range(len(values)):
                        line[r] += factor * values[r]


@loop
def value_tile(tiles, tile, kernel, squares, other_squares, values):
    """values[s, r] = the kernel of other s with row r of the tile."""
    base = np.empty(len(squares))
    for start in range(0, len(values), GROUP):
        some = np.arange(start, min(start + GROUP, len(values)))
        multiply(tiles, tile, some, values[start : start + GROUP])
        for s in some:
            to_values(kernel, other_squares[s], squares, values[s], base)


@loop
def vote_tile(values, updates, survived, tie, ballots):
    """ballots[c, r] += the votes of every state of a run on row r of a tile; with one line, for less against.

    Given    values[s, r]: the kernel of each other with each row; survived[v]: rows visited while state v lasted, of
             which the first has all scores 0; `tie`: the sign of a score of 0, above 0 where the last class wins ties
    Source   Freund and Schapire 1999
    """
    which, gains, loses, amounts = updates
    scores = np.zeros(len(ballots))
    for r in range(ballots.shape[1]):
        scores[:] = 0.0
        for v in range(len(survived)):
            if v:
                value = amounts[v - 1] * values[which[v - 1], r]
                if len(scores) == 1:
                    scores[0] += value if gains[v - 1] == 1 else -value
                else:
                    scores[gains[v - 1]] += value
                    scores[loses[v - 1]] -= value
            if len(scores) == 1:
                s = scores[0]
                ballots[0, r] += survived[v] * (1 if s > 0 else -1 if s < 0 else tie)
            else:
                ballots[best_other(scores, -1, tie > 0), r] += survived[v]
