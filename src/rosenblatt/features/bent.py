"""Numbers that bend: features that are linear between a few knots, so that their weights draw a curve.

A number has two slopes, one over its values and one over the places of the knots, and a hat at each knot, half as high.
Slopes are learned first, since every row has a say in them, and hats bend what they leave: with hats alone a column
whose effect is straight costs accuracy (six points of 80 on a thousand rows of forty such columns; with slopes none).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa

from rosenblatt.data.door_columns import plain
from rosenblatt.data.table import Origin
from rosenblatt.data.values import numbers_of
from rosenblatt.features.bins import distinct
from rosenblatt.features.blocks import Block, Entries
from rosenblatt.features.facts import Facts
from rosenblatt.features.lines import MISSING, Asked, Learner, Line, is_finite
from rosenblatt.features.numeric import NumericLearner
from rosenblatt.features.terms import Arc, Curve
from rosenblatt.features.wishes import LEAST
from rosenblatt.loops.order import row_hashes

COUNTED = 4_096  # distinct values that are counted; of more, a sample of the rows tells
SAMPLE = 65_536  # rows: those with the smallest hashes of their numbers, so that blocks do not matter
HAT = 0.5  # how high
SLOPES = ("straight", "by place")


@dataclass(frozen=True)
class Bent(Line):
    """Between two knots a share of the features of each; beyond the ends as at the ends. Missing: its own feature."""

    knots: tuple[float, ...]
    missing: bool
    kind: ClassVar[str] = "bent"
    numbers: ClassVar[bool] = True

    @classmethod
    def suits(cls, facts: Facts) -> str:
        return ""  # numbers are straight, unless validation or somebody asks for curves

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return BentLearner(asked)

    def holds(self) -> bool:
        rising = all(map(is_finite, self.knots)) and list(self.knots) == sorted(set(self.knots))
        return rising and len(self.knots) >= LEAST and isinstance(self.missing, bool)

    @property
    def width(self) -> int:
        return len(self.knots) + len(SLOPES) + self.missing

    def names(self) -> list[str]:
        missing = [f"{self.column}={MISSING}"] if self.missing else []
        return [*self.points(), *(f"{self.column}, {slope}" for slope in SLOPES), *missing]

    def points(self) -> list[str]:
        """What the knots are called."""
        return [f"{self.column} at {plain(knot)}" for knot in self.knots]

    def worth(self, weights: np.ndarray) -> tuple[list[str], np.ndarray, bool]:
        features = self.at_knots()
        return self.points(), weights[..., : features.shape[1]] @ features.T, True

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        values = self.values_of(column, origin)
        gone = np.isnan(values)
        left, share = between(np.where(gone, self.knots[0], values), np.array(self.knots))
        rest, count = 1.0 - share, len(self.knots)
        columns, weights = np.empty((len(left), 2 + len(SLOPES)), np.uint32), np.empty((len(left), 2 + len(SLOPES)))
        columns[:, 0], columns[:, 1], columns[:, 2:] = left, left + 1, count + np.arange(len(SLOPES))
        weights[:, 0], weights[:, 1] = HAT * rest, HAT * share
        for number, slope in enumerate(self.slopes(), 2):
            weights[:, number] = rest * slope[left] + share * slope[left + 1]
        return entries(columns, weights, gone, self.width, self.missing)

    def slopes(self) -> np.ndarray:
        """The slopes at the knots: the number about the mean of the knots, in their spread; and −1 … +1 by place."""
        knots = np.array(self.knots)
        scaled = knots / float(np.abs(knots).max())  # so that no square overflows
        return np.stack([(scaled - scaled.mean()) / scaled.std(), np.linspace(-1.0, 1.0, len(knots))])

    def at_knots(self) -> np.ndarray:
        """The features of each knot, a row for each; times the weights, what the column adds to a score there."""
        return np.column_stack([HAT * np.eye(len(self.knots)), self.slopes().T])

    def term(self, first: int) -> Curve:
        arcs, width = (Arc("", self.knots, self.at_knots()),), self.width - self.missing
        missing = first + width if self.missing else None
        return Curve(self.column, self.reads, first, width, self.describe(), arcs, missing=missing)

    def values_of(self, column: pa.ChunkedArray, origin: Origin) -> np.ndarray:
        return numbers_of(column, self.column, origin, self.reads)

    def together(self, column: pa.ChunkedArray, origin: Origin) -> float | None:
        value = float(self.values_of(column, origin)[0])
        return None if np.isnan(value) else value

    def describe(self) -> str:
        ends = f"{plain(self.knots[0])} to {plain(self.knots[-1])}"
        return f"curve through {len(self.knots)} knots, {ends}" + (", missing → 1 feature" if self.missing else "")


class BentLearner(Learner):
    """The distinct values of a column with their counts; and a sample of its rows, where there are too many."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.values, self.counts = np.empty(0), np.empty(0)
        self.many = self.missing = False
        self.hashes, self.sampled = np.empty(0, np.uint64), np.empty(0)

    def look(self, column: pa.ChunkedArray, origin: Origin) -> None:
        numbers = numbers_of(column, self.asked.column, origin, self.asked.reads)
        here = ~np.isnan(numbers)
        self.missing = self.missing or not here.all()
        self.add(numbers[here], origin.before + origin.numbers[here])

    def add(self, values: np.ndarray, places: np.ndarray) -> None:
        """Numbers that are there, and the places of their rows among all rows."""
        self._sample(row_hashes(0, places), values)
        if not self.many and len(values) > SAMPLE:  # some tell that there are many, before all are sorted
            self.many = len(np.unique(values[:SAMPLE])) > COUNTED
        if not self.many:
            self._count(*distinct(values))

    def merge(self, later: BentLearner) -> None:
        self.missing, self.many = self.missing or later.missing, self.many or later.many
        self._sample(later.hashes, later.sampled)
        self._count(later.values, later.counts)

    def _count(self, values: np.ndarray, counts: np.ndarray) -> None:
        both = np.concatenate([self.values, values]), np.concatenate([self.counts, counts])
        self.values, self.counts = distinct(*both)
        self.many = self.many or len(self.values) > COUNTED

    def _sample(self, hashes: np.ndarray, values: np.ndarray) -> None:
        """The rows with the lowest hashes so far; only where there are more than SAMPLE are they put in order."""
        if len(self.hashes) == SAMPLE:
            below = hashes <= self.hashes.max()
            hashes, values = hashes[below], values[below]
        hashes, values = np.concatenate([self.hashes, hashes]), np.concatenate([self.sampled, values])
        if len(hashes) > SAMPLE:
            below = hashes <= np.partition(hashes, SAMPLE - 1)[SAMPLE - 1]
            hashes, values = hashes[below], values[below]
            order = np.lexsort((values, hashes))[:SAMPLE]
            hashes, values = hashes[order], values[order]
        self.hashes, self.sampled = hashes, values

    def knots(self, most: int, over: str) -> tuple[float, ...]:
        """At most so many of the values, at quantiles."""
        values, counts = distinct(self.sampled) if self.many else (self.values, self.counts)
        return knots_of(values, counts, most, over)

    def settle(self) -> Line | Learner:
        asked = self.asked
        knots = self.knots(asked.knots, asked.over)
        if len(knots) < LEAST:
            return NumericLearner(asked)
        reads = "number" if asked.reads == "text" else asked.reads  # numbers in quotes
        return Bent(asked.column, asked.reason, knots, self.missing, reads=reads)


