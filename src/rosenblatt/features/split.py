"""Splitting rows into training, validation and test parts, so that nothing of one part is known from another.

The parts depend on the data and the seed alone: rows are ordered by a hash, never by a library's generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from rosenblatt.data.dates import sort_keys
from rosenblatt.data.table import Table
from rosenblatt.data.values import numbers_of, one_array
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features.contents import USE, Contents, column_for, firsts_and_sizes
from rosenblatt.features.wishes import Wishes
from rosenblatt.loops.order import fill_hashes, key_of

PARTS = (0.6, 0.2, 0.2)
PARTS_WITHOUT_TEST = (0.75, 0.25, 0.0)  # where the user gives the test rows
PARTS_WITHOUT_VALIDATION = (0.8, 0.0, 0.2)
ALL_TRAIN = (1.0, 0.0, 0.0)  # where the user gives both
NAMES = ("training", "validation", "test")
HANDFUL = 20  # rows
NEAR = 0.05  # of all rows: as far as a part may be from its share without a word
# What rows that belong together may be of the smallest part, and of what that part has of their class. One row that is
# a tenth of a part, or half of a class in it, decides its score; rows of a group differ, so a group may be as large.
MOST_COPIES, MOST_OF_GROUP = (0.1, 0.5), (np.inf, 1.0)
FEW = 10  # rows that belong together are never too many


@dataclass(frozen=True)
class Split:
    """Row numbers of each part, increasing."""

    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    notes: tuple[str, ...] = ()  # where rows that belong together make a part other than it should be


def split_rows(
    table: Table,
    codes: np.ndarray,
    *,
    seed: int = 0,
    parts: Sequence[float] = PARTS,
    group: str | None = None,
    time: str | None = None,
    contents: Contents | None = None,
) -> Split:
    """The rows in three parts, each class in each part by its share, rows with equal contents in the same part.

    codes    the class of each row
    group    rows with the same value in this column stay together
    time     instead of all that: the earliest rows train, the latest test; equal times stay together
    contents    what the rows hold, where it is known already: also which rows are of a group
    """
    if len(parts) != 3 or min(parts) < 0 or abs(sum(parts) - 1) > 1e-9 or parts[0] <= 0:
        raise SettingError(f"parts must be three shares that add up to 1, the first above 0; got {list(parts)}.")
    if group is not None and time is not None:
        raise SettingError(f"group={group!r} and time={time!r} exclude each other. Choose one.")
    if contents is None:
        apart = [name for name in (group, time) if name in table.names]
        contents = Contents.of(table, Wishes(drop=[name for name in apart if name is not None]), group)
    if time is not None:
        times = times_of(table, time)
        part_of, sets = _by_time(times, parts), np.unique(times, return_inverse=True)[1]
    else:
        most, sets = MOST_COPIES if contents.groups is None else MOST_OF_GROUP, contents.together
        part_of = _by_class(sets, codes, seed, parts, most)
    made = [np.flatnonzero(part_of == number) for number in range(3)]
    for rows, share, name in zip(made, parts, NAMES, strict=True):
        if share > 0 and not len(rows):
            raise DataError(
                f"{table.origin.source}: {table.n_rows} rows, after keeping together what belongs together, leave none "
                f"for the {name} part. {_instead(table)}"
            )
    train, validation, test = made
    return Split(train, validation, test, (*_uneven(made, parts, sets), *_crowded(made, contents)))


def _instead(table: Table) -> str:
    """What to do with rows that cannot be split. A handful, such as XOR, is for looking at as a whole."""
    if table.n_rows >= HANDFUL:
        return "Give more rows, or other parts."
    name = "" if " " in table.origin.source else f" {table.origin.source}"  # rows in memory have no name to type
    return f"Give more rows; or look at all of them with `rosenblatt trace{name}` or `rosenblatt prove{name}`."


def _uneven(made: Sequence[np.ndarray], parts: Sequence[float], sets: np.ndarray) -> list[str]:
    """A note where a part is far from its share because many rows belong together."""
    shares = [len(rows) / len(sets) for rows in made]
    largest = int(np.bincount(sets).max())
    off = max(abs(share - wanted) for share, wanted in zip(shares, parts, strict=True))
    if off <= NEAR or largest <= max(1, NEAR * len(sets)):  # a few rows of a class cannot be shared out better
        return []
    given, wanted = ([f"{100 * share:.0f}" for share in each[: 3 if parts[2] else 2]] for each in (shares, parts))
    said = [f"{', '.join(each[:-1])} and {each[-1]}%" for each in (given, wanted)]
    return [f"the parts have {said[0]} of the rows instead of {said[1]}: {largest:,} rows belong together"]


def _crowded(made: Sequence[np.ndarray], contents: Contents) -> list[str]:
    """A note for each part whose score one row decides, because it stands there so often."""
    notes = []
    for rows, name in list(zip(made, NAMES, strict=True))[1:]:
        most = int(np.bincount(contents.distinct[rows]).max()) if len(rows) else 0
        if most > max(FEW, 2 * MOST_COPIES[0] * len(rows)):
            notes.append(f"{most:,} of the {len(rows):,} rows of the {name} part are copies of one row")
    return notes


def _by_class(
    together: np.ndarray, codes: np.ndarray, seed: int, parts: Sequence[float], most: tuple[float, float]
) -> np.ndarray:
    """The part of each row: sets of rows of a class, in the order of a hash, fill the parts one after the other.

    Given    together, the number of each row's set, counted from 0 without gaps; most, what a set may be of the
             smallest part, and of that part of its class: larger ones are placed first
    """
    (first, sizes), shares = firsts_and_sizes(together), np.array(parts)
    classes = codes[first]
    hashes = np.empty(len(first), np.uint64)
    with np.errstate(over="ignore"):
        fill_hashes(key_of(seed, USE), first, hashes)
    totals = np.bincount(classes, sizes)
    limits = shares[shares > 0].min() * np.minimum(most[0] * len(together), most[1] * totals)
    large = sizes > np.maximum(FEW, limits)[classes]
    part_of_set = np.empty(len(first), np.int8)
    first_placed = np.flatnonzero(large)[np.lexsort([hashes[large], -sizes[large]])]
    part_of_set[first_placed], room = _placed(sizes[first_placed], classes[first_placed], shares, totals)
    order = np.lexsort([hashes, classes])
    order = order[~large[order]]
    for number in np.unique(classes):
        members = order[classes[order] == number]
        reached = np.cumsum(sizes[members])
        middles = reached - sizes[members] / 2
        own = _left(room[number], shares, totals[number], int(sizes[members].sum())) if large.any() else shares
        bounds = np.floor(np.cumsum(own)[:2] * (reached[-1] if len(reached) else 0) + 0.5)
        part_of_set[members] = np.searchsorted(bounds, middles)
    return np.asarray(part_of_set[together])


def _placed(
    sizes: np.ndarray, classes: np.ndarray, shares: np.ndarray, totals: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The part of each large set, and the room that is left then for each class in each part.

    They train while they fit there, more or less, and the other parts keep rows of their class: in another part one
    row would decide the score. What does not fit goes where its class and the part have the most room.
    """
    room = np.where(shares > 0, np.outer(totals, shares), -np.inf)
    found = np.empty(len(sizes), np.int8)
    for place, (size, number) in enumerate(zip(sizes, classes, strict=True)):
        own = room[number]
        fits = size <= min(room[:, 0].sum() + NEAR / 2 * totals.sum(), own[0] + 3 * NEAR * totals[number])
        part = 0 if fits else int(np.argmax(np.minimum(own, room.sum(axis=0))))
        found[place] = part
        own[part] -= size
    return found, room


