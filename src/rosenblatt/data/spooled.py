"""Tables whose columns lie on the disk: some rows of them, and all rows block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from rosenblatt.data.cache import digest, digest_of, entry
from rosenblatt.data.maps import relieve
from rosenblatt.data.table import SPARSE, Table, sparse_column
from rosenblatt.loops.rows import Sparse, take

BLOCK = 1 << 24  # bytes of rows that are in memory at a time
Found = TypeVar("Found")


@dataclass(frozen=True)
class Spool:
    """Where the columns of a table lie, and what its rows are called: other rows of the table have another name."""

    folder: Path  # also of what is made of the table
    name: str
    row_bytes: int
    base: Table | None = None  # the table on the disk, where this one has some of its rows
    which: np.ndarray | None = None  # these
    keeper: Any = None  # a folder that goes when the last table of it goes

    def take(self, table: Table, which: np.ndarray) -> Table:
        """The rows of these numbers; nothing is copied but the numbers and the labels."""
        base = self.base or table
        if self.which is not None:
            which = self.which[which]
        labels = None if base.labels is None else base.labels.take(pa.array(which))
        origin = base.origin
        paths: Any = None if origin.paths is None else PickedPlaces(origin.paths, which)
        numbers: Any = PickedPlaces(origin.numbers, which)
        return replace(
            base,
            columns=Picked(base.columns, which),
            labels=labels,
            origin=replace(origin, numbers=numbers, paths=paths),
            spool=replace(self, name=digest(self.name, digest_of(which)), base=base, which=which),
        )

    def place(self, *key: Any) -> Path:
        """Where what is made of the rows by this key is kept."""
        return self.folder / f"made-{digest(self.name, *key)}"

    @cached_property
    def rows_at_a_time(self) -> int:
        return max(64, BLOCK // max(1, self.row_bytes))


class Picked:
    """Some rows of a table on the disk, with what callers use of an Arrow table; a column asked for is copied."""

    def __init__(self, base: pa.Table, which: np.ndarray) -> None:
        self.base, self.which = base, which
        self.column_names, self.schema, self.num_rows = base.column_names, base.schema, len(which)

    def __getitem__(self, name: str | int) -> pa.ChunkedArray:
        return self.base[name].take(pa.array(self.which))

    def slice(self, start: int, length: int) -> pa.Table:
        which = self.which[start : start + length]
        if len(which) and int(which[-1]) - int(which[0]) == len(which) - 1 and (np.diff(which) == 1).all():
            return self.base.slice(int(which[0]), len(which))
        index = pa.array(which)
        return pa.table({name: picked(self.base[name], which, index) for name in self.column_names})


def picked(column: pa.ChunkedArray, which: np.ndarray, index: pa.Array) -> pa.Array | pa.ChunkedArray:
    """Some rows of a column; sparse ones by our own loop, which is many times as fast as Arrow's."""
    if column.type != SPARSE or column.null_count or column.num_chunks != 1:
        return column.take(index)
    array = column.chunk(0)
    entries = array.values
    starts = array.offsets.to_numpy().view(np.uint64)
    rows = Sparse(starts, entries.field(0).to_numpy(), entries.field(1).to_numpy(), 0, 1.0)
    found = take(rows, which)
    assert isinstance(found, Sparse)
    return sparse_column(found.starts.view(np.int64), found.columns, found.values)


class PickedPlaces:
    """Where some rows stand in their source, or in which file: looked up when somebody asks."""

    def __init__(self, base: np.ndarray | pa.ChunkedArray, which: np.ndarray) -> None:
        self.base, self.which = base, which

    def __len__(self) -> int:
        return len(self.which)

    def __getitem__(self, key: Any) -> Any:
        at = self.which[key]
        return self.base.take(pa.array(at)) if isinstance(self.base, pa.ChunkedArray) and np.ndim(at) else self.base[at]


def blocks(table: Table, columns: Sequence[str] | None = None) -> Iterator[tuple[int, Table]]:
    """The table in pieces that fit into memory, each with the number of its first row; in one piece if it is in memory.

    With `columns` the pieces have these alone.
    """
    if table.spool is None:
        yield 0, table
        return
    whole = table if columns is None else replace(table, columns=select(table.columns, columns))
    step = table.spool.rows_at_a_time
    for start in range(0, table.n_rows, step):
        relieve()
        yield start, whole.slice(start, min(step, table.n_rows - start))


def once(
    table: Table,
    key: Sequence[Any],
    find: Callable[[], Found],
    keep: Callable[[Found, Path], Any],
    back: Callable[[Any, Path], Found],
) -> Found:
    """What is found of a table. Of one that lies on the disk it is found once and kept there, under a key.

    keep    plain values for what was found; arrays are written into the folder
    back    what was found, from these values and the folder; Misfit where they cannot be
    """
    if table.spool is None:
        return find()

    def make(folder: Path, about: dict[str, Any]) -> None:
        about["kept"] = keep(find(), folder)

    target = table.spool.place(*key)
    return entry(target, make, lambda about: back(about.get("kept"), target))


def select(columns: Any, names: Sequence[str]) -> Any:
    """These columns of an Arrow table or of a picked one."""
    if isinstance(columns, Picked):
        return Picked(columns.base.select(list(names)), columns.which)
    return columns.select(list(names))
