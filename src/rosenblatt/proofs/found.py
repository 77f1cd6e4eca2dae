"""From proposals to verdicts: weights that separate, rows that cancel, rows that bound the margin.

Whoever proposes is not believed. What comes back is rounded so that it is proved, or is None.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.proofs.exact import (
    FEW_ROWS,
    Leads,
    Separator,
    distance_up,
    float_leads,
    radius_up,
    root_down,
    signed_sum,
    unclear_pairs,
)
from rosenblatt.proofs.question import Question
from rosenblatt.proofs.verdicts import Inseparable, Separable, Undecided, pair_squares

Pair = tuple[int, int]  # a row and another class than its own
LESS = 1 - Fraction(1, 2**40)  # so that rows proved by the filter stay clear when the statement is checked
FEW_NUMBERS = 20_000  # of rows asked in integers to round a margin less: about a tenth of a second


def separable(
    question: Question, weights: np.ndarray, found_by: str = "", mistakes: int | None = None
) -> Separable | None:
    """The verdict for weights by class, the constant feature last, or None where they do not separate every row."""
    separator = Separator.of(weights)
    leads = float_leads(question, separator.floats())
    exact = _exact_leads(question, separator, leads)
    if exact is None:
        return None
    rest = [lead * LESS for lead in _finite(leads.low.min())]
    least = min([*exact.values(), *rest])
    squares = pair_squares(separator, question.n_classes)
    distances = [lead * lead / squares[int(question.truth[row]), other] for (row, other), lead in exact.items()]
    gap_square = min([*distances, *_clear_distances(question, squares, leads)])
    margin = root_down(least * least / separator.square)
    radius = radius_up(question)
    bound = int(Fraction(radius) ** 2 * separator.square / (least * least))
    shown = _bias_first(weights, question)
    gap = root_down(4 * gap_square)
    return Separable(question.mark, shown, margin, gap, radius, bound, found_by, mistakes, question)


def inseparable(question: Question, rows: Any, others: Any, multipliers: Any, found_by: str = "") -> Inseparable | None:
    """The verdict for multiples of signed rows, or None where they do not sum to zero."""
    parts = [tuple(int(v) for v in part) for part in (rows, others, multipliers)]
    if not parts[0] or min(parts[2]) <= 0 or signed_sum(question, *parts):
        return None
    order = sorted(range(len(parts[0])), key=lambda k: (parts[0][k], parts[1][k]))
    rows, others, multipliers = (tuple(part[k] for k in order) for part in parts)
    return Inseparable(question.mark, rows, others, multipliers, found_by)


def undecided(question: Question, rows: Any, others: Any, multipliers: Any) -> Undecided:
    """The verdict that the best margin is at most what these multiples of signed rows prove."""
    rows, others, multipliers = (tuple(int(v) for v in part) for part in (rows, others, multipliers))
    high = distance_up(question, rows, others, multipliers)
    return Undecided(question.mark, rows, others, multipliers, high)


def _bias_first(weights: np.ndarray, question: Question) -> np.ndarray:
    return np.roll(weights, 1, axis=-1) if question.bias else weights[..., :-1].copy()


def _finite(value: Any) -> list[Fraction]:
    return [Fraction(float(value))] if np.isfinite(value) else []


def _exact_leads(question: Question, separator: Separator, leads: Leads) -> dict[Pair, Fraction] | None:
    """The leads that floats leave open, and those that may be below the least of them; None where one is not positive.

    What becomes known here is settled in `leads`.
    """
    exact: dict[Pair, Fraction] = {}
    for ask in (_open, _perhaps_lower):
        for row, other in ask(question, leads, exact):
            exact[row, other] = separator.lead(question, row, other)
            if exact[row, other] <= 0:
                return None
            place = row, 0 if question.n_classes == 2 else other
            leads.low[place], leads.clear[place] = np.inf, True
    return exact


def _open(question: Question, leads: Leads, exact: dict[Pair, Fraction]) -> list[Pair]:
    """The pairs that the filter did not settle; where it settled all, the one of the lowest lead."""
    if found := unclear_pairs(question, leads):
        return found
    row, other = np.unravel_index(int(np.argmin(leads.low)), leads.low.shape)
    return [(int(row), int(1 - question.truth[row] if question.n_classes == 2 else other))]


def _perhaps_lower(question: Question, leads: Leads, exact: dict[Pair, Fraction]) -> list[Pair]:
    """The pairs whose lead may be below the least known, if they are few: asked exactly, they round nothing off."""
    found = unclear_pairs(question, leads, float(min(exact.values())))
    return found if len(found) <= max(FEW_ROWS, FEW_NUMBERS // question.width) else []


def _clear_distances(question: Question, squares: dict[tuple[int, int], Fraction], leads: Leads) -> list[Fraction]:
    """For each pair of classes the least squared distance to their boundary that the filter has proved."""
    found = []
    for (true, other), square in squares.items():
        column = 0 if question.n_classes == 2 else other
        for lead in _finite(np.min(leads.low[question.truth == true, column], initial=np.inf)):
            found.append(lead * lead * LESS / square)
    return found
