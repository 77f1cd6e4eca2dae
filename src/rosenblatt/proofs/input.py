"""From what people have to a Question. The door decides what may come in, and here it rounds nothing."""

from __future__ import annotations

from typing import Any

from rosenblatt.data.door import read_numbers, rows_of
from rosenblatt.data.door_labels import read_labels, two_classes
from rosenblatt.learn.problem import make_problem
from rosenblatt.proofs.question import Question


def read_question(X: Any, y: Any, bias: bool = True) -> Question:
    """The question whether the rows of X can be separated by their labels y. Raises DataError on anything else."""
    numbers = read_numbers(X, exact=True)
    classes, truth = two_classes(read_labels(y, numbers.n_rows).values)
    return Question(make_problem(rows_of(numbers, 1.0 if bias else 0.0), truth, len(classes)), tuple(classes.tolist()))
