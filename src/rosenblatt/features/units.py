"""Association units over rows: fixed by a seed, the width, and the mean and the spread of each column.

A unit adds up a few columns with random signs and is on where the sum is above its threshold. Thresholds are drawn
around the mean of the sum, in units of its spread, both taken from the columns one by one: so they follow from exact
sums that parts of the rows can add up, and it does not matter how rows were cut. What comes out is 0 or 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.data.matrices import csr_of
from rosenblatt.loops.exact_sum import exact_sum
from rosenblatt.loops.order import hashed, key_of
from rosenblatt.loops.rows import Dense, Rows, Words, n_features, n_rows
from rosenblatt.loops.tiles import TILE, fill_tiles
from rosenblatt.loops.units import fill_wires, list_units, mark_units, sum_inputs

LOWEST, HIGHEST = 0.0, 1.5  # thresholds, in spreads above the mean
SOME = 64  # units at a time


@dataclass(frozen=True, eq=False)
class Units:
    """The wires and thresholds of all units."""

    width: int  # columns of the rows that they read
    inputs: np.ndarray  # int64 (units, fan_in)
    signs: np.ndarray  # float64
    thresholds: np.ndarray  # float64

    def encode(self, rows: Rows) -> Words:
        """For each row the units that are on."""
        count, found, lengths = n_rows(rows), [np.zeros(0, np.uint32)], [np.zeros(1, np.uint64)]
        matrix: Any = None if isinstance(rows, Dense) else csr_of(rows)
        for start in range(0, count, TILE):
            part = slice(start, min(start + TILE, count))
            on = self._on(rows.values[part] if isinstance(rows, Dense) else matrix[part].toarray())
            lengths.append(on.sum(axis=1, dtype=np.uint64))
            ends = np.cumsum(lengths[-1])
            columns = np.empty(int(ends[-1]), np.uint32)
            list_units(on, ends - lengths[-1], columns)
            found.append(columns)
        starts = np.cumsum(np.concatenate(lengths), dtype=np.uint64)
        return Words(starts, np.concatenate(found), np.ones(count), len(self.thresholds), 1.0)

    def _on(self, values: np.ndarray) -> np.ndarray:
        """Which units are on: a line for each row."""
        tile = np.zeros((1, self.width, len(values)))
        fill_tiles(values, np.arange(len(values), dtype=np.uint32), tile)
        on = np.zeros((len(values), len(self.thresholds)), np.uint8)
        for first in range(0, len(self.thresholds), SOME):
            sums = np.empty((min(SOME, len(self.thresholds) - first), len(values)))
            sum_inputs(tile[0], self.inputs, self.signs, first, sums)
            mark_units(sums, self.thresholds, first, on)
        return on


def make_units(rows: Rows, n_units: int, fan_in: int, seed: int) -> Units:
    """The units for rows like these, wired to the columns that differ between them."""
    means, variances = moments(rows)
    columns = np.flatnonzero(variances > 0)
    columns = columns if len(columns) else np.arange(n_features(rows))
    inputs, signs = np.empty((n_units, fan_in), np.int64), np.empty((n_units, fan_in))
    fill_wires(key_of(seed), columns, inputs, signs)
    key = int(key_of(seed, 1))
    with np.errstate(over="ignore"):
        drawn = np.array([int(hashed(np.uint64(key), np.uint64(u))) >> 11 for u in range(n_units)]) / 2.0**53
    centre = np.zeros(n_units)
    spread = np.zeros(n_units)
    for k in range(fan_in):  # in order, so that the sums are the same everywhere
        centre += signs[:, k] * means[inputs[:, k]]
        spread += variances[inputs[:, k]]
    thresholds = centre + (LOWEST + (HIGHEST - LOWEST) * drawn) * np.sqrt(spread)
    return Units(n_features(rows), inputs, signs, thresholds)


def moments(rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """The mean and the variance of each column, from exact sums."""
    count, width = max(1, n_rows(rows)), n_features(rows)
    if isinstance(rows, Dense) and rows.values.dtype == np.uint8:
        totals = rows.values.sum(axis=0, dtype=np.uint64).astype(object)
        squares = sum(
            (rows.values[s : s + 2**15].astype(np.uint32) ** 2).sum(axis=0, dtype=np.uint64).astype(object)
            for s in range(0, len(rows.values), 2**15)
        )
        found = [(Fraction(int(t)), Fraction(int(q))) for t, q in zip(totals, squares, strict=True)]
    else:
        matrix = rows.values if isinstance(rows, Dense) else csr_of(rows).tocsc()
        found = []
        for j in range(width):
            column = matrix[:, j] if isinstance(matrix, np.ndarray) else _stored(matrix, j)
            column = np.ascontiguousarray(column, np.float64)
            found.append((exact_sum(column), exact_sum(column * column)))
    means = np.array([float(t / count) for t, _ in found]) if found else np.zeros(0)
    variances = np.array([max(0.0, float((q * count - t * t) / (count * count))) for t, q in found])
    return means, variances


def _stored(matrix: object, j: int) -> np.ndarray:
    """The values of a column of a sparse matrix that are stored."""
    starts, data = matrix.indptr, matrix.data  # type: ignore[attr-defined]
    return data[starts[j] : starts[j + 1]]
