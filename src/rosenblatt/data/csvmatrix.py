"""The rows of a CSV file of very many columns, most of them numbers, read as one matrix.

Arrow parses column by column, and each column is then looked at by itself; thousands of them cost more than their
values do. Whatever is not plainly a number here (quotes, words for missing values, too many digits) makes the
answer None, and Arrow reads the file: the columns that come of it are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from rosenblatt.data.csvtypes import typed
from rosenblatt.data.table import string_column
from rosenblatt.data.values import NUMBER
from rosenblatt.loops.numbers import parse_lines
from rosenblatt.loops.svmlight import POWERS_OF_TEN

MANY = 512  # columns
LARGER = 4  # times that pieces of text are larger than usual, so that some hundred rows are turned into columns at once
TILE = 64  # columns that are turned at a time: their rows stay close at hand
ENOUGH = 1.05  # times the rows that the first piece makes one expect: memory that is not used costs nothing
OTHERS = 8  # one column in so many may hold something else


def read_matrix(
    texts: Iterable[bytes], names: Sequence[str], delimiter: str, quotes: bool, size: int = 0
) -> pa.Table | None:
    """The rows of these texts, each column of the type that all its values have; None where they have another form.

    size    bytes of all texts, about, where that is known
    """
    numeric: np.ndarray | None = None
    parts = np.zeros(len(names), np.bool_)
    columns, others = Columns(len(names), size), []
    for text in texts:
        if quotes and b'"' in text:
            return None
        if numeric is None:
            numeric = _numeric(text, delimiter)
            if len(numeric) != len(names) or OTHERS * (~numeric).sum() > len(names):
                return None
        words = _parsed(text, delimiter, numeric, parts, columns)
        if words is None:
            return None
        others.append(words)
    if numeric is None or not columns.n_rows:
        return None
    arrays = _arrays(columns.values[:, : columns.n_rows], parts, numeric)
    for j, pieces in zip(np.flatnonzero(~numeric).tolist(), zip(*others, strict=True), strict=True):
        arrays[j] = typed(pa.concat_arrays(pieces))[1]
    return pa.Table.from_arrays(arrays, list(names))


def _numeric(text: bytes, delimiter: str) -> np.ndarray:
    """For each value of the first line whether it is a number."""
    line = next((line for line in text.splitlines() if line), b"").decode(errors="replace")
    return np.array([NUMBER.fullmatch(value) is not None for value in line.split(delimiter)], np.bool_)


class Columns:
    """A matrix with a row for each column, to which blocks of rows are added; they are parsed in one place."""

    def __init__(self, count: int, size: int) -> None:
        self.size, self.n_rows = size, 0
        self.values, self.place = np.empty((count, 0)), np.empty((0, count))

    def room(self, rows: int) -> np.ndarray:
        """A place for so many rows of numbers."""
        if rows > len(self.place):
            self.place = np.empty((rows, len(self.values)))
        return self.place

    def add(self, rows: int, text: bytes) -> None:
        """Adds the rows that were parsed there, of a text that tells how long rows are."""
        before, self.n_rows = self.n_rows, self.n_rows + rows
        if self.n_rows > self.values.shape[1]:
            expected = int(ENOUGH * rows * self.size / max(1, len(text)))
            grown = np.empty((len(self.values), max(self.n_rows, 0 if before else expected, 2 * before)))
            grown[:, :before] = self.values[:, :before]
            self.values = grown
        for j in range(0, len(self.values), TILE):
            self.values[j : j + TILE, before : self.n_rows] = self.place[:rows, j : j + TILE].T


def _parsed(
    text: bytes, delimiter: str, numeric: np.ndarray, parts: np.ndarray, columns: Columns
) -> list[pa.Array] | None:
    """Adds the rows of the text to the columns; the values of those that are no numbers, by column."""
    data, room = np.frombuffer(text, np.uint8), text.count(b"\n") + 1
    spans = np.empty((room, int((~numeric).sum()), 2), np.int64)
    with np.errstate(over="ignore"):  # bits move out of numbers, which numpy tells where the loop is not compiled
        rows = parse_lines(data, ord(delimiter), numeric, columns.room(room), spans, parts, POWERS_OF_TEN)
    if rows < 0:
        return None
    columns.add(int(rows), text)
    places = spans[:rows].transpose(1, 0, 2).tolist()
    try:
        return [string_column([text[start:stop].decode() for start, stop in each]) for each in places]
    except UnicodeDecodeError:  # Arrow's way of reading tells where
        return None


def _arrays(columns: np.ndarray, parts: np.ndarray, numeric: np.ndarray) -> list[pa.Array]:
    """The columns of numbers in the memory where they lie; whole ones as such. Of the others, None."""
    with np.errstate(over="ignore", invalid="ignore"):
        gaps = np.isnan(columns.sum(axis=1))  # then a value is missing, or infinite ones cancel
    memory, n_rows, step = pa.py_buffer(columns.base), columns.shape[1], columns.strides[0]
    kind, found = pa.float64(), [None] * len(columns)
    for j in np.flatnonzero(numeric & parts & ~gaps).tolist():
        found[j] = pa.Array.from_buffers(kind, n_rows, [None, memory.slice(j * step, 8 * n_rows)])
    for j in np.flatnonzero(numeric & (gaps | ~parts)).tolist():
        missing = np.isnan(columns[j])
        values = columns[j] if parts[j] else np.where(missing, 0, columns[j]).astype(np.int64)
        found[j] = pa.array(values, mask=missing)
    return found
