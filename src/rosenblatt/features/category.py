"""Values that are names: two of them or an order become one number, the others one 0/1 feature each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import compress
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.listed import Listed
from rosenblatt.data.table import Origin, string_column
from rosenblatt.data.values import EXACT_UP_TO, NUMBER, names_of, one_array, spelled
from rosenblatt.errors import DataError
from rosenblatt.features.blocks import Block, one_entry_per_row
from rosenblatt.features.facts import Facts, scale_of
from rosenblatt.features.lines import MISSING, Asked, Learner, Line, are_names
from rosenblatt.features.terms import Named

OTHER = "(other)"
# Where a column has more names than a few, those that fewer rows have than this share a feature.
FEW_NAMES, RARE = 20, 3
# Names that version 0.1 gave to values of a CSV file that it took for dates and times.
FORMS_BEFORE = {
    "date": re.compile(r"\d{4}-\d\d-\d\d"), "time": re.compile(r"\d\d:\d\d:\d\d"),
    "timestamp": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?"),
    "timestamp UTC": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?Z"),
}  # fmt: skip


class Names(Line):
    """A column whose values are names. Names of old plans are spelt as new ones are, so that they agree."""

    values: tuple[str, ...]
    missing: bool
    unseen: ClassVar[str] = "that training never saw"

    def holds(self) -> bool:
        return are_names(self.values) and len(set(self.values)) == len(self.values) and isinstance(self.missing, bool)

    def values_of(self, column: pa.ChunkedArray, origin: Origin) -> pa.Array:
        if self.large and pa.types.is_floating(column.type):
            large = np.flatnonzero(np.abs(column.to_numpy()) > EXACT_UP_TO)
            if len(large):
                raise DataError(
                    f"{origin.of(int(large[0]))}, column {self.column!r}: a code beyond 2^53 that was read as a "
                    "floating-point number, so it may be another one rounded. Give the codes as text or whole numbers."
                )
        return names_of(column, self.reads)

    @cached_property
    def large(self) -> bool:
        """Whether a name is a whole number that no float64 is."""
        large = [value for value in self.values if self.reads == "number" and abs(Decimal(value)) > EXACT_UP_TO]
        return any(Decimal(value) != Decimal(float(value)) for value in large)

    def places(self, names: pa.Array) -> np.ndarray:
        """The place of each name among the known ones, −1 for others."""
        found = pc.index_in(names, value_set=self._known, skip_nulls=True)
        found = found.fill_null(-1) if found.null_count else found
        return np.asarray(found.to_numpy(zero_copy_only=False)).astype(np.int64)

    def unknown(self, names: pa.Array) -> np.ndarray:
        """The rows that have a name which is none of the known ones; a missing one is none at all."""
        return np.flatnonzero((self.places(names) < 0) & names.is_valid().to_numpy(zero_copy_only=False))

    @cached_property
    def _known(self) -> pa.LargeStringArray:
        return string_column([spelled(value, self.reads) or value for value in self.values])

    @classmethod
    def reads_before(cls, given: Mapping[str, Any]) -> str:
        values = [str(value) for value in given.get("values", ())]
        if values and all(map(NUMBER.fullmatch, values)):
            return "number"
        if set(values) == {"true", "false"}:
            return "boolean"
        return next(
            (reads for reads, form in FORMS_BEFORE.items() if values and all(map(form.fullmatch, values))), "text"
        )


class NamesLearner(Learner):
    """The distinct values of a column of names with how often each occurs, and whether some are missing."""

    def __init__(self, asked: Asked, ordered: bool = False) -> None:
        self.asked, self.ordered, self.missing = asked, ordered, False
        self.values = pa.array([], asked.type.value_type if pa.types.is_dictionary(asked.type) else asked.type)
        self.counts = np.empty(0, np.int64)  # of each

    def look(self, column: pa.ChunkedArray, origin: Origin) -> None:
        self.missing = self.missing or column.null_count > 0
        if self.asked.order:
            _refuse_unknown(self._in(self.asked.order), column, origin)
            return
        array = one_array(column)
        array = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
        if pa.types.is_floating(array.type):  # NaN is no name
            array = pc.if_else(pc.is_nan(array), None, array)
            self.missing = self.missing or array.null_count > 0
        counted = array.drop_null().value_counts()
        self._add(counted.field("values"), counted.field("counts").to_numpy())

    def merge(self, later: NamesLearner) -> None:
        self.missing = self.missing or later.missing
        self._add(later.values, later.counts)

    def _add(self, values: pa.Array, counts: np.ndarray) -> None:
        if not len(self.values):
            self.values, self.counts = values, counts
            return
        both = pa.concat_arrays([self.values, values]).dictionary_encode()
        each = np.concatenate([self.counts, counts])
        places = both.indices.to_numpy(zero_copy_only=False)
        self.values, self.counts = both.dictionary, np.bincount(places, each, len(both.dictionary)).astype(np.int64)

    def names(self) -> dict[str, int]:
        """The names in order, and how many rows have each."""
        found: dict[str, int] = {}
        for name, count in zip(names_of(self.values).to_pylist(), self.counts.tolist(), strict=True):
            found[name] = found.get(name, 0) + count
        return dict(sorted(found.items()))

    def settle(self) -> Line:
        if self.ordered:
            return self._in(self.asked.order or self._in_order())
        counted = self.names()
        names = tuple(counted)
        scale = () if self.asked.declared else scale_of(names)
        if scale:
            return replace(self._in(scale), reason="these words have an order")
        often = often_enough(counted) if self.asked.share else names
        other = len(often) + 1 < len(names)  # one rare name alone would share with none
        kept = often if other else names
        return Category(self.asked.column, self.asked.reason, kept, self.missing, other, reads=self.asked.reads)

    def _in(self, order: tuple[str, ...]) -> Ordered:
        return Ordered(self.asked.column, self.asked.reason, order, self.missing, reads=self.asked.reads)

    def _in_order(self) -> tuple[str, ...]:
        """The names of the values: numbers by size, false before true, strings by their characters."""
        if pa.types.is_boolean(self.values.type):
            return tuple(names_of(pa.array([False, True])).to_pylist())
        return tuple(names_of(self.values.take(pc.sort_indices(self.values))).to_pylist())


def often_enough(counted: Mapping[str, int], least: int = 1) -> tuple[str, ...]:
    """The names that enough rows have to learn something of them; all where these are few, or fewer than `least`."""
    often = tuple(name for name, count in counted.items() if count >= RARE)
    return often if len(often) >= least and len(counted) > FEW_NAMES else tuple(counted)


def _refuse_unknown(line: Ordered, column: pa.ChunkedArray, origin: Origin) -> None:
    """A declared order that leaves out a value of the training rows is a mistake of the one who declared it."""
    values = line.values_of(column, origin)
    unknown = line.unknown(values)
    if len(unknown):
        row = int(unknown[0])
        raise DataError(
            f"{origin.of(row)}, column {line.column!r}: {values[row].as_py()!r} is not in the order "
            f"{', '.join(line.values)}. "
            "Add it to the order, or mend the row."
        )


@dataclass(frozen=True)
class Ordered(Names):
    """Values evenly spaced from −1, the first, to +1, the last. Two values are the smallest order: −1 and +1."""

    values: tuple[str, ...]
    missing: bool
    kind: ClassVar[str] = "ordered"

    @classmethod
    def suits(cls, facts: Facts) -> str:
        return "two values" if len(facts.distinct) == 2 and not facts.reads_as_text else ""

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return NamesLearner(asked, True)

    def names(self) -> list[str]:
        name = f"{self.column}={self.values[-1]}" if len(self.values) == 2 else self.column
        return [name, f"{self.column}={MISSING}"] if self.missing else [name]

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        values = self.values_of(column, origin)
        places = self.places(values)
        numbers = np.where(places >= 0, self.steps()[places], 0.0)
        if not self.missing:
            return numbers[:, None]
        return np.column_stack([numbers, values.is_null().to_numpy(zero_copy_only=False)])

    def term(self, first: int) -> Named:
        features, missing = self.steps()[:, None], first + 1 if self.missing else None
        described = self.column, self.reads, first, 1, self.describe()
        return Named(*described, self.values, features, large=self.large, missing=missing)

    def steps(self) -> np.ndarray:
        """The number that each value stands for."""
        return np.linspace(-1.0, 1.0, len(self.values)) if len(self.values) > 1 else np.ones(1)

    def describe(self) -> str:
        first, last = self.values[0], self.values[-1]
        how = f"{first} → −1, {last} → +1" if len(self.values) == 2 else f"−1 … +1: {', '.join(self.values)}"
        return f"{'two values' if len(self.values) == 2 else 'ordered'}, {how}" + (
            ", missing → 0 and 1 feature" if self.missing else ""
        )


@dataclass(frozen=True)
class Category(Names):
    """One 0/1 feature for each value that training saw, missing ones included. Other values have none.

    Of many values the rare ones share a feature, which those that training never saw have as well.
    """

    values: tuple[str, ...]
    missing: bool
    other: bool = False  # whether rare values share a feature
    kind: ClassVar[str] = "category"
    later: ClassVar[Mapping[str, Any]] = {"other": False}

    @property
    def unseen(self) -> str:  # type: ignore[override]
        """What is told of a value that is none of these."""
        return f"that fewer than {RARE} rows of training had, if any" if self.other else Names.unseen

    @classmethod
    def suits(cls, facts: Facts) -> str:
        return f"{len(facts.distinct)} distinct values"

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return NamesLearner(asked, False)

    @property
    def width(self) -> int:
        return len(self.values) + self.other + self.missing

    @property
    def optional(self) -> int:
        return 0 if self.other else len(self.values)  # a name that is left out would have the feature of rare ones

    def narrowed(self, kept: np.ndarray) -> Category:
        return replace(self, values=tuple(compress(self.values, kept)))

    def names(self) -> list[str]:
        shown = [*self.values, *([OTHER] if self.other else []), *([MISSING] if self.missing else [])]
        return [f"{self.column}={value}" for value in shown]

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        values = self.values_of(column, origin)
        places, gone = self.places(values), values.is_null().to_numpy(zero_copy_only=False)
        if self.other:
            places[places < 0] = len(self.values)
        places[gone] = self.width - 1 if self.missing else -1
        return one_entry_per_row(places, self.width)

    def term(self, first: int) -> Named:
        known, width = len(self.values), self.width - self.missing
        other, missing = first + known if self.other else None, first + width if self.missing else None
        described = self.column, self.reads, first, width, self.describe()
        return Named(*described, self.values, np.eye(known, width), other, self.large, missing=missing)

    def holds(self) -> bool:
        return super().holds() and isinstance(self.other, bool)

    def counted(self, j: int) -> Listed:
        return Listed(j, self.values)

    def describe(self) -> str:
        rare = f", one for those of fewer than {RARE} rows" if self.other else ""
        return f"category of {len(self.values)} values, 0/1 each{rare}" + (", one for missing" if self.missing else "")
