"""What each column of a table is: presence, word counts, a list of values, or bins of numbers.

How `features="auto"` decides, column by column, from the values that are not missing:

    nothing but 0, 1, True, False (or nothing at all)             binary
    strings, dates, pandas categories, anything not a number      categorical
    whole numbers, at most 32 different ones                      categorical
    any other numbers                                             bins: at most 10, cut at quantiles

A sparse matrix is one thing: binary if it stores nothing but 1, otherwise counts (which must not be negative).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rosenblatt.data.door import Frame
from rosenblatt.data.door_columns import Coded, plain
from rosenblatt.errors import DataError, SettingError

FEW = 32
BINS = 10
KINDS = ("auto", "binary", "categorical", "counts", "bins")
LARGEST = 2.0**53  # beyond it float64 cannot count


@dataclass(frozen=True)
class Listed:
    """A column whose rows take one of a list of values, or fall between cuts: bin b is (cuts[b - 1], cuts[b]]."""

    column: int
    values: tuple[Any, ...] = ()
    cuts: tuple[float, ...] | None = None

    @property
    def size(self) -> int:
        """The number of values, |X| in the notes."""
        return len(self.values) if self.cuts is None else len(self.cuts) + 1

    def names(self) -> list[Any]:
        """The values as tables show them."""
        if self.cuts is None:
            return list(self.values)
        inner = [f"({low:g}, {high:g}]" for low, high in zip(self.cuts[:-1], self.cuts[1:], strict=True)]
        return [f"<= {self.cuts[0]:g}", *inner, f"> {self.cuts[-1]:g}"] if self.cuts else ["any number"]


@dataclass(frozen=True, eq=False)
class Schema:
    """The columns of a table by kind. Binary and counted ones are only listed, for there may be 100,000 of them."""

    n_columns: int
    names: tuple[str, ...] | None
    binary: np.ndarray  # columns that are present or not
    presence: np.ndarray  # for each of them: any number but 0 is presence (declared), not only 1
    counted: np.ndarray  # columns that count words
    listed: tuple[Listed, ...] = field(default=())

    @property
    def n_cells(self) -> int:
        """Cells are what is counted: each binary column's 1, each word, each listed value, in this order."""
        return len(self.binary) + len(self.counted) + sum(column.size for column in self.listed)

    def starts(self) -> list[int]:
        """The first cell of each listed column."""
        sizes = [len(self.binary) + len(self.counted), *(column.size for column in self.listed)]
        return [int(start) for start in np.cumsum(sizes)[:-1]]

    def label(self, j: int) -> str:
        return self.names[j] if self.names is not None else f"column {j}"

    def same_cells(self, other: Schema) -> bool:
        """True if the cells of both mean the same, one by one."""
        return (
            self.n_columns == other.n_columns
            and (self.names or other.names) == (other.names or self.names)
            and np.array_equal(self.binary, other.binary)
            and np.array_equal(self.counted, other.counted)
            and self.listed == other.listed
        )

    def kinds(self) -> dict[str | int, Any]:
        """What each column is, in the form that `features` takes."""
        found: dict[str | int, Any] = {}
        by_column: dict[int, Any] = {
            **dict.fromkeys(map(int, self.binary), "binary"),
            **dict.fromkeys(map(int, self.counted), "counts"),
            **{c.column: "categorical" if c.cuts is None else c.cuts for c in self.listed},
        }
        for j in sorted(by_column):
            found[self.names[j] if self.names is not None else j] = by_column[j]
        return found


def order_of(value: Any) -> tuple[str, Any]:
    """Sorts values of any type: numbers first, then by the name of the type."""
    return ("", value) if isinstance(value, int | float) else (type(value).__name__, value)


def wanted_kinds(features: Any, frame: Frame) -> list[Any]:
    """The kind asked for in each column: a name of KINDS, or cuts."""
    if isinstance(features, str):
        return [_checked(features, "every column")] * frame.n_columns
    if isinstance(features, Mapping):
        kinds: list[Any] = ["auto"] * frame.n_columns
        places = {name: j for j, name in enumerate(frame.names or ())}
        for key, kind in features.items():
            kinds[_place(key, places, frame.n_columns)] = kind
    elif isinstance(features, Sequence | np.ndarray):
        kinds = list(features)
        if len(kinds) != frame.n_columns:
            raise SettingError(
                f"features lists {len(kinds)} kinds but the table has {frame.n_columns} columns. "
                "List one kind per column, or give a mapping from columns to kinds."
            )
    else:
        raise SettingError(f"features must be a kind, a mapping or a list of kinds; got {features!r}.")
    return [_checked(kind, frame.label(j)) for j, kind in enumerate(kinds)]


def _place(key: Any, places: Mapping[Any, int], n_columns: int) -> int:
    if key in places:
        return places[key]
    if isinstance(key, int | np.integer) and 0 <= key < n_columns:
        return int(key)
    raise SettingError(f"features names column {key!r}, which the table does not have. Name one of its columns.")


def _checked(kind: Any, where: str) -> Any:
    if isinstance(kind, str) and kind in KINDS:
        return kind
    if isinstance(kind, Sequence | np.ndarray) and not isinstance(kind, str):
        cuts = np.asarray(kind, dtype=float)
        if cuts.ndim == 1 and np.isfinite(cuts).all() and (np.diff(cuts) > 0).all():
            return tuple(cuts.tolist())
        raise SettingError(f"features for {where}: cuts must be finite and increase; got {kind!r}.")
    raise SettingError(f"features for {where}: unknown kind {kind!r}. Kinds are {', '.join(KINDS)}, or a list of cuts.")


def check_numbers(values: np.ndarray, where: str, least: float = -np.inf) -> None:
    """Raises DataError for counts below `least` or too large to count with; infinity does not come through the door."""
    if least > -np.inf and values.size:
        low, high = np.nanmin(values), np.nanmax(values)  # NaN only where all are, and then both tests pass
        if low < least:
            raise DataError(f"{where} holds {low:g}, which is no count. Name another kind for it in features.")
        if high > LARGEST:
            raise DataError(f"{where} holds {high:g}; counts above 2**53 are not exact. Scale them down.")


def distinct(column: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """The different numbers of a column in order, and the weight of each; missing ones left out."""
    kept = ~np.isnan(column) if column.dtype.kind == "f" else slice(None)
    values, places = np.unique(column[kept], return_inverse=True)
    amounts = None if weights is None else weights[kept]
    return values, np.bincount(places, amounts, len(values))


def quantile_cuts(values: np.ndarray, amounts: np.ndarray, bins: int = BINS) -> tuple[float, ...]:
    """Cuts at values of the column, the lowest that have b/bins of the weight at or below them. The highest is none."""
    below = np.cumsum(amounts)
    places = np.searchsorted(below, below[-1] * (np.arange(1, bins) / bins) * (1 - 1e-12))
    return tuple(float(values[p]) for p in np.unique(places) if p < len(values) - 1)


def list_values(column: np.ndarray | Coded) -> tuple[Any, ...]:
    """The different values of a column, in order."""
    if isinstance(column, Coded):
        seen = np.unique(column.codes[column.codes >= 0])
        return tuple(sorted((column.values[code] for code in seen), key=order_of))
    return tuple(plain(value) for value in distinct(column, None)[0])