def between(values: np.ndarray, knots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each value the number of the knot before it, and its share of the way to the next; clipped at the ends."""
    inside = np.clip(values, knots[0], knots[-1])
    left = np.clip(np.searchsorted(knots, inside, side="right") - 1, 0, len(knots) - 2)
    return left, (inside - knots[left]) / (knots[left + 1] - knots[left])


def entries(columns: np.ndarray, weights: np.ndarray, gone: np.ndarray, width: int, missing: bool) -> Entries:
    """The block with these weights in these columns of each row, without zeros; of rows that are gone the last column,
    if that is a feature for them."""
    columns = columns.astype(np.uint32, copy=False)
    if gone.any():
        columns = np.column_stack([columns, np.full(len(gone), width - 1, np.uint32)])
        weights = np.column_stack([np.where(gone[:, None], 0.0, weights), gone & missing])
    kept = weights != 0
    starts = np.zeros(len(gone) + 1, np.int64)
    np.cumsum(kept.sum(axis=1), out=starts[1:])
    return Entries(starts, columns[kept], weights[kept], width)


def knots_of(values: np.ndarray, counts: np.ndarray, most: int, over: str) -> tuple[float, ...]:
    """At most so many of the distinct values, given in order: the lowest, the highest, and quantiles between them.

    The quantile q of n rows, or of n distinct values, is the ⌈qn⌉-th smallest of them.
    """
    if not len(values):
        return ()
    below = np.cumsum(counts if over == "rows" else np.ones(len(values)))
    wanted = np.maximum(1, np.ceil(below[-1] * np.arange(most) / (most - 1)))
    return tuple(float(values[place]) for place in np.unique(np.searchsorted(below, wanted)))
