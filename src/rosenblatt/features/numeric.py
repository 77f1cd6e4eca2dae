"""Numbers: a column of them, or many in one vector."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Origin
from rosenblatt.data.values import numbers_of, one_array
from rosenblatt.errors import DataError
from rosenblatt.features.blocks import Block
from rosenblatt.features.facts import Facts
from rosenblatt.features.lines import MISSING, Asked, Learner, Line, are_names, is_finite
from rosenblatt.features.terms import Listed, Straight
from rosenblatt.loops.exact_sum import LOWEST, exact_units, exact_units_by_row


@dataclass(frozen=True)
class Numeric(Line):
    """(x − centre) / spread; a missing value is the mean, and has a feature of its own if training saw one."""

    centre: float
    spread: float
    mean: float
    missing: bool
    kind: ClassVar[str] = "numeric"
    numbers: ClassVar[bool] = True

    @classmethod
    def suits(cls, facts: Facts) -> str:
        return "numbers" if facts.type.number else ""

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return NumericLearner(asked)

    def holds(self) -> bool:
        numbers = all(is_finite(value) for value in (self.centre, self.spread, self.mean))
        return numbers and self.spread > 0 and isinstance(self.missing, bool)

    @property
    def width(self) -> int:
        return 1 + self.missing

    def names(self) -> list[str]:
        return [self.column, f"{self.column}={MISSING}"] if self.missing else [self.column]

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        values = self.values_of(column, origin)
        missing = np.isnan(values)
        values = np.where(missing, self.mean, values) if missing.any() else values
        scaled = _scaled(values, self.centre, self.spread)
        return np.column_stack([scaled, missing]) if self.missing else scaled[:, None]

    def term(self, first: int) -> Straight:
        missing = first + 1 if self.missing else None
        scaling = self.mean, self.centre, self.spread
        return Straight(self.column, self.reads, first, 1, self.describe(), *scaling, missing=missing)

    def values_of(self, column: pa.ChunkedArray, origin: Origin) -> np.ndarray:
        return numbers_of(column, self.column, origin, self.reads)

    @classmethod
    def reads_before(cls, given: Mapping[str, Any]) -> str:
        return "number"

    def describe(self) -> str:
        scaled = self.spread != 1 or self.centre != 0
        how = f"numeric, (x − {self.centre:.4g}) / {self.spread:.4g}" if scaled else "numeric, as it is"
        return how + (", missing → mean and 1 feature" if self.missing else "")


@dataclass(frozen=True)
class Vector(Line):
    """Many numbers in one column, such as the pixels of an image; scaled each by itself, or left as they are."""

    feature_names: tuple[str, ...]
    centres: np.ndarray  # empty: as they are
    spreads: np.ndarray
    kind: ClassVar[str] = "vector"
    nested: ClassVar[bool] = True
    arrays: ClassVar[dict[str, str]] = {"centres": "f8", "spreads": "f8"}

    @classmethod
    def suits(cls, facts: Facts) -> str:
        return f"lists of {facts.kind.value_type} numbers" if facts.type.vector else ""

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return VectorLearner(asked)

    def holds(self) -> bool:
        n, sizes = len(self.feature_names), (len(self.centres), len(self.spreads))
        fits = sizes in ((0, 0), (n, n)) and np.isfinite(self.centres).all() and np.isfinite(self.spreads).all()
        return bool(fits and (self.spreads > 0).all() and are_names(self.feature_names))

    def names(self) -> list[str]:
        return list(self.feature_names)

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        values = vector_values(column, self.column, origin)
        if values.shape[1] != len(self.feature_names):
            raise DataError(
                f"{origin.source}, column {self.column!r}: vectors of {values.shape[1]} numbers where training had "
                f"{len(self.feature_names)}. Give data of the same shape."
            )
        return _scaled(values, self.centres, self.spreads) if len(self.centres) else values

    def term(self, first: int) -> Listed:
        scaling = self.centres, self.spreads
        return Listed(self.column, self.reads, first, self.width, self.describe(), self.feature_names, *scaling)

    def describe(self) -> str:
        how = "centred and scaled each" if len(self.centres) else "as they are"
        return f"vector of {len(self.feature_names)} numbers, {how}"


def _scaled(values: np.ndarray, centre: float | np.ndarray, spread: float | np.ndarray) -> np.ndarray:
    """The values about the centre, in spreads. One far outside may overflow; it is refused where it is scored."""
    with np.errstate(over="ignore", invalid="ignore"):
        found: np.ndarray = values - centre
        found /= spread
    return found


def scaled_rows(lines: Sequence[Line], rows: np.ndarray) -> np.ndarray:
    """Many columns as their lines encode them: each has a row of numbers, none missing."""
    pairs = np.array([(line.centre, line.spread) for line in lines if isinstance(line, Numeric)])
    centres, spreads = pairs.T[:, :, None]
    return _scaled(rows, centres, spreads)


class Moments:
    """The mean and the spread of numbers that come in blocks. Both are rounded once, so the blocks do not matter."""

    def __init__(self) -> None:
        self.count, self.size, self.mean = 0, 0.0, 0.0
        self.total = 0  # in units of 2**-1074

    def add(self, values: np.ndarray, spread: bool) -> None:
        """Numbers for the mean; when that is settled, the same once more for the spread."""
        if not len(values):
            return
        if spread:
            away = values / self.size - self.mean / self.size  # scaled, so that no square overflows
            self.total += exact_units(away * away)
            return
        self.count += len(values)
        self.size = max(self.size, float(np.abs(values).max()))
        self.total += exact_units(values)

    @classmethod
    def add_all(cls, moments: Sequence[Moments], rows: np.ndarray, spread: bool) -> None:
        """The same for many at once, each with a row of numbers."""
        if spread:
            sizes = np.array([each.size for each in moments])[:, None]
            rows = rows / sizes
            rows -= np.array([each.mean for each in moments])[:, None] / sizes
            rows *= rows
        else:
            sizes = np.maximum(rows.max(axis=1), -rows.min(axis=1))
            for each, size in zip(moments, sizes.tolist(), strict=True):
                each.count, each.size = each.count + rows.shape[1], max(each.size, size)
        for each, total in zip(moments, exact_units_by_row(rows), strict=True):
            each.total += total

    def merge(self, later: Moments, spread: bool) -> None:
        self.total += later.total
        if not spread:
            self.count, self.size = self.count + later.count, max(self.size, later.size)

    def settle_mean(self) -> None:
        self.mean, self.size = self._average(), self.size or 1.0
        self.total = 0

    def _average(self) -> float:
        return self.total / (max(1, self.count) << LOWEST)  # Python divides whole numbers without rounding twice

    @property
    def spread(self) -> float:
        """The standard deviation; 1 where it is 0, or no more than a constant shows by rounding."""
        found = math.sqrt(self._average()) * self.size
        return found if found > 1e-12 * self.size else 1.0


class NumericLearner(Learner):
    """Mean and spread of a column of numbers, and whether some are missing."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.moments, self.missing, self.spread = Moments(), False, False
        self.plain = asked.reads == "number"  # written as everybody writes numbers

    def look(self, column: pa.ChunkedArray, origin: Origin) -> None:
        values = numbers_of(column, self.asked.column, origin, self.asked.reads)
        missing = np.isnan(values)
        if missing.any():
            self.missing, values = True, values[~missing]
        self.moments.add(values, self.spread)

    @classmethod
    def look_at_all(cls, learners: Sequence[NumericLearner], rows: np.ndarray) -> list[bool]:
        """The same for many at once, all of them before their spread or all after it: each has a row, none missing."""
        if rows.shape[1]:
            Moments.add_all([each.moments for each in learners], rows, learners[0].spread)
        return [True] * len(learners)

    def merge(self, later: NumericLearner) -> None:
        self.missing = self.missing or later.missing
        self.moments.merge(later.moments, self.spread)

    def settle(self) -> Line | Learner:
        if not self.spread:
            self.moments.settle_mean()
        asked = self.asked
        if asked.scale and not self.spread:
            self.spread = True
            return self
        mean = self.moments.mean
        centre, spread = (mean, self.moments.spread) if asked.scale else (0.0, 1.0)
        reads = "number" if asked.reads == "text" else asked.reads  # numbers in quotes
        return Numeric(asked.column, asked.reason, centre, spread, mean, self.missing, reads=reads)


