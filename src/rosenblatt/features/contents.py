"""What the data is: the columns that count, a hash of what each row holds in them, and a name for all rows.

Made once in a job. The split keeps equal rows together by it, the card and the checkpoints name the data by it, and the
audit, `check` and `evaluate` tell by it whether rows are those of the training.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.claims import Misfit, listed, words
from rosenblatt.data.spooled import blocks, once
from rosenblatt.data.table import SPARSE, Table, nearest_hint, some
from rosenblatt.data.values import EXACT_UP_TO, all_whole, lenient_numbers, names_of, one_array, reading_of
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features.executor import Here
from rosenblatt.features.facts import FEW_ROWS, has_no_features
from rosenblatt.features.kinds import kind_of
from rosenblatt.features.learning import kinds_of, types_of
from rosenblatt.features.lines import Dropped
from rosenblatt.features.numeric import vector_values
from rosenblatt.features.plan import Plan
from rosenblatt.features.sparse import csr
from rosenblatt.features.tokens import buffers, readonly
from rosenblatt.features.wishes import Wishes
from rosenblatt.loops.contents import join_groups, mix_spans
from rosenblatt.loops.order import key_of

USE = 0x5B117  # tells these hashes apart from other uses of the seed
PIECE = 1 << 20  # rows at a time


@dataclass(frozen=True, eq=False)
class Contents:
    """Which columns count, and 64 bits for what each row holds in them.

    Two rows that differ and agree in these bits are merely taken for copies of each other.
    """

    columns: tuple[str, ...]
    hashes: np.ndarray
    groups: np.ndarray | None = None  # the number of each row's group, where the user names a column of groups

    @classmethod
    def of(cls, table: Table, wishes: Wishes | None = None, group: str | None = None) -> Contents:
        """The contents of a table, of which the user says this. Columns that are no feature do not count: the label,
        what the user leaves out, and what looks like an id unless the user says what it is.
        """
        groups = None if group is None else _groups(table, group)
        return replace(cls.under(table, _columns(table, wishes or Wishes())), groups=groups)

    @classmethod
    def under(cls, table: Table, columns: Sequence[str], reads: Mapping[str, str] | None = None) -> Contents:
        """The contents of a table where it is known which columns count: it must have them.

        reads    how their values read, where that is not what the table declares or its types tell
        """
        columns = tuple(columns)
        reads = {name: what.reads for name, what in table.declared.items() if what.reads} | dict(reads or {})
        if not columns:  # nothing tells that two rows are copies
            return cls(columns, np.arange(table.n_rows, dtype=np.uint64))
        key = "hashes", columns, {name: reads[name] for name in columns if name in reads}

        def find() -> np.ndarray:
            return np.concatenate([_hashes(part, columns, reads) for _, part in blocks(table, columns)])

        def keep(found: np.ndarray, folder: Path) -> None:
            found.tofile(folder / "hashes")

        return cls(columns, once(table, key, find, keep, lambda _, folder: _kept_hashes(folder, table.n_rows)))

    @classmethod
    def of_plan(cls, table: Table, plan: Plan) -> Contents:
        """The contents of a table for a model: rows that are equal in the columns that its plan reads are equal."""
        return cls.under(table, columns_read(plan), readings(plan))

    def of_columns(self, table: Table, columns: Sequence[str]) -> Contents:
        """Those of the same table where other columns count."""
        return self if self.columns == tuple(columns) else Contents.under(table, columns)

    def take(self, which: np.ndarray) -> Contents:
        """Those of the rows of these numbers."""
        return Contents(self.columns, self.hashes[which], None if self.groups is None else self.groups[which])

    @cached_property
    def distinct(self) -> np.ndarray:
        """A number for each row, from 0 without gaps, the same for rows with equal contents."""
        return _numbered(self.hashes)

    @cached_property
    def together(self) -> np.ndarray:
        """A number for each row, from 0 without gaps, the same for rows that must stay in one part of a split.

        These are equal rows, rows of one group, and rows that are linked through others by either.
        """
        if self.groups is None:
            return self.distinct
        joined = np.empty(len(self.hashes), np.int64)
        join_groups(self.distinct.astype(np.int64), self.groups, joined)
        return _numbered(joined)

    @property
    def copies(self) -> int:
        """How many rows hold what an earlier one holds."""
        return len(self.hashes) - 1 - int(self.distinct.max(initial=-1))

    def among(self, others: Contents) -> np.ndarray:
        """For each row whether one of the others holds the same; both must be of the same columns."""
        assert self.columns == others.columns, "contents of different columns are compared"
        return np.isin(self.hashes, others.hashes)

    def fingerprint(self, codes: np.ndarray) -> str:
        """A hash of the contents and classes of all rows, in order."""
        found = hashlib.sha256()
        for values, kind in ((self.hashes, "<u8"), (codes, "<i8")):
            for start in range(0, len(values), PIECE):
                found.update(values[start : start + PIECE].astype(kind).tobytes())
        return found.hexdigest()


def _numbered(values: np.ndarray) -> np.ndarray:
    """A number for each value, the same for equal ones, in few bytes: of millions of rows these count."""
    small = np.int32 if len(values) < 2**31 else np.int64
    return np.unique(values, return_inverse=True)[1].astype(small, copy=False)


def firsts_and_sizes(together: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first row of each set of rows, and how many it has; the sets are counted from 0 without gaps."""
    sizes = np.bincount(together)
    first = np.empty(len(sizes), np.int64)
    first[together[::-1]] = np.arange(len(together) - 1, -1, -1)  # of several rows the last to be written is the first
    return first, sizes


