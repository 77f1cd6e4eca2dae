"""A table as rows over cells: what each row adds to the counts, in a storage that the loops read.

A cell is a binary column's 1, a word, or a value of a listed column. Behind the cells come, where they are needed, as
many that say "this binary column is missing here". A row names its cells; a 0, an absent word, a missing or a new
value names none. So a sparse row costs what it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.data.door import Frame
from rosenblatt.data.door_columns import Coded
from rosenblatt.data.listed import NONE, check_counts, only_bits
from rosenblatt.data.matrices import side_by_side
from rosenblatt.errors import DataError
from rosenblatt.learn.columns import Schema
from rosenblatt.loops.counts import count_descents
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, dense_rows, sparse_rows

MOST_COUNTED = 2.0**62


def encode(frame: Frame, schema: Schema) -> Rows:
    """The rows of the table over the cells of the schema (and over those for missing columns, where some are)."""
    places = schema.places(frame)
    rows = _of_one_kind(frame, schema) if places == range(frame.n_columns) else None
    if rows is not None:
        return rows
    parts = []
    if len(schema.binary) or len(schema.counted):
        parts.append(_cells_of_entries(schema, *_entries(frame, schema, places)))
    if schema.listed:
        parts.append(_cells_of_lists(frame, schema, places))
    return _joined(parts, schema)


def _of_one_kind(frame: Frame, schema: Schema) -> Rows | None:
    """The rows of an array or a matrix whose columns are all binary or all counted; None where each needs a look."""
    matrix, numbers = frame.sparse, frame.dense if frame.sparse is None else frame.sparse.data
    binary, counted = (len(columns) == schema.n_columns for columns in (schema.binary, schema.counted))
    if numbers is None or not (binary or counted):
        return None
    if binary and matrix is not None and (rows := bag_rows(matrix)) is not None:
        return rows
    if (numbers.dtype.kind == "f" and np.isnan(numbers.min(initial=0))) or not (matrix is None or numbers.all()):
        return None
    if counted:
        check_counts(numbers, "the table" if matrix is None else "the sparse matrix")
        amounts = np.ascontiguousarray(numbers, np.float64)
        return _checked_total(Dense(amounts, 1.0) if matrix is None else _over(matrix, amounts), numbers)
    bits = only_bits(numbers)
    if not bits and not schema.presence.all():
        return None
    if matrix is not None:
        return _over(matrix, np.ones(len(numbers)))
    present = numbers if bits else numbers != 0
    return dense_rows(present if present.dtype == np.bool_ else present.astype(np.uint8, copy=False))


def _over(matrix: Any, values: np.ndarray) -> Rows:
    return sparse_rows(matrix.indptr, matrix.indices, values, matrix.shape[1])


def _entries(frame: Frame, schema: Schema, places: Sequence[int]) -> tuple[np.ndarray, ...]:
    """Starts, columns and numbers of what is not 0 in the binary and the counted columns, of a sparse matrix in all."""
    if frame.sparse is not None:
        return frame.sparse.indptr, frame.sparse.indices, frame.sparse.data
    numbers = np.empty((frame.n_rows, len(schema.single)))
    for at, j in enumerate(schema.single):
        numbers[:, at] = _numbers(frame.column(places[j]), at >= len(schema.binary), frame.label(places[j]))
    stored = numbers != 0
    starts = np.concatenate([[0], np.cumsum(np.count_nonzero(stored, axis=1))])
    return starts, np.broadcast_to(schema.single, stored.shape)[stored], numbers[stored]


def _numbers(column: np.ndarray | Coded, counted: bool, where: str) -> np.ndarray:
    """A binary or a counted column as numbers; a name is none, and missing in a binary one."""
    if isinstance(column, Coded):
        if counted:
            raise DataError(f"{where} counts words but holds {column.values[0]!r}. Give numbers.")
        known = {1: 1, 0: 0}
        return np.array([*(known.get(value, np.nan) for value in column.values), np.nan])[column.codes]
    if counted:
        check_counts(column, where)
    return column


def _cells_of_entries(schema: Schema, *entries: np.ndarray) -> tuple[np.ndarray, ...]:
    """Starts, cells and values of the binary and the counted columns."""
    starts, columns, data = entries
    cells = schema.cell_of()[columns]
    is_binary = cells < len(schema.binary)
    if len(schema.counted):
        check_counts(data[~is_binary], "the sparse matrix")
    gone = is_binary & (data != 1)
    if schema.presence.any():
        declared = np.zeros(schema.n_columns, bool)
        declared[schema.binary] = schema.presence
        gone &= ~(declared[columns] & (data > 0))
    named = (cells >= 0) & (data != 0) & (is_binary | (data > 0))
    starts = np.concatenate([[0], np.cumsum(named)])[starts]
    return starts, np.where(gone, cells + schema.n_cells, cells)[named], np.where(is_binary, 1.0, data)[named]


def _cells_of_lists(frame: Frame, schema: Schema, places: Sequence[int]) -> tuple[np.ndarray, ...]:
    """Starts, cells and values of the listed columns."""
    cells = np.full((frame.n_rows, len(schema.listed)), NONE, np.int32)
    for position, (column, start) in enumerate(zip(schema.listed, schema.starts(), strict=True)):
        place = places[column.column]
        found = column.places(frame.column(place), frame.label(place))
        cells[:, position] = np.where(found >= 0, found + start, NONE)
    named = cells != NONE
    starts = np.concatenate([[0], np.cumsum(named.sum(axis=1))])
    return starts, cells[named], np.ones(int(starts[-1]))


def bag_rows(matrix: Any) -> Words | None:
    """The rows of a sparse matrix that stores nothing but 1, its columns increasing in each row; otherwise None."""
    n_rows, n_columns = matrix.shape
    whole = len(matrix.indices) == matrix.indptr[-1] and (np.diff(matrix.indptr) >= 0).all()
    if not whole or not (matrix.data == 1).all():
        return None
    columns = _as_columns(matrix.indices)
    firsts, lasts = matrix.indptr[:-1], matrix.indptr[1:] - 1
    filled = firsts <= lasts
    firsts, lasts = firsts[filled], lasts[filled]  # columns may fall only where a row begins
    allowed = np.count_nonzero(columns[firsts[1:]] <= columns[lasts[:-1]])
    if count_descents(columns) != allowed or columns[lasts].max(initial=0) >= n_columns:
        return None
    return Words(matrix.indptr.astype(np.uint64), columns, np.ones(n_rows), n_columns, 1.0)


def _as_columns(indices: np.ndarray) -> np.ndarray:
    """Column numbers as the loops read them; a negative one becomes too large, which they notice."""
    if indices.dtype == np.int32:
        return np.ascontiguousarray(indices.view(np.uint32))
    return np.where((indices < 0) | (indices >= 2**32), 2**32 - 1, indices).astype(np.uint32)


def _joined(parts: list[tuple[np.ndarray, ...]], schema: Schema) -> Rows:
    """One storage of rows from the parts, each of which has starts, cells and values for all rows."""
    starts, cells, values = side_by_side(parts)
    width = schema.n_cells + (len(schema.binary) if len(cells) and cells.max() >= schema.n_cells else 0)
    if (values == 1).all():
        return Words(starts.astype(np.uint64), cells, np.ones(len(starts) - 1), width, 1.0)
    return _checked_total(Sparse(starts.astype(np.uint64), cells, values, width, 1.0), values)


def _checked_total(rows: Rows, values: np.ndarray) -> Rows:
    if values.sum(dtype=np.float64) > MOST_COUNTED:
        raise DataError(f"the table counts {values.sum(dtype=np.float64):g} words, more than 2**62. Scale them down.")
    return rows
