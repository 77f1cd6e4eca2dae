"""From weights to scores, and from scores to decisions.

`Decision` is the only place where a score becomes a class, a probability or a set of classes. Whoever predicts,
evaluates, explains, exports or draws asks it; what learns asks its rule (`learn.rules`), because a mistake of a rule is
not the same as a wrong prediction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from rosenblatt.data.rowfile import pieces
from rosenblatt.errors import SettingError
from rosenblatt.learn.calibration import Calibration, refuse_none
from rosenblatt.loops.matrix import by_class
from rosenblatt.loops.rows import Rows, n_bytes, n_rows, span
from rosenblatt.loops.scores import binary_scores, multiclass_scores
from rosenblatt.loops.threads import in_threads, thread_count

PART = 2**21  # bytes of rows for which another thread is worth its start


def score_rows(rows: Rows, weights: np.ndarray) -> np.ndarray:
    """The score of each row, or with more than two classes of each row and class. Weights are by class."""
    scores = np.empty(n_rows(rows) if weights.ndim == 1 else (n_rows(rows), len(weights)), weights.dtype)
    fill_scores(rows, np.ascontiguousarray(by_class(rows, weights)), scores)
    return scores


def fill_scores(rows: Rows, weights: np.ndarray, scores: np.ndarray) -> None:
    """Fills in the score of each row, on all processors. Weights are in the layout of the rows.

    Every row has its score to itself, so that the number of threads changes no bit.
    """
    for start, stop, some in pieces(rows):
        _fill(some, weights, scores[start:stop])


def _fill(rows: Rows, weights: np.ndarray, scores: np.ndarray) -> None:
    loop = binary_scores if weights.ndim == 1 else multiclass_scores
    if n_bytes(rows) < PART:
        loop(rows, weights, scores)
        return
    parts = min(thread_count(), 1 + n_bytes(rows) // PART)
    cuts = [len(scores) * part // parts for part in range(parts + 1)]

    def fill(part: int) -> None:
        loop(span(rows, cuts[part], cuts[part + 1]), weights, scores[cuts[part] : cuts[part + 1]])

    in_threads(fill, range(parts))


@dataclass(frozen=True)
class Decision:
    """How scores become classes, for every family of models.

    Two classes have one score, that of the second: it is predicted where the score is above the threshold. A class that
    was called positive is the second (`Classes.learn`), so its score is the one that is given out. With more classes
    the one of the highest score is predicted, and there is no threshold.
    """

    ties: str = "mistake"  # what a tie becomes: the first of the tied classes, or under "positive" the last
    threshold: float = 0.0  # infinite where one class is never predicted
    calibration: Calibration | None = None  # how scores become probabilities; no class that is predicted depends on it

    def __post_init__(self) -> None:
        if not isinstance(self.threshold, Real) or math.isnan(self.threshold):
            raise SettingError(f"threshold must be a number, or inf or -inf; got {self.threshold!r}.")

    @property
    def last(self) -> bool:
        """Whether a tie goes to the last of the tied classes."""
        return self.ties == "positive"

    def turned(self) -> Decision:
        """The same decision by the score of the first of two classes, which is the other's with the opposite sign."""
        return replace(
            self, ties="negative" if self.last else "positive", threshold=0.0 - self.threshold, calibration=None
        )

    def decide(self, scores: np.ndarray) -> np.ndarray:
        """The number of each row's class."""
        if scores.ndim == 1:
            return (scores >= self.threshold if self.last else scores > self.threshold).astype(np.intp)
        if self.last:
            return scores.shape[1] - 1 - np.argmax(scores[:, ::-1], axis=1)
        return np.argmax(scores, axis=1)

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """The probability of each class, a line for each row."""
        return refuse_none(self.calibration).probabilities(scores)

    def sets(self, scores: np.ndarray, coverage: float) -> np.ndarray:
        """For each row and class whether the class is in the row's set. Each class is in that share of its own sets."""
        return refuse_none(self.calibration).sets(scores, coverage)

    def reason(self, code: int) -> str:
        """Why one of two classes was predicted, in words that hold for ties too."""
        if self.last:
            return f"the score is {'not ' if code else ''}below the threshold {self.threshold:g}"
        return f"the score is {'' if code else 'not '}above the threshold {self.threshold:g}"
