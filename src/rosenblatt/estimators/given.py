"""Weights and classes that are given, not learned, in the shapes of `coef_`, `intercept_` and `classes_`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.data.door_labels import read_labels
from rosenblatt.errors import DataError
from rosenblatt.learn.problem import Problem


def start_weights(problem: Problem, coef: Any, intercept: Any) -> np.ndarray | None:
    """Start weights by class, from arrays in the shapes of coef_ and intercept_."""
    if coef is None and intercept is None:
        return None
    start = problem.zero_weights().astype(np.float64)
    lines = np.atleast_2d(start)
    for name, given, target in (("coef_init", coef, lines[:, :-1]), ("intercept_init", intercept, lines[:, -1])):
        if given is None:
            continue
        given = np.asarray(given, np.float64)
        if given.size != target.size or not np.isfinite(given).all():
            raise DataError(
                f"{name} must hold {' × '.join(map(str, target.shape))} finite numbers for "
                f"{problem.n_classes} classes; got shape {given.shape}."
            )
        target[...] = given.reshape(target.shape)
    return start


def weights_by_class(coef: Any, intercept: Any) -> np.ndarray:
    """Weights by class with that of the constant last, from arrays in the shapes of coef_ and intercept_."""
    lines = np.atleast_2d(np.asarray(coef))
    if lines.dtype not in (np.float32, np.float64):
        lines = lines.astype(np.float64)
    last = np.zeros(len(lines), lines.dtype) if intercept is None else np.atleast_1d(np.asarray(intercept, lines.dtype))
    if lines.ndim != 2 or not lines.size or last.shape != (len(lines),):
        raise DataError(
            f"coef must hold one line of weights for each class, or one line for two classes, and intercept one "
            f"number for each line; got shapes {np.shape(coef)} and {np.shape(intercept)}."
        )
    if not (np.isfinite(lines).all() and np.isfinite(last).all()):
        raise DataError("coef and intercept must hold finite numbers; got NaN or an infinite one.")
    if len(lines) == 2:
        raise DataError("two lines of weights are not taken for two classes: give one line, the second less the first.")
    weights = np.column_stack([lines, last])
    return weights[0] if len(weights) == 1 else weights


def class_names(classes: Any, count: int) -> np.ndarray:
    """The classes given, in sorted order, or the numbers that stand for them."""
    if classes is None:
        return np.array([-1, 1]) if count == 2 else np.arange(count)
    named = read_labels(classes).values
    if len(named) != count or not np.array_equal(np.unique(named), named):
        raise DataError(f"classes must be {count} different labels in sorted order; got {named.tolist()[:20]}.")
    return named
