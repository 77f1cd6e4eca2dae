"""Columns whose rows take one of a list of values, or fall between cuts: the place of each value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.data.door_columns import Coded, plain
from rosenblatt.errors import DataError

NONE = -1
LARGEST = 2.0**53  # beyond it float64 cannot count
BITS = "bits"  # binary until a third value turns up; "binary", declared, means any number but 0 is presence
BLOCK = 1 << 20


@dataclass(frozen=True)
class Listed:
    """A column whose rows take one of a list of values, or fall between cuts: bin b is (cuts[b - 1], cuts[b]]."""

    column: int
    values: tuple[Any, ...] = ()
    cuts: tuple[float, ...] | None = None

    @property
    def size(self) -> int:
        """The number of values, |X| in the notes."""
        return len(self.values) if self.cuts is None else len(self.cuts) + 1

    def names(self) -> list[Any]:
        """The values as tables show them."""
        if self.cuts is None:
            return list(self.values)
        inner = [f"({low:g}, {high:g}]" for low, high in zip(self.cuts[:-1], self.cuts[1:], strict=True)]
        return [f"<= {self.cuts[0]:g}", *inner, f"> {self.cuts[-1]:g}"] if self.cuts else ["any number"]

    def cell_name(self, column: str, value: Any) -> str:
        """What a value of this column is called: outlook=sunny, or the column and its bin."""
        return f"{column}={value}" if self.cuts is None else f"{column} {value}"

    def places(self, column: np.ndarray | Coded, where: str) -> np.ndarray:
        """The place of each row's value in the list, or its bin; NONE where it is missing or not in the list."""
        known = {value: place for place, value in enumerate(self.values)}
        if isinstance(column, Coded):
            if self.cuts is not None:
                raise DataError(f"{where} is cut into bins but holds {column.values[0]!r}. Give numbers.")
            places = np.array([*(known.get(value, NONE) for value in column.values), NONE], np.int64)
            return np.asarray(places[column.codes])
        if self.cuts is not None:
            bins = np.searchsorted(self.cuts, column.astype(np.float64), side="left")
            return np.asarray(np.where(np.isnan(column), NONE, bins) if column.dtype.kind == "f" else bins)
        numbers = np.array([value for value in self.values if isinstance(value, int | float)], np.float64)
        if not len(numbers):
            return np.full(len(column), NONE)
        if np.abs(numbers).max() >= LARGEST:  # as float64 they might be mistaken for each other
            values, inverse = np.unique(column, return_inverse=True)
            return np.array([known.get(plain(value), NONE) for value in values], np.int64)[inverse]
        column = column.astype(np.float64)  # listed numbers come first and in order
        nearest = np.minimum(np.searchsorted(numbers, column), len(numbers) - 1)
        return np.asarray(np.where(numbers[nearest] == column, nearest, NONE))


def order_of(value: Any) -> tuple[str, Any]:
    """Sorts values of any type: numbers first, then by the name of the type."""
    return ("", value) if isinstance(value, int | float) else (type(value).__name__, value)


def only_bits(values: np.ndarray) -> bool:
    """True if all numbers are 0, 1 or NaN; the first block that says otherwise ends the search."""
    if values.dtype == np.bool_:
        return True
    if values.dtype.kind == "u":
        return not values.size or bool(values.max() <= 1)
    step = max(1, BLOCK // max(1, values.shape[-1])) if values.ndim == 2 else BLOCK
    blocks = (values[start : start + step] for start in range(0, len(values), step))
    return all(bool(((block == 0) | (block == 1) | (block != block)).all()) for block in blocks)


def check_counts(values: np.ndarray, where: str) -> None:
    """Raises DataError for numbers that count nothing: below 0, or too large to count with."""
    if values.size:
        low, high = np.fmin.reduce(values, axis=None), np.fmax.reduce(values, axis=None)  # NaN only where all are
        if low < 0:
            raise DataError(f"{where} holds {low:g}, which is no count. Name another kind for it in features.")
        if high > LARGEST:
            raise DataError(f"{where} holds {high:g}; counts above 2**53 are not exact. Scale them down.")
