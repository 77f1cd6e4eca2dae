"""From what scikit-learn's users pass in to rows and classes, and nothing changed when something is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from rosenblatt.data.matrices import as_csr
from rosenblatt.learn.labels import check_labels
from rosenblatt.loops.rows import Rows, dense_rows, sparse_rows

# Finiteness is checked while the lengths of the rows are computed, which reads them once instead of twice.
CHECKS: dict[str, Any] = {
    "accept_sparse": "csr",
    "dtype": [np.float64, np.float32, np.uint8],
    "order": "C",
    "ensure_all_finite": False,
}


@contextmanager
def unchanged_on_error(estimator: BaseEstimator) -> Iterator[None]:
    """Puts back all attributes of the estimator if the block does not end well."""
    before = vars(estimator).copy()
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


def read_rows(estimator: BaseEstimator, X: Any, *, bias: float, reset: bool = False) -> Rows:
    """The rows of X for an estimator that is fitted, or that is being fitted where `reset` is true."""
    if reset or not _passes_as_it_is(estimator, X):
        X = _sound(X)
        X = validate_data(estimator, X, reset=reset, **CHECKS)
    return _as_rows(X, bias)


def read_rows_and_labels(
    estimator: BaseEstimator, X: Any, y: Any, *, bias: float, reset: bool
) -> tuple[Rows, np.ndarray]:
    """The rows of X and the labels y, of equal number."""
    X = _sound(X)
    given = np.asarray(y)
    if given.ndim == 1 and given.dtype.kind == "O":  # scikit-learn does not say where one is missing
        check_labels(given)
    X, y = validate_data(estimator, X, y, reset=reset, **CHECKS)
    if y.dtype.kind not in "biuU":  # whole numbers and strings are classes; looking at them takes as long as a pass
        check_classification_targets(y)
    return _as_rows(X, bias), y


def _passes_as_it_is(estimator: BaseEstimator, X: Any) -> bool:
    """Whether scikit-learn's checks would hand X back unchanged, seen at a glance.

    They take 85 µs, many times what it takes to score a row. Whatever is unusual goes through them.
    """
    kind = type(X)
    if kind is np.ndarray:
        plain = X.ndim == 2 and X.dtype in CHECKS["dtype"] and X.flags.c_contiguous
    else:
        plain = (
            kind.__module__.startswith("scipy.sparse")
            and X.format == "csr"
            and X.ndim == 2
            and X.data.dtype in CHECKS["dtype"]
        )
    if not plain or hasattr(estimator, "feature_names_in_"):
        return False
    return bool(X.shape[0] and X.shape[1] == estimator.n_features_in_)


def _as_rows(X: Any, bias: float) -> Rows:
    if isinstance(X, np.ndarray):
        return dense_rows(X, bias)
    return sparse_rows(X.indptr, X.indices, X.data, X.shape[1], bias)


def _sound(X: Any) -> Any:
    """X; a sparse matrix in the format CSR, before scipy turns it into that without looking at its numbers."""
    return as_csr(X) if hasattr(X, "tocsr") and X.ndim == 2 else X
