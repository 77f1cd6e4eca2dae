"""The rule of the notes: a row that is wrong, tied or within the margin is added as it is (Rosenblatt 1958)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from rosenblatt.learn.rule import NONE, Made, Rule
from rosenblatt.loops.binary import binary_pass
from rosenblatt.loops.multiclass import multiclass_pass
from rosenblatt.loops.ties import Bounds, bounds

if TYPE_CHECKING:
    from rosenblatt.learn.problem import Problem
    from rosenblatt.learn.settings import Settings

AT_ZERO = bounds()


@dataclass(frozen=True)
class Mistakes(Rule):
    """The bounds below which a lead makes an update; its amount is that of the row."""

    name: ClassVar[str] = "perceptron"
    proves: ClassVar[bool] = True
    plain: ClassVar[bool] = True
    rate: ClassVar[str] = "eta0"

    bounds: Bounds = AT_ZERO

    @classmethod
    def of(cls, settings: Settings, scale: float) -> Self:
        return cls(bounds(settings.ties, settings.margin / scale if scale != 1 else settings.margin))

    @classmethod
    def longest(cls, settings: Settings) -> float:
        return settings.eta0

    def visit(
        self,
        here: Problem,
        order: np.ndarray,
        amounts: np.ndarray,
        weights: np.ndarray,
        kept: np.ndarray | None,
        noted: np.ndarray,
    ) -> Made:
        if here.n_classes == 2:
            count, wrong = binary_pass(here.rows, here.truth, amounts, order, self.bounds, weights, noted)
            steps = noted[:count].copy()
            places = order[steps]
            return Made(steps, 1 - here.truth[places], amounts[places], NONE, int(wrong))
        rivals = np.empty(len(order), np.int32)
        count, wrong = multiclass_pass(here.rows, here.truth, amounts, order, self.bounds, weights, noted, rivals)
        steps = noted[:count].copy()
        return Made(steps, rivals[:count].copy(), amounts[order[steps]], NONE, int(wrong))
