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
from rosenblatt.data.door_columns import Coded, plain
from rosenblatt.errors import DataError
from rosenblatt.learn.columns import LARGEST, Listed, Schema, check_numbers
from rosenblatt.learn.kinds import columns_like, only_bits
from rosenblatt.loops.counts import count_descents
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, dense_rows, sparse_rows

NONE = -1
MOST_COUNTED = 2.0**62


def encode(frame: Frame, schema: Schema) -> Rows:
    """The rows of the table over the cells of the schema (and over those for missing columns, where some are)."""
    places = columns_like(frame, schema)
    if frame.sparse is not None:
        return _encode_sparse(frame, schema)
    if frame.dense is not None and places == range(frame.n_columns):
        if len(schema.binary) == schema.n_columns and (bits := _as_bits(frame.dense, schema)) is not None:
            return dense_rows(bits)
        if len(schema.counted) == schema.n_columns and not np.isnan(frame.dense.min(initial=0)):
            check_numbers(frame.dense, "the table", 0)
            return _checked_total(Dense(np.ascontiguousarray(frame.dense, np.float64), 1.0), frame.dense)
    return _joined([_encode_columns(frame, schema, places)], schema)


def _as_bits(values: np.ndarray, schema: Schema) -> np.ndarray | None:
    """Presence as bytes of 0 and 1, the array itself where it is that; None where a column needs a closer look."""
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        return None
    if only_bits(values):
        return values if values.dtype == np.bool_ else values.astype(np.uint8, copy=False)
    return (values != 0).view(np.uint8) if schema.presence.all() else None


def _encode_columns(frame: Frame, schema: Schema, places: Sequence[int]) -> tuple[np.ndarray, ...]:
    """Starts, cells and values of the rows, put together column by column."""
    first_gone, words = schema.n_cells, len(schema.counted)
    cells = np.full((frame.n_rows, len(schema.binary) + words + len(schema.listed)), NONE, np.int32)
    values = np.ones((frame.n_rows, words))
    for b, j in enumerate(schema.binary):
        one, gone = presence(frame.column(places[j]), schema.presence[b], frame.label(places[j]))
        cells[one, b] = b
        cells[gone, b] = first_gone + b
    for w, j in enumerate(schema.counted):
        amounts = counted(frame.column(places[j]), frame.label(places[j]))
        cells[amounts > 0, len(schema.binary) + w] = len(schema.binary) + w
        values[:, w] = amounts
    for position, (column, start) in enumerate(zip(schema.listed, schema.starts(), strict=True)):
        codes = place_in(frame.column(places[column.column]), column, frame.label(places[column.column]))
        cells[:, len(schema.binary) + words + position] = np.where(codes >= 0, codes + start, NONE)
    named = cells != NONE
    starts = np.concatenate([[0], np.cumsum(named.sum(axis=1))])
    if not words:
        return starts, cells[named], np.ones(int(starts[-1]))
    spread = np.ones(cells.shape)
    spread[:, len(schema.binary) : len(schema.binary) + words] = values
    return starts, cells[named], spread[named]


def presence(column: np.ndarray | Coded, declared: bool, where: str) -> tuple[np.ndarray, np.ndarray]:
    """Where a binary column is 1, and where it is missing or has a value it never had."""
    if isinstance(column, Coded):
        known = {1: 1, 0: 0}
        numbers = np.array([*(known.get(value, np.nan) for value in column.values), np.nan])[column.codes]
    else:
        numbers = column
    check_numbers(numbers, where)
    if declared:
        return np.asarray(numbers > 0), np.asarray(~(numbers >= 0))
    return np.asarray(numbers == 1), np.asarray(~((numbers == 0) | (numbers == 1)))


def counted(column: np.ndarray | Coded, where: str) -> np.ndarray:
    """How often a word occurs; 0 where that is missing."""
    if isinstance(column, Coded):
        if column.values:
            raise DataError(f"{where} counts words but holds {column.values[0]!r}. Give numbers.")
        return np.zeros(len(column.codes))
    check_numbers(column, where, 0)
    return np.nan_to_num(column.astype(np.float64))


def place_in(column: np.ndarray | Coded, listed: Listed, where: str) -> np.ndarray:
    """The place of each row's value in the list, or its bin; -1 where it is missing or not in the list."""
    if listed.cuts is not None:
        if isinstance(column, Coded):
            if column.values:
                raise DataError(f"{where} is cut into bins but holds {column.values[0]!r}. Give numbers.")
            return np.full(len(column.codes), NONE)
        check_numbers(column, where)
        bins = np.searchsorted(listed.cuts, column.astype(np.float64), side="left")
        return np.asarray(np.where(np.isnan(column), NONE, bins) if column.dtype.kind == "f" else bins)
    known = {value: place for place, value in enumerate(listed.values)}
    if isinstance(column, Coded):
        places = np.array([*(known.get(value, NONE) for value in column.values), NONE], np.int64)
        return np.asarray(places[column.codes])
    check_numbers(column, where)
    numbers = np.array([value for value in listed.values if isinstance(value, int | float)], np.float64)
    if not len(numbers):
        return np.full(len(column), NONE)
    if np.abs(numbers).max() >= LARGEST:  # as float64 they might be mistaken for each other
        values, inverse = np.unique(column, return_inverse=True)
        return np.array([known.get(plain(value), NONE) for value in values], np.int64)[inverse]
    column = column.astype(np.float64)  # listed numbers come first and in order
    nearest = np.minimum(np.searchsorted(numbers, column), len(numbers) - 1)
    return np.asarray(np.where(numbers[nearest] == column, nearest, NONE))


