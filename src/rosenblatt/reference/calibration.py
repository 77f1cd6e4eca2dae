"""From scores to probabilities and sets of classes, in plain Python.

Scores are of rows that the weights were not fitted to. With two classes there is one score for each row, that of the
second class; with more there is a list of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def sigmoid(score: float, slope: float, shift: float) -> float:
    """P(second class) = 1 / (1 + e^-(a s + b))."""
    z = slope * score + shift
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))


def platt_targets(truth: Sequence[int]) -> list[float]:
    """(N₊ + 1) / (N₊ + 2) for rows of the second class and 1 / (N₋ + 2) for the others: never quite certain.

    Source    Platt 1999
    """
    second = sum(truth)
    first = len(truth) - second
    return [(second + 1) / (second + 2) if each else 1 / (first + 2) for each in truth]


def sigmoid_loss(scores: Sequence[float], truth: Sequence[int], slope: float, shift: float) -> float:
    """The cross-entropy of the probabilities with Platt's targets, summed over the rows; a and b make it least."""
    total = 0.0
    for score, target in zip(scores, platt_targets(truth), strict=True):
        z = slope * score + shift
        total += math.log1p(math.exp(-abs(z))) + max(z, 0.0) - target * z
    return total


def softmax(scores: Sequence[float], slope: float, doubt: float = 0.0) -> list[float]:
    """P(class) for each class: e^(s / T) as a share of their sum, and in a share ε of all rows by chance alone.

    The slope is 1 / T.
    """
    most = max(scores)
    parts = [math.exp(slope * (score - most)) for score in scores]
    return [(1 - doubt) * part / sum(parts) + doubt / len(parts) for part in parts]


def softmax_loss(scores: Sequence[Sequence[float]], truth: Sequence[int], slope: float, doubt: float = 0.0) -> float:
    """The log loss, summed over the rows; T and ε make it least."""
    return -sum(math.log(softmax(row, slope, doubt)[true]) for row, true in zip(scores, truth, strict=True))


def least_probability(own: Sequence[float], coverage: float) -> float:
    """The probability from which on a class is in the set, by the probabilities that rows of the class had for it.

    The rank is ⌈(n + 1)(1 - α)⌉ among the n nonconformities 1 - p, smallest first; beyond n, every row has the class.
    """
    rank = math.ceil(round((len(own) + 1) * coverage, 9))
    return sorted(own, reverse=True)[rank - 1] if rank <= len(own) else 0.0


def in_set(probabilities: Sequence[float], least: Sequence[float]) -> list[int]:
    """The classes of the set, which may be empty: all as probable as they are for most of their own rows."""
    return [c for c, (p, bound) in enumerate(zip(probabilities, least, strict=True)) if p >= bound]
