"""Association units over rows: fixed by a seed, the width, and the mean and the spread of each column.

A unit adds up a few columns with random signs and is on where the sum is above its threshold. Thresholds are drawn
around the mean of the sum, in units of its spread, both taken from the columns one by one: so they follow from exact
sums that parts of the rows can add up, and it does not matter how rows were cut. What comes out is 0 or 1.

In a picture the wires of a unit lead to pixels near each other, as those of Rosenblatt's machine did: with 2,000 units
that is worth 0.7 points on the validation rows of MNIST (`reference.units` states both rules).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from rosenblatt.data.matrices import csr_of
from rosenblatt.errors import DataError
from rosenblatt.loops.exact_sum import LOWEST as SMALLEST
from rosenblatt.loops.exact_sum import exact_units_by_row
from rosenblatt.loops.order import hashed, key_of
from rosenblatt.loops.rows import Dense, Rows, Words, n_features, n_rows
from rosenblatt.loops.tiles import TILE, fill_tiles
from rosenblatt.loops.units import list_units, mark_units, sum_inputs

LOWEST, HIGHEST = 0.3, 1.2  # thresholds, in spreads above the mean: chosen on validation rows of MNIST and letter
FAN_IN = 6  # wires of each unit, where nobody says how many
SOME = 64  # units at a time
PIECE = 1 << 20  # values that are added up at a time
MOST_UNITS = MOST_WIRES = 2**24
WIDEST = 1 << 14  # features of a column that units of a plan read: they are read as if none were 0
SMALLEST_SIDE, FEWEST_ROWS, SAMPLE = 8, 20, 1_000  # of pictures: pixels of a side, rows, and rows that are looked at
ALIKE = 0.2  # correlation of pixels one above the other, at least
SHOWN = 3  # wires that the name of a unit shows


@dataclass(frozen=True, eq=False)
class Units:
    """All units of rows of one width. A seed stores their wires; thresholds are numbers of their own."""

    width: int  # columns of the rows that they read
    columns: np.ndarray  # int64: those that wires may lead to
    seed: int
    fan_in: int  # wires of each
    thresholds: np.ndarray  # float64, one for each unit
    shape: tuple[int, int] | None = None  # height and width, where the columns are the pixels of a picture

    def __len__(self) -> int:
        return len(self.thresholds)

    @cached_property
    def wires(self) -> tuple[np.ndarray, np.ndarray]:
        """The columns that each unit reads, and the sign of each: arrays (units, fan_in)."""
        count, S32 = np.uint64(len(self.columns)), np.uint64(32)
        with np.errstate(over="ignore"):
            own = hashed(key_of(self.seed), np.arange(len(self), dtype=np.uint64))[:, None]
            drawn = hashed(own, np.arange(self.fan_in, dtype=np.uint64))
            place = hashed(own, np.uint64(self.fan_in))
        signs = np.where(drawn & np.uint64(1), 1.0, -1.0)
        if self.shape is None:
            return self.columns[(((drawn >> S32) * count) >> S32).astype(np.intp)], signs
        (height, width), reach = self.shape, reach_in(self.shape)
        y, x = divmod(self.columns[(((place >> S32) * count) >> S32).astype(np.intp)], width)
        down, right = ((part * np.uint64(2 * reach + 1)) >> np.uint64(16) for part in _halves(drawn))
        y = np.clip(y - reach + down.astype(np.int64), 0, height - 1)
        return y * width + np.clip(x - reach + right.astype(np.int64), 0, width - 1), signs

    def encode(self, rows: Rows) -> Words:
        """For each row the units that are on."""
        count, found, lengths = n_rows(rows), [np.zeros(0, np.uint32)], [np.zeros(1, np.uint64)]
        for values in dense_pieces(rows, TILE):
            on = self._on(values)
            lengths.append(on.sum(axis=1, dtype=np.uint64))
            ends = np.cumsum(lengths[-1])
            columns = np.empty(int(ends[-1]), np.uint32)
            list_units(on, ends - lengths[-1], columns)
            found.append(columns)
        starts = np.cumsum(np.concatenate(lengths), dtype=np.uint64)
        return Words(starts, np.concatenate(found), np.ones(count), len(self), 1.0)

    def _on(self, values: np.ndarray) -> np.ndarray:
        """Which units are on: a line for each row."""
        tile, (inputs, signs) = np.zeros((1, self.width, len(values))), self.wires
        fill_tiles(values, np.arange(len(values), dtype=np.uint32), tile)
        on = np.zeros((len(values), len(self)), np.uint8)
        for first in range(0, len(self), SOME):
            sums = np.empty((min(SOME, len(self) - first), len(values)))
            sum_inputs(tile[0], inputs, signs, first, sums)
            mark_units(sums, self.thresholds, first, on)
        return on

    def names(self, features: Sequence[str]) -> list[str]:
        """What each is called, by the first of the features that it reads."""
        inputs, signs = self.wires
        more = " …" if self.fan_in > SHOWN else ""
        found = []
        for number, (line, signed) in enumerate(zip(inputs[:, :SHOWN].tolist(), signs.tolist(), strict=True), 1):
            wires = " ".join(f"{'+' if s > 0 else '−'}{features[j]}" for j, s in zip(line, signed, strict=False))
            found.append(f"unit {number}: {wires}{more}")
        return found

    def listed(self, features: Sequence[str]) -> list[dict[str, Any]]:
        """Every unit as plain values: its threshold, and its wires by their sign and the name of their feature."""
        inputs, signs = self.wires
        return [
            {"above": level, "wires": [f"{'+' if s > 0 else '-'}{features[j]}" for j, s in zip(line, own, strict=True)]}
            for level, line, own in zip(self.thresholds.tolist(), inputs.tolist(), signs.tolist(), strict=True)
        ]

    def describe(self) -> str:
        return f"{len(self):,} association units of {self.fan_in} wires, on or off"

    def to_dict(self) -> dict[str, Any]:
        """The units as plain values that JSON can hold."""
        plain = {"width": self.width, "seed": self.seed, "fan_in": self.fan_in, "shape": list(self.shape or ())}
        return {**plain, "columns": self.columns.tolist(), "thresholds": self.thresholds.tolist()}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Units:
        """The units that `to_dict` wrote; KeyError, TypeError or ValueError where they are none."""
        if set(plain) != {"width", "seed", "fan_in", "shape", "columns", "thresholds"}:
            raise ValueError("units have width, seed, fan_in, shape, columns and thresholds")
        whole = [plain[name] for name in ("width", "seed", "fan_in")]
        columns, thresholds = np.asarray(plain["columns"], np.int64), np.asarray(plain["thresholds"], np.float64)
        fits = all(type(each) is int and each >= 0 for each in whole) and columns.ndim == thresholds.ndim == 1
        if not fits or not 0 < whole[2] <= MOST_WIRES or whole[1] >= 2**63 or not 0 < len(thresholds) <= MOST_UNITS:
            raise ValueError("units are of impossible size")
        if not len(columns) or columns.min() < 0 or columns.max() >= whole[0] or not np.isfinite(thresholds).all():
            raise ValueError("units read columns that are not there, or have thresholds that are not finite")
        shape = tuple(plain["shape"]) or None
        if shape and (
            len(shape) != 2 or not all(type(n) is int and n > 0 for n in shape) or math.prod(shape) != whole[0]
        ):
            raise ValueError("units of a picture need its height and width")
        return cls(whole[0], columns, whole[1], whole[2], thresholds, shape)


def _halves(drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first 16 bits of each, and the 16 after them."""
    return drawn >> np.uint64(48), (drawn >> np.uint64(32)) & np.uint64(0xFFFF)


