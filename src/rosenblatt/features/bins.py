"""Numbers by the bin they fall into: what naive Bayes counts of a column of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from rosenblatt.data.door_columns import plain
from rosenblatt.data.listed import BITS, Listed
from rosenblatt.data.table import Origin
from rosenblatt.data.values import numbers_of
from rosenblatt.features.blocks import Block, one_entry_per_row
from rosenblatt.features.facts import Facts
from rosenblatt.features.lines import Asked, Learner, Line, is_finite
from rosenblatt.features.terms import Stepped

FEW = 32  # whole numbers that have a bin each
BINS = 10  # that other numbers fall into, cut at quantiles


@dataclass(frozen=True)
class Bins(Line):
    """One 0/1 feature for each bin, or each of a few whole numbers. Other and missing values have none."""

    values: tuple[float, ...]
    cuts: tuple[float, ...] | None  # None: each value is a bin; otherwise bin b is (cuts[b - 1], cuts[b]]
    kind: ClassVar[str] = "bins"
    numbers: ClassVar[bool] = True

    @classmethod
    def suits(cls, facts: Facts) -> str:
        return ""  # numbers are scaled, unless somebody asks for bins

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return BinsLearner(asked)

    def holds(self) -> bool:
        bounds = self.values if self.cuts is None else self.cuts
        return all(map(is_finite, bounds)) and list(bounds) == sorted(set(bounds))

    def names(self) -> list[str]:
        listed = Listed(0, self.values, self.cuts)
        return [listed.cell_name(self.column, value) for value in listed.names()]

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        places = Listed(0, self.values, self.cuts).places(self.values_of(column, origin), self.column)
        return one_entry_per_row(places, self.width)

    def values_of(self, column: pa.ChunkedArray, origin: Origin) -> np.ndarray:
        return numbers_of(column, self.column, origin, self.reads)

    def term(self, first: int) -> Stepped:
        described, features = (self.column, self.reads, first, self.width, self.describe()), np.eye(self.width)
        return Stepped(*described, self.values, self.cuts, features)

    def counted(self, j: int) -> Any:
        return BITS if self.cuts is None and set(self.values) <= {0, 1} else Listed(j, self.values, self.cuts)

    def describe(self) -> str:
        return f"{self.width} bins of numbers, 0/1 each"


class BinsLearner(Learner):
    """The distinct numbers of a column, and how often each occurs."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.numbers, self.amounts = np.empty(0), np.empty(0)

    def look(self, column: pa.ChunkedArray, origin: Origin) -> None:
        self._add(*distinct(numbers_of(column, self.asked.column, origin, self.asked.reads)))

    def merge(self, later: BinsLearner) -> None:
        self._add(later.numbers, later.amounts)

    def _add(self, numbers: np.ndarray, amounts: np.ndarray) -> None:
        both = np.concatenate([self.numbers, numbers]), np.concatenate([self.amounts, amounts])
        self.numbers, self.amounts = distinct(*both)

    def settle(self) -> Line:
        reads = "number" if self.asked.reads == "text" else self.asked.reads  # numbers in quotes
        return Bins(self.asked.column, self.asked.reason, *bins_of(self.numbers, self.amounts), reads=reads)


def distinct(numbers: np.ndarray, weights: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The different numbers in order, and how often each occurs or what it weighs; missing ones are left out."""
    kept = ~np.isnan(numbers) if numbers.dtype.kind == "f" else slice(None)
    if weights is None:
        return np.unique(numbers[kept], return_counts=True)
    values, places = np.unique(numbers[kept], return_inverse=True)
    return values, np.bincount(places, weights[kept], len(values))


def bins_of(numbers: np.ndarray, amounts: np.ndarray, kind: str = "auto") -> tuple[Any, Any]:
    """Values and cuts (as in `Bins`) for distinct numbers in order: "categorical", "bins", or as the numbers suggest.

    Cuts are at the lowest numbers that have b / BINS of the amounts at or below them. The highest is none.
    """
    few = kind == "auto" and len(numbers) <= FEW and bool((numbers == np.floor(numbers)).all())
    if few or kind == "categorical":
        return tuple(plain(number) for number in numbers), None
    below = np.cumsum(amounts)
    places = np.searchsorted(below, below[-1] * (np.arange(1, BINS) / BINS) * (1 - 1e-12))
    return (), tuple(float(numbers[p]) for p in np.unique(places) if p < len(numbers) - 1)
