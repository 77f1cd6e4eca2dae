"""Maximum likelihood in plain Python: what a sample says about the probabilities it was drawn with.

Samples are independent and of one distribution, and no probabilities are preferred beforehand. `counts` says how often
each value was drawn, `chances` how probable each is; numbers may be Fractions, and then every result is exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rosenblatt.reference.naive_bayes import smoothed


def estimate(counts: Sequence[int], k: Any = 0) -> list[Any]:
    """The probability of each value: its share of the sample for k = 0, the maximum of the likelihood."""
    return [smoothed(count, sum(counts), len(counts), k) for count in counts]


def likelihood(counts: Sequence[int], chances: Sequence[Any]) -> Any:
    """L: the probability of the sample, one factor for each draw. (Python's 0 ** 0 is 1, as it should be here.)"""
    return math.prod(p**count for count, p in zip(counts, chances, strict=True))


def log_likelihood(counts: Sequence[int], chances: Sequence[Any]) -> float:
    """log L: a sum, -inf where a value was drawn that is impossible."""
    drawn = [(count, p) for count, p in zip(counts, chances, strict=True) if count]
    return -math.inf if any(p == 0 for _, p in drawn) else sum(count * math.log(p) for count, p in drawn)


def derivative(a: int, b: int, theta: Any) -> Any:
    """L'(theta) of two values, L = theta^a (1 - theta)^b: a theta^(a-1) (1 - theta)^b - b theta^a (1 - theta)^(b-1)."""
    rises = a * theta ** (a - 1) * (1 - theta) ** b if a else 0
    falls = b * theta**a * (1 - theta) ** (b - 1) if b else 0
    return rises - falls
