"""Numbers: a column of them, or many in one vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Origin
from rosenblatt.data.values import numbers_of, one_array
from rosenblatt.errors import DataError
from rosenblatt.features.blocks import Block
from rosenblatt.features.lines import MISSING, Line


@dataclass(frozen=True)
class Numeric(Line):
    """(x − centre) / spread; a missing value is the mean, and has a feature of its own if training saw one."""

    centre: float
    spread: float
    mean: float
    missing: bool
    kind: ClassVar[str] = "numeric"

    @classmethod
    def learn(cls, name: str, reason: str, values: np.ndarray, scale: bool, reads: str = "number") -> Numeric:
        reads = "number" if reads == "text" else reads  # numbers in quotes
        missing = np.isnan(values)
        mean, spread = centre_and_spread(values[~missing])
        centre, spread = (mean, spread) if scale else (0.0, 1.0)
        return cls(name, reason, centre, spread, mean, bool(missing.any()), reads=reads)

    def names(self) -> list[str]:
        return [self.column, f"{self.column}={MISSING}"] if self.missing else [self.column]

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        values = self.values_of(column, origin)
        missing = np.isnan(values)
        scaled = _scaled(np.where(missing, self.mean, values), self.centre, self.spread)
        return np.column_stack([scaled, missing]) if self.missing else scaled[:, None]

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
    arrays: ClassVar[dict[str, str]] = {"centres": "f8", "spreads": "f8"}

    @classmethod
    def learn(cls, name: str, reason: str, values: np.ndarray, scale: bool, given: Sequence[str] | None) -> Vector:
        pairs = None
        if scale:
            pairs = np.array([centre_and_spread(values[:, k].astype(np.float64)) for k in range(values.shape[1])])
        return cls.of(name, reason, values.shape[1], pairs, given)

    @classmethod
    def of(cls, name: str, reason: str, width: int, pairs: np.ndarray | None, given: Sequence[str] | None) -> Vector:
        """The line for vectors of this width; pairs of centre and spread, or None to leave them as they are."""
        names = tuple(given) if given else tuple(f"{name}{number}" for number in range(1, width + 1))
        if pairs is None:
            return cls(name, reason, names, np.empty(0), np.empty(0))
        return cls(name, reason, names, pairs[:, 0], pairs[:, 1])

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

    def describe(self) -> str:
        how = "centred and scaled each" if len(self.centres) else "as they are"
        return f"vector of {len(self.feature_names)} numbers, {how}"


def _scaled(values: np.ndarray, centre: float | np.ndarray, spread: float | np.ndarray) -> np.ndarray:
    """The values about the centre, in spreads. One far outside may overflow; it is refused where it is scored."""
    with np.errstate(over="ignore", invalid="ignore"):
        found: np.ndarray = (values - centre) / spread
    return found


def centre_and_spread(values: np.ndarray) -> tuple[float, float]:
    """Mean and standard deviation; a spread of 0 counts as 1. Scaled first, so that no square overflows."""
    if not len(values):
        return 0.0, 1.0
    size = float(np.abs(values).max()) or 1.0
    mean = float(np.mean(values / size))
    spread = float(np.std(values / size)) * size
    # A constant column may show a spread of rounding errors.
    return mean * size, spread if spread > 1e-12 * size else 1.0


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
