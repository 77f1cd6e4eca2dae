"""Splitting rows into training, validation and test parts, so that nothing of one part is known from another.

The parts depend on the data and the seed alone: rows are ordered by a hash, never by a library's generator.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from rosenblatt.data.spooled import blocks
from rosenblatt.data.table import SPARSE, Table, nearest_hint, some
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features.choose import Choice, choose
from rosenblatt.features.lines import numbers, one_array, strings
from rosenblatt.features.numeric import vector_values
from rosenblatt.features.sparse import csr
from rosenblatt.features.tokens import buffers, readonly
from rosenblatt.loops.contents import join_groups, mix_spans
from rosenblatt.loops.order import fill_hashes, key_of

PARTS = (0.6, 0.2, 0.2)
PARTS_WITHOUT_TEST = (0.75, 0.25, 0.0)  # where the user gives the test rows
HANDFUL = 20  # rows
USE = 0x5B117  # tells the splitting apart from other uses of the seed


@dataclass(frozen=True)
class Split:
    """Row numbers of each part, increasing."""

    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray


def split_rows(
    table: Table,
    codes: np.ndarray,
    *,
    seed: int = 0,
    parts: Sequence[float] = PARTS,
    group: str | None = None,
    time: str | None = None,
    features: Collection[str] = (),
) -> Split:
    """The rows in three parts, each class in each part by its share, rows with equal contents in the same part.

    codes    the class of each row
    group    rows with the same value in this column stay together
    time     instead of all that: the earliest rows train, the latest test; equal times stay together
    features    columns that are contents whatever their values suggest, because the user says what they are
    """
    if len(parts) != 3 or min(parts) < 0 or abs(sum(parts) - 1) > 1e-9 or parts[0] <= 0:
        raise SettingError(f"parts must be three shares that add up to 1, the first above 0; got {list(parts)}.")
    if group is not None and time is not None:
        raise SettingError(f"group={group!r} and time={time!r} exclude each other. Choose one.")
    if time is not None:
        part_of = _by_time(times_of(table, time), parts)
    else:
        part_of = _by_class(kept_together(table, group, features), codes, seed, parts)
    made = [np.flatnonzero(part_of == number) for number in range(3)]
    for rows, share, name in zip(made, parts, ("training", "validation", "test"), strict=True):
        if share > 0 and not len(rows):
            raise DataError(
                f"{table.origin.source}: {table.n_rows} rows, after keeping together what belongs together, leave none "
                f"for the {name} part. {_instead(table)}"
            )
    return Split(*made)


def _instead(table: Table) -> str:
    """What to do with rows that cannot be split. A handful, such as XOR, is for looking at as a whole."""
    if table.n_rows >= HANDFUL:
        return "Give more rows, or other parts."
    name = "" if " " in table.origin.source else f" {table.origin.source}"  # rows in memory have no name to type
    return f"Give more rows; or look at all of them with `rosenblatt trace{name}` or `rosenblatt prove{name}`."


def kept_together(table: Table, group: str | None = None, features: Collection[str] = ()) -> np.ndarray:
    """A number for each row, the same for rows that may not be parted: copies, and members of a group."""
    together = equal_rows(table, group, features)
    if group is None:
        return together
    _, together = np.unique(_joined(together, _codes_of(table, group)), return_inverse=True)
    return np.asarray(together, np.int64)


def equal_rows(table: Table, group: str | None = None, features: Collection[str] = ()) -> np.ndarray:
    """A number for each row, the same for rows with equal contents. Ids, the label and the group are not contents."""
    _, numbers_of = np.unique(content_hashes(table, group, features), return_inverse=True)
    return np.asarray(numbers_of, np.int64)


def content_hashes(table: Table, group: str | None = None, features: Collection[str] = ()) -> np.ndarray:
    """64 bits for what each row holds. Two rows that differ and agree in these are merely kept together."""
    if table.spool is not None:
        return _hashes_on_disk(table, group, features)
    hashes = np.full(table.n_rows, key_of(0, USE))
    _mix(table, _contents(table, group, features, lambda name: choose(table.columns[name], name)), hashes)
    return hashes


def copies_of(table: Table, test: Table, features: Collection[str] = ()) -> int:
    """How many of the test rows hold what a row of the table holds; 0 where one of both lies on the disk."""
    if table.spool is not None or test.spool is not None:
        return 0
    names = _contents(table, None, features, lambda name: choose(table.columns[name], name))
    if not set(names) <= set(test.names):
        return 0
    found = []
    for part in (table, test):
        found.append(np.full(part.n_rows, key_of(0, USE)))
        _mix(part, names, found[-1])
    return int(np.isin(found[1], found[0]).sum())


def _contents(table: Table, group: str | None, features: Collection[str], choice: Callable[[str], Choice]) -> list[str]:
    """The columns that rows are compared by. Where every one looks like an id, all: else all rows would be copies."""
    names = [name for name in table.names if name != group]
    said = {*table.declared, *features}
    return [name for name in names if name in said or choice(name).kind != "dropped"] or names


def _mix(table: Table, names: Sequence[str], hashes: np.ndarray) -> None:
    with np.errstate(over="ignore"):
        for name in names:
            for data, starts in _bytes_of(table, name):
                mix_spans(data, readonly(starts), hashes)


def _hashes_on_disk(table: Table, group: str | None, features: Collection[str]) -> np.ndarray:
    """The same for a table that lies on the disk, block by block, and kept there."""
    from rosenblatt.data import cache
    from rosenblatt.data.maps import mapped
    from rosenblatt.features.onblocks import choice_of, kept

    assert table.spool is not None
    group = group if group in table.names else None
    target = kept(table.spool, "hashes", group, sorted(features))
    if cache.opened(target) is None:
        names = _contents(table, group, features, lambda name: choice_of(table, name))
        with cache.building(target) as (made, _), (made / "hashes").open("wb") as file:
            for _, part in blocks(table, names):
                hashes = np.full(part.n_rows, key_of(0, USE))
                _mix(part, names, hashes)
                file.write(hashes.data)
            file.flush()
    return mapped(target / "hashes", np.uint64, (table.n_rows,))


def _bytes_of(table: Table, name: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """The column as bytes and where each row's start, the same on every machine."""
    column = table.columns[name]
    kind = column.type
    if kind == SPARSE:
        starts, columns, values = csr(column)
        return [(_as_bytes(columns, "<u4"), 4 * starts), (_as_bytes(values, "<f8"), 8 * starts)]
    if pa.types.is_nested(kind):
        vectors = vector_values(column, name, table.origin)
        size = vectors.dtype.itemsize * vectors.shape[1]
        return [(_as_bytes(vectors, vectors.dtype.newbyteorder("<").str), size * np.arange(len(vectors) + 1))]
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        values = numbers(column, name, table.origin) + 0.0  # 0 and −0 are equal
        values[np.isnan(values)] = np.nan  # all missing values have the same bits
        return [(_as_bytes(values, "<f8"), 8 * np.arange(len(values) + 1))]
    texts = strings(column)
    present = texts.is_valid().to_numpy(zero_copy_only=False)
    return [buffers(texts.fill_null("")), (_as_bytes(present, "u1"), np.arange(len(texts) + 1))]


