"""From what people have (arrays, lists, tables, scipy matrices) to a Question, without scikit-learn.

A proof speaks of the numbers given. So nothing is rounded on the way in: whole numbers that a float64 cannot hold
and text are refused, and float32 becomes float64, which changes no value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.data.matrices import as_csr
from rosenblatt.errors import DataError
from rosenblatt.learn.problem import make_problem
from rosenblatt.loops.rows import Rows, dense_rows, sparse_rows
from rosenblatt.proofs.question import Question, label_name

EXACT_UP_TO = 2**53  # every whole number to here is a float64


def read_question(X: Any, y: Any, bias: bool = True) -> Question:
    """The question whether the rows of X can be separated by their labels y. Raises DataError on anything else."""
    rows = read_rows(X, 1.0 if bias else 0.0)
    classes, truth = read_labels(y)
    return Question(make_problem(rows, truth, len(classes)), classes)


def read_rows(X: Any, bias: float) -> Rows:
    """The rows of X: a scipy matrix, a table of pandas, polars or Arrow, or anything numpy makes an array of."""
    if hasattr(X, "tocsr"):
        return _scipy_rows(X, bias)
    if hasattr(X, "column_names") or (hasattr(X, "columns") and hasattr(X, "to_numpy")):
        values = _table_values(X)
    else:
        values = exact_numbers(np.asarray(X), "X")
    if values.ndim != 2:
        raise DataError(
            f"X must be a table of rows and columns; got {values.ndim} dimension(s). Give one row per line."
        )
    if not values.shape[0] or not values.shape[1]:
        raise DataError(f"X has {values.shape[0]} rows and {values.shape[1]} columns; there is nothing to separate.")
    return dense_rows(values, bias)


def read_labels(y: Any) -> tuple[tuple[Any, ...], np.ndarray]:
    """The classes in sorted order and the number of each row's class."""
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise DataError(f"y must be one label for each row; got shape {labels.shape}.")
    if labels.dtype.kind == "f" and not (np.isfinite(labels).all() and (labels == np.floor(labels)).all()):
        raise DataError("y holds numbers that are no whole numbers; labels are classes. Give names or whole numbers.")
    if labels.dtype.kind == "O":
        missing = [i for i, label in enumerate(labels.tolist()) if label is None or label != label]
        if missing:
            raise DataError(f"y has no label in row {missing[0]}. Fill it in, or leave the row out.")
    try:
        classes, truth = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise DataError(
            f"y mixes labels that cannot be sorted ({error}). Make them all text or all numbers."
        ) from error
    if len(classes) < 2:
        found = f"one class only, {label_name(classes[0])!r}" if len(classes) else "no labels"
        raise DataError(f"y holds {found}; separating needs at least two. Check the labels.")
    return tuple(classes.tolist()), truth.astype(np.int32)


def exact_numbers(values: np.ndarray, where: str) -> np.ndarray:
    """The values as uint8 or float64, if that is what they are."""
    kind = values.dtype.kind
    if kind in "USOmM":
        values = _from_objects(values, where)
    elif kind not in "biuf":
        raise DataError(f"{where} holds values of type {values.dtype}; give real numbers.")
    elif kind in "iu" and values.size and max(-int(values.min()), int(values.max())) > EXACT_UP_TO:
        raise DataError(
            f"{where} holds whole numbers beyond 2^53 ({int(values.max())}), which float64 cannot hold exactly. "
            f"Subtract a constant from the column, or scale it."
        )
    if values.dtype in (np.dtype(np.uint8), np.dtype(np.bool_), np.dtype(np.float64)):
        return values
    result = values.astype(np.float64)
    if values.dtype.itemsize > 8 and np.any((result != values) & (values == values)):
        raise DataError(f"{where} holds {values.dtype} numbers that float64 cannot hold exactly. Round them first.")
    return result


def _from_objects(values: np.ndarray, where: str) -> np.ndarray:
    try:
        if values.dtype.kind != "O":
            raise TypeError(f"values of type {values.dtype}")
        result = np.array([_exact_float(value) for value in values.ravel()], np.float64).reshape(values.shape)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(
            f"{where} holds something that is no number: {error}. Turn text into 0/1 columns first."
        ) from error
    return result


def _exact_float(value: Any) -> float:
    if isinstance(value, str | bytes):
        raise TypeError(f"{value!r}")
    number = float("nan") if value is None else float(value)
    if number == number and number != value:
        raise ValueError(f"{value!r} is not exactly a float64")
    return number


def _table_values(X: Any) -> np.ndarray:
    """The columns of a table side by side; each column keeps its own type until it is known to be exact."""
    names = [str(name) for name in (X.column_names if hasattr(X, "column_names") else X.columns)]
    columns = []
    for j, name in enumerate(names):
        column = X.iloc[:, j] if hasattr(X, "iloc") else X[name]
        values = exact_numbers(np.asarray(column), f"column {name!r}")
        columns.append(values)
    if not columns:
        raise DataError("X has no columns; there is nothing to separate.")
    same = len({column.dtype for column in columns}) == 1
    return np.column_stack(columns if same else [column.astype(np.float64) for column in columns])


def _scipy_rows(X: Any, bias: float) -> Rows:
    matrix = as_csr(X)
    if matrix.ndim != 2 or not matrix.shape[0] or not matrix.shape[1]:
        raise DataError(f"X has shape {matrix.shape}; there is nothing to separate.")
    values = exact_numbers(matrix.data, "X").astype(np.float64)
    return sparse_rows(matrix.indptr, matrix.indices, values, matrix.shape[1], bias)
