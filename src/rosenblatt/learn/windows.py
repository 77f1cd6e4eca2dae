"""Rows on the disk, some megabytes at a time, in the order of a pass: the next are read while the loop works on these.

Files are read and not mapped here: a block of rows is one stretch of its file, copying it costs less than the faults of
its pages, and what was read is gone when it was used, whatever else is in memory.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rosenblatt.data.maps import file_of, relieve
from rosenblatt.errors import DataError
from rosenblatt.loops.order import BLOCK
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, n_bytes, n_rows

WINDOW = 1 << 23  # bytes of rows that are read together
AHEAD = 6  # windows that the kernel is asked for where rows come from the disk
FROM_DISK = 1.5e9  # bytes a second; what comes faster was in the machine's cache


class Reading(NamedTuple):
    """One window: its rows in memory, which rows they are, and the places of those to visit among them."""

    start: int  # place in the order
    rows: Rows
    stretches: list[tuple[int, int]]  # of row numbers, one behind the other in `rows`
    order: np.ndarray


def window_cuts(order: np.ndarray, most: int) -> list[int]:
    """Where to cut the order so that a piece visits at most so many blocks of rows, however few rows of each."""
    new = np.flatnonzero(np.diff(order // BLOCK)) + 1  # positions at which another block begins
    return [0, *new[most - 1 :: most].tolist(), len(order)]


def read_windows(rows: Rows, order: np.ndarray) -> Iterator[Reading]:
    """The rows of the order, window by window; a thread reads one window ahead."""
    most = max(1, WINDOW * n_rows(rows) // max(1, n_bytes(rows)) // BLOCK)
    pieces = [(start, order[start:stop]) for start, stop in pairwise(window_cuts(order, most)) if stop > start]
    with Files(rows) as files, ThreadPoolExecutor(1) as pool:
        coming = pool.submit(files.window, *pieces[0], pieces[1 : 1 + AHEAD]) if pieces else None
        for number in range(1, len(pieces) + 1):
            assert coming is not None
            ready = coming.result()
            if number < len(pieces):
                coming = pool.submit(files.window, *pieces[number], pieces[number + 1 : number + 1 + AHEAD])
            relieve()
            yield ready


class Files:
    """The files that the rows lie in, open while a pass reads them."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.base = np.zeros(-(-n_rows(rows) // BLOCK), np.int64)  # of each block: its first row less its place
        self.open: dict[Path, int] = {}
        self.cold = False  # whether the last window came from the disk

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        for handle in self.open.values():
            os.close(handle)

    def window(self, start: int, which: np.ndarray, later: list[tuple[int, np.ndarray]]) -> Reading:
        """The rows of the blocks that `which` touches, and its places among them."""
        if self.cold:
            for _, coming in later:
                self._ask(stretches_of(coming, n_rows(self.rows)))
        stretches = stretches_of(which, n_rows(self.rows))
        started, offset = time.perf_counter(), 0
        for first, last in stretches:
            self.base[first // BLOCK : -(-last // BLOCK)] = first - offset
            offset += last - first
        found = self._read(stretches, offset)
        self.cold = n_bytes(found) < FROM_DISK * (time.perf_counter() - started)
        places = which - self.base[which // BLOCK]
        return Reading(start, found, stretches, places.astype(np.uint32))

    def _read(self, stretches: list[tuple[int, int]], count: int) -> Rows:
        rows = self.rows
        if isinstance(rows, Dense):
            values = np.empty((count, rows.values.shape[1]), rows.values.dtype)
            self._fill(rows.values, stretches, values)
            return Dense(values, rows.bias)
        spans = [(int(rows.starts[first]), int(rows.starts[last])) for first, last in stretches]
        starts = np.empty(count + 1, np.uint64)
        starts[0], at, end = 0, 1, np.uint64(0)
        for first, last in stretches:
            starts[at : at + last - first] = rows.starts[first + 1 : last + 1] - rows.starts[first] + end
            at += last - first
            end = starts[at - 1]
        columns = np.empty(int(end), np.uint32)
        self._fill(rows.columns, spans, columns)
        if isinstance(rows, Words):
            scales = np.concatenate([rows.scales[first:last] for first, last in stretches])
            return Words(starts, columns, scales, rows.n_columns, rows.bias)
        values = np.empty(int(end), rows.values.dtype)
        self._fill(rows.values, spans, values)
        return Sparse(starts, columns, values, rows.n_columns, rows.bias)

    def _fill(self, source: np.ndarray, spans: list[tuple[int, int]], target: np.ndarray) -> None:
        """Copies the entries of these spans of the source, one behind the other, to the target."""
        handle, step = self._handle(source), source.strides[0]
        left = target.reshape(-1).view(np.uint8).data
        for first, last in spans:
            wanted, at = (last - first) * step, first * step
            while wanted:
                got = os.preadv(handle, [left[:wanted]], at)
                if not got:
                    raise DataError(f"{file_of(source)}: the cache was cut short while it was read. Train again.")
                left, wanted, at = left[got:], wanted - got, at + got

    def _ask(self, stretches: list[tuple[int, int]]) -> None:
        """Has the kernel read these rows from the disk, and does not wait for it."""
        rows = self.rows
        for first, last in stretches:
            if isinstance(rows, Dense):
                self._advise(rows.values, first, last)
                continue
            start, stop = int(rows.starts[first]), int(rows.starts[last])
            self._advise(rows.columns, start, stop)
            if isinstance(rows, Sparse):
                self._advise(rows.values, start, stop)

    def _advise(self, source: np.ndarray, first: int, last: int) -> None:
        if hasattr(os, "posix_fadvise"):
            step = source.strides[0]
            os.posix_fadvise(self._handle(source), first * step, (last - first) * step, os.POSIX_FADV_WILLNEED)

    def _handle(self, source: np.ndarray) -> int:
        path = file_of(source)
        if path is None:
            raise DataError("rows in memory were taken for rows on the disk. Please report it.")
        if path not in self.open:
            self.open[path] = os.open(path, os.O_RDONLY)
        return self.open[path]


def stretches_of(which: np.ndarray, count: int) -> list[tuple[int, int]]:
    """The rows of all blocks that these are in, as spans of row numbers that rise."""
    touched = np.unique(which // BLOCK)
    cuts = np.flatnonzero(np.diff(touched) > 1)
    firsts = touched[np.concatenate([[0], cuts + 1])].astype(np.int64) * BLOCK
    lasts = touched[np.concatenate([cuts, [len(touched) - 1]])].astype(np.int64) * BLOCK + BLOCK
    return list(zip(firsts.tolist(), np.minimum(lasts, count).tolist(), strict=True))
