"""The one door for an X in memory: what a table of rows may be, and what a bad one is told.

Estimators, `train`, `prove`, `trace`, the plots and the lab all ask here. There are two questions:

    read_frame      a table whose columns are numbers or names: naive Bayes
    read_numbers    a table of numbers alone, "exact" for proofs: the perceptron, proofs, traces

`open_frame` is what both begin with, and all that `train` needs: which columns to use is for its plan to say.
Labels have their own door beside this one (`door_labels.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt.data.door_columns import (
    COMPLEX,
    KEPT,
    Coded,
    check_exact,
    check_finite_values,
    coded,
    first_wrong,
    fits,
    not_finite,
    numbers_of,
    read_column,
    unmasked,
)
from rosenblatt.data.matrices import as_csr, csr_of
from rosenblatt.errors import DataError
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, dense_rows, sparse_rows


@dataclass(frozen=True)
class Frame:
    """A table with one of three bodies: a dense array of numbers, a sparse matrix (CSR), or a list of columns."""

    n_rows: int
    n_columns: int
    names: tuple[str, ...] | None = None
    dense: np.ndarray | None = None
    sparse: Any = None
    columns: Sequence[Any] | None = None

    def column(self, j: int) -> np.ndarray | Coded:
        """Column j as numbers in which NaN is missing, or as coded values, of which there are some."""
        if self.dense is not None:
            return self.dense[:, j]
        if self.sparse is not None:
            return np.asarray(self.sparse[:, [j]].toarray()).ravel()
        assert self.columns is not None
        given = self.columns[j]
        found = given if isinstance(given, Coded) else coded(read_column(given, self.label(j), True), self.label(j))
        if isinstance(found, Coded):
            return found if (found.codes >= 0).any() else np.full(self.n_rows, np.nan)
        check_finite_values(found, j, missing=True)
        return found

    def label(self, j: int) -> str:
        """How messages name column j."""
        return f"column {self.names[j]!r}" if self.names is not None else f"column {j}"

    def rows(self, which: np.ndarray) -> Frame:
        """The table with the rows for which `which` is true."""
        dense, sparse = (None if each is None else each[which] for each in (self.dense, self.sparse))
        columns = None if self.columns is None else [self.column(j) for j in range(self.n_columns)]
        some = columns and [c._replace(codes=c.codes[which]) if isinstance(c, Coded) else c[which] for c in columns]
        return Frame(int(which.sum()), self.n_columns, self.names, dense, sparse, some)


def read_frame(X: Any) -> Frame:
    """The table X, of numbers or names; nothing is copied that is already an array of numbers or a CSR matrix."""
    frame = open_frame(X)
    if frame.columns is None:
        check_finite_frame(frame, missing=True)
    if frame.sparse is not None and not frame.sparse.has_canonical_format:
        csr = frame.sparse.copy()
        csr.sum_duplicates()
        return replace(frame, sparse=csr)
    return frame


def read_numbers(X: Any, exact: bool = False) -> Frame:
    """The table X, of numbers alone: a dense array or a CSR matrix of uint8, float32 or float64.

    exact    refuse numbers that a float64 cannot hold, and give no float32: a proof speaks of the very numbers given
    Missing and infinite values are for `learn.problem` to refuse, which reads all values anyway.
    """
    frame = _in_one_block(X) or open_frame(X, exact)
    if frame.columns is not None:
        columns = [read_column(column, frame.label(j)) for j, column in enumerate(frame.columns)]
        return replace(frame, columns=None, dense=_side_by_side(columns, frame, exact))
    if frame.sparse is not None:
        return replace(frame, sparse=_sparse_numbers(frame.sparse, exact))
    assert frame.dense is not None
    if exact and frame.dense.dtype.kind in "iu" and not fits(frame.dense):
        for j in range(frame.n_columns):
            check_exact(frame.dense[:, j], frame.label(j))
    return replace(frame, dense=numbers_of(frame.dense, "X", exact))


def rows_of(numbers: Frame, bias: float) -> Rows:
    """What `read_numbers` gave, as rows for the loops."""
    if numbers.dense is not None:
        return dense_rows(numbers.dense, bias)
    csr = numbers.sparse
    return sparse_rows(csr.indptr, csr.indices, csr.data, csr.shape[1], bias)


def encoded_rows(X: Any) -> Rows | None:
    """The rows of what a plan encoded (`Plan.encode`), which are ready for the loops; None for any other X."""
    rows = X if isinstance(X, Dense | Sparse | Words) else getattr(X, "rows", None)
    return rows if isinstance(rows, Dense | Sparse | Words) else None


def open_frame(X: Any, exact: bool = False) -> Frame:
    """The table X as it is, its shape and names checked; `exact` to take lists value by value."""
    if isinstance(X, Frame):
        return X
    rows = encoded_rows(X)
    if rows is not None:
        X = rows.values if isinstance(rows, Dense) else csr_of(rows)
    root = type(X).__module__.partition(".")[0]
    if hasattr(X, "tocsr"):
        frame = _from_sparse(X)
    elif hasattr(X, "iloc") and hasattr(X, "columns"):
        frame = _from_columns([column for _, column in X.items()], list(X.columns), len(X))
    elif root == "polars" and hasattr(X, "iter_columns"):
        frame = _from_columns(list(X.iter_columns()), list(X.columns), len(X))
    elif root == "pyarrow" and hasattr(X, "column_names"):
        frame = _from_columns(list(X.itercolumns()), list(X.column_names), X.num_rows)
    elif isinstance(X, Mapping):
        frame = _from_mapping(X)
    elif isinstance(X, list | tuple) and len(X) and all(isinstance(row, Mapping) for row in X):
        names = dict.fromkeys(name for row in X for name in row)
        frame = _from_columns([[row.get(name) for row in X] for name in names], list(names), len(X))
    else:
        frame = _from_array(X, exact)
    return _not_empty(frame)


def _not_empty(frame: Frame) -> Frame:
    for count, what in ((frame.n_rows, "sample(s)"), (frame.n_columns, "feature(s)")):
        if not count:
            shape = (frame.n_rows, frame.n_columns)
            raise DataError(f"Found array with 0 {what} (shape={shape}) while a minimum of 1 is required. Give one.")
    return frame


def _from_columns(columns: list[Any], names: list[Any], n_rows: int) -> Frame:
    return Frame(n_rows, len(columns), _checked_names(names), columns=columns)


def _checked_names(names: list[Any]) -> tuple[str, ...] | None:
    """The names of columns; None where they are none but numbers."""
    text = [isinstance(name, str) for name in names]
    if any(text) and not all(text):
        other = next(name for name in names if not isinstance(name, str))
        raise DataError(f"X names some columns by text and one by {other!r}. Make all names text.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"X has two columns named {twice!r}. Rename one of them.")
    return tuple(names) if all(text) and names else None


def _from_mapping(X: Mapping[Any, Any]) -> Frame:
    lengths = {}
    for name, column in X.items():
        if isinstance(column, str) or not hasattr(column, "__len__"):
            raise DataError(f"X: column {name!r} is a {type(column).__name__}. Give a value for each row.")
        lengths[name] = len(column)
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name!r} {length}" for name, length in list(lengths.items())[:5])
        raise DataError(f"X has columns of different lengths: {shown}. Give each a value for each row.")
    return _from_columns(list(X.values()), list(X), next(iter(lengths.values()), 0))


def _from_array(X: Any, exact: bool) -> Frame:
    array = _as_array(X, exact)
    kind = array.dtype.kind
    if kind == "c":
        raise DataError(COMPLEX)
    if kind == "V":
        raise DataError(f"X holds values of type {array.dtype}. Give a data frame, or one column for each field.")
    _check_dimensions(array)
    if kind in "biuf":
        return Frame(len(array), array.shape[1], dense=array)
    return Frame(len(array), array.shape[1], columns=list(array.T))


def _as_array(X: Any, exact: bool) -> np.ndarray:
    if isinstance(X, np.matrix):
        raise DataError("X is an np.matrix, which NumPy advises against. Use np.asarray(X).")
    if isinstance(X, np.ma.MaskedArray):
        return unmasked(X)
    if isinstance(X, list | tuple):
        return _from_lists(X, exact) if len(X) else np.empty((0, 0))
    if hasattr(X, "__array__") and type(X).__module__.partition(".")[0] != "pyarrow" and not np.isscalar(X):
        return np.asarray(X)
    raise DataError(
        f"X is a {type(X).__name__}, which is no table of rows. Give a list of rows, an array, a data frame, an Arrow "
        "table or a scipy matrix."
    )


def _from_lists(X: Sequence[Any], exact: bool) -> np.ndarray:
    """Rows as lists. Strings beside numbers stay what they are: NumPy would turn the numbers into strings."""
    if all(isinstance(row, list | tuple) for row in X):
        lengths = {len(row): place for place, row in reversed(list(enumerate(X)))}
        if len(lengths) > 1:
            (one, first), (other, second) = sorted(lengths.items(), key=lambda found: found[1])[:2]
            raise DataError(f"X has {one} values in row {first} and {other} in row {second}. Give rows of one length.")
        if exact or any(isinstance(value, str) or value is None for row in X for value in row):
            array = np.array(X, dtype=object)
            return array if array.ndim == 2 else np.asarray(X)
    try:
        return np.asarray(X)
    except ValueError:
        raise DataError("X has rows of different shapes. Give rows of one length, one value for each column.") from None


def _from_sparse(X: Any) -> Frame:
    if X.dtype.kind == "c":
        raise DataError(COMPLEX)
    _check_dimensions(X)
    csr = as_csr(X)
    return Frame(csr.shape[0], csr.shape[1], sparse=csr)


def _check_dimensions(array: Any) -> None:
    if array.ndim != 2:
        raise DataError(
            f"Expected 2D array, got {array.ndim}D array instead, of shape {array.shape}. Reshape your data: "
            "array.reshape(-1, 1) for one column, array.reshape(1, -1) for one row."
        )


def _in_one_block(X: Any) -> Frame | None:
    """A pandas frame as one array, or one matrix where all columns store only what is not zero; None for the others."""
    kinds = set(X.dtypes) if hasattr(X, "iloc") and hasattr(X, "columns") else set()
    dense = len(kinds) == 1 and all(isinstance(kind, np.dtype) and kind.kind in "biuf" for kind in kinds)
    if not dense and not (kinds and all(getattr(kind, "fill_value", None) == 0 for kind in kinds)):
        return None
    frame = Frame(len(X), X.shape[1], _checked_names(list(X.columns)), dense=X.to_numpy() if dense else None)
    return _not_empty(frame if dense else replace(frame, sparse=as_csr(X.sparse.to_coo())))


def _sparse_numbers(csr: Any, exact: bool) -> Any:
    values = numbers_of(csr.data, "X", exact)
    if values.dtype == np.uint8:
        values = values.astype(np.float64)
    return csr if values is csr.data else type(csr)((values, csr.indices, csr.indptr), shape=csr.shape)


def _side_by_side(columns: list[Any], frame: Frame, exact: bool) -> np.ndarray:
    """The columns as one array, of the one type that holds them all."""
    values = [numbers_of(column, frame.label(j), exact) for j, column in enumerate(columns)]
    plain = all(isinstance(column, np.ndarray) and column.dtype.kind in "iuf" for column in columns)
    common = np.result_type(*{column.dtype for column in (values if exact or not plain else columns)})
    return np.column_stack(values).astype(common if common in KEPT else np.float64, copy=False)


def check_finite_frame(frame: Frame, missing: bool = False) -> None:
    """DataError at the first value of an array or a matrix that is infinite, or NaN unless `missing` ones may be."""
    if frame.dense is not None:
        check_finite_values(frame.dense, None, missing)
    elif frame.sparse.data.dtype.kind == "f":
        csr = frame.sparse
        wrong = first_wrong(csr.data, missing)
        if wrong is not None:
            row = int(np.searchsorted(csr.indptr, wrong[0], side="right")) - 1
            raise not_finite(csr.data[wrong[0]], row, int(csr.indices[wrong[0]]))


def read_one_row(x: Any) -> Frame:
    """A table of the single row x: a mapping, a sequence of values, a pandas row, or any table of one row."""
    if isinstance(x, Mapping):
        frame = Frame(1, len(x), tuple(x), columns=[np.array([value], dtype=object) for value in x.values()])
    elif encoded_rows(x) is None and not any(hasattr(x, name) for name in ("tocsr", "columns", "column_names")):
        cells = x.tolist() if hasattr(x, "tolist") else list(x)
        one = not (cells and isinstance(cells[0], list | tuple | np.ndarray))
        names = tuple(x.index) if hasattr(x, "index") and hasattr(x, "iloc") else None
        array = np.array([cells] if one else cells, dtype=object)
        frame = Frame(array.shape[0], array.shape[1], names, columns=list(array.T))
    else:
        frame = read_frame(x)
    if frame.n_rows != 1:
        raise DataError(f"explain takes one row; got {frame.n_rows}. Explain them one at a time.")
    return frame
