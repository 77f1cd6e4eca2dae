"""What is to be decided: rows, their classes, with or without a constant feature; and the mark that names them.

The signed rows of a question are never all made. One is named by a pair (row, other class): it is f(x) in the block
of the true class and −f(x) in the block of the other (NOTES section 5). The blocks of a signed row sum to zero, so
the block of class 0 follows from the others and linear algebra leaves it out; two classes then have one block, and
the signed row is y·f(x).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rosenblatt.learn.problem import Problem
from rosenblatt.loops.rows import Dense, Rows, Sparse, n_features, n_rows

CHUNK = 2**20  # values hashed at a time


@dataclass(frozen=True)
class Mark:
    """Which data a certificate speaks of: its shape, its classes in order, and a hash of every value and label."""

    rows: int
    columns: int
    classes: tuple[str, ...]
    bias: bool
    sha256: str


@dataclass(frozen=True)
class Question:
    """Can these rows be separated by their classes?"""

    problem: Problem
    classes: tuple[Any, ...]

    @property
    def rows(self) -> Rows:
        return self.problem.rows

    @property
    def truth(self) -> np.ndarray:
        return self.problem.truth

    @property
    def n_classes(self) -> int:
        return self.problem.n_classes

    @property
    def bias(self) -> bool:
        return bool(self.rows.bias)

    @property
    def width(self) -> int:
        """Features of a row, the constant one included where there is one."""
        return n_features(self.rows) + int(self.bias)

    @property
    def size(self) -> int:
        """Numbers in all rows: a measure of what one look at everything costs."""
        rows = self.rows
        stored = rows.values.size if isinstance(rows, Dense) else len(rows.columns)
        return int(stored) + n_rows(rows)

    @cached_property
    def mark(self) -> Mark:
        names = tuple(label_name(label) for label in self.classes)
        digest = hashlib.sha256()
        head = [n_rows(self.rows), n_features(self.rows), self.bias, names]
        digest.update(json.dumps(head, ensure_ascii=True).encode())
        digest.update(np.ascontiguousarray(self.truth, "<i4").data)
        for part in canonical_parts(self.rows):
            digest.update(part)
        return Mark(n_rows(self.rows), n_features(self.rows), names, self.bias, digest.hexdigest())


def label_name(label: Any) -> str:
    """The label as certificates write it: a whole number is the same label as int and as float."""
    if isinstance(label, float | np.floating) and float(label).is_integer():
        label = int(label)
    return str(label)


def canonical_parts(rows: Rows) -> Iterator[memoryview]:
    """The data as bytes, the same for every storage: of each chunk of rows the number, columns and values not zero."""
    step = max(1, CHUNK // max(1, n_features(rows)))
    for first in range(0, n_rows(rows), step):
        last = min(first + step, n_rows(rows))
        counts, columns, values = _not_zero(rows, first, last)
        yield np.ascontiguousarray(counts, "<u4").data
        yield np.ascontiguousarray(columns, "<u4").data
        yield np.ascontiguousarray(values, "<f8").data


def _not_zero(rows: Rows, first: int, last: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For rows first ... last − 1: how many values are not zero in each, then their columns and the values."""
    if isinstance(rows, Dense):
        part = rows.values[first:last]
        there = part != 0
        counts = there.sum(axis=1)
        if there.all():
            return counts, np.tile(np.arange(part.shape[1], dtype="<u4"), len(part)), part
        return counts, np.nonzero(there)[1], part[there]
    starts = rows.starts[first : last + 1].astype(np.int64)
    counts, columns = np.diff(starts), rows.columns[starts[0] : starts[-1]]
    if not isinstance(rows, Sparse):
        return counts, columns, np.repeat(rows.scales[first:last], counts)
    values = rows.values[starts[0] : starts[-1]]
    there = values != 0
    if there.all():
        return counts, columns, values
    row_of = np.repeat(np.arange(last - first), counts)[there]
    return np.bincount(row_of, minlength=last - first), columns[there], values[there]