class VectorLearner(Learner):
    """Mean and spread of each number of a column of vectors. Bytes, such as pixels, are left as they are."""

    def __init__(self, asked: Asked) -> None:
        self.asked, self.column, self.scale = asked, asked.column, asked.scale
        self.width, self.spread = -1, False
        self.moments: list[Moments] = []

    def look(self, column: pa.ChunkedArray, origin: Origin) -> None:
        if not len(column):
            return
        values = vector_values(column, self.column, origin)
        self._widen(values.shape[1], origin.source)
        self.scale = self.scale and values.dtype.itemsize > 1
        if self.scale:
            Moments.add_all(self.moments, values.T.astype(np.float64), self.spread)

    def merge(self, later: VectorLearner) -> None:
        if later.width >= 0:
            self._widen(later.width, self.column)
            self.scale = self.scale and later.scale
            for each, other in zip(self.moments, later.moments, strict=True):
                each.merge(other, self.spread)

    def _widen(self, width: int, source: str) -> None:
        if self.width not in (-1, width):
            low, high = sorted((self.width, width))
            raise DataError(f"{source}, column {self.column!r}: lists of {low} to {high} numbers. Make them equal.")
        if self.width < 0:
            self.width, self.moments = width, [Moments() for _ in range(width)]

    def settle(self) -> Line | Learner:
        if self.scale and not self.spread:
            for each in self.moments:
                each.settle_mean()
            self.spread = True
            return self
        names = tuple(self.asked.given or [f"{self.column}{k}" for k in range(1, self.width + 1)])
        pairs = [(each.mean, each.spread) for each in self.moments] if self.scale else []
        centres, spreads = np.array(pairs).reshape(-1, 2).T
        return Vector(self.column, self.asked.reason, names, centres.copy(), spreads.copy())


