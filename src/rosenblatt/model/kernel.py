"""A kernel perceptron that was trained: the training rows that it was updated on, and what they count."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Plan
from rosenblatt.learn.kernel.run import KernelRun
from rosenblatt.learn.kernel.support import Support
from rosenblatt.learn.problem import Problem
from rosenblatt.loops.kernels import KERNELS
from rosenblatt.loops.rows import Rows, n_bytes, n_features, n_rows
from rosenblatt.loops.vector import add
from rosenblatt.model.formula import Formula, RowTerms
from rosenblatt.model.kept_rows import Behind, KeptRows, largest
from rosenblatt.model.learner import KeptRow, Learner, Pulls
from rosenblatt.model.training import Training

MOST_BYTES = 500_000_000  # of the rows that a file holds


@dataclass(frozen=True, eq=False)
class Curved(Learner):
    """Support rows in the order of their first update; each adds its kernel with a row, times dual, to the scores."""

    support: Support
    dual: np.ndarray  # (1, rows) for two classes, above 0 towards the second; (classes, rows) for more
    labels: np.ndarray  # numbers of the rows' classes
    origins: tuple[str, ...] = field(repr=False)  # where the rows came from
    shown: tuple[str, ...] = field(repr=False)  # and how a person reads them
    final: np.ndarray | None = None  # what the whole list counts, which is what separates training rows; None: unknown
    kind: ClassVar[str] = "kernel"
    family: ClassVar[str] = "kernel"
    format: ClassVar[int] = 6
    holds_rows: ClassVar[bool] = True
    separates: ClassVar[bool] = True

    def __post_init__(self) -> None:
        size = n_bytes(self.support.rows)
        if size > MOST_BYTES:
            raise SettingError(
                f"the model would hold {len(self.labels):,} training rows, {size / 1e6:,.0f} MB; at most "
                f"{MOST_BYTES / 1e6:,.0f} MB are kept. Learn from fewer rows, or use model perceptron."
            )

    def kept_rows(self, training: Training | None) -> KeptRows:
        return KeptRows(self.support.rows, None, self.labels, self.origins, self.shown, training)

    def run_over(self, training: Training, problem: Problem, rows: np.ndarray) -> KernelRun:
        return training.curve_over(self.support.kernel, problem, rows)

    def check_run(self, run: KernelRun, kept: KeptRows, training: Training, problem: Problem) -> None:
        if not np.array_equal(run.numbers, training.numbers):
            raise DataError("the support rows of the model are not in the order of their first updates.")
        for counts, name in ((self.dual, training.settings.weights), (self.final, "final")):
            if counts is None or not np.array_equal(run.dual(name), counts):
                raise DataError(f"what the support rows of the model count is not what its updates give ({name}).")

    def behind(self, row: Rows, line: int, classes: tuple[str, ...], count: int) -> list[Behind]:
        """The support rows that add most to the score of a class for the single row, the largest part first."""
        dual = self.dual[line if len(self.dual) > 1 else 0]
        parts = dual * self.support.values(row._replace(bias=0.0))[:, 0]
        return largest(parts, self.labels, self.origins, self.shown, classes, count)

    @property
    def kept(self) -> str:
        return f"curve    made of training rows: CONTAINS {n_rows(self.support.rows):,} TRAINING ROWS, as features"

    def scores(self, rows: Rows) -> np.ndarray:
        """The score of the second class for each row; with more than two classes, one for each class."""
        return self.support.scores(rows._replace(bias=0.0), self.dual)

    def formula(self, plan: Plan) -> Formula:
        terms = RowTerms(self.support, self.labels, self.origins, self.shown)
        return Formula(self.dual, np.zeros(len(self.dual)), (), (), rows=terms)

    def facts(self, plan: Plan) -> dict[str, Any]:
        kernel = self.support.kernel
        chosen = {"kernel": KERNELS[kernel.kind], "degree": kernel.degree, "gamma": kernel.gamma, "coef0": kernel.coef0}
        return {"kind": "kernel", **chosen, "training_rows": n_rows(self.support.rows)}

    def rows_that_count(self, most: int) -> list[KeptRow]:
        every, found = np.arange(len(self.labels)), list[KeptRow]()
        two = len(self.dual) == 1
        towards = np.where(self.labels == 1, 1, -1) * self.dual[0] if two else self.dual[self.labels, every]
        for label in np.unique(self.labels).tolist():
            own = np.flatnonzero(self.labels == label)
            best = own[np.argsort(-towards[own], kind="stable")][:most]
            found += [self._kept(place, float(towards[place])) for place in best.tolist()]
        return found

    def pulls(self, row: Rows, towards: int, against: int, most: int) -> Pulls:
        if len(self.dual) == 1:
            lead = self.dual[0] if towards == 1 else -self.dual[0]
        else:
            lead = self.dual[towards] - self.dual[against]
        parts = lead * self.support.values(row._replace(bias=0.0))[:, 0]
        order = np.argsort(-parts, kind="stable")
        ends = [*order[:most].tolist(), *order[max(most, len(order) - most) :].tolist()]
        shown = [place for place in ends if parts[place]]
        rest = np.delete(parts, shown)
        return Pulls(
            [self._kept(place, float(parts[place])) for place in shown], int(np.count_nonzero(rest)), float(rest.sum())
        )

    def _kept(self, place: int, counts: float) -> KeptRow:
        values = np.zeros(n_features(self.support.rows) + 1)
        add(self.support.rows, place, 1.0, values)
        return KeptRow(int(self.labels[place]), self.origins[place], self.shown[place], counts, values[:-1])
