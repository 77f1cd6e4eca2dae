"""The training rows that a recorded model keeps: those that its run was updated on.

Everything a perceptron knows is its updates, so the weights of class c are the sum over the rows it was updated on of
shares[row, c] · f(row). A score is therefore a sum over training rows too: shares[row, c] · f(row)·f(x). A rule whose
updates are no multiples of rows has no such shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.run import Run
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.rows import Rows, n_features
from rosenblatt.loops.vector import add
from rosenblatt.model.training import Training


class Behind(NamedTuple):
    """A training row, and what it adds to a score."""

    origin: str
    label: str
    shown: str
    part: float


@dataclass(frozen=True, eq=False)
class KeptRows:
    """The rows that were updated on, encoded and as a person reads them, and the list of the updates."""

    rows: Rows
    shares: np.ndarray | None  # (rows,) for two classes, above 0 towards the second; (rows, classes) for more
    labels: np.ndarray  # numbers of their classes
    origins: tuple[str, ...]
    shown: tuple[str, ...]
    training: Training | None = None  # the updates in their order; files of format 1 do not have it

    def weights(self) -> np.ndarray:
        """The weights by class, put together again from the rows."""
        shares = self._by_class()
        total = np.zeros((shares.shape[1], n_features(self.rows) + 1))
        for i in range(len(shares)):
            values = np.zeros(total.shape[1])
            add(self.rows, i, 1.0, values)
            total += np.outer(shares[i], values)
        return total[0] if len(total) == 1 else total

    def behind(self, row: Rows, line: int, classes: tuple[str, ...], count: int) -> list[Behind]:
        """The training rows that add most to the score of a class for the single row, the largest part first."""
        values, shares = np.zeros(n_features(row) + 1), self._by_class()
        add(row, 0, 1.0, values)
        parts = shares[:, line if shares.shape[1] > 1 else 0] * score_rows(self.rows, values)
        return largest(parts, self.labels, self.origins, self.shown, classes, count)

    def _by_class(self) -> np.ndarray:
        """The shares as (rows, classes), one for two classes; SettingError where rows have none."""
        if self.shares is None:
            raise SettingError("its updates are no multiples of training rows, so that no row has a part of a score.")
        return self.shares[:, np.newaxis] if self.shares.ndim == 1 else self.shares


def largest(
    parts: np.ndarray,
    labels: np.ndarray,
    origins: tuple[str, ...],
    shown: tuple[str, ...],
    classes: tuple[str, ...],
    count: int,
) -> list[Behind]:
    """The rows with the largest parts of a score, those first."""
    order = np.argsort(-np.abs(parts), kind="stable")[:count].tolist()
    return [Behind(origins[i], classes[labels[i]], shown[i], float(parts[i])) for i in order if parts[i]]


def shares_of(run: Run, problem: Problem, variant: str) -> tuple[np.ndarray, np.ndarray | None]:
    """The rows that a recorded run was updated on, ascending, and how much of each is in the weights of each class.

    In the average an update counts for the share of the run that came after it.
    """
    made = run.recording
    factors = made.amounts * VARIANTS[variant].shares(made.steps, run.steps)
    used, shares = made.shares(problem.truth, problem.n_classes, factors)
    return used, shares if RULES[run.settings.rule].multiples else None


def check_shares(run: Run, kept: KeptRows, training: Training, problem: Problem) -> None:
    """DataError unless the shares of the rows follow from the run."""
    used, shares = shares_of(run, problem, training.settings.weights)
    same = shares is kept.shares if shares is None or kept.shares is None else np.array_equal(shares, kept.shares)
    if not same or not np.array_equal(used, training.numbers):
        raise DataError("the shares of the training rows that the model keeps do not follow from its updates.")


def check_weights(run: Run, training: Training, weights: np.ndarray, variances: np.ndarray | None) -> None:
    """DataError unless the weights, and what is beside them, follow from the run."""
    variant = training.settings.weights
    if not _follows(weights, run.weights_of(variant).astype(np.float64)):
        raise DataError(f"the weights that the model decides by are not the {variant} ones that its updates give.")
    if run.kept is not None and not _follows(variances, run.kept):
        raise DataError("the variances beside the weights of the model are not those that its updates give.")


def _follows(learned: np.ndarray | None, made: np.ndarray) -> bool:
    """Whether they are the same; large models are rounded to 32 bits before they see a test row, variances in files."""
    return learned is not None and any(np.array_equal(each, learned) for each in (made, made.astype(np.float32)))
