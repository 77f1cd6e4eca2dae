"""The cheapest proof: two equal rows with different labels, or a row of zeros where there is no constant feature."""

from __future__ import annotations

import numpy as np

from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.exact import features
from rosenblatt.loops.rows import n_features
from rosenblatt.proofs.found import inseparable
from rosenblatt.proofs.question import Question
from rosenblatt.proofs.verdicts import Inseparable


def find_twins(question: Question) -> Inseparable | None:
    """The proof by one zero row or by two equal rows of different classes, if there are such rows.

    Equal rows have equal scores under any weights, to the bit, because the loops do the same sums. So scores under
    odd weights, sorted, bring them together; whether rows of equal score are equal is then asked of their values.
    """
    empty = np.flatnonzero(question.problem.squares == 0)
    for row in empty[:1].tolist():
        found = inseparable(question, [row], [_any_other(question, row)], [1], "a row of zeros")
        if found is not None:  # squares may underflow to 0
            return found
    weights = np.sqrt(np.arange(2, n_features(question.rows) + 3)) % 1.0
    scores = score_rows(question.rows, weights)
    order = np.argsort(scores)
    ordered, classes = scores[order], question.truth[order]
    for place in np.flatnonzero((ordered[1:] == ordered[:-1]) & (classes[1:] != classes[:-1])).tolist():
        first, last = np.searchsorted(ordered, ordered[place]), np.searchsorted(ordered, ordered[place], "right")
        found = _among(question, order[first:last])
        if found is not None:
            return found
    return None


def _among(question: Question, members: np.ndarray) -> Inseparable | None:
    seen: dict[tuple[bytes, bytes], int] = {}
    for row in members.tolist():
        columns, values = features(question.rows, row)
        there = values != 0
        twin = seen.setdefault((columns[there].tobytes(), values[there].tobytes()), row)
        if question.truth[twin] != question.truth[row]:
            others = [question.truth[row], question.truth[twin]]
            return inseparable(question, [twin, row], others, [1, 1], "equal rows")
    return None


def _any_other(question: Question, row: int) -> int:
    return 0 if question.truth[row] else 1
