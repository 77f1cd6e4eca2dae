"""The kernel perceptron: the same list of updates, with a kernel in the place of the product of two rows.

No weights exist. The score of a row for a class is a sum over the updates so far, in their order: plus the kernel with
the row that was updated on where the class was rewarded, minus it where the class was punished.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from rosenblatt.reference.perceptron import Matrix, Vector, best_other, dot, is_mistake

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # ln 2 in two parts: n times the first is exact
TERMS = 13  # of the series: what follows is below half a unit in the last place for |r| <= ln 2 / 2


def power(base: Any, degree: int) -> Any:
    """Repeated products from the left."""
    result = base
    for _ in range(degree - 1):
        result = result * base
    return result


def exponential(x: float) -> float:
    """e to the x, for x <= 0, by sums and products alone: so that every machine and a browser find the same bits.

    x = n ln 2 + r with |r| <= ln 2 / 2; e^r by its series, from the last term to the first; then times 2 to the n.
    What is below the smallest normal number is 0.
    """
    if x < -708.0:
        return 0.0
    n = math.floor(x * LOG2_E + 0.5)
    r = (x - n * LN2_HIGH) - n * LN2_LOW
    total = 1.0 / math.factorial(TERMS)
    for k in range(TERMS - 1, -1, -1):
        total = total * r + 1.0 / math.factorial(k)
    return math.ldexp(total, n)


def poly(x: Vector, z: Vector, degree: int, gamma: Any, coef0: Any) -> Any:
    """(gamma x.z + coef0) to the degree."""
    return power(gamma * dot(x, z) + coef0, degree)


def rbf(x: Vector, z: Vector, gamma: float, bias: float = 0.0) -> float:
    """e to the -gamma |x - z|^2, plus the square of a constant feature."""
    distance = (dot(x, x) + dot(z, z)) - 2 * dot(x, z)
    return exponential(-(gamma * max(distance, 0.0))) + bias


def cosine(x: Vector, z: Vector, degree: int, bias: float = 0.0) -> float:
    """The cosine of the angle between x and z, 0 where one of them is all zeros, to the degree; plus the bias."""
    lengths = dot(x, x) * dot(z, z)
    return (power(dot(x, z) / math.sqrt(lengths), degree) if lengths > 0 else 0.0) + bias


def kernel_scores(
    gram: Matrix,
    updates: Sequence[tuple[int, int, int]],
    row: int,
    n_classes: int,
    amounts: Sequence[Any] | None = None,
) -> list[Any]:
    """The score of a row for each class; gram[i][j] is the kernel of rows i and j.

    amounts    how much an update on each row counts; otherwise 1
    """
    scores = [0.0] * n_classes
    for updated, gains, loses in updates:
        value = gram[updated][row] if amounts is None else amounts[updated] * gram[updated][row]
        scores[gains] += value
        scores[loses] -= value
    return scores


def kernel_pass(
    gram: Matrix,
    classes: Sequence[int],
    order: Sequence[int],
    updates: list[tuple[int, int, int]],
    n_classes: int,
    ties: str = "mistake",
    margin: Any = 0,
    amounts: Sequence[Any] | None = None,
) -> list[tuple[int, int, int]]:
    """The list of updates (row, class rewarded, class punished) after one pass over the rows in this order.

    Two classes have one score, that of the second; its lead is half of what two scores would show.
    """
    updates = [*updates]
    for i in order:
        scores = kernel_scores(gram, updates, i, n_classes, amounts)
        true = classes[i]
        rival = best_other(scores, true, ties)
        lead = (scores[true] - scores[rival]) / 2 if n_classes == 2 else scores[true] - scores[rival]
        if is_mistake(lead, true > rival, ties, margin):
            updates.append((i, true, rival))
    return updates


def averaged_factors(befores: Sequence[int], steps: int) -> list[float]:
    """What each update counts in the mean of all scores met: the share of the steps after it, its own included."""
    return [(steps - before) / steps for before in befores]


def kernel_votes(
    gram: Matrix,
    updates: Sequence[tuple[int, int, int]],
    befores: Sequence[int],
    steps: int,
    row: int,
    n_classes: int,
    ties: str = "mistake",
    amounts: Sequence[Any] | None = None,
) -> list[int]:
    """For each class the votes of all states of the list: each votes as often as rows were visited while it lasted."""
    votes = [0] * n_classes
    for made, (begin, end) in enumerate(pairwise([0, *befores, steps])):
        scores = kernel_scores(gram, updates[:made], row, n_classes, amounts)
        best = [c for c in range(n_classes) if scores[c] == max(scores)]
        votes[best[-1] if ties == "positive" else best[0]] += end - begin
    return votes
