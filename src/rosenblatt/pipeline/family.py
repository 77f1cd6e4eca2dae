"""What a family of models is to a job: the candidates it proposes, how they are fitted, and how a model learns more.

A family is the class of its candidates. What it has learned is a `model.Learner`, which gives scores and a formula.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.features import Plan
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.kernel.run import KernelRun
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.run import Run
from rosenblatt.loops.rows import Rows
from rosenblatt.model import Curve, Model
from rosenblatt.model.learner import Learner
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.ways import Encoded, Way, Ways, encode
from rosenblatt.pipeline.weighing import EVEN, Weighing

if TYPE_CHECKING:
    from rosenblatt.pipeline.choices import Choices

C = TypeVar("C", bound="Candidate")


def standard_error(accuracy: float, rows: int) -> float:
    """The standard error of an accuracy by so many rows; one more right and one more wrong, as none is certain."""
    share = (accuracy * rows + 1) / (rows + 2)
    return math.sqrt(share * (1 - share) / rows)


@dataclass(frozen=True)
class Parts:
    """The training and the validation rows, and their classes."""

    train: Table
    validation: Table
    truth: np.ndarray
    wanted: np.ndarray
    n_classes: int

    def fewer(self, most: int) -> Parts:
        """At most so many training rows, every second, third, … of them; all where there are no more."""
        step = -(-len(self.truth) // most)
        if step == 1:
            return self
        some = np.arange(0, len(self.truth), step)
        return replace(self, train=self.train.take(some), truth=self.truth[some])

    def encoded(self, way: Way) -> Encoded:
        """Both in one way."""
        return encode(way, self.train, self.validation, self.truth)


class Task(NamedTuple):
    """Rows to fit a candidate to, and how."""

    plan: Plan
    rows: Rows  # what the plan has made of the table
    table: Table
    truth: np.ndarray
    n_classes: int
    seed: int
    conduct: Conduct
    stage: str
    record: bool = False


@dataclass(frozen=True)
class Final:
    """A learner over its plan, and where one was made the run it came from."""

    plan: Plan
    learner: Learner
    problem: Problem | None = None
    run: Run | KernelRun | None = None
    weights: str = ""  # which of the run's decide
    bracket: list[tuple[int, float, float]] = field(default_factory=list)
    again: Callable[[int], Learner] | None = None  # the learner of another order, by its seed, where orders matter


@dataclass(frozen=True)
class Candidate(ABC):
    """One way to learn, and how it did on the validation rows; its class is the family."""

    way: Way
    accuracy: float = 0.0
    seconds: float = 0.0
    passes: int = 0  # of a run; candidates of one course are the same run after more and more passes
    weighing: Weighing = field(default=EVEN, kw_only=True)  # how much the rows of each class count in a fit
    features: int | None = field(default=None, kw_only=True)  # so many at most, the heaviest of a fit with all of them
    model: ClassVar[str]  # what --model calls the family
    settings: ClassVar[tuple[str, ...]] = ()  # the settings of Choices that are its alone
    auto: ClassVar[bool] = True  # whether it is tried where nobody names a family
    unrecorded: ClassVar[str] = ""  # why it has no run to record; nothing where it has
    unpruned: ClassVar[str] = ""  # why no feature of its models can be left out; nothing where some can
    lacks: ClassVar[str] = ""  # why it may propose nothing

    @classmethod
    @abstractmethod
    def candidates(
        cls, ways: Ways, parts: Parts, choices: Choices, conduct: Conduct, thorough: bool
    ) -> Sequence[Candidate]:
        """Every candidate in the order tried; thorough    whether all ways of encoding are searched in full."""

    @abstractmethod
    def fit(self, task: Task) -> Final:
        """The candidate, fitted to the rows of the task."""

    @classmethod
    @abstractmethod
    def update(
        cls, model: Model, table: Table, truth: np.ndarray, places: np.ndarray, n_classes: int, passes: int
    ) -> tuple[Learner, int]:
        """What the model's learner becomes by these rows, and in how many passes.

        places    of the model's classes among all that there are now
        """

    @abstractmethod
    def curve(self, encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct) -> Curve:
        """How it does on training and on validation rows, over what the search varied."""

    @abstractmethod
    def facts(self, final: Final) -> dict[str, Any]:
        """What a card says of it, beside its name."""

    def lightened(self: C, parts: Parts, choices: Choices, conduct: Conduct) -> C:
        """The same choice with fewer of the training rows that it would keep, where validation rows lose nothing."""
        return self

    def notes(self, final: Final) -> list[str]:
        """What the report should warn of."""
        return []

    @property
    @abstractmethod
    def name(self) -> str:
        """What a report calls it."""

    @property
    def decision(self) -> Decision:
        """How its scores become classes."""
        return Decision()

    @property
    def kind(self) -> tuple[object, ...]:
        """Candidates that are equal in this compete first: the best of each kind are finalists."""
        return self.model, self.way.name

    @property
    def trial(self) -> tuple[object, ...]:
        """Candidates that are equal in this share a line of the report."""
        return self.kind

    @property
    def course(self) -> tuple[object, ...]:
        """Candidates that are equal in this are one run, or one count, and differ in passes alone."""
        return self.trial

    @property
    def simplicity(self) -> int:
        """The lowest is chosen among those that do as well."""
        wishes = self.way.wishes
        return 3 if wishes.units else 2 if wishes.knots or wishes.words.grams else 1

    @property
    def lead(self) -> float:
        """The standard errors by which it must lead simpler ones: units are none that anybody reads as columns."""
        wishes = self.way.wishes
        return 1.0 if wishes.units else 0.25 if wishes.knots and not wishes.words.grams else 0.5

    @classmethod
    def best_of(cls, kind: Sequence[C], error: Callable[[float], float], usual: bool) -> C:
        """The best of a kind, by default the first of the most accurate.

        error    the standard error of an accuracy; usual    whether the usual settings are preferred among equals
        """
        return max(kind, key=lambda each: each.accuracy)
