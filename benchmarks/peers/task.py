"""A task: labelled rows in one of four forms, cut once, so that every contestant sees the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import Table
from rosenblatt.features import Classes, split_rows
from rosenblatt.features.numeric import vector_values
from rosenblatt.features.split import PARTS_WITHOUT_TEST

Kind: TypeAlias = Literal["sparse", "dense", "text", "table"]
Curves: TypeAlias = Literal["", "too", "only"]  # whether those who follow curves take part
SEED = 0


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of a task: as other libraries want them, and as this project's reader gave them."""

    name: str
    rows: Any  # by kind: a CSR matrix of 32-bit indices, an array, a list of strings, an Arrow table
    codes: np.ndarray  # the number of each row's class
    table: Table

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, eq=False)
class Task:
    """Training and validation rows for the search, both together for the fit, test rows for the accuracy."""

    name: str
    kind: Kind
    about: str
    classes: tuple[str, ...]
    train: Part
    validation: Part
    both: Part
    test: Part
    curves: Curves = ""

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @property
    def size(self) -> str:
        """How much there is to learn from, in words."""
        rows = f"{len(self.both):,} + {len(self.test):,} rows"
        wide = f", {self.both.rows.shape[1]:,} features" if self.kind in ("sparse", "dense") else ""
        return f"{rows}{wide}, {self.n_classes} classes"


def make_task(
    name: str,
    kind: Kind,
    about: str,
    table: Table,
    test: Table | None,
    most: int | None = None,
    curves: Curves = "",
    seed: int = SEED,
) -> Task:
    """The task over these rows; without test rows a fifth is kept for them, as `rosenblatt train` would with this seed.

    The validation rows are those that `train(..., test=...)` takes for the same seed: its search and the searches of
    the others are judged by the same rows. `most` limits the rows, for quick runs.
    """
    classes = Classes.learn(table)
    if test is None:
        split = split_rows(table, classes.encode(table), seed=seed)
        table, test = table.take(np.sort(np.concatenate([split.train, split.validation]))), table.take(split.test)
    table = _drawn(table, most)
    test = test if most is None or test.n_rows <= most // 2 else _drawn(test, most // 2)
    classes = Classes.learn(table)
    codes = classes.encode(table)
    split = split_rows(table, codes, seed=SEED, parts=PARTS_WITHOUT_TEST)
    width = max(_width(table), _width(test)) if kind == "sparse" else 0

    def part(name: str, of: Table) -> Part:
        return Part(name, _rows(kind, of, width), classes.encode(of), of)

    return Task(
        name, kind, about, classes.names,
        part("train", table.take(split.train)), part("validation", table.take(split.validation)),
        part("both", table), part("test", test), curves,
    )  # fmt: skip


def head(part: Part, count: int) -> Part:
    """The first rows of a part that show every class, or as many as asked for where that is more."""
    found = np.unique(part.codes, return_index=True)[1]
    which = np.union1d(found, np.arange(min(count, len(part))))
    rows = part.rows
    if isinstance(rows, list):
        rows = [rows[i] for i in which]
    elif isinstance(rows, pa.Table):
        rows = rows.take(pa.array(which))
    else:
        rows = rows[which]
    return Part(f"{part.name}-head-{count}", rows, part.codes[which], part.table.take(which))


def _drawn(table: Table, most: int | None) -> Table:
    """The rows in a random order, at most so many: files are often sorted by class, which streams do not survive."""
    return table.take(np.random.default_rng(SEED).permutation(table.n_rows)[:most])


def _rows(kind: Kind, table: Table, width: int) -> Any:
    if kind == "text":
        return joined_texts(table)
    if kind == "table":
        return table.columns
    column = table.columns[table.names[0]]
    if kind == "dense":
        return np.ascontiguousarray(vector_values(column, table.names[0], table.origin))
    return _csr(column.combine_chunks(), width)


def joined_texts(table: Table) -> list[str]:
    """The text columns of every row, one after the other, as one string."""
    if len(table.names) == 1:
        return [text or "" for text in table.columns[table.names[0]].to_pylist()]
    columns: Sequence[Any] = [pc.fill_null(table.columns[name].cast(pa.large_string()), "") for name in table.names]
    joined: list[str] = pc.binary_join_element_wise(*columns, pa.scalar("\n", pa.large_string())).to_pylist()
    return joined


def _csr(column: Any, width: int) -> Any:
    from scipy.sparse import csr_matrix

    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    starts = np.asarray(array.offsets, np.int64)
    inside = array.values.slice(int(starts[0]), int(starts[-1] - starts[0]))
    columns = np.asarray(inside.field("column")).astype(np.int32) - 1
    values = np.asarray(inside.field("value"), np.float64)
    return csr_matrix((values, columns, (starts - starts[0]).astype(np.int32)), shape=(len(array), width))


def _width(table: Table) -> int:
    column = table.columns[table.names[0]]
    highest = pc.max(pc.struct_field(pc.list_flatten(column), [0])).as_py()
    return int(highest or 1)
