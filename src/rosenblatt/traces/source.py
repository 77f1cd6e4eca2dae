"""The run and the problem behind a trained perceptron, so that it can be replayed on the rows it was trained with.

A model is anything with `run_` and `classes_` (a fitted Perceptron or KernelPerceptron), or with `as_recorded` (a model
of `train`, or its file): this package stands below both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rosenblatt.data.door import read_numbers, rows_of
from rosenblatt.data.door_labels import numbers_in, read_labels
from rosenblatt.errors import DataError
from rosenblatt.learn.any_run import AnyRun
from rosenblatt.learn.problem import Problem, make_problem

# A recorded run, and the problem that it visited. Then, where they are known: its classes, where a row came from, and
# what raises DataError where a model does not follow from the run.
Played = tuple[
    AnyRun, Problem, tuple[Any, ...] | None, Callable[[int], str] | None, Callable[[Any, Problem], None] | None
]


def played(source: Any, X: Any, y: Any, sample_weight: Any) -> Played:
    """A run and its problem as they are, or those of a model on the rows X with labels y."""
    if isinstance(source, AnyRun):
        if not isinstance(X, Problem):
            raise DataError("a run is replayed on its problem; give a fitted model to replay on rows and labels.")
        return source, X, None, None, None
    if hasattr(source, "as_recorded"):
        if sample_weight is not None:
            raise DataError("in a model of `train` all rows weigh the same; leave sample_weight out.")
        found: Played = source.as_recorded(X, y)
        return found
    name = type(source).__name__
    if not all(hasattr(source, each) for each in ("run_", "classes_")):
        raise DataError(f"a fitted Perceptron or KernelPerceptron can be replayed; got {name}. Call fit first.")
    if X is None:
        raise DataError(f"a fitted {name} is replayed on the rows it was fitted with; give them, and their labels.")
    classes = np.asarray(source.classes_)
    numbers = read_numbers(X)
    truth = numbers_in(classes, read_labels(y, numbers.n_rows).values)
    rows = rows_of(numbers, float(bool(getattr(source, "fit_intercept", False))))
    amounts = _amounts(truth, classes, sample_weight, getattr(source, "class_weight", None))
    problem = make_problem(rows, truth, len(classes), amounts)
    return source.run_, problem, tuple(classes.tolist()), None, None


def _amounts(truth: np.ndarray, classes: np.ndarray, sample_weight: Any, class_weight: Any) -> np.ndarray:
    """How much an update on each row counted: the weight of the row times that of its class."""
    given = 1.0 if sample_weight is None else np.asarray(sample_weight, np.float64)
    amounts = np.ones(len(truth)) * given
    if isinstance(class_weight, Mapping):
        return np.asarray(amounts * np.array([class_weight.get(c, 1.0) for c in classes.tolist()])[truth])
    if class_weight is not None:  # "balanced": rows over classes times the rows of the class
        return np.asarray(amounts * (len(truth) / (len(classes) * np.bincount(truth, minlength=len(classes))))[truth])
    return amounts
