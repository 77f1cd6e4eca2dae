"""In which order a score that is given out is added up: each product rounded, each sum rounded, none of them fused.

A row is one of three kinds. `weights` has one weight for each column and that of the constant last; `bias` is the value
of the constant, 1 or 0. Python's floats are float64; where weights and values are float32, so is every step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Vector = Sequence[Any]
LANES, PARTS = 8, 4


def dense(values: Vector, weights: Vector, bias: Any, zero: Any = 0.0) -> Any:
    """Lane l adds the products of columns l, l + 8, ...; lanes 0 and 4, 1 and 5, ... are added until one is left."""
    lanes = [zero] * LANES
    for j, value in enumerate(values):
        lanes[j % LANES] += weights[j] * value
    while len(lanes) > 1:
        half = len(lanes) // 2
        lanes = [lanes[i] + lanes[i + half] for i in range(half)]
    return lanes[0] + weights[-1] * bias


def sparse(columns: Sequence[int], values: Vector, weights: Vector, bias: Any, zero: Any = 0.0) -> Any:
    """Four parts in turn; the values beyond the last whole four all go to the first part."""
    return parts_sum([weights[j] * value for j, value in zip(columns, values, strict=True)], zero) + weights[-1] * bias


def words(columns: Sequence[int], scale: Any, weights: Vector, bias: Any, zero: Any = 0.0) -> Any:
    """A sparse row whose values are all `scale`: the weights are added as above, and the sum is multiplied once."""
    return parts_sum([weights[j] for j in columns], zero) * scale + weights[-1] * bias


def parts_sum(terms: Vector, zero: Any = 0.0) -> Any:
    """The sum of the terms in four parts."""
    parts, whole = [zero] * PARTS, len(terms) - len(terms) % PARTS
    for k, term in enumerate(terms):
        parts[k % PARTS if k < whole else 0] += term
    return (parts[0] + parts[1]) + (parts[2] + parts[3])