def _left(room: np.ndarray, shares: np.ndarray, total: float, rows: int) -> np.ndarray:
    """How the rows that are in no large set are shared out: by the room that is left.

    To train on copies alone teaches little, so half of its usual share of them trains, as far as the part stays near
    its own share where that is possible.
    """
    least, spare = shares[0] * rows / 2, room[0] + NEAR * total
    room[0] = max(room[0], min(least, spare) if spare > 0 else least)
    room = np.maximum(room, 0.0)
    return np.asarray(room / room.sum()) if room.sum() else shares


def _by_time(times: np.ndarray, parts: Sequence[float]) -> np.ndarray:
    order = np.argsort(times, kind="stable")
    part_of = np.empty(len(times), np.int64)
    bounds = np.floor(np.cumsum(parts)[:2] * len(times) + 0.5).astype(np.int64)
    # Rows of the same time belong to the earlier part.
    ends = [int(np.searchsorted(times[order], times[order[bound - 1]], "right")) if bound else 0 for bound in bounds]
    part_of[order] = np.searchsorted(ends, np.arange(len(times)), "right")
    return part_of


def times_of(table: Table, name: str) -> np.ndarray:
    """Numbers that sort as the times do."""
    column = column_for(table, name, "time")
    if column.null_count:
        row = int(np.flatnonzero(one_array(column).is_null().to_numpy(zero_copy_only=False))[0])
        raise DataError(f"{table.origin.of(row)}, column {name!r}: no time. Fill it in, or remove the row.")
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return sort_keys(column, name, table.origin)
    return numbers_of(column, name, table.origin)
