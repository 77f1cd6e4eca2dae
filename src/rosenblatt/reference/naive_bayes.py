"""Naive Bayes in plain Python, one rule of the notes after another. Read this first; the fast code must agree.

A row is a sequence of values, one per feature; None is a missing value. Numbers may be Fractions: then every
result is exact. `kinds` says per feature how many values it can have: 2 for presence, or None for "as many as seen".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

Row = Sequence[Hashable | None]


class Learned(NamedTuple):
    """What counting leaves behind; every probability is derived from it."""

    classes: Counter[Any]  # count(y)
    values: list[Counter[tuple[Any, Any]]]  # for each feature: count(v, y)
    present: list[Counter[Any]]  # for each feature: rows of class y where it is not missing
    sizes: list[int]  # |X|, the number of values of each feature


def learn(rows: Sequence[Row], labels: Sequence[Any], kinds: Sequence[int | None] | None = None) -> Learned:
    """Counts of every class, and of every value with every class."""
    columns = list(zip(*rows, strict=True))
    values = [Counter((v, y) for v, y in zip(c, labels, strict=True) if v is not None) for c in columns]
    present = [Counter(y for v, y in zip(c, labels, strict=True) if v is not None) for c in columns]
    seen = [len({v for v, _ in counted}) for counted in values]
    sizes = [size or n for size, n in zip(kinds or [None] * len(columns), seen, strict=True)]
    return Learned(Counter(labels), values, present, sizes)


def smoothed(count: Any, total: Any, size: int, k: Any) -> Any:
    """Laplace: (count + k) / (total + k |X|). k = 0 is maximum likelihood, k = infinity is 1 / |X|."""
    if k == math.inf or (k == 0 and total == 0):
        return (1 if k == math.inf else k + 1) / size  # k + 1 keeps a Fraction a Fraction
    return (count + k) / (total + k * size)


def factor(learned: Learned, feature: int, value: Hashable, y: Any, k: Any) -> tuple[int, Any]:
    """P(value | y) as (m, p), meaning p times k**m as k -> 0+; m is 1 where k = 0 and the count is 0, else 0."""
    count, total = learned.values[feature][value, y], learned.present[feature][y]
    if k == 0 and count == 0 and total > 0:
        return 1, (k + 1) / total
    return 0, smoothed(count, total, learned.sizes[feature], k)


def joint(learned: Learned, row: Row, y: Any, k: Any, prior: Any) -> tuple[int, Any]:
    """P(y) times P(value | y) for every value that is neither missing nor new, as (m, p): p times k**m."""
    zeros, product = 0, prior
    for feature, value in enumerate(row):
        if value is not None and any(learned.values[feature][value, z] for z in learned.classes):
            m, p = factor(learned, feature, value, y, k)
            zeros, product = zeros + m, product * p
    return zeros, product


def priors(learned: Learned, one: Any = 1, k: Any = 0) -> dict[Any, Any]:
    """P(y) = count(y) / n; smoothed only where that is asked for, over the number of classes."""
    n, size = learned.classes.total(), len(learned.classes)
    return {y: smoothed(one * count, n, size, k) for y, count in learned.classes.items()}


def posterior(learned: Learned, row: Row, k: Any, one: Any = 1) -> dict[Any, Any]:
    """P(y | row). Where every class has zero factors, the limit k -> 0+: only those with the fewest remain."""
    scores = {y: joint(learned, row, y, k, p) for y, p in priors(learned, one).items()}
    fewest = min(zeros for zeros, _ in scores.values())
    left = {y: p if zeros == fewest else 0 * p for y, (zeros, p) in scores.items()}
    total = sum(left.values())
    return {y: p / total for y, p in left.items()}


def predict(learned: Learned, row: Row, k: Any, one: Any = 1) -> Any:
    """The class of the highest posterior; among equals the first in sorted order."""
    chances = posterior(learned, row, k, one)
    return max(sorted(chances), key=lambda y: chances[y])


def word_factor(counts: dict[Any, dict[Any, Any]], word: Any, y: Any, k: Any) -> Any:
    """Multinomial: P(word | y) = (count(word, y) + k) / (all words of y + k |vocabulary|), for each occurrence."""
    return smoothed(counts[y].get(word, 0), sum(counts[y].values()), len({w for c in counts.values() for w in c}), k)


def best_strength(accuracies: dict[float, float]) -> float:
    """The k with the highest validation accuracy; the lowest wins a tie."""
    return min(accuracies, key=lambda k: (-accuracies[k], k))
