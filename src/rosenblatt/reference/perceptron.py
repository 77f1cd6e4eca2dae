"""The perceptron: what a mistake is, one pass for two classes, one for more, and the ways to use a whole run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Vector = Sequence[Any]
Matrix = Sequence[Vector]


def dot(w: Vector, f: Vector) -> Any:
    return sum(a * b for a, b in zip(w, f, strict=True))


def plus(w: Vector, amount: Any, f: Vector) -> list[Any]:
    return [a + amount * b for a, b in zip(w, f, strict=True)]


def is_mistake(lead: Any, true_is_later: bool, ties: str = "mistake", margin: Any = 0) -> bool:
    """Whether a row must be learned from. `lead` is how far the true class is ahead of the best other class."""
    if margin > 0 or ties == "mistake":
        return bool(lead <= margin)
    wins_ties = true_is_later == (ties == "positive")
    return bool(lead < 0 or (lead == 0 and not wins_ties))


def binary_pass(
    rows: Matrix, labels: Sequence[int], w: Vector, ties: str = "mistake", margin: Any = 0, rate: Any = 1
) -> Iterator[tuple[bool, Vector]]:
    """For each row in turn: whether it was a mistake, and the weights after it. Labels are -1 and +1."""
    for f, y in zip(rows, labels, strict=True):
        mistake = is_mistake(y * dot(w, f), y > 0, ties, margin)
        if mistake:
            w = plus(w, rate * y, f)
        yield mistake, w


def wrong_rows(rows: Matrix, labels: Sequence[int], w: Vector, ties: str = "mistake") -> list[int]:
    """The rows that are wrong now. "While there is one, update on it" (Cornell) leaves open on which."""
    return [i for i, y in enumerate(labels) if is_mistake(y * dot(w, rows[i]), y > 0, ties)]


def worst_row(rows: Matrix, labels: Sequence[int], w: Vector, wrong: Sequence[int]) -> int:
    """Of the wrong rows the one with the lowest y·w·x, the first among equals."""
    return min(wrong, key=lambda i: labels[i] * dot(w, rows[i]))


def best_other(scores: Vector, true: int, ties: str = "mistake") -> int:
    """The class with the highest score among those that are not the true one."""
    others = [c for c in range(len(scores)) if c != true]
    best = max(scores[c] for c in others)
    tied = [c for c in others if scores[c] == best]
    return tied[-1] if ties == "positive" else tied[0]


def multiclass_pass(
    rows: Matrix, classes: Sequence[int], weights: Matrix, ties: str = "mistake", margin: Any = 0, rate: Any = 1
) -> Iterator[tuple[int | None, Matrix]]:
    """For each row in turn: the class punished, or None where the row was right, and the weights after it."""
    for f, true in zip(rows, classes, strict=True):
        scores = [dot(w, f) for w in weights]
        rival = best_other(scores, true, ties)
        if is_mistake(scores[true] - scores[rival], true > rival, ties, margin):
            change = {true: rate, rival: -rate}
            weights = [plus(w, change[c], f) if c in change else w for c, w in enumerate(weights)]
            yield rival, weights
        else:
            yield None, weights


def averaged(history: Sequence[Vector]) -> list[Any]:
    """The mean of the weights after each visited row (Collins 2002)."""
    return [sum(column) / len(history) for column in zip(*history, strict=True)]


def voted(history: Sequence[Vector], f: Vector, ties: str = "mistake") -> int:
    """Votes for + less votes for −: the weights after each visited row have one vote each (Freund, Schapire 1999)."""
    scores = [dot(w, f) for w in history]
    return sum(1 if s > 0 or (s == 0 and ties == "positive") else -1 for s in scores)


def pocket(
    start: Vector, steps: Sequence[tuple[bool, Vector]], rows: Matrix, labels: Sequence[int], ties: str = "mistake"
) -> Vector:
    """The weights with the longest run of right rows that also get more rows right than those before (Gallant 1990)."""

    def right(w: Vector) -> int:
        return sum(not is_mistake(y * dot(w, f), y > 0, ties) for f, y in zip(rows, labels, strict=True))

    kept, longest, w, run = start, 0, start, 0
    for mistake, after in [*steps, (True, start)]:  # the last weights' run ends with the steps
        if not mistake:
            run += 1
            continue
        if run > longest and right(w) > right(kept):
            kept, longest = w, run
        w, run = after, 0
    return kept


def loss(rows: Matrix, labels: Sequence[int], w: Vector) -> Any:
    """Perceptron loss: the mean of max(0, −y s). At w = 0 it is 0, although every row counts as a mistake."""
    return sum(max(0, -y * dot(w, f)) for f, y in zip(rows, labels, strict=True)) / len(labels)


def zero_one_loss(rows: Matrix, labels: Sequence[int], w: Vector, ties: str = "mistake") -> Any:
    """The share of rows that are wrong. It is flat between jumps, so its gradient is 0 wherever there is one."""
    return sum(is_mistake(y * dot(w, f), y > 0, ties) for f, y in zip(rows, labels, strict=True)) / len(labels)


def subgradient(f: Vector, y: int, mistake: bool) -> list[Any]:
    """Of max(0, −y s) in w for one row: −y f where the row counts as wrong, otherwise 0.

    At y s = 0 every vector between the two is one; the rule for ties chooses.
    """
    return [-y * a if mistake else 0 * a for a in f]


def subgradient_step(f: Vector, y: int, predicted: int, w: Vector, rate: Any = 1) -> list[Any]:
    """w − (α/2)(ŷ − y) f(x), which is the update: ŷ − y is −2y on a wrong row and 0 on a right one."""
    return plus(w, -rate * ((predicted - y) // 2), f)


def batch_step(
    rows: Matrix, labels: Sequence[int], w: Vector, ties: str = "mistake", rate: Any = 1
) -> tuple[list[int], Vector]:
    """One step of gradient descent on the perceptron loss of all rows: the rows that are wrong, and the new weights.

    The loss is a mean, so its subgradient is the mean of those of the rows, all of them taken at the same weights.
    """
    wrong = wrong_rows(rows, labels, w, ties)
    total = [sum(subgradient(rows[i], labels[i], True)[j] for i in wrong) for j in range(len(w))]
    return wrong, plus(w, -rate / len(rows), total)
