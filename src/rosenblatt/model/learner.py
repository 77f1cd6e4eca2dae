"""What a family of models has learned, as a model, a file and a report know it: rows in, scores out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, TypeVar

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.features import Plan
from rosenblatt.learn.explain import Explanation
from rosenblatt.loops.rows import Rows

L = TypeVar("L", bound="Learner")


class Learner(ABC):
    """What was learned over the features of a plan. Each kind is one file here, and one of states in `store`."""

    kind: ClassVar[str]  # what a file calls it
    family: ClassVar[str]  # what learns it, by the name that --model has for it
    format: ClassVar[int] = 1  # the oldest format of files that holds it
    grows: ClassVar[bool] = False  # whether scores grow with the rows that were learned from

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

    @property
    def kept(self) -> str:
        """What it keeps of training rows, for those who are told of a file; nothing where it keeps none."""
        return ""

    @abstractmethod
    def explain(self, rows: Rows, plan: Plan, table: Table, classes: tuple[str, ...], predicted: str) -> Explanation:
        """What every feature of the single row adds to the score of every class."""

    @abstractmethod
    def heaviest(self, plan: Plan, classes: tuple[str, ...], count: int) -> dict[str, list[tuple[str, float]]]:
        """For each class the features that speak for it most."""