def _as_bytes(values: np.ndarray, kind: str) -> np.ndarray:
    return np.frombuffer(values.astype(kind).tobytes() or b"\0", np.uint8)


def _by_class(together: np.ndarray, codes: np.ndarray, seed: int, parts: Sequence[float]) -> np.ndarray:
    """The part of each row: groups of a class, in the order of a hash, fill the parts one after the other.

    Given    together, the number of each row's group, counted from 0 without gaps
    """
    sizes = np.bincount(together)
    first = np.empty(len(sizes), np.int64)
    first[together[::-1]] = np.arange(len(together) - 1, -1, -1)  # of several rows the last to be written is the first
    classes = codes[first]
    hashes = np.empty(len(first), np.uint64)
    with np.errstate(over="ignore"):
        fill_hashes(key_of(seed, USE), first, hashes)
    order = np.lexsort([hashes, classes])
    part_of_group = np.empty(len(first), np.int8)
    for number in np.unique(classes):
        members = order[classes[order] == number]
        reached = np.cumsum(sizes[members])
        middles = reached - sizes[members] / 2
        bounds = np.floor(np.cumsum(parts)[:2] * reached[-1] + 0.5)
        part_of_group[members] = np.searchsorted(bounds, middles)
    return np.asarray(part_of_group[together])


def _by_time(times: np.ndarray, parts: Sequence[float]) -> np.ndarray:
    order = np.argsort(times, kind="stable")
    part_of = np.empty(len(times), np.int64)
    bounds = np.floor(np.cumsum(parts)[:2] * len(times) + 0.5).astype(np.int64)
    # Rows of the same time belong to the earlier part.
    ends = [int(np.searchsorted(times[order], times[order[bound - 1]], "right")) if bound else 0 for bound in bounds]
    part_of[order] = np.searchsorted(ends, np.arange(len(times)), "right")
    return part_of


def _joined(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """A number for each row, shared by rows that are linked through either grouping."""
    joined = np.empty(len(one), np.int64)
    join_groups(one, other, joined)
    return joined


def _codes_of(table: Table, name: str) -> np.ndarray:
    encoded = strings(_column(table, name, "group")).dictionary_encode()
    codes: np.ndarray = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise DataError(f"{table.origin.of(row)}, column {name!r}: no group. Fill it in, or leave out the grouping.")
    return codes


def times_of(table: Table, name: str) -> np.ndarray:
    """Numbers that sort as the times do; text sorts by its characters, which is right for 2024-05-31."""
    column = _column(table, name, "time")
    if column.null_count:
        row = int(np.flatnonzero(one_array(column).is_null().to_numpy(zero_copy_only=False))[0])
        raise DataError(f"{table.origin.of(row)}, column {name!r}: no time. Fill it in, or remove the row.")
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        _, ranks = np.unique(np.array(column.to_pylist(), dtype=object), return_inverse=True)
        return np.asarray(ranks, np.float64)
    return numbers(column, name, table.origin)


def _column(table: Table, name: str, use: str) -> pa.ChunkedArray:
    if name not in table.names:
        hint = nearest_hint(name, table.names)
        raise SettingError(f"{use}: no column named {name!r}. Columns are: {some(table.names)}.{hint}")
    return table.columns[name]