def columns_read(plan: Plan) -> tuple[str, ...]:
    """The columns that the plan makes features of: rows that are equal in these are equal to its model."""
    return tuple(line.column for line in plan.lines if line.width)


def readings(plan: Plan) -> dict[str, str]:
    """How the values of each column of the plan read."""
    return {line.column: line.reads for line in plan.lines}


def columns_before(table: Table) -> tuple[str, ...]:
    """The columns that counted in the fingerprints of model files of formats 1 and 2, where no file says which.

    Wishes were not asked, and every column of distinct whole numbers was taken for an id.
    """

    def counted(name: str) -> bool:
        column = table.columns[name]
        if name in table.declared:
            return True
        if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
            present = one_array(column).drop_null()
            if all_whole(present) and len(present.unique()) == len(present) >= FEW_ROWS:
                return False
        return kind_of(column) is not Dropped

    return tuple(name for name in table.names if counted(name)) or tuple(table.names)


def _columns(table: Table, wishes: Wishes) -> tuple[str, ...]:
    """The columns that count. Where every one looks like an id, all: else all rows would be copies of each other."""
    said = wishes.declared(table)
    names = [name for name in table.names if name not in said or said[name][0].kind != "drop"]

    def find() -> tuple[str, ...]:
        types = types_of(table)
        chosen = kinds_of(Here(table), {name: types[name] for name in names}, said)
        found = [name for name in names if name in said or chosen[name][0] is not Dropped]
        return tuple(found or [name for name in names if not has_no_features(types[name])])

    def back(kept: Any, _: Path) -> tuple[str, ...]:
        listed(words(*table.names))(kept, "the columns that count")
        if len(set(kept)) < len(kept):
            raise Misfit("a column counts once")
        return tuple(kept)

    key = "columns that count", {name: what.kind for name, (what, _) in said.items()}
    return once(table, key, find, lambda found, _: list(found), back)


def _kept_hashes(folder: Path, rows: int) -> np.ndarray:
    from rosenblatt.data.maps import mapped

    return mapped(folder / "hashes", np.uint64, (rows,))


def _hashes(table: Table, columns: Sequence[str], reads: Mapping[str, str]) -> np.ndarray:
    hashes = np.full(table.n_rows, key_of(0, USE))
    with np.errstate(over="ignore"):
        for name in columns:
            column = table.columns[name]
            for which, data, starts in _bytes_of(table, name, reads.get(name, reading_of(column.type))):
                some = hashes[which]
                mix_spans(data, readonly(starts), some)
                hashes[which] = some
    return hashes


Spans = tuple[slice | np.ndarray, np.ndarray, np.ndarray]  # of which rows, their bytes, and where each row's start


def _bytes_of(table: Table, name: str, reads: str) -> list[Spans]:
    """The column as bytes, the same on every machine, for all rows or for some. Here alone values become bytes."""
    column = table.columns[name]
    kind, every = column.type, slice(None)
    if kind == SPARSE:
        starts, columns, values = csr(column)
        return [(every, _as_bytes(columns, "<u4"), 4 * starts), (every, _as_bytes(values, "<f8"), 8 * starts)]
    if pa.types.is_nested(kind):
        vectors = vector_values(column, name, table.origin)
        size = vectors.dtype.itemsize * vectors.shape[1]
        return [(every, _as_bytes(vectors, vectors.dtype.newbyteorder("<").str), size * np.arange(len(vectors) + 1))]
    if reads != "number":
        texts = names_of(column, reads)
        present = texts.is_valid().to_numpy(zero_copy_only=False)
        return [(every, *buffers(texts.fill_null(""))), (every, _as_bytes(present, "u1"), np.arange(len(texts) + 1))]
    values = lenient_numbers(column) + 0.0  # 0 and −0 are equal
    values[np.isnan(values)] = np.nan  # all missing values have the same bits
    spans: list[Spans] = [(every, _as_bytes(values, "<f8"), 8 * np.arange(len(values) + 1))]
    large = np.flatnonzero(np.abs(values) > EXACT_UP_TO)  # whole numbers that a float64 cannot tell apart
    if len(large) and not pa.types.is_floating(kind):
        spans.append((large, *buffers(names_of(one_array(column).take(pa.array(large)), reads))))
    return spans


def _as_bytes(values: np.ndarray, kind: str) -> np.ndarray:
    return np.frombuffer(values.astype(kind).tobytes() or b"\0", np.uint8)


def _groups(table: Table, name: str) -> np.ndarray:
    encoded = names_of(column_for(table, name, "group")).dictionary_encode()
    codes: np.ndarray = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise DataError(f"{table.origin.of(row)}, column {name!r}: no group. Fill it in, or leave out the grouping.")
    return codes


def column_for(table: Table, name: str, use: str) -> pa.ChunkedArray:
    """The column that the user names for a use; SettingError where there is none of that name."""
    if name not in table.names:
        hint = nearest_hint(name, table.names)
        raise SettingError(f"{use}: no column named {name!r}. Columns are: {some(table.names)}.{hint}")
    return table.columns[name]
