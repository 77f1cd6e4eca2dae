"""What a family of models has learned, as a model, a file and a report know it: rows in, scores out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Plan
from rosenblatt.learn.any_run import AnyRun
from rosenblatt.learn.explain import Explanation, explain
from rosenblatt.learn.kernel.support import explain_support
from rosenblatt.learn.problem import Problem
from rosenblatt.loops.rows import Rows
from rosenblatt.model.formula import Formula
from rosenblatt.model.kept_rows import Behind, KeptRows
from rosenblatt.model.training import Training

L = TypeVar("L", bound="Learner")


class KeptRow(NamedTuple):
    """A training row that a model is made of, and what it counts towards its own class."""

    label: int
    origin: str
    shown: str  # as a person reads it; nothing where that is too long
    counts: float
    values: np.ndarray  # its features


class Pulls(NamedTuple):
    """The training rows that pull most each way in a choice between two classes, and what all others add to it."""

    rows: list[KeptRow]  # what each counts is its part of the lead, above 0 towards the first class
    others: int
    rest: float


class Learner(ABC):
    """What was learned over the features of a plan. Each kind is one file here, and one of states in `store`."""

    kind: ClassVar[str]  # what a file calls it
    family: ClassVar[str]  # what learns it, by the name that --model has for it
    format: ClassVar[int] = 1  # the oldest format of files that holds it
    grows: ClassVar[bool] = False  # whether scores grow with the rows that were learned from
    holds_rows: ClassVar[bool] = False  # whether it is made of training rows, so that a record needs none of its own
    separates: ClassVar[bool] = False  # whether `check` verifies that it separates its training rows
    unrecorded: ClassVar[str] = ""  # why there is no run to replay or to check; nothing where there may be

    def rows(self, plan: Plan, table: Table, encoded: Rows | None = None) -> Rows:
        """The table as the rows that are scored; encoded    as the plan encodes it, where that is done already."""
        return plan.encode(table).rows if encoded is None else encoded

    @abstractmethod
    def scores(self, rows: Rows) -> np.ndarray:
        """The score of the second class for each row; with more than two classes, one for each class."""

    def probabilities(self, rows: Rows) -> np.ndarray | None:
        """P(y | row) for each row and class; None where none are estimated."""
        return None

    def one_set(self: L, what: str) -> L:
        """The learner; SettingError where it has no one set of weights, which `what` needs."""
        return self

    @abstractmethod
    def formula(self, plan: Plan) -> Formula:
        """How its scores are made of the columns of a table, or of training rows; asked of one set of weights alone."""

    def of_features(self, plan: Plan, what: str) -> Formula:
        """The formula; SettingError where it is not made of features, which `what` needs."""
        found = self.one_set(what).formula(plan)
        if found.rows is not None:
            raise SettingError(
                f"{what} needs weights, and a kernel has none: it is made of training rows. Use perceptron."
            )
        return found

    def summed(self, plan: Plan, what: str) -> Formula:
        """The formula; SettingError where scores are no sums of weights, which `what` needs."""
        found = self.of_features(plan, what)
        if found.unless:
            raise SettingError(f"{what} needs scores that are sums, but {found.unless}. Train with another k.")
        return found

    def summed_or_none(self, plan: Plan) -> Formula | None:
        """The formula; None where scores are no sums of weights, for those who can do without."""
        try:
            return self.summed(plan, "this")
        except SettingError:
            return None

    def matter(self, plan: Plan) -> np.ndarray:
        """How much each feature of the plan matters to scores: how far its weights for the classes lie apart."""
        weights = self.formula(plan).weights
        apart = weights if len(weights) == 1 else weights - weights.mean(axis=0)
        return np.asarray(np.sqrt(np.square(apart).sum(axis=0)))

    def narrowed(self: L, kept: np.ndarray) -> L:
        """The learner over these features of its plan alone; asked of one set of weights."""
        raise SettingError(f"no feature of model {self.family} can be left out.")

    @abstractmethod
    def facts(self, plan: Plan) -> dict[str, Any]:
        """What it is, and what its formula is made of, as plain values that JSON can hold."""

    def rows_that_count(self, most: int) -> list[KeptRow]:
        """Of each class the training rows that count most, so many at most; none where it keeps none."""
        return []

    def pulls(self, row: Rows, towards: int, against: int, most: int) -> Pulls | None:
        """Of the rows that it is made of those that pull most towards one class and another; None where it holds none.

        The parts of the single row sum to how far the score of the first class is above that of the other.
        """
        return None

    def kept_rows(self, training: Training | None) -> KeptRows:
        """Its own rows as those of a recorded run; asked of those that hold rows."""
        raise NotImplementedError

    def run_over(self, training: Training, problem: Problem, rows: np.ndarray) -> AnyRun:
        """The run that a recorded list makes of a problem, in which the row of each update has the number given."""
        return training.run_over(problem, rows)

    def check_run(self, run: Any, kept: KeptRows, training: Training, problem: Problem) -> None:
        """DataError unless all that it decides by follows from the run."""
        raise DataError(self.unrecorded)

    def behind(self, row: Rows, line: int, classes: tuple[str, ...], count: int) -> list[Behind] | None:
        """Of the training rows that it is made of those that add most to a score; None where it holds none."""
        return None

    @property
    def kept(self) -> str:
        """What it keeps of training rows, for those who are told of a file; nothing where it keeps none."""
        return ""

    def explain(self, rows: Rows, plan: Plan, table: Table, classes: tuple[str, ...], predicted: str) -> Explanation:
        """What every feature of the single row, or every training row, adds to the score of every class."""
        formula = self.formula(plan)
        if formula.rows is not None:
            names, support = formula.rows.names(classes), formula.rows.support
            return explain_support(support, formula.weights, rows._replace(bias=0.0), names, classes, predicted)
        weights = np.column_stack([formula.weights, formula.constant])
        found = explain(rows, weights, self.scores(rows), formula.names, classes, predicted)
        spans = plan.together(table)
        return found.gathered(spans) if spans else found

    def heaviest(self, plan: Plan, classes: tuple[str, ...], count: int) -> dict[str, list[tuple[str, float]]]:
        """For each class what speaks for it most, of a curve its highest point; for the first of two it is negative.

        Nothing where features have no weights.
        """
        formula = self.formula(plan)
        if formula.rows is not None:
            return {}
        names, lines, curves = plan.worth(formula.weights)
        ways = zip(classes, (-1, 1), strict=True) if len(lines) == 1 else ((name, 1) for name in classes)
        every = [lines[0], lines[0]] if len(lines) == 1 else lines
        return {name: _top(names, line, sign, curves, count) for (name, sign), line in zip(ways, every, strict=True)}


def _top(names: list[str], weights: np.ndarray, sign: int, curves: list[slice], n: int) -> list[tuple[str, float]]:
    """Name and weight of those that are highest above 0 by this sign, the first in order among equals."""
    rank = sign * weights
    for curve in curves:
        rank[curve] = np.where(np.arange(len(rank[curve])) == rank[curve].argmax(), rank[curve], -np.inf)
    least = np.partition(rank, -min(n, len(rank)))[-min(n, len(rank))] if len(rank) and n else np.inf
    some = np.flatnonzero(rank >= max(least, np.nextafter(0, 1)))
    order = some[np.argsort(-rank[some], kind="stable")][:n]
    return [(names[j], float(weights[j])) for j in order]
