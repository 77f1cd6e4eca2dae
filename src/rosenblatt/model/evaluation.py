"""How a model did on labelled rows: everything from one table of true against predicted classes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.features.contents import Contents
from rosenblatt.model.reliability import Coverage, Reliability
from rosenblatt.model.seen import Seen
from rosenblatt.model.statistics import wilson


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Counts of rows by their true class (down) and the predicted one (across)."""

    classes: tuple[str, ...]
    confusion: np.ndarray  # int64, (classes, classes)
    training_rows: int | None = None  # how many of the rows the model was trained on; None where nobody can tell
    training_rows_exact: bool = True  # False for an estimate, of a model that was trained on very many rows
    fresh: Evaluation | None = None  # on the rows that it was not trained on, where these are known one by one
    reliability: Reliability | None = None  # of its probabilities, where it has them
    coverage: Coverage | None = None  # of its sets

    @classmethod
    def of(
        cls, classes: tuple[str, ...], truth: np.ndarray, predicted: np.ndarray, known: np.ndarray | None = None
    ) -> Evaluation:
        """The evaluation of predictions, both given as numbers of classes; `known` marks rows of the training."""
        size = len(classes)
        cells = np.bincount(truth * size + predicted, minlength=size * size)
        confusion = cells.reshape(size, size).astype(np.int64, copy=False)
        if known is None:
            return cls(classes, confusion)
        fresh = cls.of(classes, truth[~known], predicted[~known])
        return cls(classes, confusion, int(known.sum()), fresh=fresh)

    @property
    def n(self) -> int:
        """How many rows there are."""
        return int(self.confusion.sum())

    @property
    def right(self) -> int:
        """How many of them were predicted as what they are."""
        return int(np.trace(self.confusion))

    @property
    def accuracy(self) -> float:
        """The share of rows that are right; NaN where there are none."""
        return self.right / self.n if self.n else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the accuracy."""
        return wilson(self.right, self.n)

    @property
    def rows(self) -> np.ndarray:
        """Rows of each true class."""
        return np.asarray(self.confusion.sum(axis=1))

    @property
    def precision(self) -> np.ndarray:
        """Of the rows predicted as a class, the share that are of it; 0 where none was predicted."""
        return _shares(np.diag(self.confusion), self.confusion.sum(axis=0))

    @property
    def recall(self) -> np.ndarray:
        """Of the rows of a class, the share predicted as it; 0 where there are none."""
        return _shares(np.diag(self.confusion), self.confusion.sum(axis=1))

    @property
    def f1(self) -> np.ndarray:
        """The harmonic mean of precision and recall, 2 · right / (rows predicted + rows of the class)."""
        return _shares(2 * np.diag(self.confusion), self.confusion.sum(axis=0) + self.confusion.sum(axis=1))

    def always(self, name: str) -> float:
        """The accuracy of always predicting this class."""
        return float(self.rows[self.classes.index(name)] / self.n) if name in self.classes and self.n else 0.0

    def confusions(self, count: int = 3) -> list[tuple[str, str, int]]:
        """The most frequent mistakes: true class, predicted class, rows; the first in order among equals."""
        wrong = self.confusion.copy()
        np.fill_diagonal(wrong, 0)
        truth, predicted = np.nonzero(wrong)  # of many classes, most are never taken for most others
        order = np.argsort(-wrong[truth, predicted], kind="stable")[:count]
        pairs = zip(truth[order].tolist(), predicted[order].tolist(), strict=True)
        return [(self.classes[t], self.classes[p], int(wrong[t, p])) for t, p in pairs]


def judge(
    classes: tuple[str, ...], truth: np.ndarray, predicted: np.ndarray, seen: Seen | None, contents: Contents
) -> Evaluation:
    """The evaluation of predictions of a model that has seen these rows in training; contents are of the rows."""
    found = Evaluation.of(classes, truth, predicted, None if seen is None else seen.known(contents))
    if seen is None or seen.whole:
        return found
    return replace(found, training_rows=seen.estimate(contents), training_rows_exact=False)


def _shares(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)