def bag_rows(frame: Frame) -> Words | None:
    """The rows of a sparse matrix that stores nothing but 1, its columns increasing in each row; otherwise None."""
    matrix, n_rows = frame.sparse, frame.n_rows
    whole = len(matrix.indices) == matrix.indptr[-1] and (np.diff(matrix.indptr) >= 0).all()
    if not whole or not (matrix.data == 1).all():
        return None
    columns = _as_columns(matrix.indices)
    firsts, lasts = matrix.indptr[:-1], matrix.indptr[1:] - 1
    filled = firsts <= lasts
    firsts, lasts = firsts[filled], lasts[filled]  # columns may fall only where a row begins
    allowed = np.count_nonzero(columns[firsts[1:]] <= columns[lasts[:-1]])
    if count_descents(columns) != allowed or columns[lasts].max(initial=0) >= frame.n_columns:
        return None
    return Words(matrix.indptr.astype(np.uint64), columns, np.ones(n_rows), frame.n_columns, 1.0)


def _as_columns(indices: np.ndarray) -> np.ndarray:
    """Column numbers as the loops read them; a negative one becomes too large, which they notice."""
    if indices.dtype == np.int32:
        return np.ascontiguousarray(indices.view(np.uint32))
    return np.where((indices < 0) | (indices >= 2**32), 2**32 - 1, indices).astype(np.uint32)


def _encode_sparse(frame: Frame, schema: Schema) -> Rows:
    matrix = frame.sparse
    if len(schema.binary) == schema.n_columns and (rows := bag_rows(frame)) is not None:
        return rows
    check_numbers(matrix.data, "the sparse matrix")
    plain = matrix.data.all() and not np.isnan(matrix.data).any()
    if len(schema.counted) == schema.n_columns and plain:
        check_numbers(matrix.data, "the sparse matrix", 0)
        words = sparse_rows(matrix.indptr, matrix.indices, matrix.data.astype(np.float64), schema.n_columns)
        return _checked_total(words, matrix.data)
    if len(schema.binary) == schema.n_columns and plain and (schema.presence.all() or only_bits(matrix.data)):
        return sparse_rows(matrix.indptr, matrix.indices, np.ones(len(matrix.data)), schema.n_columns)
    parts = [_encode_entries(matrix, schema)]
    if schema.listed:
        parts.append(_encode_columns(frame, _only_listed(schema), range(schema.n_columns)))
        skipped = len(schema.binary) + len(schema.counted)
        parts[1] = (parts[1][0], parts[1][1] + skipped, parts[1][2])
    return _joined(parts, schema)


def _only_listed(schema: Schema) -> Schema:
    none = np.zeros(0, np.int64)
    return Schema(schema.n_columns, schema.names, none, none.astype(bool), none, schema.listed)


def _encode_entries(matrix: Any, schema: Schema) -> tuple[np.ndarray, ...]:
    """Starts, cells and values of the binary and the counted columns of a sparse matrix."""
    cell_of = np.full(schema.n_columns, NONE, np.int64)
    cell_of[schema.binary] = np.arange(len(schema.binary))
    cell_of[schema.counted] = len(schema.binary) + np.arange(len(schema.counted))
    declared = np.zeros(schema.n_columns, bool)
    declared[schema.binary] = schema.presence
    cells, data = cell_of[matrix.indices], matrix.data
    is_binary = (cells >= 0) & (cells < len(schema.binary))
    check_numbers(data[cells >= len(schema.binary)], "the sparse matrix", 0)
    gone = is_binary & ~((data == 0) | (data == 1) | (declared[matrix.indices] & (data > 0)))
    named = (cells >= 0) & (data != 0) & (is_binary | (data > 0))
    cells = np.where(gone, cells + schema.n_cells, cells)
    starts = np.concatenate([[0], np.cumsum(named)])[matrix.indptr]
    return starts, cells[named], np.where(is_binary, 1.0, data)[named]


def _joined(parts: list[tuple[np.ndarray, ...]], schema: Schema) -> Rows:
    """One storage of rows from the parts, each of which has starts, cells and values for all rows."""
    starts = np.sum([part[0] for part in parts], axis=0).astype(np.int64)
    cells = np.empty(int(starts[-1]), np.uint32)
    values = np.empty(int(starts[-1]))
    before = starts[:-1].copy()
    for own, part_cells, part_values in parts:
        lengths = np.diff(own)
        to = np.arange(len(part_cells)) + np.repeat(before - own[:-1], lengths)
        cells[to], values[to] = part_cells, part_values
        before += lengths
    width = schema.n_cells + (len(schema.binary) if len(cells) and cells.max() >= schema.n_cells else 0)
    if (values == 1).all():
        return Words(starts.astype(np.uint64), cells, np.ones(len(starts) - 1), width, 1.0)
    return _checked_total(Sparse(starts.astype(np.uint64), cells, values, width, 1.0), values)


def _checked_total(rows: Rows, values: np.ndarray) -> Rows:
    if values.sum(dtype=np.float64) > MOST_COUNTED:
        raise DataError(f"the table counts {values.sum(dtype=np.float64):g} words, more than 2**62. Scale them down.")
    return rows
