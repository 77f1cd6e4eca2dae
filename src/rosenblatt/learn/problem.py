"""What a run visits: rows, the true class of each, and how much an update on it counts.

A Problem also hides whether there are two classes (one weight vector) or more (one per class): everything that
learning asks of the loops it asks here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import add
from typing import NamedTuple

import numpy as np

from rosenblatt.data.door_columns import not_finite
from rosenblatt.data.maps import is_mapped
from rosenblatt.data.rowfile import main_array, on_disk, pieces
from rosenblatt.errors import DataError
from rosenblatt.loops import binary, multiclass
from rosenblatt.loops.exact_sum import exact_sum
from rosenblatt.loops.matrix import by_class, weight_shape
from rosenblatt.loops.rows import Dense, Rows, Words, n_features, n_rows, take, weight_type
from rosenblatt.loops.ties import Bounds
from rosenblatt.loops.vector import squares

# Scores stay finite for any run that a person could wait for: |w . f| <= updates * rate * amount * |f|^2, and the sum
# behind an average may be as many times larger as rows were visited. learn/bounds.py has the rate and the start.
LARGEST = {np.dtype(np.float32): 1e27, np.dtype(np.float64): 1e280}


class Sums(NamedTuple):
    """What a run asks of all rows together. Those of parts merge to that of the whole: nothing is rounded here."""

    size: int
    longest: float  # |f(x)|^2 of the rows that are visited
    totals: tuple[Fraction, ...]  # of |f(x)|^2, of |f(x)|^2 times the class, of the amounts

    def merged(self, other: Sums) -> Sums:
        totals = tuple(map(add, self.totals, other.totals))
        return Sums(self.size + other.size, max(self.longest, other.longest), totals)


@dataclass(frozen=True)
class Problem:
    """Rows, their classes 0 ... n_classes - 1, and the amounts of their updates; rows of amount 0 are not visited."""

    rows: Rows
    truth: np.ndarray  # int32
    amounts: np.ndarray  # float64
    squares: np.ndarray  # |f(x)|^2 of each row
    n_classes: int
    told: Sums | None = None  # where the rows are elsewhere, and these are none of them

    @cached_property
    def visited(self) -> np.ndarray:
        """The numbers of the rows that are visited, ascending."""
        return np.flatnonzero(self.amounts > 0).astype(np.uint32)

    @cached_property
    def sums(self) -> Sums:
        if self.told is not None:
            return self.told
        totals = tuple(exact_sum(each) for each in (self.squares, self.squares * self.truth, self.amounts))
        return Sums(len(self.truth), float(np.max(self.squares, where=self.amounts > 0, initial=0.0)), totals)

    @property
    def radius(self) -> float:
        """R of the convergence theorem: the length of the longest signed row."""
        return float(np.sqrt(self.sums.longest if self.n_classes == 2 else 2 * self.sums.longest))

    @property
    def mean_square(self) -> float:
        """The mean of |f(x)|^2 over all rows."""
        return float(self.sums.totals[0] / self.sums.size)

    @property
    def fingerprint(self) -> tuple[float, ...]:
        """Equal for equal problems, and for practical purposes for no others."""
        return (self.sums.size, n_features(self.rows), self.n_classes, *map(float, self.sums.totals))

    @property
    def on_disk(self) -> bool:
        """Whether the rows lie in files."""
        return False

    def reordered(self, order: np.ndarray) -> Problem:
        """The problem of these rows in this order, in memory of its own."""
        rows = take(self.rows, order)
        truth, amounts, lengths = self.truth[order], self.amounts[order], self.squares[order]
        return replace(self, rows=rows, truth=truth, amounts=amounts, squares=lengths)

    # Weights: by class for everybody else, in the layout of the rows for the loops.

    def layout(self, weights: np.ndarray) -> np.ndarray:
        """A copy of weights given by class, in the order of memory that the loops want for these rows."""
        return np.array(by_class(self.rows, weights), order="C")

    def by_class(self, weights: np.ndarray) -> np.ndarray:
        """A view of the loops' weights: a vector for two classes, one line per class for more."""
        return by_class(self.rows, weights)

    def zero_weights(self) -> np.ndarray:
        return by_class(self.rows, np.zeros(weight_shape(self.rows, self.n_classes), weight_type(self.rows)))

    def windows(self, order: np.ndarray, amounts: np.ndarray) -> Iterator[Window]:
        """The order in pieces, each with a problem that has its rows in memory: here a single one."""
        yield Window(0, order, self, amounts)

    # What learning asks of the loops. Weights here are in the layout of the rows.

    def add(self, which: np.ndarray, rivals: np.ndarray, factors: np.ndarray, weights: np.ndarray) -> None:
        """Adds factors[u] times the signed row of each update to the weights, in order."""
        if self.n_classes == 2:
            signed = np.where(rivals == 0, factors, -factors)
            binary.binary_sum(self.rows, which, signed, weights)
        else:
            multiclass.multiclass_sum(self.rows, which, self.truth, rivals, factors, weights)

    def lowest_lead(self, which: np.ndarray, weights: np.ndarray) -> float:
        """How far the true class leads at least over the rows of `which`; 0 if any of them is not strictly right."""
        lowest = binary.binary_lowest_lead if self.n_classes == 2 else multiclass.multiclass_lowest_lead
        return float(lowest(self.rows, self.truth, which, weights))

    def right(self, which: np.ndarray, bounds: Bounds, weights: np.ndarray) -> int:
        """How many rows of `which` lead by more than the bounds."""
        count = binary.binary_right if self.n_classes == 2 else multiclass.multiclass_right
        return int(count(self.rows, self.truth, which, bounds, weights))

    def pass_scores(self, which: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The scores of the rows of `which` as a pass computes them: those that are given out have another order."""
        shape = len(which) if self.n_classes == 2 else (len(which), self.n_classes)
        scores = np.empty(shape, weights.dtype)
        fill = binary.binary_pass_scores if self.n_classes == 2 else multiclass.multiclass_pass_scores
        fill(self.rows, which, weights, scores)
        return scores


class Window(NamedTuple):
    """A piece of an order: where it begins, the places to visit in a problem, and what updates count there."""

    start: int
    order: np.ndarray
    problem: Problem
    amounts: np.ndarray


def make_problem(rows: Rows, truth: np.ndarray, n_classes: int, amounts: np.ndarray | None = None) -> Problem:
    """The problem, its numbers checked: finite, and small enough that no score can overflow."""
    if n_rows(rows) != len(truth):
        raise DataError(f"there are {n_rows(rows)} rows but {len(truth)} labels; give one label for each row.")
    if amounts is None:
        amounts = np.ones(len(truth))
    lengths = square_lengths(rows)
    longest, most = float(np.max(lengths, initial=0.0)), float(np.max(amounts, initial=0.0))
    limit = LARGEST[weight_type(rows)]
    if not (longest < limit and max(1.0, longest) * max(1.0, most) < limit):  # false for NaN as well
        check_finite(rows)
        if longest < limit:
            raise DataError(
                f"row {int(np.argmax(amounts))} has a sample weight so large ({most:.3g}) that scores could overflow. "
                f"Divide all sample weights by the same number."
            )
        raise _too_long(lengths, lambda row: f"row {row}")
    if is_mapped(main_array(rows)):
        lengths, amounts = on_disk(lengths), on_disk(np.asarray(amounts, np.float64))
    problem = _kind(rows)(rows, np.ascontiguousarray(truth, np.int32), amounts, lengths, n_classes)
    if not len(problem.visited):
        raise DataError("no row is left to learn from: all sample weights are 0. Give at least one a positive weight.")
    return problem


def check_lengths(rows: Rows, place: Callable[[int], str]) -> None:
    """DataError at the longest row if its scores could overflow in float64. A problem knows its rows by number only;
    who knows where they came from asks this first, and the message names the place."""
    lengths = square_lengths(rows)
    if not np.max(lengths, initial=0.0) < LARGEST[np.dtype(np.float64)]:
        raise _too_long(lengths, place)


def _too_long(lengths: np.ndarray, place: Callable[[int], str]) -> DataError:
    row = int(np.argmax(lengths))
    return DataError(
        f"{place(row)} holds values so large (length squared {lengths[row]:.3g}) that scores could overflow. Scale the "
        "columns, or leave the row out."
    )


def square_lengths(rows: Rows) -> np.ndarray:
    """|f(x)|² of every row."""
    lengths = np.empty(n_rows(rows))
    for start, stop, some in pieces(rows):
        squares(some, lengths[start:stop])
    return lengths


def _kind(rows: Rows) -> type[Problem]:
    from rosenblatt.learn.ondisk import ProblemOnDisk

    return ProblemOnDisk if is_mapped(main_array(rows)) else Problem


def check_finite(rows: Rows) -> None:
    """Raises DataError at the first value that is NaN or infinite."""
    values = rows.scales if isinstance(rows, Words) else rows.values
    if values.dtype == np.uint8 or np.isfinite(values).all():
        return
    if isinstance(rows, Dense):
        row, column = map(int, np.argwhere(~np.isfinite(values))[0])
        value = values[row, column]
    else:
        place = int(np.flatnonzero(~np.isfinite(values))[0])
        value = values[place]
        row = place if isinstance(rows, Words) else int(np.searchsorted(rows.starts, place, side="right")) - 1
        column = int(rows.columns[int(rows.starts[row]) if isinstance(rows, Words) else place])
    raise not_finite(float(value), row, column)
