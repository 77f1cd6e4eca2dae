"""Why a row got its score: one contribution per feature, and they add up to the score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from rosenblatt.harmless import one_line
from rosenblatt.loops.rows import Rows, n_features
from rosenblatt.loops.vector import add
from rosenblatt.notebook import InCell

BIAS = ("bias", "1")  # the constant feature, as the notes have it


@dataclass(frozen=True)
class Part:
    """What a row holds of one feature, or all that it lacks: the factors of every class.

    The terms of `NaiveBayes.explain` and of a model's explanation are made of these.
    """

    feature: str
    value: Any  # None where it stands for several features
    name: str  # both in one, such as outlook=sunny
    logs: np.ndarray  # (factors, classes)
    zeros: np.ndarray | None  # which of them are 0; only for k = 0
    times: float = 1.0  # how often the row has it

    def of(self, c: int) -> tuple[float, float]:
        """The logarithm of the factors of a class without those that are 0, and how many are."""
        zeros = 0.0 if self.zeros is None else float(self.zeros[:, c].sum())
        return math.fsum(self.logs[:, c].tolist()) * self.times, zeros * self.times

    def between(self, a: int, b: int) -> tuple[float, float]:
        """The log-odds of class a over class b, and how many more zero factors class b has."""
        zeros = 0.0 if self.zeros is None else float((self.zeros[:, b] - self.zeros[:, a]).sum())
        return math.fsum((self.logs[:, a] - self.logs[:, b]).tolist()) * self.times, zeros * self.times


class Listed(NamedTuple):
    """A part of a score as a person reads it."""

    name: str
    value: str
    part: float
    note: str = ""


class Factors(Protocol):
    """The products of naive Bayes for the row, factor by factor: `rosenblatt.traces.bayes.RowTrace`."""

    @property
    def probabilities(self) -> dict[Any, float]:
        """P(y | row) by class."""

    def parts(self) -> list[Part]:
        """What the row holds of each feature, and all that it lacks as one."""

    def shown(self, most: int = 30) -> str:
        """The table as text, with at most so many factors."""

    def likeliest(self, most: int = 30) -> tuple[list[list[str]], list[str]]:
        """The table of the likeliest classes, and what is to be said below it."""

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""


@dataclass(frozen=True, repr=False)
class Explanation(InCell):
    """The contributions weight × value of every feature to every score.

    With two classes there is one line of contributions, towards the second class where positive; with more, one
    line for each class. `scores` are those that the model gives out, to the bit, and `contributions.sum(axis=1) + bias`
    is that but for rounding, and but for classes that are impossible.

    Those are of naive Bayes at k = 0, where a factor can be 0. `zeros` counts such factors, of the first class less
    those of the second, or of each class; a contribution then holds the finite part of the factor as k -> 0. Where one
    class has more of them than another, scores are infinite. `factors` holds the products themselves, with P(y | row).
    """

    classes: Sequence[Any]
    predicted: Any
    names: Sequence[str]
    values: np.ndarray
    contributions: np.ndarray
    bias: np.ndarray
    scores: np.ndarray
    zeros: np.ndarray | None = None
    factors: Factors | None = field(default=None, compare=False)

    @property
    def probabilities(self) -> dict[Any, float] | None:
        """P(y | row) by class, of naive Bayes; a perceptron estimates no probabilities: None."""
        return None if self.factors is None else self.factors.probabilities

    def gathered(self, spans: Sequence[tuple[int, int, str, float]]) -> Explanation:
        """The same with features told together: those from one to before another, under a name and with a value."""
        kept = np.ones(len(self.names), bool)
        names, values, parts = list(self.names), self.values.copy(), self.contributions.copy()
        for start, stop, name, value in spans:
            names[start], values[start] = name, value
            parts[:, start] = parts[:, start:stop].sum(axis=1)
            kept[start + 1 : stop] = False
        shown = [name for name, keep in zip(names, kept.tolist(), strict=True) if keep]
        return replace(self, names=shown, values=values[kept], contributions=parts[:, kept])

    def turned(self) -> Explanation:
        """The same of two classes towards the first of them: every part with the opposite sign."""
        zeros = None if self.zeros is None else 0.0 - self.zeros
        parts = {name: 0.0 - getattr(self, name) for name in ("contributions", "bias", "scores")}
        return replace(self, classes=tuple(self.classes)[::-1], zeros=zeros, **parts)

    def line(self, label: Any = None) -> int:
        """The number of the line for a class, by default the predicted one."""
        if len(self.contributions) == 1:
            return 0
        return list(self.classes).index(self.predicted if label is None else label)

    def order(self, line: int) -> list[int]:
        """The features that add something to a line: what makes a class impossible first, then the largest."""
        size = np.abs(self.contributions[line])
        zeros = np.zeros(len(size)) if self.zeros is None else np.abs(self.zeros[line])
        return [int(j) for j in np.lexsort((-size, -zeros)) if size[j] or zeros[j]]

    def largest(self, count: int = 10, label: Any = None) -> list[tuple[str, float, float]]:
        """Name, value and contribution of the features that matter most to a class, largest first."""
        line = self.line(label)
        shown = self.order(line)[:count]
        return [(str(self.names[j]), float(self.values[j]), float(self.contributions[line, j])) for j in shown]

    def impossible(self, line: int, j: int) -> str:
        """The class that never has the feature, so that it is impossible with it; nothing where there is none."""
        if self.zeros is None or not self.zeros[line, j]:
            return ""
        if len(self.contributions) > 1:
            return str(self.classes[line])
        return str(self.classes[0 if self.zeros[line, j] > 0 else 1])

    def listed(self, line: int, count: int = 10, constant: tuple[str, str] = ("constant", "")) -> list[Listed]:
        """The largest parts of a line, the sum of those that are left out, and the constant.

        constant    what it is called, and what stands in the place of its value
        """
        order = self.order(line)
        top, rest = order[:count], order[count:]
        found = [
            Listed(
                str(self.names[j]),
                f"{self.values[j]:.4g}",
                float(self.contributions[line, j]),
                f"{never} never has it" if (never := self.impossible(line, j)) else "",
            )
            for j in top
        ]
        if rest:
            found.append(Listed(f"{len(rest)} more", "", float(self.contributions[line, rest].sum())))
        return [*found, Listed(*constant, float(self.bias[line]))]

    def shown(self, line: int, count: int = 10, constant: tuple[str, str] = ("constant", "")) -> list[str]:
        """The same as lines of text."""
        listed = self.listed(line, count, constant)
        width = max([len(constant[0]), *(len(each.name) for each in listed if each.value)])
        return [
            f"  {each.name:<{width}}  {each.value:>10}  {each.part:>+12.6g}" + (f"  ({each.note})" if each.note else "")
            for each in listed
        ]

    @property
    def head(self) -> str:
        """The decision in a sentence."""
        line = self.line()
        towards = self.classes[1] if len(self.contributions) == 1 else self.predicted
        return f"predicted {self.predicted}; score {self.scores[line]:+g} towards {towards}"

    def __str__(self) -> str:
        line = self.line()
        shown = self.shown(line, constant=BIAS)
        lines = [self.head, *(shown if self.bias[line] else shown[:-1])]
        return "\n".join(lines if self.factors is None else [*lines, "", self.factors.shown()])

    def __repr__(self) -> str:
        return f"<Explanation: {one_line(self.head)}>"


def explain(
    rows: Rows,
    weights: np.ndarray,
    scores: np.ndarray,
    names: Sequence[str],
    classes: Sequence[Any],
    predicted: Any,
) -> Explanation:
    """The explanation of the scores of a single row; weights are by class, the bias weight last."""
    features = np.zeros(n_features(rows) + 1)
    add(rows, 0, 1.0, features)
    values = features[:-1]
    lines = np.atleast_2d(weights).astype(np.float64)
    contributions = lines[:, :-1] * values
    constant = lines[:, -1] * rows.bias
    given = np.asarray(scores, np.float64).reshape(len(lines))
    return Explanation(classes, predicted, names, values, contributions, constant, given)
