"""A perceptron that was trained: weights, and the scores they give."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from rosenblatt.features import Plan
from rosenblatt.learn.bounds import check_scores
from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.run import Run
from rosenblatt.loops.rows import Dense, Rows
from rosenblatt.model.formula import Formula
from rosenblatt.model.kept_rows import KeptRows, check_shares, check_weights
from rosenblatt.model.learner import Learner
from rosenblatt.model.training import Training


@dataclass(frozen=True, eq=False)
class Linear(Learner):
    """Weights by class: (d + 1,) for two classes, (K, d + 1) for more; the constant's weight comes last."""

    weights: np.ndarray
    variances: np.ndarray | None = None  # beside each weight, of a rule that keeps them
    kind: ClassVar[str] = "linear"
    family: ClassVar[str] = "perceptron"
    grows: ClassVar[bool] = True

    def scores(self, rows: Rows) -> np.ndarray:
        weights = self.weights if self.weights.ndim == 1 or isinstance(rows, Dense) else self._by_feature
        return check_scores(rows, score_rows(rows, weights))

    def formula(self, plan: Plan) -> Formula:
        lines = np.atleast_2d(self.weights).astype(np.float64)
        unit = plan.unit if plan.units is None else "none"  # what units read is scaled, and units are not
        return Formula(lines[:, :-1], lines[:, -1], plan.names, plan.terms(), unit)

    def narrowed(self, kept: np.ndarray) -> Linear:
        some = np.append(kept, True)  # the constant stays; weights are rounded, so that their file is half as large
        variances = None if self.variances is None else np.ascontiguousarray(self.variances[..., some])
        return Linear(np.ascontiguousarray(self.weights[..., some].astype(np.float32), np.float64), variances)

    def facts(self, plan: Plan) -> dict[str, Any]:
        return {"kind": "linear"}

    def check_run(self, run: Run, kept: KeptRows, training: Training, problem: Problem) -> None:
        """The weights, what is beside them and the shares of rows must follow from the run."""
        check_shares(run, kept, training, problem)
        check_weights(run, training, self.weights, self.variances)

    @cached_property
    def _by_feature(self) -> np.ndarray:
        """The weights of many classes as sparse rows read them; turning 20 MB takes longer than a message does."""
        return np.asfortranarray(self.weights)
