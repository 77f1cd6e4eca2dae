"""A line of the plan: what becomes of one column, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Origin, Strings
from rosenblatt.data.values import READINGS, names_of, reading_of
from rosenblatt.errors import DataError
from rosenblatt.features.blocks import Block
from rosenblatt.features.facts import Facts, has_no_features, is_list
from rosenblatt.features.terms import Bag, Term
from rosenblatt.features.textsettings import TextSettings
from rosenblatt.harmless import one_line


class Asked(NamedTuple):
    """What a line is to be learned for: a column, why it is of this kind, and what the user says."""

    column: str
    reason: str
    type: pa.DataType
    order: tuple[str, ...] = ()  # values, lowest first, where somebody gives them
    declared: bool = False  # whether somebody says what the column is
    scale: bool = True  # whether numbers are centred and scaled
    words: TextSettings = TextSettings()
    prefix: str = ""  # before the names of features, where several columns are text
    given: Sequence[str] | None = None  # names of features
    rare: bool = False  # whether values of sparse rows are weighed by rarity
    knots: int = 0  # of a curve, at most
    over: str = "rows"  # whose quantiles the knots are: of the "rows" or of the distinct "values"
    keep: bool = False  # whether to keep what it takes to encode the rows that are looked at
    written: str = ""  # how values read, where the data or the user says so
    share: bool = False  # whether rare names share a feature

    @property
    def reads(self) -> str:
        return self.written or reading_of(self.type)


L = TypeVar("L", bound="Line")
T = TypeVar("T", bound="Learner")
MISSING = "(missing)"
FIRST = 3  # values that show what a column holds


@dataclass(frozen=True)
class Line:
    """One column of the table: how it is encoded, and the reason."""

    column: str
    reason: str
    reads: str = field(default="text", kw_only=True)  # how values read: one of data.values.READINGS
    kind: ClassVar[str] = ""
    numbers: ClassVar[bool] = False  # whether naive Bayes counts its values in bins
    nested: ClassVar[bool] = False  # whether values are lists
    unseen: ClassVar[str] = ""  # what is told of values that training never saw, where they are counted
    arrays: ClassVar[Mapping[str, str]] = {}  # fields that are arrays of numbers, and their types
    later: ClassVar[Mapping[str, Any]] = {}  # fields that plans of version 0.1 do not have, and what holds for them

    @classmethod
    def suits(cls, facts: Facts) -> str:
        """Why a column that shows these facts is of this kind; nothing where it is not. Kinds are asked in order."""
        raise NotImplementedError

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        """What learns the line of a column."""
        raise NotImplementedError

    def holds(self) -> bool:
        """Whether the values can be those of a line that was learned; their types fit."""
        return True

    @property
    def width(self) -> int:
        """How many features the column becomes."""
        return len(self.names())

    def names(self) -> list[str]:
        raise NotImplementedError

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        raise NotImplementedError

    @property
    def optional(self) -> int:
        """How many of its features, the first ones, may be left out, as if training never saw what they stand for."""
        return 0

    def narrowed(self: L, kept: np.ndarray) -> L:
        """The line with these of its features alone; only optional ones are left out."""
        return self

    def values_of(self, column: pa.ChunkedArray, origin: Origin) -> Any:
        """The column as the line reads it, whatever types and spellings it comes in: names, or numbers."""
        return names_of(column, self.reads)

    def unknown(self, values: Any) -> np.ndarray:
        """The rows whose value, as the line reads it, training never saw."""
        return np.empty(0, np.int64)

    def together(self, column: pa.ChunkedArray, origin: Origin) -> float | None:
        """The number of a single row, where its features are parts of one number and are explained together."""
        return None

    def worth(self, weights: np.ndarray) -> tuple[list[str], np.ndarray, bool]:
        """What adds to scores, by name, where these are the weights; and whether these are points of one curve."""
        return self.names(), weights, False

    def term(self, first: int) -> Term:
        """What its features are for each value, where the first of them has this number."""
        return Bag(self.column, self.reads, first, self.width, self.describe())

    def counted(self, j: int) -> Any:
        """How naive Bayes counts the column, the j-th: BITS, or Listed (`data.listed`)."""
        raise NotImplementedError

    def first_values(self) -> str:
        """The first values that the line knows by name, on one line; nothing where it knows none."""
        values = getattr(self, "values", ())
        return one_line(", ".join(map(str, values[:FIRST]))) + (", …" if len(values) > FIRST else "")

    def describe(self) -> str:
        """What becomes of the column, in a few words."""
        raise NotImplementedError

    def notes(self) -> list[str]:
        """What a person should know of what was learned."""
        return []

    def to_dict(self) -> dict[str, Any]:
        """The line as plain values that JSON can hold."""
        plain: dict[str, Any] = {"kind": self.kind}
        for each in fields(self):
            value = getattr(self, each.name)
            plain[each.name] = value.tolist() if isinstance(value, np.ndarray) else value
        return plain

    @classmethod
    def from_dict(cls: type[L], plain: Mapping[str, Any]) -> L:
        given = {**cls.later, **{key: value for key, value in plain.items() if key != "kind"}}
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

    def tell(self, classes: np.ndarray) -> None:
        """Tells of the classes of the rows of the next block, for those that weigh features by them."""

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

    @classmethod
    def suits(cls, facts: Facts) -> str:
        if facts.type.tells and has_no_features(facts.kind):
            what = f"lists of {facts.kind.value_type}" if is_list(facts.kind) else f"values of type {facts.kind}"
            return f"{what} cannot be encoded"
        if not facts.present:
            return "no values"
        if facts.plainly_numeric:
            return ""
        if facts.constant:
            return f"constant: {facts.constant}"
        if pa.types.is_duration(facts.kind):
            return "a duration: give it as a number, of seconds or days"
        return "" if facts.type.temporal else facts.why_id()

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return cls(asked.column, asked.reason, reads=asked.reads)

    def names(self) -> list[str]:
        return []

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        return np.empty((len(column), 0))

    def describe(self) -> str:
        return "dropped"

    def settle(self) -> Line:
        return self  # there is nothing to learn


def is_finite(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def are_names(values: Any) -> bool:
    return isinstance(values, tuple) and all(isinstance(value, str) for value in values)
