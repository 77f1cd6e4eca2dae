"""Fewer support rows with the same accuracy on rows that were not learned from."""

from __future__ import annotations

import numpy as np

from rosenblatt.learn.decide import Decision
from rosenblatt.learn.kernel.support import Support
from rosenblatt.loops.curves import own_values
from rosenblatt.loops.rows import Rows

SIZES = 32  # how many numbers of rows are tried


def prune(support: Support, dual: np.ndarray, rows: Rows, truth: np.ndarray, decision: Decision) -> np.ndarray:
    """The places of the support rows to keep, ascending: as few as were tried that get as many rows right as all.

    No larger number that was tried gets fewer rows right: a small one may be as good by luck.
    """
    order = by_weight(support, dual)
    sizes = np.unique(np.linspace(0, len(order), SIZES + 1).astype(int)[1:])
    total = np.zeros((len(truth), len(dual)))
    right: list[int] = []
    start = 0
    for size in sizes.tolist():
        some = order[start:size]
        found = support.only(some).scores(rows, np.ascontiguousarray(dual[:, some]))
        total += found.reshape(len(truth), -1)
        scores = total[:, 0] if len(dual) == 1 else total
        right.append(int(np.count_nonzero(decision.decide(scores) == truth)))
        start = size
    worse = [place for place, count in enumerate(right) if count < right[-1]]
    return np.sort(order[: sizes[worse[-1] + 1 if worse else 0]])


def by_weight(support: Support, dual: np.ndarray) -> np.ndarray:
    """The places of the support rows by what they can add to a score, the most first.

    That is the size of their coefficients times the length of the row in feature space.
    """
    own = np.empty(len(support.squares))
    own_values(support.kernel, support.squares, own)
    return np.argsort(-np.abs(dual).sum(axis=0) * np.sqrt(own), kind="stable")
