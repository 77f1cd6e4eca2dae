"""How much the rows of each class count, in every fit and where candidates are compared.

Costs of two classes are weights of their rows: a false alarm is a mistake on a row of the first class, a miss one on a
row of the second. Weights are scaled so that they are 1 in the mean over the rows of a fit: margins, passes and C then
mean what they mean without them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.data.table import nearest_hint
from rosenblatt.errors import DataError, SettingError
from rosenblatt.model.card import ChosenModel

BALANCED = "balanced"


@dataclass(frozen=True)
class Weighing:
    """The weight of each class, or "balanced", by the rows of a fit; and whether the weights are costs."""

    weights: tuple[float, ...] | str = ()
    costs: bool = False

    def __bool__(self) -> bool:
        return bool(self.weights)

    def by_class(self, truth: np.ndarray, n_classes: int) -> np.ndarray | None:
        """What a row of each class counts, 1 in the mean over these rows; None where all count the same."""
        if not self:
            return None
        counts = np.bincount(truth, minlength=n_classes)
        weights = 1.0 / np.maximum(counts, 1) if isinstance(self.weights, str) else np.array(self.weights)
        return np.asarray(weights * (len(truth) / math.fsum(weights * counts)))

    def amounts(self, truth: np.ndarray, n_classes: int) -> np.ndarray | None:
        """What each row counts; None where all count the same."""
        found = self.by_class(truth, n_classes)
        return None if found is None else np.ascontiguousarray(found[truth])


EVEN = Weighing()


def check_weights(weights: Any) -> None:
    """SettingError unless these are class weights: "balanced", or a number above 0 for each of some classes."""
    if weights is None or weights == BALANCED:
        return
    if not isinstance(weights, Mapping) or not weights:
        raise SettingError(f"class_weights must be 'balanced' or a number for each class; got {weights!r}.")
    for name, weight in weights.items():
        real = isinstance(weight, int | float | np.number) and not isinstance(weight, bool)
        if not real or not 0 < weight < np.inf:
            raise SettingError(f"class_weights.{name} must be a number above 0; got {weight!r}.")


def weighing_of(weights: Any, costs: tuple[float, float] | None, classes: tuple[str, ...]) -> Weighing:
    """What the settings say of these classes. A class that is not named counts 1.

    A cost of 0 weighs nothing: rows of that class would not be learned from, and the line alone says it.
    """
    if weights is not None and costs is not None:
        raise SettingError("costs are weights of the two classes. Give costs or class_weights, not both.")
    if costs is not None:
        return Weighing(costs, True) if min(costs) > 0 and costs[0] != costs[1] else EVEN
    if weights is None or weights == BALANCED:
        return Weighing(weights or ())
    for name in weights:
        if name not in classes:
            raise SettingError(
                f"class_weights names {name!r}, which is no class.{nearest_hint(name, classes)} "
                f"Classes are: {', '.join(classes)}."
            )
    return Weighing(tuple(float(weights.get(name, 1.0)) for name in classes))


def amounts_again(choice: ChosenModel, truth: np.ndarray) -> np.ndarray | None:
    """What each of these rows counts to a model of that choice, which goes on learning; None where all count 1."""
    kept = choice.get("class_weights")
    if kept is not None and len(kept) <= int(truth.max(initial=0)):
        raise DataError(f"the model has {len(kept)} class weights, fewer than its classes. Train it again.")
    return None if kept is None else np.array(kept, np.float64)[truth]
