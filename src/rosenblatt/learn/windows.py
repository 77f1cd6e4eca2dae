"""Rows on the disk, some megabytes at a time, in the order of a pass: the next are read while the loop works on these.

Files are read and not mapped here: a block of rows is one stretch of its file, copying it costs less than the faults of
its pages, and what was read is gone when it was used, whatever else is in memory.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, starmap
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rosenblatt.data.maps import file_of, relieve
from rosenblatt.errors import DataError
from rosenblatt.loops.order import BLOCK
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, n_bytes, n_rows
from rosenblatt.loops.threads import Pool

WINDOW = 1 << 22  # bytes of rows that are read together
READERS = 2  # threads
AHEAD = 4  # windows
SMALL = 1 << 26  # bytes of a file that is asked for as a whole
LINE = 64  # bytes; arrays begin at such a place
PIECE = 1 << 20  # bytes; the system shortens a longer request
# The memory of windows is used again, in this pass and the next: fresh pages for each would add up to hundreds of
# megabytes where threads take them, and made a pass over 0.4 GB take 1.7 times as long.
SPARE: deque[np.ndarray] = deque(maxlen=AHEAD + READERS)


class Reading(NamedTuple):
    """One window: its rows in memory, which rows they are, and the places of those to visit among them."""

    start: int  # place in the order
    rows: Rows
    stretches: list[tuple[int, int]]  # of row numbers, one behind the other in `rows`
    order: np.ndarray
    room: np.ndarray  # the memory of the rows, which belongs to a later window once the next one is asked for


def window_cuts(order: np.ndarray, most: int) -> list[int]:
    """Where to cut the order so that a piece visits at most so many blocks of rows, however few rows of each."""
    new = np.flatnonzero(np.diff(order // BLOCK)) + 1  # positions at which another block begins
    return [0, *new[most - 1 :: most].tolist(), len(order)]


def read_windows(rows: Rows, order: np.ndarray) -> Iterator[Reading]:
    """The rows of the order, window by window, while threads read ahead."""
    most = max(1, WINDOW * n_rows(rows) // max(1, n_bytes(rows)) // BLOCK)
    pieces = [(start, order[start:stop]) for start, stop in pairwise(window_cuts(order, most)) if stop > start]
    with Files(rows) as files:
        # Of few rows there is one window: threads would take longer to begin than to read it.
        for ready in _read_ahead(files, pieces) if len(pieces) > 1 else starmap(files.window, pieces):
            relieve()
            yield ready
            if ready.room.nbytes <= 2 * WINDOW:  # of very long rows not even one is kept
                SPARE.append(ready.room)


def _read_ahead(files: Files, pieces: list[tuple[int, np.ndarray]]) -> Iterator[Reading]:
    with Pool(READERS) as pool:
        coming = deque(pool.submit(files.window, *piece) for piece in pieces[:AHEAD])
        for number in range(len(pieces)):
            ready = coming.popleft().result()
            if number + AHEAD < len(pieces):
                coming.append(pool.submit(files.window, *pieces[number + AHEAD]))
            yield ready


class Files:
    """The files that the rows lie in, open while a pass reads them."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.open: dict[Path, int] = {}
        for array in rows:
            if isinstance(array, np.ndarray) and (path := file_of(array)) is not None:
                self.open[path] = os.open(path, os.O_RDONLY)
                if array.nbytes <= SMALL:  # starts and scales above all, which are mapped and come page by page
                    ask(self.open[path], 0, array.nbytes)

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        for handle in self.open.values():
            os.close(handle)

    def window(self, start: int, which: np.ndarray) -> Reading:
        """The rows of the blocks that `which` touches, and its places among them."""
        stretches, offset = stretches_of(which, n_rows(self.rows)), 0
        base = np.empty(-(-n_rows(self.rows) // BLOCK), np.int64)  # of each block: its first row less its place
        for first, last in stretches:
            base[first // BLOCK : -(-last // BLOCK)] = first - offset
            offset += last - first
        places = which - base[which // BLOCK]
        rows, room = self._read(stretches, offset)
        return Reading(start, rows, stretches, places.astype(np.uint32), room)

    def _read(self, stretches: list[tuple[int, int]], count: int) -> tuple[Rows, np.ndarray]:
        rows = self.rows
        if isinstance(rows, Dense):
            width = rows.values.shape[1]
            self._ask(stretches, rows.values)
            room, (values,) = self._room((rows.values.dtype, count * width))
            self._fill(rows.values, stretches, values)
            return Dense(values.reshape(count, width), rows.bias), room
        spans = [(int(rows.starts[first]), int(rows.starts[last])) for first, last in stretches]
        self._ask(spans, *((rows.columns,) if isinstance(rows, Words) else (rows.columns, rows.values)))
        size = sum(last - first for first, last in spans)
        second = (rows.scales.dtype, count) if isinstance(rows, Words) else (rows.values.dtype, size)
        room, (starts, columns, values) = self._room((rows.starts.dtype, count + 1), (rows.columns.dtype, size), second)
        starts[0], at, end = 0, 1, np.uint64(0)
        for first, last in stretches:
            starts[at : at + last - first] = rows.starts[first + 1 : last + 1] - rows.starts[first] + end
            at += last - first
            end = starts[at - 1]
        self._fill(rows.columns, spans, columns)
        if isinstance(rows, Words):
            np.concatenate([rows.scales[first:last] for first, last in stretches], out=values)
            return Words(starts, columns, values, rows.n_columns, rows.bias), room
        self._fill(rows.values, spans, values)
        return Sparse(starts, columns, values, rows.n_columns, rows.bias), room

    def _room(self, *parts: tuple[np.dtype, int]) -> tuple[np.ndarray, list[np.ndarray]]:
        """Memory for arrays of these types and sizes, and the arrays in it."""
        sizes = [-(-kind.itemsize * count // LINE) * LINE for kind, count in parts]
        try:
            room = SPARE.popleft()
        except IndexError:
            room = np.empty(0, np.uint8)
        if len(room) < sum(sizes):
            room = np.empty(sum(sizes) * 9 // 8, np.uint8)
        found, at = [], 0
        for (kind, count), size in zip(parts, sizes, strict=True):
            found.append(room[at : at + kind.itemsize * count].view(kind))
            at += size
        return room, found

    def _ask(self, spans: list[tuple[int, int]], *arrays: np.ndarray) -> None:
        """Tells the system of all that a window needs, before the first of it is read."""
        for array in arrays:
            step = array.strides[0]
            for first, last in spans:
                ask(self.open[self._path(array)], first * step, (last - first) * step)

    def _path(self, array: np.ndarray) -> Path:
        path = file_of(array)
        if path is None:
            raise DataError("rows in memory were taken for rows on the disk. Please report it.")
        return path

    def _fill(self, source: np.ndarray, spans: list[tuple[int, int]], target: np.ndarray) -> None:
        """Copies the entries of these spans of the source, one behind the other, to the target."""
        path, step = self._path(source), source.strides[0]
        left = target.view(np.uint8).data
        for first, last in spans:
            wanted, at = (last - first) * step, first * step
            while wanted:
                got = os.preadv(self.open[path], [left[:wanted]], at)
                if not got:
                    raise DataError(f"{path}: the cache was cut short while it was read. Train again.")
                left, wanted, at = left[got:], wanted - got, at + got


def ask(handle: int, start: int, size: int) -> None:
    """Tells the system what will be read: a disk that has many requests at once serves them together."""
    if not hasattr(os, "posix_fadvise"):
        return
    for at in range(start, start + size, PIECE):
        with suppress(OSError):  # it is advice
            os.posix_fadvise(handle, at, min(PIECE, start + size - at), os.POSIX_FADV_WILLNEED)


def stretches_of(which: np.ndarray, count: int) -> list[tuple[int, int]]:
    """The rows of all blocks that these are in, as spans of row numbers that rise."""
    touched = np.unique(which // BLOCK)
    cuts = np.flatnonzero(np.diff(touched) > 1)
    firsts = touched[np.concatenate([[0], cuts + 1])].astype(np.int64) * BLOCK
    lasts = touched[np.concatenate([cuts, [len(touched) - 1]])].astype(np.int64) * BLOCK + BLOCK
    return list(zip(firsts.tolist(), np.minimum(lasts, count).tolist(), strict=True))
