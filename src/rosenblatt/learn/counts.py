"""The whole fitted state of naive Bayes: how often each cell goes with each class. Adding two is learning from both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rosenblatt.data.rowfile import pieces
from rosenblatt.learn.cells import MOST_COUNTED, bag_rows
from rosenblatt.learn.columns import Schema
from rosenblatt.loops.counts import count_bytes, count_ones, count_rows
from rosenblatt.loops.rows import Dense, Rows, Words, n_features, n_rows

ROUNDING = 1e-12  # what is left of a weighted sum after all of it was taken away


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts per class: int64, or float64 where rows have weights or words have fractions."""

    schema: Schema
    classes: np.ndarray  # in sorted order
    rows: np.ndarray  # rows of each class
    stored: np.ndarray  # (cells, classes), in any type that holds them; `cells` for int64
    gone: np.ndarray | None = None  # (binary columns, classes): rows where the column is missing; None: nowhere

    @classmethod
    def of(cls, schema: Schema, classes: np.ndarray, rows: np.ndarray, cells: np.ndarray) -> Counts:
        """The counts of all cells, those for missing columns behind the others where rows have named them."""
        gone = cells[schema.n_cells :]
        return cls(schema, classes, rows, cells[: schema.n_cells], gone if gone.any() else None)

    @cached_property
    def cells(self) -> np.ndarray:
        """How often each cell goes with each class."""
        return np.ascontiguousarray(self.stored, np.float64 if self.stored.dtype.kind == "f" else np.int64)

    def present(self) -> np.ndarray:
        """For each binary column and class the rows where it is not missing: one line for all where none is."""
        if self.gone is None:
            return self.rows[np.newaxis]
        # With weights the difference of two large sums can lose a small one: never less than is known to be present.
        return np.maximum(self.rows - self.gone, self.cells[: len(self.schema.binary)])

    def zeros(self) -> np.ndarray:
        """For each binary column and class the rows where it is 0."""
        zeros = np.asarray(self.present() - self.cells[: len(self.schema.binary)])
        if zeros.dtype.kind == "f":
            zeros[zeros <= (0 if self.gone is None else ROUNDING) * self.rows] = 0
        return zeros

    def groups(self) -> list[np.ndarray]:
        """The counts of cells whose sum is their total: all words, then the values of each listed column."""
        return np.split(self.cells, [len(self.schema.binary), *self.schema.starts()])[1:]


def code_labels(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The classes in sorted order, and the place of each label among them."""
    if labels.dtype.kind in "iu" and labels.size and labels.min() >= 0 and labels.max() < 1 << 16:
        present = np.bincount(labels.astype(np.int64)) > 0  # no need to sort small numbers
        return np.flatnonzero(present).astype(labels.dtype), (np.cumsum(present) - 1)[labels]
    classes, truth = np.unique(labels, return_inverse=True)
    return classes, truth


def count_bag(matrix: Any, truth: np.ndarray, n_classes: int) -> np.ndarray | None:
    """The counts of a sparse matrix that stores nothing but 1, checked and counted in one go; None for any other."""
    rows = bag_rows(matrix)
    if rows is None:
        return None
    # No count exceeds the number of rows. In two bytes each, fewer of them fall out of the cache.
    counts = np.zeros((n_classes, rows.n_columns), np.uint16 if len(truth) < 1 << 16 else np.int64)
    count_ones(rows.starts, rows.columns, truth, counts)
    return counts.T


def all_whole(rows: Rows) -> bool:
    """True if all values are whole numbers, and an int64 holds the sum of a column."""
    largest = 0.0
    for _, _, some in pieces(rows):
        values = some.scales if isinstance(some, Words) else some.values
        if (values != np.floor(values)).any():
            return False
        largest = max(largest, float(values.max(initial=0)))
    return largest * n_rows(rows) <= MOST_COUNTED


def count_cells(rows: Rows, truth: np.ndarray, n_classes: int, weights: np.ndarray | None) -> np.ndarray:
    """counts[j, c] = the sum of column j over the rows of class c, int64 where all of it is whole."""
    dense = isinstance(rows, Dense)
    in_bytes = isinstance(rows, Dense) and rows.values.dtype == np.uint8
    shape = (n_classes, n_features(rows)) if dense else (n_features(rows), n_classes)
    whole = weights is None and (in_bytes or all_whole(rows))
    counts = np.zeros(shape, np.int64 if whole else np.float64)
    amounts = np.ones(len(truth)) if weights is None else weights
    for start, stop, some in pieces(rows):
        if isinstance(some, Dense) and in_bytes and weights is None:
            count_bytes(some.values, truth[start:stop], counts)
        else:
            count_rows(some, truth[start:stop], amounts[start:stop], counts)
    return np.ascontiguousarray(counts.T) if dense else counts
