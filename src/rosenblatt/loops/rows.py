"""Rows in three storages. Each is a named tuple, so that a loop written once is compiled for all of them.

Every storage carries `bias`, the value of a constant last feature: 1 to learn an intercept, 0 not to. A weight
vector is therefore one longer than a row has columns, and no loop asks whether there is an intercept.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.loops.compile import loop_of, part
from rosenblatt.loops.hint import ask_for

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
ONE = np.uint64(1)
SOME_ROWS, SOME_VALUES = 512, np.uint64(1 << 20)


class Dense(NamedTuple):
    """All values of all rows: uint8, float32 or float64, C-contiguous."""

    values: np.ndarray
    bias: float


class Sparse(NamedTuple):
    """The values that are not zero; row i has columns[starts[i]:starts[i + 1]] and the values beside them.

    Starts and columns are unsigned: a signed index costs a test for Python's counting from the end.
    """

    starts: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    n_columns: int
    bias: float


class Words(NamedTuple):
    """Sparse rows whose values are equal within a row: 1, or 1 over the row's length for unit-length text."""

    starts: np.ndarray
    columns: np.ndarray
    scales: np.ndarray
    n_columns: int
    bias: float


Rows: TypeAlias = Dense | Sparse | Words


def dense_rows(values: np.ndarray, bias: float = 1.0) -> Dense:
    """Rows over the array itself; nothing is copied when it is C-contiguous uint8, float32 or float64."""
    if values.ndim != 2:
        raise DataError(f"rows must form a table of two dimensions; got {values.ndim}.")
    if values.dtype == np.bool_:
        values = values.view(np.uint8)
    if values.dtype not in (*FLOATS, np.dtype(np.uint8)):
        values = values.astype(np.float64)
    return Dense(np.ascontiguousarray(values), float(bias))


def sparse_rows(
    starts: np.ndarray, columns: np.ndarray, values: np.ndarray, n_columns: int, bias: float = 1.0
) -> Sparse | Words:
    """Rows over the three arrays of a CSR matrix, as Words where each row repeats a single value.

    Columns out of order are put in order and repeated ones added up, in a copy. Starts and columns that point
    outside are refused: the loops do not look again.
    """
    check_starts(starts, min(len(columns), len(values)))
    given = columns
    columns = columns.view(np.uint32) if columns.dtype == np.int32 else columns.astype(np.uint32, copy=False)
    columns = np.ascontiguousarray(columns)
    values = np.ascontiguousarray(values if values.dtype in FLOATS else values.astype(np.float64))
    starts = starts.astype(np.uint64)
    whole = given.dtype.itemsize == 4  # nothing was cut off: a negative column is now a very large one
    if not (whole and n_columns < 2**31 and columns_increase(starts, columns, np.uint32(n_columns))):
        _check_columns(given[: int(starts[-1])], n_columns)
        if not columns_increase(starts, columns, np.uint32(2**32 - 1)):
            starts, columns, values = _put_in_order(starts, columns, values)
    scales = np.ones(len(starts) - 1, values.dtype)
    if rows_repeat_one_value(starts, values, scales):
        return Words(starts, columns, scales, int(n_columns), float(bias))
    return Sparse(starts, columns, values, int(n_columns), float(bias))


def check_starts(starts: np.ndarray, size: int) -> None:
    """DataError where the row starts of a CSR matrix of so many values lead out of it."""
    rising = len(starts) > 0 and 0 == starts[0] <= starts[-1] <= size
    if not rising or (len(starts) > 2 and np.any(starts[1:] < starts[:-1])):
        raise DataError(
            "the sparse matrix is damaged: its row starts do not rise from 0 to the number of its values. "
            "Build it anew from its coordinates."
        )


def _check_columns(columns: np.ndarray, n_columns: int) -> None:
    if n_columns >= 2**32:
        raise DataError(f"the sparse matrix has {n_columns} columns; at most {2**32 - 1} are supported.")
    lowest, highest = (int(columns.min()), int(columns.max())) if len(columns) else (0, -1)
    if lowest < 0 or highest >= n_columns:
        raise DataError(
            f"the sparse matrix is damaged: it names column {lowest if lowest < 0 else highest}, but its columns are "
            f"0 to {n_columns - 1}. Build it anew from its coordinates."
        )


