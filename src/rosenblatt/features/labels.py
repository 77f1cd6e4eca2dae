"""Labels as classes: which there are, in order, and the number of each row's class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Table, nearest_hint, some
from rosenblatt.data.values import EXACT_UP_TO, NUMBER, READINGS, one_array, reading_of, shown_value, spelled
from rosenblatt.errors import DataError, SettingError

FEW_ROWS = 20  # with fewer, labels that never repeat are no sign of anything
FEW_NUMBERS = 20  # distinct; as many may well be classes
ROWS_FOR_EACH = 10  # on average; so many rows for each number, and it may well be a class
MANY_FRACTIONS = 100
SKIP = 'unlabelled = "skip"'


@dataclass(frozen=True)
class Classes:
    """The classes in sorted order: by size if all are numbers, so that 1, +1 and 1.0 are one class.

    Of two classes the one that was called positive is the second, because scores are those of the second class.
    """

    names: tuple[str, ...]
    reads: str = "text"  # how labels read, as the values of a column do: one of data.values.READINGS

    @classmethod
    def learn(cls, table: Table, positive: str | None = None, also: Iterable[str] = ()) -> Classes:
        """The classes of the labels, and those named; DataError if a label is missing, or there is a single class."""
        facts = LabelFacts()
        facts.look(table)
        facts.names |= dict.fromkeys(also)
        return facts.settle(f"{table.origin.source}, label {table.label!r}", positive)

    def encode(self, table: Table) -> np.ndarray:
        """The number of each row's class. A label that training did not know is an error that names the nearest."""
        _refuse_missing(table)
        given, indices = _distinct(table)
        number_of = {self.spelled(name): number for number, name in enumerate(self.names)}
        numbers = np.array([number_of.get(self.spelled(name), -1) for name in given], np.int32)
        codes: np.ndarray = numbers[indices]
        if (codes < 0).any():
            row = int(np.flatnonzero(codes < 0)[0])
            name = given[int(indices[row])]
            raise DataError(
                f"{table.origin.of(row)}: the label {name!r} is not one of the training labels, "
                f"{some(self.names)}.{self._hint(name)} Mend the label or train with it."
            )
        return codes

    def spelled(self, name: str) -> str:
        """The one spelling of a label, known or not."""
        return spelled(name, self.reads) or name

    def and_new(self, table: Table) -> Classes:
        """These classes in their order; with those of the table's labels that are new, all in sorted order."""
        _refuse_missing(table)
        given, codes = _distinct(table)
        _refuse_nan(table, given, codes)
        names = {*self.names, *map(self.spelled, given)}
        return self if len(names) == len(self.names) else Classes(tuple(in_order(names)), self.reads)

    def _hint(self, name: str) -> str:
        if all(map(NUMBER.fullmatch, (name, *self.names))):
            return f" The nearest is {min(self.names, key=lambda known: abs(float(known) - float(name)))!r}."
        return nearest_hint(name, self.names)

    def to_dict(self) -> dict[str, Any]:
        return {"names": list(self.names), "reads": self.reads}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Classes:
        """The classes that `to_dict` wrote; version 0.1 said only whether they were numbers."""
        names = tuple(plain["names"])
        before = "number" if plain.get("numeric") else "boolean" if set(names) == {"true", "false"} else "text"
        reads = plain.get("reads", before)
        if reads not in READINGS:
            raise DataError(f"the labels read {reads!r}, which is unknown.")
        return cls(names, reads)


class LabelFacts:
    """The labels that occur, block by block. Facts of two blocks merge into those of both."""

    def __init__(self) -> None:
        self.rows = 0
        self.names: dict[str, None] = {}  # in the order in which they come
        self.reads: set[str] = set()
        self.rounded = ""  # what to say where a label may have been rounded

    def look(self, table: Table) -> None:
        """Adds what a block shows; DataError where a label is missing."""
        _refuse_missing(table)
        given, codes = _distinct(table)
        _refuse_nan(table, given, codes)
        self.rows += table.n_rows
        self.names |= dict.fromkeys(given)
        self.reads.add(reading_of(_type(table)))
        self.rounded = self.rounded or _rounded(table, given, codes)

    def merge(self, later: LabelFacts) -> None:
        self.rows += later.rows
        self.names, self.reads = self.names | later.names, self.reads | later.reads
        self.rounded = self.rounded or later.rounded

    def settle(self, where: str, positive: str | None = None) -> Classes:
        """The classes; DataError where the labels are none."""
        reads = next(iter(self.reads)) if len(self.reads) == 1 else "text"
        if all(map(_is_finite, self.names)):
            reads = "number"
            if self.rounded:
                raise DataError(self.rounded)
        names = in_order({spelled(name, reads) or name for name in self.names})
        if len(names) == 1:
            raise DataError(f"{where}: all {self.rows} rows have the label {names[0]!r}. Give rows of two classes.")
        if self.rows >= FEW_ROWS:
            _refuse_amounts(where, names, self.rows, reads == "number")
        if len(names) == 2 and names[0] == positive:
            names.reverse()
        return Classes(tuple(names), reads)


