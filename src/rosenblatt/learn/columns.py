"""The columns of a table by what naive Bayes counts of them, and the cells that this makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rosenblatt.data.door import Frame
from rosenblatt.data.listed import BITS, NONE, Listed
from rosenblatt.errors import DataError


@dataclass(frozen=True, eq=False)
class Schema:
    """The columns of a table by kind. Binary and counted ones are only listed, for there may be 100,000 of them."""

    n_columns: int
    names: tuple[str, ...] | None
    binary: np.ndarray  # columns that are present or not
    presence: np.ndarray  # for each of them: any number but 0 is presence (declared), not only 1
    counted: np.ndarray  # columns that count words
    listed: tuple[Listed, ...] = field(default=())

    @classmethod
    def of(cls, found: Any, names: tuple[str, ...] | None, n_columns: int) -> Schema:
        """The schema of columns that are each BITS, "binary", "counts" or Listed; or all of one of these names."""
        every = np.arange(n_columns)
        if isinstance(found, str):
            binary, counted = (every[:0], every) if found == "counts" else (every, every[:0])
            return cls(n_columns, names, binary, np.full(len(binary), found == "binary"), counted)
        kinds = np.array([kind if isinstance(kind, str) else "" for kind in found])
        binary = every[(kinds == BITS) | (kinds == "binary")]
        listed = tuple(kind for kind in found if isinstance(kind, Listed))
        return cls(n_columns, names, binary, kinds[binary] == "binary", every[kinds == "counts"], listed)

    @property
    def n_cells(self) -> int:
        """Cells are what is counted: each binary column's 1, each word, each listed value, in this order."""
        return len(self.binary) + len(self.counted) + sum(column.size for column in self.listed)

    def starts(self) -> list[int]:
        """The first cell of each listed column."""
        sizes = [len(self.binary) + len(self.counted), *(column.size for column in self.listed)]
        return [int(start) for start in np.cumsum(sizes)[:-1]]

    @property
    def single(self) -> np.ndarray:
        """The columns that have one cell each, in the order of these cells: the binary ones, then the words."""
        return np.concatenate([self.binary, self.counted])

    def cell_of(self) -> np.ndarray:
        """For each column its single cell, NONE for listed ones."""
        found = np.full(self.n_columns, NONE, np.int64)
        found[self.single] = np.arange(len(self.single))
        return found

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

    def kinds(self) -> list[Any]:
        """What each column is: BITS, "binary", "counts", "categorical", or cuts."""
        found: list[Any] = ["counts"] * self.n_columns
        for j, declared in zip(self.binary.tolist(), self.presence.tolist(), strict=True):
            found[j] = "binary" if declared else BITS
        for column in self.listed:
            found[column.column] = "categorical" if column.cuts is None else column.cuts
        return found

    def places(self, table: Frame | Schema) -> Sequence[int]:
        """For each column its place in the table: by name where both have names, otherwise by number."""
        if table.names is not None and self.names is not None:
            places = {name: j for j, name in enumerate(table.names)}
            missing = [name for name in self.names if name not in places]
            if missing:
                raise DataError(
                    f"the table lacks {'columns' if len(missing) > 1 else 'column'} {', '.join(map(repr, missing[:5]))}"
                    f"{' and others' if len(missing) > 5 else ''} that the model was fitted with. "
                    "Add what is lacking, filled with None where it is not known."
                )
            return [places[name] for name in self.names]
        if table.n_columns != self.n_columns:
            raise DataError(
                f"X has {table.n_columns} features, but NaiveBayes is expecting {self.n_columns} features as input. "
                "Give the columns of the first table, or name columns in both."
            )
        return range(self.n_columns)
