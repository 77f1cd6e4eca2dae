"""The training rows that a perceptron's weights are made of.

Everything a perceptron knows is its updates, so the weights of class c are the sum over the rows it was updated on of
amounts[row, c] · f(row). A score is therefore a sum over training rows too: amounts[row, c] · f(row)·f(x).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.run import Run
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.rows import Rows, n_features
from rosenblatt.loops.vector import add
from rosenblatt.model.history import History


class Behind(NamedTuple):
    """A training row, and what it adds to a score."""

    origin: str
    label: str
    shown: str
    part: float


@dataclass(frozen=True, eq=False)
class Record:
    """The rows that were updated on, encoded and as a person reads them."""

    rows: Rows
    amounts: np.ndarray  # (rows,) for two classes, above 0 towards the second; (rows, classes) for more
    labels: np.ndarray  # numbers of their classes
    origins: tuple[str, ...]
    shown: tuple[str, ...]
    history: History | None = None  # the updates in their order; files of format 1 do not have it

    def weights(self) -> np.ndarray:
        """The weights by class, put together again from the rows."""
        amounts = self.amounts[:, np.newaxis] if self.amounts.ndim == 1 else self.amounts
        total = np.zeros((amounts.shape[1], n_features(self.rows) + 1))
        for i in range(len(amounts)):
            values = np.zeros(total.shape[1])
            add(self.rows, i, 1.0, values)
            total += np.outer(amounts[i], values)
        return total[0] if self.amounts.ndim == 1 else total

    def behind(self, row: Rows, line: int, classes: tuple[str, ...], count: int) -> list[Behind]:
        """The training rows that add most to the score of a class for the single row, the largest part first."""
        values = np.zeros(n_features(row) + 1)
        add(row, 0, 1.0, values)
        amounts = self.amounts if self.amounts.ndim == 1 else self.amounts[:, line]
        parts = amounts * score_rows(self.rows, values)
        order = np.argsort(-np.abs(parts), kind="stable")[:count]
        names = [classes[self.labels[i]] for i in order]
        found = zip(order, names, strict=True)
        return [Behind(self.origins[i], name, self.shown[i], float(parts[i])) for i, name in found if parts[i]]


def amounts_of(run: Run, problem: Problem, variant: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows that a recorded run was updated on, ascending, and how much of each is in the weights of each class.

    In the average an update counts for the share of the run that came after it.
    """
    rows = np.concatenate([each.rows for each in run.notes]).astype(np.int64)
    rivals = np.concatenate([each.rivals for each in run.notes])
    late = np.concatenate([each.before + each.steps for each in run.notes])
    factors = np.concatenate([each.amounts for each in run.notes])
    factors = factors * VARIANTS[variant].shares(late, run.steps)
    used, places = np.unique(rows, return_inverse=True)
    if problem.n_classes == 2:
        signed = np.where(rivals == 0, factors, -factors)
        return used, np.bincount(places, signed, len(used))
    amounts = np.zeros((len(used), problem.n_classes))
    np.add.at(amounts, (places, problem.truth[rows]), factors)
    np.add.at(amounts, (places, rivals), -factors)
    return used, amounts
