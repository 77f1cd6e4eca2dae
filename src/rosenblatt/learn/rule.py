"""What a rule is: what a step of a run does. A rule is one file in `learn/rules/` and one line in its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import numpy as np

if TYPE_CHECKING:
    from rosenblatt.learn.problem import Problem
    from rosenblatt.learn.settings import Settings

NONE = np.empty(0)


class Made(NamedTuple):
    """The updates of a pass over an order, one entry each."""

    steps: np.ndarray  # positions in the order
    rivals: np.ndarray  # the classes punished
    amounts: np.ndarray  # how much of the row was added
    shrinks: np.ndarray  # what the variances lost; empty where the rule keeps none
    mistakes: int  # updates on rows that were wrong or tied

    @classmethod
    def joined(cls, parts: Sequence[Made]) -> Made:
        """Parts that follow each other as one."""
        if len(parts) == 1:
            return parts[0]
        steps, rivals, amounts, shrinks = (np.concatenate(each) for each in list(zip(*parts, strict=True))[:4])
        return cls(steps, rivals, amounts, shrinks, sum(each.mistakes for each in parts))


class Rule:
    """When a row is updated on, by how much, and what is kept beside the weights.

    Rules are plain values, so that they travel to workers. Weights, and what is kept beside them (`kept`, or None), are
    in the layout of the rows.
    """

    name: ClassVar[str]
    multiples: ClassVar[bool] = True  # each update adds a multiple of its row: votes and rows behind a score follow
    proves: ClassVar[bool] = False  # the list of updates bounds the margin, and a repetition of weights is a proof
    plain: ClassVar[bool] = False  # the amounts are those of the rows, so that no file need keep them
    rate: ClassVar[str] = "C"  # the setting that bounds a step
    decides: ClassVar[str] = "averaged"  # the weights that do best where nobody chooses

    @classmethod
    def of(cls, settings: Settings, scale: float) -> Self:
        """The rule with the numbers of a run whose weights are to be multiplied by the scale."""
        raise NotImplementedError

    @classmethod
    def check(cls, settings: Settings) -> None:
        """SettingError where the settings ask for what the rule does not have."""

    @classmethod
    def longest(cls, settings: Settings) -> float:
        """The most that an update on a row of weight 1 can add of it, for the check that nothing overflows."""
        raise NotImplementedError

    def start(self, problem: Problem) -> np.ndarray | None:
        """What is kept beside the weights before the first step, by class; None where nothing is."""
        return None

    def visit(
        self,
        here: Problem,
        order: np.ndarray,
        amounts: np.ndarray,
        weights: np.ndarray,
        kept: np.ndarray | None,
        noted: np.ndarray,
    ) -> Made:
        """One pass over rows in memory, which changes the weights and what is kept; `noted` has room for the order."""
        raise NotImplementedError

    def add(
        self,
        problem: Problem,
        which: np.ndarray,
        rivals: np.ndarray,
        factors: np.ndarray,
        shrinks: np.ndarray,
        kept: np.ndarray | None,
        total: np.ndarray,
    ) -> None:
        """Adds factors[u] times what update u has to add, in order; what is kept goes along from before the first."""
        problem.add(which, rivals, factors, total)

    def mixed(self, kept: Sequence[np.ndarray]) -> np.ndarray:
        """What is kept beside the mean of the weights of several shards, in their order."""
        raise NotImplementedError
