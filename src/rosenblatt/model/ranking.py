"""What every line between two classes would give: hits and false alarms for each score that it could be drawn at."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True, eq=False)
class Ranking:
    """For each line, the highest first, how many rows of the second class are above it, and how many of the first."""

    lines: np.ndarray  # a score between two neighbouring ones; the first is above all rows, the last below all
    above: np.ndarray  # the lowest score above each line
    hits: np.ndarray
    alarms: np.ndarray
    positives: int  # rows of the second class
    others: int

    @classmethod
    def of(cls, scores: np.ndarray, truth: np.ndarray) -> Ranking:
        """By the scores of the second class; rows of equal scores fall on the same side of every line."""
        if not len(scores):
            none = np.zeros(1, np.int64)
            return cls(np.zeros(1), np.full(1, math.inf), none, none, 0, 0)
        positive = truth == 1
        order = np.argsort(-scores, kind="stable")
        ranked, hits = scores[order], np.cumsum(positive[order])
        alarms = np.arange(1, len(order) + 1) - hits
        ends = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
        bounds = np.concatenate([[ranked[0] + 1.0], ranked[ends], [ranked[-1] - 1.0]])
        lines = np.array([_between(float(a), float(b)) for a, b in pairwise(bounds)])
        hits, alarms = np.append(0, hits[ends]), np.append(0, alarms[ends])
        return cls(lines, bounds[:-1], hits, alarms, int(positive.sum()), int((~positive).sum()))

    @property
    def recall(self) -> np.ndarray:
        """The share of the second class above each line."""
        return np.asarray(self.hits / max(1, self.positives))

    @property
    def false_alarms(self) -> np.ndarray:
        """The share of the first class above each line."""
        return np.asarray(self.alarms / max(1, self.others))

    @property
    def precision(self) -> np.ndarray:
        """The share of the rows above each line that are of the second class; 1 where there are none."""
        above = self.hits + self.alarms
        return np.divide(self.hits, above, out=np.ones(len(above)), where=above > 0)

    @property
    def area(self) -> float:
        """The area under the ROC curve: the chance that a row of the second class scores above one of the first."""
        if not self.positives or not self.others:
            return math.nan
        x, y = self.false_alarms, self.recall
        return float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))

    def costs(self, alarm: float, miss: float) -> np.ndarray:
        """What the mistakes of each line cost together."""
        return np.asarray(alarm * self.alarms + miss * (self.positives - self.hits))

    def at(self, threshold: float) -> int:
        """The place of the line that parts the rows as this threshold does."""
        return max(0, int(np.searchsorted(-self.above, -threshold, side="left")) - 1)


def _between(high: float, low: float) -> float:
    """A line between two scores. At k = 0 naive Bayes has infinite ones; what is above must stay above the line."""
    if high == low:
        return high
    if math.isinf(high):
        return 0.0 if math.isinf(low) else low + 1.0
    return high - 1.0 if math.isinf(low) else (high + low) / 2