def _put_in_order(
    starts: np.ndarray, columns: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same rows with increasing columns, the values of a repeated column added up."""
    row_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts).astype(np.int64))
    order = np.lexsort((columns[: len(row_of)], row_of))
    row_of, columns, values = row_of[order], columns[order], values[order]
    new = np.flatnonzero(np.diff(row_of, prepend=-1) | np.diff(columns.astype(np.int64), prepend=-1))
    counts = np.bincount(row_of[new], minlength=len(starts) - 1)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)
    return starts, columns[new], np.add.reduceat(values, new)


def n_rows(rows: Rows) -> int:
    return len(rows.values) if isinstance(rows, Dense) else len(rows.starts) - 1


def n_features(rows: Rows) -> int:
    """Columns of the rows, the constant one not counted."""
    return rows.values.shape[1] if isinstance(rows, Dense) else rows.n_columns


def n_bytes(rows: Rows) -> int:
    return sum(field.nbytes for field in rows if isinstance(field, np.ndarray))


def weight_type(rows: Rows) -> np.dtype:
    """float32 for float32 rows, float64 for all others."""
    values = rows.scales if isinstance(rows, Words) else rows.values
    return np.dtype(np.float32 if values.dtype == np.float32 else np.float64)


def span(rows: Rows, start: int, stop: int) -> Rows:
    """The rows from `start` up to `stop`, over the same memory."""
    if isinstance(rows, Dense):
        return Dense(rows.values[start:stop], rows.bias)
    starts = rows.starts[start : stop + 1]
    if isinstance(rows, Words):
        return Words(starts, rows.columns, rows.scales[start:stop], rows.n_columns, rows.bias)
    return Sparse(starts, rows.columns, rows.values, rows.n_columns, rows.bias)


def take(rows: Rows, which: np.ndarray) -> Rows:
    """The rows of the given numbers, in that order, in new memory."""
    if isinstance(rows, Dense):
        return Dense(rows.values[which], rows.bias)
    starts = np.zeros(len(which) + 1, np.uint64)
    fill_starts(rows.starts, which, starts)
    columns = np.empty(int(starts[-1]), np.uint32)
    copy_spans(rows.starts, rows.columns, which, starts, columns)
    if isinstance(rows, Words):
        return Words(starts, columns, rows.scales[which], rows.n_columns, rows.bias)
    values = np.empty(len(columns), rows.values.dtype)
    copy_spans(rows.starts, rows.values, which, starts, values)
    return Sparse(starts, columns, values, rows.n_columns, rows.bias)


@loop_of(lambda starts, which, *_: len(which))
def fill_starts(starts, which, new_starts):
    """Where each row of `which` starts when they follow each other."""
    for position in range(len(which)):
        if position + 64 < len(which):
            ask_for(starts, np.uintp(which[position + 64]))
        i = np.intp(which[position])
        new_starts[position + 1] = new_starts[position] + starts[i + 1] - starts[i]


@loop_of(lambda starts, source, which, new_starts, target: len(which) + len(target))
def copy_spans(starts, source, which, new_starts, target):
    """Copies source[starts[i]:starts[i + 1]] for each i in `which` to its place in target."""
    line = np.uint64(64 // source.itemsize)
    for position in range(len(which)):
        if position + 128 < len(which):
            ask_for(starts, np.uintp(which[position + 128]))
            soon = np.intp(which[position + 64])
            for k in range(starts[soon], starts[soon + 1], line):
                ask_for(source, k)
        i = np.intp(which[position])
        k, to = starts[i], new_starts[position]
        while k < starts[i + 1]:
            target[to] = source[k]
            k += np.uint64(1)
            to += np.uint64(1)


@loop_of(lambda starts, columns, _: len(starts) + len(columns))
def columns_increase(starts, columns, bound):
    """True if no row names a column twice, out of order, or not below the bound.

    All neighbours are compared without regard to rows, which fills the vector units; then those of two rows are taken
    off. That is two to eight times faster than row by row.
    """
    stop, wrong, highest = starts[len(starts) - 1], np.int64(0), np.uint32(0)
    for first in range(ONE, stop, SOME_VALUES):
        last = min(first + SOME_VALUES, stop)
        left, right, here = columns[first - ONE : last - ONE], columns[first:last], np.uint32(0)
        for k in range(len(left)):  # counted in as many bits as columns have: more would halve the speed
            here = np.uint32(here + np.uint32(right[k] <= left[k]))
            highest = max(highest, right[k])
        wrong += here
    if stop > 0:
        highest = max(highest, columns[0])
    before = np.uint32(0)  # the last column of the row before
    for i in range(len(starts) - 1):
        k, after = starts[i], starts[i + 1]
        if k < after:
            if k > 0:
                wrong -= columns[k] <= before
            before = columns[after - ONE]
    return wrong == 0 and (stop == 0 or highest < bound)


@loop_of(lambda starts, values, _: len(starts) + len(values))
def rows_repeat_one_value(starts, values, scales):
    """True if each row repeats one value that is not zero; that value is then in scales, given as ones.

    Neighbours are compared as in `columns_increase`, some rows at a time: most matrices show in their first rows that
    they are not of this kind, and those of zeros and ones need no look at each row.
    """
    n_rows, all_one = len(starts) - 1, True
    for first in range(0, n_rows, SOME_ROWS):
        last = min(first + SOME_ROWS, n_rows)
        begin, stop, changes = starts[first], starts[last], 0
        if all_one and stop > begin:
            value = values[begin]
            all_one = value != 0 and value == value and all_equal(values[begin:stop], value)
            if all_one:
                if value != 1:
                    for i in range(first, last):
                        scales[i] = value if starts[i] < starts[i + 1] else 1
                continue
        if stop > begin + ONE:
            left, right = values[begin : stop - ONE], values[begin + ONE : stop]
            for k in range(len(left)):
                changes += right[k] != left[k]
        for i in range(first, last):
            k = starts[i]
            if k < starts[i + 1]:
                scales[i] = values[k]
                changes += values[k] == 0 or values[k] != values[k]
                if k > begin:
                    changes -= values[k] != values[k - ONE]
        if changes:
            return False
    return True


@part
def all_equal(values, value):
    """True if all values are this one."""
    others = 0
    for k in range(len(values)):
        others += values[k] != value
    return others == 0
