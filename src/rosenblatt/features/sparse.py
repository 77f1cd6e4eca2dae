"""Sparse rows, as svmlight files hold them: numbered columns, most of them absent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import SPARSE, Origin
from rosenblatt.data.values import one_array
from rosenblatt.features.blocks import Block, Entries
from rosenblatt.features.facts import Facts
from rosenblatt.features.lines import Asked, Learner, Line, are_names


@dataclass(frozen=True)
class Numbered(Line):
    """The columns that training saw, in order, each one feature with its value as it is; or, where the values count
    words, with 1 + ln n for n occurrences times the rarity of the word.

    Columns are found by search and not by a table of all numbers up to the largest: a file may name column 2147483647.
    """

    columns: np.ndarray
    feature_names: tuple[str, ...]  # of the columns above; empty: by their numbers
    rarity: np.ndarray  # of each column, if values are counts of words to be weighed; otherwise empty
    kind: ClassVar[str] = "numbered"
    nested: ClassVar[bool] = True
    arrays: ClassVar[dict[str, str]] = {"columns": "u4", "rarity": "f8"}

    @classmethod
    def suits(cls, facts: Facts) -> str:
        return "sparse rows" if facts.kind == SPARSE else ""

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return NumberedLearner(asked)

    def holds(self) -> bool:
        rising = bool((np.diff(self.columns.astype(np.int64)) > 0).all())
        n, weighed = len(self.columns), np.isfinite(self.rarity).all() and len(self.rarity) in (0, len(self.columns))
        return bool(rising and weighed and len(self.feature_names) in (0, n) and are_names(self.feature_names))

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Numbered:
        return super().from_dict({"rarity": [], **plain})  # which plans of earlier versions do not name

    @property
    def width(self) -> int:
        return len(self.columns)

    @property
    def optional(self) -> int:
        return len(self.columns)

    def narrowed(self, kept: np.ndarray) -> Numbered:
        rarity = self.rarity[kept] if len(self.rarity) else self.rarity
        names = tuple(compress(self.feature_names, kept))
        return replace(self, columns=self.columns[kept], feature_names=names, rarity=rarity)

    def names(self) -> list[str]:
        return list(self.feature_names) or [f"{self.column} {number}" for number in self.columns.tolist()]

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        starts, columns, values = csr(column)
        places = self.places(columns)
        known = places >= 0
        known &= values != 0
        if not known.all():
            kept = np.concatenate([[0], np.cumsum(known)])
            starts, places, values = kept[starts], places[known], values[known]
        if len(self.rarity):
            many = values > 1  # what is no count of words, below 1, stays as it is
            values = np.where(many, 1 + np.log(np.where(many, values, 1.0)), values) * self.rarity[places]
        return Entries(starts, places.astype(np.uint32), values, self.width)

    def places(self, columns: np.ndarray) -> np.ndarray:
        if not len(self.columns):
            return np.full(len(columns), -1)
        largest = int(self.columns[-1])
        if largest <= 4 * (len(columns) + len(self.columns)):
            table = np.full(largest + 2, -1, np.int32)
            table[self.columns] = np.arange(len(self.columns))
            return np.asarray(table[np.minimum(columns, largest + 1)])
        places = np.minimum(np.searchsorted(self.columns, columns), len(self.columns) - 1)
        return np.asarray(np.where(self.columns[places] == columns, places, -1))

    def describe(self) -> str:
        how = "counts of words as tf-idf damped" if len(self.rarity) else "values as they are"
        return f"sparse, {len(self.columns)} columns seen, {how}"


class NumberedLearner(Learner):
    """The columns that occur; and to weigh words, in how many rows each does."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.seen = np.empty(0, np.uint32)
        self.line: Numbered | None = None
        self.rows, self.holding = 0, np.empty(0, np.int64)

    def look(self, column: pa.ChunkedArray, origin: Origin) -> None:
        _, columns, values = csr(column)
        if self.line is None:
            self._add(distinct_columns(columns))
            return
        self.rows += len(column)
        self.holding += np.bincount(self.line.places(columns)[values != 0], minlength=self.line.width)

    def merge(self, later: NumberedLearner) -> None:
        if self.line is None:
            self._add(later.seen)
        else:
            self.rows, self.holding = self.rows + later.rows, self.holding + later.holding

    def _add(self, columns: np.ndarray) -> None:
        if len(columns) != len(self.seen) or (columns != self.seen).any():
            self.seen = np.union1d(self.seen, columns)

    def settle(self) -> Line | Learner:
        if self.line is not None:
            return replace(self.line, rarity=self.asked.words.rarity_of(self.rows, self.holding))
        given = self.asked.given
        names = () if given is None else tuple(_name(given, int(number)) for number in self.seen)
        self.line = Numbered(self.asked.column, self.asked.reason, self.seen, names, np.empty(0))
        self.holding = np.zeros(self.line.width, np.int64)
        return self if self.asked.rare else self.line


def distinct_columns(columns: np.ndarray) -> np.ndarray:
    """The different columns in order; by marking them where a mark for each costs less than sorting."""
    if not len(columns) or int(columns.max()) > 4 * len(columns):
        return np.unique(columns)
    marked = np.zeros(int(columns.max()) + 1, bool)
    marked[columns] = True
    return np.flatnonzero(marked).astype(columns.dtype)


def _name(given: Sequence[str], number: int) -> str:
    return given[number - 1] if number <= len(given) else f"column {number}"


def csr(column: pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row starts, columns and values of a sparse column."""
    array = one_array(column)
    if array.null_count:  # a row without values
        array = pa.array([row or [] for row in array.to_pylist()], array.type)
    starts = array.offsets.to_numpy().astype(np.int64)
    entries = array.values.slice(starts[0], starts[-1] - starts[0])
    columns, values = entries.field("column").to_numpy(), entries.field("value").to_numpy()
    return starts - starts[0], columns, values
