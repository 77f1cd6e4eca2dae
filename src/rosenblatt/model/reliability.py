"""How far probabilities can be believed, and how often sets hold the true class, on labelled rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.learn.decide import Decision

BINS = 15
LEAST = float(np.finfo(np.float64).eps)  # of a probability in a logarithm, as scikit-learn's log_loss has it
COVERAGE = 0.95  # of sets, where none is asked for


@dataclass(frozen=True)
class Reliability:
    """What the probabilities of labelled rows were worth."""

    log_loss: float  # mean of -log P(true class)
    brier: float  # mean square of P(second class) - truth; of more classes summed over them
    error: float  # of the predicted class: how far its probability is from the share right, over bins of as many rows
    bins: list[tuple[float, float, int]]  # mean probability of the predicted class, share right, rows; the lowest first
    rows: int

    @classmethod
    def of(cls, probabilities: np.ndarray, predicted: np.ndarray, truth: np.ndarray) -> Reliability | None:
        """Of rows whose classes are given by number; None where there are no rows."""
        n = len(truth)
        if not n:
            return None
        each = np.arange(n)
        own = probabilities[each, truth]
        loss = float(np.mean(-np.log(np.clip(own, LEAST, 1.0))))
        if probabilities.shape[1] == 2:
            brier = float(np.mean(np.square(probabilities[:, 1] - truth)))
        else:
            brier = float(np.mean(np.square(probabilities).sum(axis=1) - 2 * own + 1))
        bins = _bins(probabilities[each, predicted], predicted == truth)
        error = sum(abs(claimed - right) * rows for claimed, right, rows in bins) / n
        return cls(loss, brier, error, bins, n)


@dataclass(frozen=True)
class Coverage:
    """How often sets of classes hold the true one, and how large they are."""

    asked: float
    covered: float  # the share of rows whose set holds the true class
    per_class: list[tuple[int, int]]  # rows of each class whose set holds it, and all its rows
    empty: float
    single: float
    larger: float

    @classmethod
    def of(cls, members: np.ndarray, truth: np.ndarray, asked: float) -> Coverage | None:
        """members    for each row and class whether the class is in the row's set"""
        n = len(truth)
        if not n:
            return None
        held, sizes = members[np.arange(n), truth], members.sum(axis=1)
        per_class = [(int(held[truth == c].sum()), int((truth == c).sum())) for c in range(members.shape[1])]
        shares = (float(np.mean(sizes == 0)), float(np.mean(sizes == 1)), float(np.mean(sizes > 1)))
        return cls(asked, float(held.mean()), per_class, *shares)


def believed(decision: Decision, scores: np.ndarray, truth: np.ndarray) -> dict[str, Any]:
    """What probabilities and sets are worth on rows with these scores, as fields of an Evaluation; {} without any."""
    if decision.calibration is None:
        return {}
    reliability = Reliability.of(decision.probabilities(scores), decision.decide(scores), truth)
    if decision.calibration.ranks is None:
        return {"reliability": reliability}
    return {"reliability": reliability, "coverage": Coverage.of(decision.sets(scores, COVERAGE), truth, COVERAGE)}


def _bins(claimed: np.ndarray, right: np.ndarray) -> list[tuple[float, float, int]]:
    """At most BINS bins of as many rows each, by rising probability."""
    order = np.argsort(claimed, kind="stable")
    parts = np.array_split(order, min(BINS, len(order)))
    return [(float(claimed[part].mean()), float(right[part].mean()), len(part)) for part in parts]
