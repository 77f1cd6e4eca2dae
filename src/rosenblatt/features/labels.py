"""Labels as classes: which there are, in order, and the number of each row's class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Table, nearest_hint, some
from rosenblatt.errors import DataError
from rosenblatt.features.lines import one_array

NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*")
FEW_ROWS = 20  # with fewer, labels that never repeat are no sign of anything


@dataclass(frozen=True)
class Classes:
    """The classes in sorted order: by size if all are numbers, so that 1, +1 and 1.0 are one class.

    Of two classes the one that was called positive is the second, because scores are those of the second class.
    """

    names: tuple[str, ...]
    numeric: bool

    @classmethod
    def learn(cls, table: Table, positive: str | None = None) -> Classes:
        """The classes of the training labels; DataError if some are missing, or if there is only one."""
        _refuse_missing(table)
        given, codes = _distinct(table)
        _refuse_nan(table, given, codes)
        numeric = all(NUMBER.fullmatch(name) and np.isfinite(float(name)) for name in given)
        names = sorted({_canonical(name) for name in given}, key=float) if numeric else sorted(given)
        where = f"{table.origin.source}, label {table.label!r}"
        if len(names) == 1:
            raise DataError(f"{where}: all {table.n_rows} rows have the label {names[0]!r}. Give rows of two classes.")
        fractions = numeric and any(float(name) != np.floor(float(name)) for name in names)
        if table.n_rows >= FEW_ROWS and (len(names) == table.n_rows or (fractions and len(names) > 100)):
            raise DataError(
                f"{where}: {len(names)} distinct labels in {table.n_rows} rows are not classes. Name another column."
            )
        if len(names) == 2 and names[0] == positive:
            names.reverse()
        return cls(tuple(names), numeric)

    def encode(self, table: Table) -> np.ndarray:
        """The number of each row's class. A label that training did not know is an error that names the nearest."""
        _refuse_missing(table)
        given, indices = _distinct(table)
        number_of = {name: number for number, name in enumerate(self.names)}
        numbers = np.array([number_of.get(self._canonical(name), -1) for name in given], np.int64)
        codes: np.ndarray = numbers[indices]
        if (codes < 0).any():
            row = int(np.flatnonzero(codes < 0)[0])
            name = given[int(indices[row])]
            raise DataError(
                f"{table.origin.of(row)}: the label {name!r} is not one of the training labels, "
                f"{some(self.names)}.{self._hint(name)} Mend the label or train with it."
            )
        return codes

    def _canonical(self, name: str) -> str:
        return _canonical(name) if self.numeric and NUMBER.fullmatch(name) else name

    def _hint(self, name: str) -> str:
        if self.numeric and NUMBER.fullmatch(name):
            return f" The nearest is {min(self.names, key=lambda known: abs(float(known) - float(name)))!r}."
        return nearest_hint(name, self.names)

    def to_dict(self) -> dict[str, Any]:
        return {"names": list(self.names), "numeric": self.numeric}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Classes:
        return cls(tuple(plain["names"]), bool(plain["numeric"]))


def _refuse_missing(table: Table) -> None:
    if table.labels is None:
        raise DataError(f"{table.origin.source}: the rows have no labels. Name the label column.")
    labels = table.labels
    missing = labels.is_null(nan_is_null=True).to_numpy()
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise DataError(
            f"{table.origin.of(row)}: no value for the label {table.label!r} ({int(missing.sum())} rows lack it). "
            "Fill it in or remove the row."
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


def _distinct(table: Table) -> tuple[list[str], np.ndarray]:
    """The distinct labels as strings, and for each row which it has."""
    array = one_array(table.labels)
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    values = array.dictionary
    if pa.types.is_floating(values.type):
        names = [repr(float(value)) for value in values.to_pylist()]
    elif pa.types.is_boolean(values.type):
        names = [str(value).lower() for value in values.to_pylist()]
    else:
        names = [str(value) for value in values.to_pylist()]
    return names, array.indices.to_numpy(zero_copy_only=False)


def _canonical(name: str) -> str:
    """One spelling for all spellings of a number."""
    value = float(name)
    return str(int(value)) if value == np.floor(value) and abs(value) < 2**53 else repr(value)
