"""Weights that come back in a fixed order: then the updates in between cancel, and no separator exists."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rosenblatt.learn.exact import rows_cancel
from rosenblatt.learn.problem import Problem

MOST_NAMED = 8  # rows of a cycle that are named
PLURAL = {"pass": "passes", "update": "updates"}


@dataclass(frozen=True)
class Cycle:
    """Updates that sum to zero exactly. By Gordan's theorem this proves that the rows cannot be separated."""

    passes: int  # length of the cycle
    rows: np.ndarray  # row numbers, ascending
    predicted: np.ndarray  # the class punished on each
    updates: np.ndarray  # how often each was updated on in one cycle
    amounts: np.ndarray  # how much one update on each counts
    unit: str = "pass"  # what its length counts

    def words(self, thing: str = "row", boundary: str = "boundary") -> str:
        """What the cycle is and which rows cancel, counted from 1."""
        length = f"one {self.unit}" if self.passes == 1 else f"{self.passes} {PLURAL[self.unit]}"
        return (
            f"the weights are back where they were {length} ago. The updates in between cancel exactly "
            f"({self._counted(thing)}), so the run would go round for ever and no {boundary} separates the {thing}s."
        )

    def _counted(self, thing: str) -> str:
        rows, places = np.unique(self.rows, return_inverse=True)
        counts = np.bincount(places, weights=self.updates).astype(int).tolist()
        more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
        names = (rows[:MOST_NAMED] + 1).tolist()
        if set(counts) == {1}:
            return f"one on each of the {thing}s {', '.join(map(str, names))}{more}"
        return ", ".join(f"{n} on {thing} {name}" for n, name in zip(counts, names, strict=False)) + more


class Watch:
    """Looks for weights that come back after a pass, by Brent's method: a copy is kept at passes 0, 1, 3, 7, ..."""

    def __init__(self, weights: np.ndarray):
        self.kept = weights.copy()
        self.since = 0
        self.patience = 1

    def after_pass(self, weights: np.ndarray) -> int:
        """After how many passes the weights are back where they were; 0 if they are not."""
        self.since += 1
        if np.array_equal(weights, self.kept):
            return self.since
        if self.since == self.patience:
            self.kept, self.since, self.patience = weights.copy(), 0, 2 * self.patience
        return 0


def prove_cycle(passes: int, rows: np.ndarray, rivals: np.ndarray, problem: Problem) -> Cycle | None:
    """The cycle that these updates of some passes make, or None if they do not cancel exactly.

    Floating point can repeat without a cycle (1 added to 1e17 is lost), so equal weights alone prove nothing.
    """
    keys, counts = np.unique(rows.astype(np.int64) * problem.n_classes + rivals, return_counts=True)
    rows, rivals = np.divmod(keys, problem.n_classes)
    truth, amounts = problem.truth[rows], problem.amounts[rows]
    multipliers = [count * Fraction(amount) for count, amount in zip(counts.tolist(), amounts.tolist(), strict=True)]
    parts = zip(rows.tolist(), truth.tolist(), rivals.tolist(), multipliers, strict=True)
    return Cycle(passes, rows, rivals, counts, amounts) if rows_cancel(problem.rows, parts) else None
