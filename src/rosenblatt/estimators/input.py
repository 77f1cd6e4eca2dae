"""From what scikit-learn's users pass in to rows and classes, and nothing changed when something is refused.

What an X and a y may be is for the door to say (`data/door.py`); scikit-learn itself is asked only whether the columns
are those of the fitted rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import validate_data

from rosenblatt.data.door import encoded_rows, read_numbers, rows_of
from rosenblatt.data.door_columns import KEPT
from rosenblatt.data.door_labels import read_labels
from rosenblatt.data.matrices import is_whole
from rosenblatt.loops.rows import Rows, dense_rows, n_features, n_rows, sparse_rows

Fitted = TypeVar("Fitted", bound=BaseEstimator)


@contextmanager
def all_at_once(estimator: Fitted) -> Iterator[Fitted]:
    """A copy to be fitted. When the block ends well the estimator becomes it in one step, otherwise it stays as it is.

    So another thread that predicts meanwhile has what was learned before or after, never a part of each: weights of
    one width read by rows of another would come from somebody else's memory.
    """
    copy = held(estimator)
    copy.__dict__ = dict(vars(estimator))
    yield copy
    estimator.__dict__ = vars(copy)


def held(estimator: Fitted) -> Fitted:
    """The estimator as it is now, whatever is fitted from here on; for whoever asks it for more than one attribute."""
    now: Fitted = object.__new__(type(estimator))
    now.__dict__ = vars(estimator)
    return now


def read_rows(estimator: BaseEstimator, X: Any, *, bias: float, reset: bool = False) -> Rows:
    """The rows of X for an estimator that is fitted, or that is being fitted where `reset` is true."""
    if not reset and _passes_as_it_is(estimator, X):
        if isinstance(X, np.ndarray):
            return dense_rows(X, bias)
        return sparse_rows(X.indptr, X.indices, X.data, X.shape[1], bias)
    names = None
    rows = encoded_rows(X)
    if rows is not None:
        rows = rows._replace(bias=bias)
    else:
        numbers = read_numbers(X)
        rows, names = rows_of(numbers, bias), numbers.names
    _check_columns(estimator, names, n_features(rows), reset)
    return rows


def read_rows_and_labels(
    estimator: BaseEstimator, X: Any, y: Any, *, bias: float, reset: bool
) -> tuple[Rows, np.ndarray]:
    """The rows of X and the labels y, of equal number."""
    rows = read_rows(estimator, X, bias=bias, reset=reset)
    return rows, labels_for(y, n_rows(rows))


def labels_for(y: Any, count: int) -> np.ndarray:
    """The labels y; those of a column are taken with the warning that scikit-learn's users know."""
    labels = read_labels(y, count)
    if labels.was_column:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
    return labels.values


def _check_columns(estimator: BaseEstimator, names: tuple[str, ...] | None, width: int, reset: bool) -> None:
    """Notes number and names of the columns, or compares them with those noted. Of the data nothing is shown."""
    if names is None:
        validate_data(estimator, np.empty((0, width)), reset=reset, skip_check_array=True)
        return
    import pyarrow as pa

    named = pa.schema([(name, pa.null()) for name in names]).empty_table()
    validate_data(estimator, named, reset=reset, skip_check_array=True)


def _passes_as_it_is(estimator: BaseEstimator, X: Any) -> bool:
    """Whether the door and scikit-learn would hand X back unchanged, seen at a glance.

    Asking scikit-learn takes 85 µs, many times what it takes to score a row. Whatever is unusual goes through them.
    """
    kind = type(X)
    if kind is np.ndarray:
        plain = X.ndim == 2 and X.dtype in KEPT and X.flags.c_contiguous
    else:
        plain = (
            kind.__module__.startswith("scipy.sparse")
            and X.format == "csr"
            and X.ndim == 2
            and X.data.dtype in KEPT
            and is_whole(X)
        )
    if not plain or hasattr(estimator, "feature_names_in_"):
        return False
    return bool(X.shape[0] and X.shape[1] == estimator.n_features_in_)
