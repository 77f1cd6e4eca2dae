"""Weights that come back in a fixed order: then the updates in between cancel, and no separator exists."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rosenblatt.learn.exact import rows_cancel
from rosenblatt.learn.notes import Notes
from rosenblatt.learn.problem import Problem


@dataclass(frozen=True)
class Cycle:
    """Updates that sum to zero exactly. By Gordan's theorem this proves that the rows cannot be separated."""

    passes: int  # length of the cycle
    rows: np.ndarray  # row numbers, ascending
    predicted: np.ndarray  # the class punished on each
    updates: np.ndarray  # how often each was updated on in one cycle
    amounts: np.ndarray  # how much one update on each counts


class Watch:
    """Looks for weights that come back after a pass, by Brent's method: a copy is kept at passes 0, 1, 3, 7, ...

    Floating point can repeat without a cycle (1 added to 1e17 is lost), so a repetition counts only if the updates
    cancel in exact arithmetic. If they do not, the watch ends: every later repetition would be the same one.
    """

    def __init__(self, weights: np.ndarray, n_classes: int):
        self.kept = weights.copy()
        self.patience = 1
        self.ended = False
        self.since = Tally(n_classes)

    def after_pass(self, weights: np.ndarray, notes: Notes, problem: Problem) -> Cycle | None:
        """The cycle that this pass closes, if it does."""
        if self.ended:
            return None
        self.since.add(notes)
        if np.array_equal(weights, self.kept):
            cycle = _prove(self.since, problem)
            self.ended = cycle is None
            return cycle
        if self.since.passes == self.patience:
            self.kept = weights.copy()
            self.patience *= 2
            self.since = Tally(self.since.n_classes)
        return None


class Tally:
    """How often each row was updated on against each class, in memory that does not grow with the passes."""

    def __init__(self, n_classes: int):
        self.n_classes = n_classes
        self.passes = 0
        self.keys = np.empty(0, np.int64)
        self.counts = np.empty(0, np.int64)
        self.pending: list[np.ndarray] = []

    def add(self, notes: Notes) -> None:
        self.passes += 1
        self.pending.append(notes.rows.astype(np.int64) * self.n_classes + notes.rivals)
        if sum(map(len, self.pending)) > 2 * len(self.keys) + 100_000:
            self._merge()

    def _merge(self) -> None:
        keys = np.concatenate([self.keys, *self.pending])
        weights = np.concatenate([self.counts, *(np.ones(len(each), np.int64) for each in self.pending)])
        self.keys, places = np.unique(keys, return_inverse=True)
        self.counts = np.bincount(places, weights, len(self.keys)).astype(np.int64)
        self.pending = []

    def totals(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, classes punished, and counts."""
        self._merge()
        rows, rivals = np.divmod(self.keys, self.n_classes)
        return rows, rivals, self.counts


def _prove(tally: Tally, problem: Problem) -> Cycle | None:
    rows, rivals, counts = tally.totals()
    truth, amounts = problem.truth[rows], problem.amounts[rows]
    multipliers = [count * Fraction(amount) for count, amount in zip(counts.tolist(), amounts.tolist(), strict=True)]
    parts = zip(rows.tolist(), truth.tolist(), rivals.tolist(), multipliers, strict=True)
    if not len(rows) or not rows_cancel(problem.rows, parts):
        return None
    return Cycle(tally.passes, rows, rivals, counts, amounts)
