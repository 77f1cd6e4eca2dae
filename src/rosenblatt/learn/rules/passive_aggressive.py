"""Passive-aggressive: the shortest step after which a row leads by 1, as far as C allows (Crammer et al. 2006)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from rosenblatt.learn.rule import NONE, Made, Rule
from rosenblatt.learn.rules.checks import refuse_unless_default
from rosenblatt.loops.hinge import Hinge, binary_hinge_pass, multiclass_hinge_pass

if TYPE_CHECKING:
    from rosenblatt.learn.problem import Problem
    from rosenblatt.learn.settings import Settings


@dataclass(frozen=True)
class PassiveAggressive(Rule):
    """What bounds a step; sample weights are factors on C."""

    hinge: Hinge

    @classmethod
    def check(cls, settings: Settings) -> None:
        refuse_unless_default(cls.name, settings)

    def visit(
        self,
        here: Problem,
        order: np.ndarray,
        amounts: np.ndarray,
        weights: np.ndarray,
        kept: np.ndarray | None,
        noted: np.ndarray,
    ) -> Made:
        given, made = (here.truth, amounts, here.squares), np.empty(len(order))
        if here.n_classes == 2:
            count, wrong = binary_hinge_pass(here.rows, given, order, self.hinge, weights, noted, made)
            steps = noted[:count].copy()
            return Made(steps, 1 - here.truth[order[steps]], made[:count].copy(), NONE, int(wrong))
        rivals = np.empty(len(order), np.int32)
        count, wrong = multiclass_hinge_pass(here.rows, given, order, self.hinge, weights, noted, rivals, made)
        return Made(noted[:count].copy(), rivals[:count].copy(), made[:count].copy(), NONE, int(wrong))


@dataclass(frozen=True)
class CappedHinge(PassiveAggressive):
    """PA-I: a step of at most C."""

    name: ClassVar[str] = "pa1"

    @classmethod
    def of(cls, settings: Settings, scale: float) -> Self:
        return cls(Hinge(float(settings.C), 0.0))

    @classmethod
    def longest(cls, settings: Settings) -> float:
        return settings.C


@dataclass(frozen=True)
class SoftHinge(PassiveAggressive):
    """PA-II: a step that is shorter by a softness of 1/(2C)."""

    name: ClassVar[str] = "pa2"

    @classmethod
    def of(cls, settings: Settings, scale: float) -> Self:
        return cls(Hinge(math.inf, 1 / (2 * settings.C)))

    @classmethod
    def longest(cls, settings: Settings) -> float:
        return 2 * settings.C
