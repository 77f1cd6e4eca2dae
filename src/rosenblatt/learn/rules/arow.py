"""AROW: each weight has a variance; steps move most what is known least (Crammer, Kulesza, Dredze 2009, diagonal)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.learn.rule import Made, Rule
from rosenblatt.learn.rules.checks import refuse_unless_default
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.arow import binary_arow_pass, binary_arow_sum, multiclass_arow_pass, multiclass_arow_sum
from rosenblatt.loops.confidence import SMALLEST

if TYPE_CHECKING:
    from rosenblatt.learn.problem import Problem
    from rosenblatt.learn.settings import Settings


@dataclass(frozen=True)
class Arow(Rule):
    """r, by which a step is held back; a sample weight divides it. Kept beside the weights: their variances, from 1."""

    name: ClassVar[str] = "arow"
    multiples: ClassVar[bool] = False
    decides: ClassVar[str] = "final"

    r: float

    @classmethod
    def of(cls, settings: Settings, scale: float) -> Self:
        return cls(1 / (2 * settings.C))

    @classmethod
    def check(cls, settings: Settings) -> None:
        refuse_unless_default(cls.name, settings)
        if VARIANTS[settings.weights].single:
            raise SettingError(
                f"rule='arow' adds no multiples of rows, which weights={settings.weights!r} are made of. "
                "Use weights='averaged' or 'final', or rule='pa1'."
            )

    @classmethod
    def longest(cls, settings: Settings) -> float:
        return 2 * settings.C

    def start(self, problem: Problem) -> np.ndarray:
        return np.ones_like(problem.zero_weights(), np.float64)

    def visit(
        self,
        here: Problem,
        order: np.ndarray,
        amounts: np.ndarray,
        weights: np.ndarray,
        kept: np.ndarray | None,
        noted: np.ndarray,
    ) -> Made:
        given, state, made = (here.truth, amounts), (weights, kept), np.empty((len(order), 2))
        if here.n_classes == 2:
            count, wrong = binary_arow_pass(here.rows, given, order, self.r, state, noted, made)
            steps = noted[:count].copy()
            rivals = 1 - here.truth[order[steps]]
        else:
            rivals = np.empty(len(order), np.int32)
            count, wrong = multiclass_arow_pass(here.rows, given, order, self.r, state, noted, rivals, made)
            steps, rivals = noted[:count].copy(), rivals[:count].copy()
        return Made(steps, rivals, made[:count, 0].copy(), made[:count, 1].copy(), int(wrong))

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
        for start, some, here, _ in problem.windows(which, problem.amounts):
            part = slice(start, start + len(some))
            if here.n_classes == 2:
                signed = np.where(rivals[part] == 0, factors[part], -factors[part])
                binary_arow_sum(here.rows, some, signed, shrinks[part], kept, total)
            else:
                multiclass_arow_sum(
                    here.rows, here.truth, some, rivals[part], factors[part], shrinks[part], kept, total
                )

    def mixed(self, kept: Sequence[np.ndarray]) -> np.ndarray:
        """The harmonic mean: what each shard knows of a weight, 1 over its variance, is averaged."""
        known = np.zeros(kept[0].shape)
        for each in kept:
            known += 1 / each
        return np.maximum(len(kept) / known, SMALLEST)
