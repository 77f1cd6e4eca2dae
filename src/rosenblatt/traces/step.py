"""One step of a run, with everything a person may want to see of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rosenblatt.traces import numerals

MOST_WEIGHTS = 24  # of all classes together, in one line of the table


@dataclass(frozen=True)
class Step:
    """One visit of a row. Vectors have the bias first; with more than two classes there is one vector per class."""

    step: int  # from 1
    number: int  # of the pass, from 1
    row: int  # from 0
    before: np.ndarray  # weights: (d,) for two classes, (K, d) for more
    features: np.ndarray
    scores: np.ndarray  # one for two classes, one per class for more
    predicted: int  # number of a class
    true: int
    rival: int | None  # the class punished, or None where nothing was learned
    after: np.ndarray
    bracket: tuple[float, float]  # bounds on the best margin so far, NOTES section 5
    rate: float = 1.0

    @property
    def correct(self) -> bool:
        """Whether nothing was to be learned; with a margin, a row that is right by less is not enough."""
        return self.rival is None

    @property
    def amount(self) -> float:
        """What the features are multiplied with when they are added for the true class (two classes: the second)."""
        return 0.0 if self.rival is None else self.rate if self.before.ndim == 2 or self.true == 1 else -self.rate

    @property
    def moved(self) -> float:
        """By how much the update moved the score of its row (of the true class, if there are more than two)."""
        return self.amount * float(self.features @ self.features)

    def angles(self) -> tuple[float | None, float | None]:
        """Degrees between features and weights before and after; with more than two classes those of the true one."""
        before, after = (w if w.ndim == 1 else w[self.true] for w in (self.before, self.after))
        return _angle(before, self.features), _angle(after, self.features)

    @property
    def arithmetic(self) -> str:
        """The score as the notes expand it; with more classes, each of them."""
        if self.before.ndim == 1:
            return numerals.expanded(self.before.tolist(), self.features.tolist(), float(self.scores[0]))
        return "; ".join(numerals.numeral(float(score)) for score in self.scores)

    @property
    def update(self) -> str:
        """What was added to the weights, as the table shows it; "none" where nothing was."""
        if self.rival is None:
            return "none"
        if self.before.ndim == 1:
            return numerals.change(self.amount, self.features.tolist())
        return f"row {self.true} {numerals.change(self.rate, self.features.tolist())}, row {self.rival} " + (
            numerals.change(-self.rate, self.features.tolist())
        )

    @property
    def subgradient(self) -> str:
        """The step against the subgradient of the perceptron loss of the row, written out; it is the update."""
        alpha = numerals.numeral(self.rate)
        if self.before.ndim == 2:
            return f"W − {alpha}·(e(ŷ) − e(y))·f(x): {self.update}"
        w, f, after = (numerals.vector(each.tolist()) for each in (self.before, self.features, self.after))
        predicted, true = 2 * self.predicted - 1, 2 * self.true - 1
        return f"w − (α/2)(ŷ − y) f(x) = {w} − ({alpha}/2)({predicted} − {true})·{f} = {after}".replace("− -", "+ ")


def _angle(w: np.ndarray, f: np.ndarray) -> float | None:
    """In degrees; None at length 0, where there is none."""
    lengths = float(np.linalg.norm(w)) * float(np.linalg.norm(f))
    if not lengths:
        return None
    return math.degrees(math.acos(max(-1.0, min(1.0, float(w @ f) / lengths))))


def weights_text(weights: np.ndarray, step: Step | None = None) -> str:
    """The weights as the table shows them: a vector, or one per class.

    Many classes with many features would fill a page per step: then only the rows that an update of the step changes.
    """
    if weights.ndim == 1:
        return numerals.vector(weights.tolist())
    if weights.size <= MOST_WEIGHTS:
        return "; ".join(numerals.vector(line) for line in weights.tolist())
    if step is None:
        return ""
    rows = [step.true] if step.rival is None else [step.true, step.rival]
    return "; ".join(f"row {c}: {numerals.vector(weights[c].tolist())}" for c in rows)
