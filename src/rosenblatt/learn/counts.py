"""The whole fitted state of naive Bayes: how often each cell goes with each class. Adding two is learning from both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rosenblatt.data.door import Frame
from rosenblatt.data.rowfile import pieces
from rosenblatt.errors import DataError
from rosenblatt.learn.cells import bag_rows, encode
from rosenblatt.learn.columns import Listed, Schema
from rosenblatt.learn.kinds import BITS, bag, decide
from rosenblatt.loops.counts import count_bytes, count_ones, count_rows
from rosenblatt.loops.rows import Dense, Rows, Words, n_features

ROUNDING = 1e-12  # what is left of a weighted sum after all of it was taken away


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts per class: int64, or float64 where rows have weights or words have fractions."""

    schema: Schema
    classes: np.ndarray  # in sorted order
    rows: np.ndarray  # rows of each class
    stored: np.ndarray  # (cells, classes), in any type that holds them; `cells` for int64
    gone: np.ndarray | None = None  # (binary columns, classes): rows where the column is missing; None: nowhere

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

    def words(self) -> np.ndarray:
        """For each class how many words it has, repeated ones counted each time."""
        first = len(self.schema.binary)
        return np.asarray(self.cells[first : first + len(self.schema.counted)].sum(axis=0))

    def listed(self) -> list[tuple[Listed, np.ndarray]]:
        """Each listed column with the counts of its values."""
        starts = self.schema.starts()
        return [(c, self.cells[s : s + c.size]) for c, s in zip(self.schema.listed, starts, strict=True)]


def count(
    frame: Frame, labels: np.ndarray, features: Any, weights: np.ndarray | None = None, like: Schema | None = None
) -> Counts:
    """The counts of a table; its columns are decided by `features`, or are as those of `like`."""
    if weights is not None:
        kept = weights > 0
        if len(kept) and not kept.any():
            raise DataError("every sample weight is zero, so no row counts. Give rows of weight above zero.")
        if not kept.all():
            frame, labels, weights = frame.rows(kept), labels[kept], weights[kept]
    if not frame.n_rows:
        raise DataError("Found array with 0 sample(s) while a minimum of 1 is required. Give at least one row.")
    classes, truth = code_labels(labels)
    rows = np.bincount(truth, weights, len(classes)).astype(np.int64 if weights is None else np.float64)
    found = _count_bag(frame, features, like, truth, len(classes)) if weights is None else None
    if found is None:
        schema = decide(frame, features, weights, like)
        found = schema, count_cells(encode(frame, schema), truth, len(classes), weights)
    schema, cells = found
    if cells.dtype.kind == "f" and not (np.isfinite(rows).all() and np.isfinite(cells).all()):
        raise DataError("the weights add up to infinity. Divide sample_weight by its largest value.")
    gone = cells[schema.n_cells :]
    return Counts(schema, classes, rows, cells[: schema.n_cells], gone if gone.any() else None)


def count_parts(parts: Iterable[tuple[Frame, np.ndarray]], schema: Schema) -> Counts:
    """The counts of a table that comes in parts, each with its labels; whole numbers, so they add up exactly."""
    labels, found = [], None
    n_cells = schema.n_cells + len(schema.binary)
    for frame, truth in parts:
        n_classes = int(truth.max(initial=0)) + 1
        cells = count_cells(encode(frame, schema), truth, n_classes, None)
        wide = np.zeros((n_cells, max(n_classes, 0 if found is None else found.shape[1])), np.int64)
        wide[: len(cells), :n_classes] = cells
        if found is not None:
            wide[:, : found.shape[1]] += found
        found = wide
        labels.append(np.bincount(truth, minlength=1))
    assert found is not None, "a table has rows"
    rows = np.zeros(found.shape[1], np.int64)
    for some in labels:
        rows[: len(some)] += some
    classes = np.flatnonzero(rows)
    gone = found[schema.n_cells :][:, classes]
    return Counts(schema, classes, rows[classes], found[: schema.n_cells][:, classes], gone if gone.any() else None)


def code_labels(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The classes in sorted order, and the place of each label among them."""
    if labels.dtype.kind in "iu" and labels.size and labels.min() >= 0 and labels.max() < 1 << 16:
        present = np.bincount(labels) > 0  # no need to sort small numbers
        return np.flatnonzero(present).astype(labels.dtype), (np.cumsum(present) - 1)[labels]
    classes, truth = np.unique(labels, return_inverse=True)
    return classes, truth


def _count_bag(frame: Frame, features: Any, like: Schema | None, truth: np.ndarray, n_classes: int) -> Any:
    """The schema and the counts of a sparse matrix of ones, checked and counted in one go; None for any other table."""
    if frame.sparse is None or not (isinstance(features, str) and features in ("auto", "binary")):
        return None
    if like is not None and not (len(like.binary) == like.n_columns == frame.n_columns):
        return None
    rows = bag_rows(frame)
    if rows is None:
        return None
    schema = like or bag(frame, "binary" if features == "binary" else BITS)
    # No count exceeds the number of rows. In two bytes each, fewer of them fall out of the cache.
    counts = np.zeros((n_classes, schema.n_cells), np.uint16 if frame.n_rows < 1 << 16 else np.int64)
    count_ones(rows.starts, rows.columns, truth, counts)
    return schema, counts.T


def all_whole(rows: Rows) -> bool:
    """True if all values are whole numbers."""
    for _, _, some in pieces(rows):
        values = some.scales if isinstance(some, Words) else some.values
        if not (values == np.floor(values)).all():
            return False
    return True


def count_cells(rows: Rows, truth: np.ndarray, n_classes: int, weights: np.ndarray | None) -> np.ndarray:
    """counts[j, c] = the sum of column j over the rows of class c, int64 where all of it is whole."""
    if isinstance(rows, Dense):
        whole = rows.values.dtype == np.uint8 or all_whole(rows)
        counts = np.zeros((n_classes, n_features(rows)), np.int64 if weights is None and whole else np.float64)
        if rows.values.dtype == np.uint8 and weights is None:
            for start, stop, some in pieces(rows):
                assert isinstance(some, Dense)
                count_bytes(some.values, truth[start:stop], counts)
            return np.ascontiguousarray(counts.T)
    else:
        whole = all_whole(rows)
        counts = np.zeros((n_features(rows), n_classes), np.int64 if weights is None and whole else np.float64)
    amounts = np.ones(len(truth)) if weights is None else weights
    for start, stop, some in pieces(rows):
        count_rows(some, truth[start:stop], amounts[start:stop], counts)
    return np.ascontiguousarray(counts.T) if isinstance(rows, Dense) else counts
