"""How probable counts are under given probabilities: L, its logarithm, and how both change.

Probabilities that are fractions give fractions, as long as these can be written down; any other number gives floats. A
likelihood of thousands of draws is too small for a float, but its logarithm is not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

Number = Fraction | float

EXACT = 1000  # draws, up to which a likelihood is a fraction: its digits grow with them


def shares(counts: Sequence[int], k: float) -> list[Fraction]:
    """(count + k) / (total + k |X|) for each value, exactly; 1 / |X| for k = infinity, and where nothing was counted.

    k is taken at its word: 0.1 is a tenth.
    """
    total, size = sum(counts), len(counts)
    if k == math.inf or not (total or k):
        return [Fraction(1, size)] * size
    more = Fraction(repr(k))
    return [(count + more) / (total + more * size) for count in counts]


def likelihood(counts: Sequence[int], chances: Sequence[Number]) -> Number:
    """The product of chance ** count."""
    return math.prod((p**count for count, p in zip(counts, _numbers(counts, chances), strict=True)), start=Fraction(1))


def log_likelihood(counts: Sequence[int], chances: Sequence[Number]) -> float:
    """The sum of count times log chance, rounded once; -inf where a value was drawn that is impossible."""
    drawn = [(count, p) for count, p in zip(counts, chances, strict=True) if count]
    if any(p == 0 for _, p in drawn):
        return -math.inf
    return math.fsum(count * _log(p) for count, p in drawn)


def slopes(counts: Sequence[int], chances: Sequence[Number]) -> list[Number]:
    """How L changes with the probability of each value: count * chance ** (count - 1) times the other factors."""
    numbers = _numbers(counts, chances)
    found: list[Number] = []
    for v, count in enumerate(counts):
        less = [n - (u == v) for u, n in enumerate(counts)]
        found.append(count * likelihood(less, numbers) if count else Fraction(0))
    return found


def log_slopes(counts: Sequence[int], chances: Sequence[Number]) -> list[Number]:
    """The same for log L: count / chance, infinite where a value was drawn that is impossible."""
    return [(Fraction(n) / p if p else math.inf) if n else Fraction(0) for n, p in zip(counts, chances, strict=True)]


def _numbers(counts: Sequence[int], chances: Sequence[Number]) -> Sequence[Number]:
    """The probabilities, as floats where fractions would become too long."""
    return chances if sum(counts) <= EXACT else [float(p) for p in chances]


def _log(p: Number) -> float:
    """log p, also of a fraction that is too small for a float."""
    if isinstance(p, Fraction) and not float(p):
        return math.log(p.numerator) - math.log(p.denominator)
    return math.log(p)
