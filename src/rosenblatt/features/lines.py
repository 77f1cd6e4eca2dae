"""A line of the plan: what becomes of one column, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Origin, Strings
from rosenblatt.errors import DataError
from rosenblatt.features.blocks import Block

L = TypeVar("L", bound="Line")
MISSING = "(missing)"


@dataclass(frozen=True)
class Line:
    """One column of the table: how it is encoded, and the reason."""

    column: str
    reason: str
    kind: ClassVar[str] = ""
    arrays: ClassVar[Mapping[str, str]] = {}  # fields that are arrays of numbers, and their types

    @property
    def width(self) -> int:
        """How many features the column becomes."""
        return len(self.names())

    def names(self) -> list[str]:
        raise NotImplementedError

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        raise NotImplementedError

    def describe(self) -> str:
        """What becomes of the column, in a few words."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The line as plain values that JSON can hold."""
        plain: dict[str, Any] = {"kind": self.kind}
        for field in fields(self):
            value = getattr(self, field.name)
            plain[field.name] = value.tolist() if isinstance(value, np.ndarray) else value
        return plain

    @classmethod
    def from_dict(cls: type[L], plain: Mapping[str, Any]) -> L:
        given = {key: value for key, value in plain.items() if key != "kind"}
        known = {field.name for field in fields(cls)}
        if set(given) != known:
            wrong = sorted(set(given) ^ known)
            raise DataError(f"the plan's line for {plain.get('column')!r} does not fit: check {', '.join(wrong)}.")
        for name, kind in cls.arrays.items():
            given[name] = np.asarray(given[name], kind)
        arguments: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list | Strings) else value for key, value in given.items()
        }
        return cls(**arguments)


@dataclass(frozen=True)
class Dropped(Line):
    """A column that no feature is made of."""

    kind: ClassVar[str] = "dropped"

    def names(self) -> list[str]:
        return []

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        return np.empty((len(column), 0))

    def describe(self) -> str:
        return "dropped"


def one_array(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """The column in one piece, without a copy if it is that already."""
    if isinstance(column, pa.ChunkedArray):
        return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return column


def numbers(column: pa.ChunkedArray, name: str, origin: Origin) -> np.ndarray:
    """The column as float64 with NaN for missing values; infinite and unreadable ones are errors."""
    array = one_array(column)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    try:
        if pa.types.is_date(array.type):
            array = array.cast(pa.timestamp("ms"))
        if pa.types.is_temporal(array.type):
            array = array.cast(pa.int32() if array.type.bit_width == 32 else pa.int64())
        if pa.types.is_boolean(array.type):
            array = array.cast(pa.uint8())
        values = array.cast(pa.float64(), safe=not pa.types.is_integer(array.type))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise _not_a_number(array, name, origin) from None
    found: np.ndarray = values.fill_null(np.nan).to_numpy(zero_copy_only=False)
    if np.isinf(found).any():
        row = int(np.flatnonzero(np.isinf(found))[0])
        raise DataError(
            f"{origin.of(row)}, column {name!r}: an infinite value. Give a finite number, or nothing for a missing one."
        )
    return found


def _not_a_number(array: pa.Array, name: str, origin: Origin) -> DataError:
    for row, value in enumerate(array.to_pylist()):
        try:
            float(value if value is not None else 0)
            wrong = "_" in str(value)  # a number to Python alone
        except (TypeError, ValueError):
            wrong = True
        if wrong:
            return DataError(
                f"{origin.of(row)}, column {name!r}: {ascii(value)[:60]} is not a number. Mend it; or train with the "
                "column as names, as text, or without it (train --category, --text, --drop)."
            )
    return DataError(f"{origin.source}, column {name!r}: values of type {array.type} are not numbers. Drop the column.")


def strings(column: pa.ChunkedArray, whole: bool | None = None) -> pa.Array:
    """The column as strings; a whole number reads the same whether its file had fractions or not.

    whole    whether all numbers are whole, where the column is a part of the one that this is asked of
    """
    array = one_array(column)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_floating(array.type) and (all_whole(array) if whole is None else whole):
        array = array.cast(pa.int64())
    return array.cast(pa.large_string())


def all_whole(column: pa.ChunkedArray | pa.Array) -> bool:
    """True if all floating-point numbers of the column are whole, and small enough to be told apart."""
    values = one_array(column).drop_null().to_numpy(zero_copy_only=False)
    return bool(np.all(np.abs(values) < 2**53) and np.all(values == np.floor(values)))