def reach_in(shape: tuple[int, int]) -> int:
    """How far from its place the wires of a unit lead in a picture."""
    return max(2, min(shape) // 5)


class ColumnSums:
    """The sum of each column of rows, and of its squares, without rounding: parts of the rows add up."""

    def __init__(self) -> None:
        self.rows = 0
        self.totals: list[int] = []  # in units of 2**-1074
        self.squares: list[int] = []

    def add(self, rows: Rows) -> None:
        """Adds the rows, in place."""
        self.rows += n_rows(rows)
        for values in dense_pieces(rows, max(1, PIECE // max(1, n_features(rows)))):
            if values.dtype == np.uint8:
                wide = values.astype(np.uint64)
                totals, squares = ([t << SMALLEST for t in each.sum(axis=0).tolist()] for each in (wide, wide * wide))
            else:
                by_column = np.ascontiguousarray(values.T, np.float64)
                with np.errstate(over="ignore"):
                    squared = by_column * by_column
                if not np.isfinite(squared).all():
                    raise DataError("units need numbers whose squares can be added; got one beyond 1e154. Scale them.")
                totals, squares = exact_units_by_row(by_column), exact_units_by_row(squared)
            self.totals = _added(self.totals, totals)
            self.squares = _added(self.squares, squares)

    def merge(self, later: ColumnSums) -> None:
        """Adds what other rows add up to, in place."""
        self.rows += later.rows
        self.totals, self.squares = _added(self.totals, later.totals), _added(self.squares, later.squares)

    def moments(self) -> tuple[np.ndarray, np.ndarray]:
        """The mean and the variance of each column, each rounded once."""
        count = max(1, self.rows)
        means = [Fraction(total, count << SMALLEST) for total in self.totals]
        squares = [Fraction(total, count << SMALLEST) for total in self.squares]
        spread = [max(0.0, float(square - mean * mean)) for mean, square in zip(means, squares, strict=True)]
        return np.array([float(mean) for mean in means]), np.array(spread)


def _added(one: list[int], other: list[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)] if one and other else one or other


def dense_pieces(rows: Rows, step: int) -> Iterator[np.ndarray]:
    """The values of some rows at a time, zeros and all."""
    matrix: Any = None if isinstance(rows, Dense) else csr_of(rows)
    for start in range(0, n_rows(rows), step):
        part = slice(start, min(start + step, n_rows(rows)))
        yield rows.values[part] if isinstance(rows, Dense) else matrix[part].toarray()


def units_of(sums: ColumnSums, n_units: int, fan_in: int, seed: int, shape: tuple[int, int] | None = None) -> Units:
    """The units for rows that add up to this, wired to the columns that differ between them."""
    means, variances = sums.moments()
    columns = np.flatnonzero(variances > 0)
    columns = columns if len(columns) else np.arange(len(means))
    blank = Units(len(means), columns, seed, fan_in, np.zeros(n_units), shape)
    inputs, signs = blank.wires
    key = int(key_of(seed, 1))
    with np.errstate(over="ignore"):
        drawn = np.array([int(hashed(np.uint64(key), np.uint64(u))) >> 11 for u in range(n_units)]) / 2.0**53
    centre, spread = np.zeros(n_units), np.zeros(n_units)
    for k in range(fan_in):  # in order, so that the sums are the same everywhere
        centre += signs[:, k] * means[inputs[:, k]]
        spread += variances[inputs[:, k]]
    blank.thresholds[:] = centre + (LOWEST + (HIGHEST - LOWEST) * drawn) * np.sqrt(spread)
    return blank


def make_units(rows: Rows, n_units: int, fan_in: int, seed: int) -> Units:
    """The units for rows like these, which are pictures where they look like some."""
    sums = ColumnSums()
    sums.add(rows)
    return units_of(sums, n_units, fan_in, seed, picture_shape(rows))


def picture_shape(rows: Rows) -> tuple[int, int] | None:
    """Height and width where the columns are as many as the pixels of a square and vary as pixels do.

    A pixel is much more like the one below it than like one half a line further on.
    """
    side = math.isqrt(n_features(rows))
    if side * side != n_features(rows) or side < SMALLEST_SIDE or n_rows(rows) < FEWEST_ROWS:
        return None
    values = next(dense_pieces(rows, SAMPLE)).astype(np.float64)
    spread = values.std(axis=0)
    scaled = np.divide(values - values.mean(axis=0), spread, out=np.zeros_like(values), where=spread > 0)
    near, far = (np.abs(np.mean(scaled[:, apart:] * scaled[:, :-apart], axis=0)).mean() for apart in (side, side // 2))
    return (side, side) if near > 2 * far and near > ALIKE else None
