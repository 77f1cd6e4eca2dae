"""Rules whose steps have amounts: passive-aggressive (Crammer et al. 2006), AROW (Crammer, Kulesza, Dredze 2009)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rosenblatt.reference.perceptron import Matrix, Vector, best_other, dot, plus


def amount(rule: str, loss: Any, square: Any, c: Any) -> Any:
    """How much of the signed row is added, by its hinge loss and the square of its length; c is C."""
    return min(c, loss / square) if rule == "pa1" else loss / (square + 1 / (2 * c))


def passive_aggressive_pass(
    rows: Matrix, labels: Sequence[int], w: Vector, rule: str = "pa1", c: Any = 1
) -> Iterator[tuple[Any, Vector]]:
    """For each row in turn: the amount, 0 where nothing is learned, and the weights after it. Labels are -1 and +1."""
    for f, y in zip(rows, labels, strict=True):
        loss, square = max(0, 1 - y * dot(w, f)), dot(f, f)
        step = amount(rule, loss, square, c) if loss > 0 and square > 0 else 0
        w = plus(w, step * y, f) if step else w
        yield step, w


def passive_aggressive_classes(
    rows: Matrix, classes: Sequence[int], weights: Matrix, rule: str = "pa1", c: Any = 1
) -> Iterator[tuple[int, Any, Matrix]]:
    """The same for more classes: the rival, the amount, and the weights. The signed row has twice the length²."""
    for f, true in zip(rows, classes, strict=True):
        scores = [dot(w, f) for w in weights]
        rival = best_other(scores, true)
        loss, square = max(0, 1 - (scores[true] - scores[rival])), 2 * dot(f, f)
        step = amount(rule, loss, square, c) if loss > 0 and square > 0 else 0
        change = {true: step, rival: -step} if step else {}
        weights = [plus(w, change[k], f) if k in change else w for k, w in enumerate(weights)]
        yield rival, step, weights


def arow_pass(
    rows: Matrix, labels: Sequence[int], w: Vector, s: Vector, r: Any = 1
) -> Iterator[tuple[Any, Any, Vector, Vector]]:
    """For each row in turn: α and β, both 0 where nothing is learned, the weights and their variances after it."""
    for f, y in zip(rows, labels, strict=True):
        lead = y * dot(w, f)
        alpha = beta = 0
        spread = sum(v * a * a for v, a in zip(s, f, strict=True))
        if lead < 1 and spread > 0:
            beta = 1 / (spread + r)
            alpha = (1 - lead) * beta
            w, s = _moved(w, s, f, alpha * y, beta)
        yield alpha, beta, w, s


def arow_classes(
    rows: Matrix, classes: Sequence[int], weights: Matrix, variances: Matrix, r: Any = 1
) -> Iterator[tuple[int, Any, Any, Matrix, Matrix]]:
    """The same for more classes; the rival comes first."""
    weights, variances = list(weights), list(variances)
    for f, true in zip(rows, classes, strict=True):
        scores = [dot(w, f) for w in weights]
        rival = best_other(scores, true)
        lead = scores[true] - scores[rival]
        alpha = beta = 0
        both = plus(variances[true], 1, variances[rival])
        spread = sum(v * a * a for v, a in zip(both, f, strict=True))
        if lead < 1 and spread > 0:
            beta = 1 / (spread + r)
            alpha = (1 - lead) * beta
            for k, sign in ((true, 1), (rival, -1)):
                weights[k], variances[k] = _moved(weights[k], variances[k], f, sign * alpha, beta)
        yield rival, alpha, beta, list(weights), list(variances)


def _moved(w: Vector, s: Vector, f: Vector, step: Any, beta: Any) -> tuple[list[Any], list[Any]]:
    """Weights move by the row, each in proportion to its variance; variances of what the row has become smaller."""
    moved = [weight + step * v * a for weight, v, a in zip(w, s, f, strict=True)]
    return moved, [v - beta * v * v * a * a for v, a in zip(s, f, strict=True)]