def in_order(names: Iterable[str]) -> list[str]:
    """The names sorted: by size if all are numbers."""
    if all(map(_is_finite, names := list(names))):
        return sorted(names, key=Decimal)
    return sorted(names)


def _is_finite(name: str) -> bool:
    return bool(NUMBER.fullmatch(name) and np.isfinite(float(name)))


def _refuse_missing(table: Table) -> None:
    if table.labels is None:
        raise DataError(f"{table.origin.source}: the rows have no labels. Name the label column.")
    labels = table.labels
    missing = labels.is_null(nan_is_null=True).to_numpy()
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        count = int(missing.sum())
        lack = "1 row lacks it" if count == 1 else f"{count} rows lack it"
        raise DataError(
            f"{table.origin.of(row)}: no value for the label {table.label!r} ({lack}). "
            f"Fill it in or remove the row; in a config {SKIP} leaves such rows out."
        )


def alike(names: Sequence[str]) -> list[str]:
    """A note where names of classes differ in their case alone: they may be meant to be one."""
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(name.casefold(), []).append(name)
    return [
        f"the classes {', '.join(same)} differ in their case alone; --relabel {same[1]}={same[0]} makes them one"
        for same in folded.values()
        if len(same) > 1
    ]


def with_label(table: Table) -> Table:
    """The rows that have a label; a note tells how many have none."""
    if table.labels is None:
        return table
    missing = table.labels.is_null(nan_is_null=True).to_numpy()
    if not missing.any():
        return table
    kept, gone = table.take(np.flatnonzero(~missing)), int(missing.sum())
    told = "1 row without a label is" if gone == 1 else f"{gone:,} rows without a label are"
    return replace(kept, notes=(*kept.notes, f"{told} left out"))


def _refuse_amounts(where: str, names: list[str], rows: int, numeric: bool) -> None:
    """DataError for labels that are no classes: all distinct, or numbers that measure something.

    Numbers that name classes are few, or consecutive, or each has many rows. Numbers that measure something have gaps,
    and few rows share one. Fractions seldom name classes, so many of them are refused however many rows each has.
    """
    if len(names) == rows:
        raise DataError(f"{where}: {rows} distinct labels in {rows} rows are not classes. Name another column.")
    if not numeric or len(names) <= FEW_NUMBERS:
        return
    whole = all(float(name) == np.floor(float(name)) for name in names)
    consecutive = whole and float(names[-1]) - float(names[0]) == len(names) - 1
    if not whole and len(names) > MANY_FRACTIONS:
        why = f"more than {MANY_FRACTIONS}, with fractions"
    elif not consecutive and rows < ROWS_FOR_EACH * len(names):
        why = f"more than {FEW_NUMBERS}, not consecutive, fewer than {ROWS_FOR_EACH} rows for each"
    else:
        return
    raise DataError(
        f"{where}: {len(names)} distinct numbers in {rows} rows are amounts, not classes ({why}). Put them into bins, "
        "such as low and high, or name another column. If they are names, write a letter before each."
    )


def _refuse_nan(table: Table, names: list[str], codes: np.ndarray) -> None:
    """What programs write for "no number" is no class, however it is spelt."""
    without = np.isin(codes, [number for number, name in enumerate(names) if name.lower() == "nan"])
    if without.any():
        row = int(np.flatnonzero(without)[0])
        raise DataError(
            f"{table.origin.of(row)}: the label {table.label!r} is {names[codes[row]]!r}, which means no number "
            f"({int(without.sum())} rows have it). Fill it in or remove the row."
        )


def _rounded(table: Table, names: list[str], codes: np.ndarray) -> str:
    """What to say where whole numbers that a float64 cannot tell apart would be one class; otherwise nothing."""
    if not pa.types.is_floating(_type(table)):
        return ""
    large = [number for number, name in enumerate(names) if _is_finite(name) and abs(float(name)) > EXACT_UP_TO]
    if not large:
        return ""
    row = int(np.flatnonzero(codes == large[0])[0])
    return (
        f"{table.origin.of(row)}: the label {names[large[0]]} is beyond 2^53, where floating-point numbers are "
        "rounded and different labels become one. Write the labels as text, or as whole numbers alone."
    )


def _type(table: Table) -> pa.DataType:
    kind = one_array(table.labels).type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _distinct(table: Table) -> tuple[list[str], np.ndarray]:
    """The distinct labels as strings, and for each row which it has."""
    array = one_array(table.labels)
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    names = [shown_value(value) or "nan" for value in array.dictionary.to_pylist()]
    return names, array.indices.to_numpy(zero_copy_only=False)


def place_of_positive(positive: str, classes: tuple[str, ...]) -> int:
    """The number of the class that matters among two; SettingError where there are more, or none of that name."""
    if len(classes) != 2:
        raise SettingError(f"positive is for two classes; these are {len(classes)}. Leave it out.")
    if positive not in classes:
        raise SettingError(f"positive must be one of the classes, {' and '.join(classes)}; got {positive!r}.")
    return classes.index(positive)
