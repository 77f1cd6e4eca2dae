"""A line of the plan: what becomes of one column, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Origin, Strings
from rosenblatt.data.values import READINGS, names_of
from rosenblatt.errors import DataError
from rosenblatt.features.blocks import Block

L = TypeVar("L", bound="Line")
T = TypeVar("T", bound="Learner")
MISSING = "(missing)"


@dataclass(frozen=True)
class Line:
    """One column of the table: how it is encoded, and the reason."""

    column: str
    reason: str
    reads: str = field(default="text", kw_only=True)  # how values read: one of data.values.READINGS
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

    def values_of(self, column: pa.ChunkedArray, origin: Origin) -> Any:
        """The column as the line reads it, whatever types and spellings it comes in: names, or numbers."""
        return names_of(column, self.reads)

    def describe(self) -> str:
        """What becomes of the column, in a few words."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The line as plain values that JSON can hold."""
        plain: dict[str, Any] = {"kind": self.kind}
        for each in fields(self):
            value = getattr(self, each.name)
            plain[each.name] = value.tolist() if isinstance(value, np.ndarray) else value
        return plain

    @classmethod
    def from_dict(cls: type[L], plain: Mapping[str, Any]) -> L:
        given = {key: value for key, value in plain.items() if key != "kind"}
        given.setdefault("reads", cls.reads_before(given))
        known = {each.name for each in fields(cls)}
        if set(given) != known:
            wrong = sorted(set(given) ^ known)
            raise DataError(f"the plan's line for {plain.get('column')!r} does not fit: check {', '.join(wrong)}.")
        if given["reads"] not in READINGS:
            raise DataError(f"the plan's line for {plain.get('column')!r} reads {given['reads']!r}, which is unknown.")
        for name, kind in cls.arrays.items():
            given[name] = np.asarray(given[name], kind)
        arguments: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list | Strings) else value for key, value in given.items()
        }
        return cls(**arguments)

    @classmethod
    def reads_before(cls, given: Mapping[str, Any]) -> str:
        """How the values read, for plans of version 0.1, which do not say."""
        return "text"


class Learner:
    """What a line is learned from: it looks at the blocks of a column, here or elsewhere, and settles.

    Learners of two runs of blocks, the earlier first, merge into that of both.
    """

    def look(self, column: pa.ChunkedArray, origin: Origin) -> None:
        """Adds what a block of the column shows, in place."""

    def merge(self: T, later: T) -> None:
        """Adds what later blocks show, in place."""

    def settle(self) -> Line | Learner:
        """The line; or a learner that has to look at all blocks once more."""
        raise NotImplementedError

    def encoded(self, line: Line) -> Block | None:
        """The rows that were looked at, encoded, where the learner has kept what that takes."""
        return None


@dataclass(frozen=True)
class Dropped(Line, Learner):
    """A column that no feature is made of."""

    kind: ClassVar[str] = "dropped"

    def names(self) -> list[str]:
        return []

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        return np.empty((len(column), 0))

    def describe(self) -> str:
        return "dropped"

    def settle(self) -> Line:
        return self  # there is nothing to learn
