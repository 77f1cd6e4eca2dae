"""A linear program decided in integers: some rows cancel, or some weights separate them. It always ends in one.

Problem  find c >= 0 with Σ c_i = 1 and Σ c_i m_i = 0, by the first phase of the simplex method: what is missing in
         either direction costs 1, so the dual is to maximise t where m_i·w >= t and −1 <= w_j <= 1
Given    rows m_i of integers
Returns  c, scaled to integers; or, from the optimal dual, weights w with m_i·w > 0 for all i, and not by a hair
Source   integer pivoting (Edmonds 1967, Bareiss 1968): every entry is a minor of the matrix, and divisions are exact
It is slow and always right; a solver in floating point goes before it and leaves it the doubtful cases.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.proofs.clock import Clock

STALLED = 20  # pivots without progress after which Bland's rule, which cannot cycle, takes over


def cancel_or_separate(rows: np.ndarray, clock: Clock) -> tuple[str, list[int]]:
    """("cancel", c) or ("separate", w) for an object array of integer rows."""
    count, width = rows.shape
    tableau = _first_tableau(rows)
    columns = count + width  # those that may enter: the rows, and what is missing in the negative direction
    basis = [columns + k for k in range(width + 1)]
    last, since = 1, 0
    while True:
        clock.look()
        costs = tableau[-1, :columns]
        below = np.flatnonzero(costs < 0)
        if not len(below):
            break
        entering = int(below[0] if since > STALLED else below[int(np.argmin(costs[below]))])
        leaving = _leaving(tableau, entering, basis)
        objective = tableau[-1, -1]
        pivot = tableau[leaving, entering]
        kept = tableau[leaving].copy()
        tableau = (tableau * pivot - np.outer(tableau[:, entering], kept)) // last
        tableau[leaving] = kept
        since = 0 if tableau[-1, -1] * last != objective * pivot else since + 1
        last, basis[leaving] = pivot, entering
    if tableau[-1, -1] == 0:
        result = [0] * count
        for place, column in enumerate(basis):
            if column < count:
                result[column] = int(tableau[place, -1])
        return "cancel", result
    return "separate", [int(cost - last) for cost in tableau[-1, columns : columns + width]]


def _first_tableau(rows: np.ndarray) -> np.ndarray:
    """Constraints in lines, costs last. Columns: the rows, what is missing (−, then +), and the right side."""
    count, width = rows.shape
    columns = count + width
    tableau = np.full((width + 2, columns + width + 2), 0, object)
    tableau[:width, :count] = rows.T
    tableau[width, :count] = 1
    for k in range(width + 1):
        tableau[k, columns + k] = 1
        if k < width:
            tableau[k, count + k], tableau[-1, count + k] = -1, 2
    tableau[width, -1] = 1
    tableau[-1, :count] = -tableau[: width + 1, :count].sum(axis=0)
    tableau[-1, -1] = -1
    return tableau


def _leaving(tableau: np.ndarray, entering: int, basis: list[int]) -> int:
    """The line of the least ratio; among equals the lowest variable, as Bland's rule wants."""
    best = -1
    for line in range(len(basis)):
        if tableau[line, entering] <= 0:
            continue
        if best < 0:
            best = line
            continue
        mine = tableau[line, -1] * tableau[best, entering]
        least = tableau[best, -1] * tableau[line, entering]
        if mine < least or (mine == least and basis[line] < basis[best]):
            best = line
    return best
