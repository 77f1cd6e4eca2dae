"""Why a row got its score: one contribution per feature, and they add up to the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Explanation:
    """The contributions weight × value of every feature to every score.

    With two classes there is one line of contributions, towards the second class where positive; with more, one
    line for each class. `contributions.sum(axis=1) + bias` is `scores`.
    """

    classes: Sequence[Any]
    predicted: Any
    names: Sequence[str]
    values: np.ndarray
    contributions: np.ndarray
    bias: np.ndarray
    scores: np.ndarray

    def line(self, label: Any = None) -> int:
        """The number of the line for a class, by default the predicted one."""
        if len(self.contributions) == 1:
            return 0
        return list(self.classes).index(self.predicted if label is None else label)

    def largest(self, count: int = 10, label: Any = None) -> list[tuple[str, float, float]]:
        """Name, value and contribution of the features that matter most to a class, largest first."""
        line = self.contributions[self.line(label)]
        order = np.argsort(-np.abs(line), kind="stable")[:count]
        return [(str(self.names[j]), float(self.values[j]), float(line[j])) for j in order if line[j]]

    def __str__(self) -> str:
        line = self.line()
        towards = self.classes[1] if len(self.contributions) == 1 else self.predicted
        shown = self.largest()
        width = max([4, *(len(name) for name, _, _ in shown)])
        text = [f"predicted {self.predicted}; score {self.scores[line]:+g} towards {towards}"]
        text += [f"  {name:<{width}}  {value:>10g}  {part:>+12.6g}" for name, value, part in shown]
        rest = self.scores[line] - self.bias[line] - sum(part for _, _, part in shown)
        others = int(np.count_nonzero(self.contributions[line])) - len(shown)
        if others:
            text.append(f"  {f'{others} more':<{width}}  {'':>10}  {rest:>+12.6g}")
        if self.bias[line]:
            text.append(f"  {'bias':<{width}}  {1:>10g}  {self.bias[line]:>+12.6g}")
        return "\n".join(text)


def explain(
    values: np.ndarray, weights: np.ndarray, bias: float, names: Sequence[str], classes: Sequence[Any], predicted: Any
) -> Explanation:
    """The explanation of one row given as a vector of its values; weights are by class, the bias weight last."""
    lines = np.atleast_2d(weights).astype(np.float64)
    contributions = lines[:, :-1] * values
    constant = lines[:, -1] * bias
    return Explanation(classes, predicted, names, values, contributions, constant, contributions.sum(axis=1) + constant)
