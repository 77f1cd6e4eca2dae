"""Any table as columns of numbers or of coded values: arrays, sparse matrices, pandas, polars, Arrow, lists.

A column of numbers is a NumPy array in which NaN is missing. Every other column is `Coded`: the distinct values once,
and for each row the place of its value. None, NaN, NaT and pandas' NA are missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.data.matrices import as_csr
from rosenblatt.errors import DataError


class Coded(NamedTuple):
    """A column as distinct values and, per row, the place of its value among them; -1 is missing."""

    codes: np.ndarray
    values: list[Any]


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
        """Column j as numbers or as coded values."""
        if self.dense is not None:
            return self.dense[:, j]
        if self.sparse is not None:
            return np.asarray(self.sparse[:, [j]].toarray()).ravel()
        assert self.columns is not None
        return as_column(self.columns[j])

    def label(self, j: int) -> str:
        """How messages name column j."""
        return f"column {self.names[j]!r}" if self.names is not None else f"column {j}"

    def rows(self, which: np.ndarray) -> Frame:
        """The table with the rows for which `which` is true."""
        if self.dense is not None:
            return Frame(int(which.sum()), self.n_columns, self.names, dense=self.dense[which])
        if self.sparse is not None:
            return Frame(int(which.sum()), self.n_columns, self.names, sparse=self.sparse[which])
        columns = [_some(self.column(j), which) for j in range(self.n_columns)]
        return Frame(int(which.sum()), self.n_columns, self.names, columns=columns)


def _some(column: np.ndarray | Coded, which: np.ndarray) -> np.ndarray | Coded:
    return Coded(column.codes[which], column.values) if isinstance(column, Coded) else column[which]


def read_frame(X: Any) -> Frame:
    """The table X as a Frame; nothing is copied that is already an array of numbers or a CSR matrix."""
    if isinstance(X, Frame):
        return X
    if hasattr(X, "tocsr"):
        return _from_sparse(X)
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        frame = _from_columns([X.iloc[:, j] for j in range(X.shape[1])], list(X.columns), len(X))
    elif hasattr(X, "to_arrow") and hasattr(X, "columns"):
        frame = _from_columns(list(X.iter_columns()), list(X.columns), len(X))
    elif hasattr(X, "column_names") and hasattr(X, "itercolumns"):
        frame = _from_columns(list(X.itercolumns()), list(X.column_names), X.num_rows)
    else:
        frame = _from_array(X)
    if frame.n_columns == 0:
        raise DataError(
            f"Found array with 0 feature(s) (shape=({frame.n_rows}, 0)) while a minimum of 1 is required. "
            "Give a table with at least one column."
        )
    return frame


def _from_columns(columns: list[Any], names: list[Any], n_rows: int) -> Frame:
    named = tuple(names) if all(isinstance(name, str) for name in names) else None
    if named is not None and len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise DataError(f"the table has two columns named {twice!r}. Rename one.")
    return Frame(n_rows, len(columns), named, columns=columns)


def _from_array(X: Any) -> Frame:
    array = np.asarray(X) if not isinstance(X, list | tuple) else _from_lists(X)
    if array.dtype.kind == "c":
        raise DataError("Complex data not supported. Give the real and the imaginary part as two columns.")
    if array.ndim != 2:
        raise DataError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data: array.reshape(-1, 1) for one "
            "column, array.reshape(1, -1) for one row."
        )
    if array.dtype.kind in "biuf":
        return Frame(len(array), array.shape[1], dense=array)
    return Frame(len(array), array.shape[1], columns=list(array.T))


def _from_lists(X: Sequence[Any]) -> np.ndarray:
    """Rows as lists. Strings beside numbers stay what they are: NumPy would turn the numbers into strings."""
    if any(isinstance(value, str) or value is None for row in X if isinstance(row, list | tuple) for value in row):
        return np.array(X, dtype=object)
    return np.asarray(X)


def _from_sparse(X: Any) -> Frame:
    if X.dtype.kind == "c":
        raise DataError("Complex data not supported. Give the real and the imaginary part as two columns.")
    if X.ndim != 2:
        raise DataError(f"Expected 2D array, got {X.ndim}D sparse array instead. Reshape your data to one row each.")
    csr = as_csr(X)
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    return Frame(csr.shape[0], csr.shape[1], sparse=csr)


def as_column(column: Any) -> np.ndarray | Coded:
    """One column of a table as numbers, or as coded values where it holds anything else."""
    if isinstance(column, Coded):
        return column
    if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
        return column
    if isinstance(getattr(column, "dtype", None), np.dtype) and column.dtype.kind in "biuf":
        return np.asarray(column)
    import pyarrow as pa

    try:
        array = column.to_arrow() if hasattr(column, "to_arrow") else column
        if not isinstance(array, pa.Array | pa.ChunkedArray):
            array = pa.array(array, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return _code_one_by_one(column)  # kinds of values that Arrow does not mix, such as 1 beside "a"
    return _from_arrow(pa, array)


def _from_arrow(pa: Any, array: Any) -> np.ndarray | Coded:
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
        array = pa.concat_arrays(array.chunks) if isinstance(array, pa.ChunkedArray) else array
    kind = array.type
    if pa.types.is_boolean(kind):
        array, kind = array.cast(pa.uint8()), pa.uint8()
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return np.asarray(array.to_numpy(zero_copy_only=False))
    if pa.types.is_null(kind):
        return np.full(len(array), np.nan)
    if not pa.types.is_dictionary(kind):
        array = array.dictionary_encode()
    codes = array.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return _canonical(codes, array.dictionary.to_pylist())


def _code_one_by_one(column: Any) -> Coded:
    places: dict[Any, int] = {}
    values = [plain(value) for value in column]
    try:
        codes = [places.setdefault(value, len(places)) for value in values]
    except TypeError:
        odd = next(value for value in values if isinstance(value, dict | list | set | np.ndarray))
        raise DataError(
            f"a cell holds a {type(odd).__name__}, {odd!r}; argument must be a string or a number, "
            "or another value that can be compared. Spread it over columns."
        ) from None
    return _canonical(np.array(codes, np.int64), list(places))


def _canonical(codes: np.ndarray, values: list[Any]) -> Coded:
    """Codes over plain values, each once; missing ones are -1."""
    places: dict[Any, int] = {}
    new = [-1 if (value := plain(raw)) is None else places.setdefault(value, len(places)) for raw in values]
    return Coded(np.array([*new, -1], np.int64)[codes], list(places))  # code -1 reads the last, which is -1


def plain(value: Any) -> Any:
    """The value as Python's own: 1.0 and True become 1, missing ones become None."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value != value or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, bool | float) and math.isfinite(value) and value == int(value):
        return int(value)
    return value


def read_one_row(x: Any) -> Frame:
    """A table of the single row x: a mapping, a sequence of values, a pandas row, or any table of one row."""
    if isinstance(x, dict):
        frame = Frame(1, len(x), tuple(x), columns=[np.array([value], dtype=object) for value in x.values()])
    elif not hasattr(x, "tocsr") and not hasattr(x, "columns") and not hasattr(x, "column_names"):
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
