"""A perceptron that was trained: weights, and the scores they give."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.features import Plan
from rosenblatt.learn.bounds import check_scores
from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.explain import Explanation, explain
from rosenblatt.loops.rows import Dense, Rows
from rosenblatt.model.learner import Learner


@dataclass(frozen=True, eq=False)
class Linear(Learner):
    """Weights by class: (d + 1,) for two classes, (K, d + 1) for more; the constant's weight comes last."""

    weights: np.ndarray
    kind: ClassVar[str] = "linear"
    family: ClassVar[str] = "perceptron"
    grows: ClassVar[bool] = True

    def rows(self, plan: Plan, table: Table, encoded: Rows | None = None) -> Rows:
        return plan.encode(table).rows if encoded is None else encoded

    def scores(self, rows: Rows) -> np.ndarray:
        """The score of the second class for each row; with more than two classes, one for each class."""
        weights = self.weights if self.weights.ndim == 1 or isinstance(rows, Dense) else self._by_feature
        return check_scores(rows, score_rows(rows, weights))

    @cached_property
    def _by_feature(self) -> np.ndarray:
        """The weights of many classes as sparse rows read them; turning 20 MB takes longer than a message does."""
        return np.asfortranarray(self.weights)

    def explain(self, rows: Rows, plan: Plan, table: Table, classes: tuple[str, ...], predicted: str) -> Explanation:
        """What every feature of the single row adds to the score of every class."""
        found = explain(rows, self.weights, self.scores(rows), plan.names, classes, predicted)
        spans = plan.together(table)
        return found.gathered(spans) if spans else found

    def heaviest(self, plan: Plan, classes: tuple[str, ...], count: int) -> dict[str, list[tuple[str, float]]]:
        """For each class what speaks for it most, of a curve its highest point; for the first of two it is negative."""
        names, lines, curves = plan.worth(self.weights[..., :-1])
        if lines.ndim == 1:
            return {name: _top(names, lines, sign, curves, count) for name, sign in zip(classes, (-1, 1), strict=True)}
        return {name: _top(names, line, 1, curves, count) for name, line in zip(classes, lines, strict=True)}


def _top(names: list[str], weights: np.ndarray, sign: int, curves: list[slice], n: int) -> list[tuple[str, float]]:
    """Name and weight of those that are highest above 0 by this sign, the first in order among equals."""
    rank = sign * weights
    for curve in curves:
        rank[curve] = np.where(np.arange(len(rank[curve])) == rank[curve].argmax(), rank[curve], -np.inf)
    least = np.partition(rank, -min(n, len(rank)))[-min(n, len(rank))] if len(rank) and n else np.inf
    some = np.flatnonzero(rank >= max(least, np.nextafter(0, 1)))
    order = some[np.argsort(-rank[some], kind="stable")][:n]
    return [(names[j], float(weights[j])) for j in order]