def vector_values(column: pa.ChunkedArray, name: str, origin: Origin) -> np.ndarray:
    """The column as a two-dimensional array; without a copy if it is a fixed-size list in one piece."""
    array = one_array(column)
    if array.null_count:
        row = int(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[0])
        raise DataError(f"{origin.of(row)}, column {name!r}: a missing vector. Remove the row.")
    if not pa.types.is_fixed_size_list(array.type):
        lengths = np.unique(array.value_lengths().to_numpy())
        if len(lengths) != 1:
            raise DataError(
                f"{origin.source}, column {name!r}: lists of {lengths[0]} to {lengths[-1]} numbers. Make them equal."
            )
    values = array.flatten()
    if len(array) and not len(values):
        raise DataError(f"{origin.source}, column {name!r}: lists without any numbers. Leave the column out (--drop).")
    if values.null_count:
        raise DataError(f"{origin.source}, column {name!r}: a vector with a missing number. Fill it or remove the row.")
    flat: np.ndarray = values.to_numpy(zero_copy_only=False)
    if flat.dtype.kind == "f" and not np.isfinite(flat).all():
        row = int(np.flatnonzero(~np.isfinite(flat))[0]) * len(array) // len(flat)
        raise DataError(f"{origin.of(row)}, column {name!r}: a number that is not finite. Mend or remove the row.")
    return flat.reshape(len(array), -1)
