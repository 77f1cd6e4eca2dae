"""A problem whose rows lie on the disk: the same loops over mapped arrays.

A pass visits blocks of 256 rows in an order of its own. Rows are first copied to a file in the first order, so that
each block is one stretch of it; the copy is kept and shared by all runs in that order. The loop runs over windows of
some megabytes, which threads read ahead (windows.py). Nothing else differs from memory, and no bit of the result.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.data import cache
from rosenblatt.data.maps import file_of
from rosenblatt.data.rowfile import RowsWriter, load_rows, main_array, on_disk, read_rows, slice_rows
from rosenblatt.errors import DataError
from rosenblatt.learn.problem import Problem, Window
from rosenblatt.learn.windows import read_windows
from rosenblatt.loops.rows import Rows, n_bytes, n_features, n_rows, take
from rosenblatt.loops.ties import Bounds

PIECE = 1 << 25  # bytes that are put in order at a time
MOST_BUCKETS = 200  # each has up to three open files


@dataclass(frozen=True)
class ProblemOnDisk(Problem):
    """A problem over mapped rows."""

    lock: threading.Lock = field(default_factory=threading.Lock, compare=False)
    orders: dict[str, Problem] = field(default_factory=dict, compare=False)

    @property
    def on_disk(self) -> bool:
        return True

    def reordered(self, order: np.ndarray) -> Problem:
        """The problem of these rows in this order, in a file that all runs in this order share."""
        with self.lock:
            name = cache.digest_of(order)
            if name not in self.orders:
                rows = reordered_rows(self.rows, order, name)
                truth, amounts, lengths = (on_disk(part[order]) for part in (self.truth, self.amounts, self.squares))
                self.orders[name] = ProblemOnDisk(rows, truth, amounts, lengths, self.n_classes)
            return self.orders[name]

    def windows(self, order: np.ndarray, amounts: np.ndarray) -> Iterator[Window]:
        for start, rows, stretches, places, _ in read_windows(self.rows, order):

            def of_these(whole: np.ndarray, spans: list[tuple[int, int]] = stretches) -> np.ndarray:
                return np.concatenate([whole[first:last] for first, last in spans])

            mine, truth, squares = of_these(amounts), of_these(self.truth), of_these(self.squares)
            yield Window(start, places, Problem(rows, truth, mine, squares, self.n_classes), mine)

    def add(self, which: np.ndarray, rivals: np.ndarray, factors: np.ndarray, weights: np.ndarray) -> None:
        for start, some, here, _ in self.windows(which, self.amounts):
            stop = start + len(some)
            here.add(some, rivals[start:stop], factors[start:stop], weights)

    def lowest_lead(self, which: np.ndarray, weights: np.ndarray) -> float:
        lowest = np.inf
        for _, some, here, _ in self.windows(which, self.amounts):
            lowest = min(lowest, here.lowest_lead(some, weights))
            if not lowest > 0:
                return 0.0
        return lowest

    def right(self, which: np.ndarray, bounds: Bounds, weights: np.ndarray) -> int:
        return sum(here.right(some, bounds, weights) for _, some, here, _ in self.windows(which, self.amounts))


def reordered_rows(rows: Rows, order: np.ndarray, name: str) -> Rows:
    """The rows in this order, from the cache or written there, beside the file that they come from."""
    path = file_of(main_array(rows))
    if path is None:
        raise DataError("rows in memory were taken for rows on the disk. Please report it.")
    target = path.parent / f"order-{name}"

    def make(made: Path, about: dict[str, Any]) -> None:
        writer = RowsWriter(made)
        for some in in_order(rows, order, made):
            writer.append(some)
        about["rows"] = writer.close()

    return cache.entry(target, make, lambda about: read_rows(target, about.get("rows"), len(order), n_features(rows)))


def in_order(rows: Rows, order: np.ndarray, folder: Path) -> Iterator[Rows]:
    """The rows in this order, piece by piece, so that files are read and written from front to back alone.

    Rows are dealt into buckets by their place in the order, as they come; then each bucket is put in order.
    """
    size = max(1, n_bytes(rows))
    per_bucket = max(1, -(-len(order) * max(PIECE, -(-size // MOST_BUCKETS)) // size))
    count = -(-len(order) // per_bucket)
    if count < 2:
        yield take(rows, order)
        return
    place = np.full(n_rows(rows), len(order), np.uint32)
    place[order] = np.arange(len(order), dtype=np.uint32)
    buckets = [RowsWriter(folder, f"bucket{number}.", buffering=0) for number in range(count)]
    step = max(1, PIECE * n_rows(rows) // size)
    for start in range(0, n_rows(rows), step):
        places = place[start : start + step]
        bucket_of = places // np.uint32(per_bucket)
        bucket_of[places == len(order)] = count  # not visited
        by_bucket = np.argsort(bucket_of, kind="stable")
        cuts = np.searchsorted(bucket_of[by_bucket], np.arange(count + 1)).tolist()
        dealt = take(slice_rows(rows, start, start + len(places)), by_bucket[: cuts[-1]].astype(np.uint32))
        for bucket, first, last in zip(buckets, cuts[:-1], cuts[1:], strict=True):
            if last > first:
                bucket.append(slice_rows(dealt, first, last))
    for number, bucket in enumerate(buckets):
        members = order[number * per_bucket : (number + 1) * per_bucket]
        dealt = load_rows(folder, bucket.close(), f"bucket{number}.")
        which = np.empty(len(members), np.uint32)
        which[np.argsort(members)] = np.arange(len(members), dtype=np.uint32)  # they came by rising number
        step = max(1, PIECE * len(members) // max(1, n_bytes(dealt)))
        for start in range(0, len(members), step):
            yield take(dealt, which[start : start + step])
        for path in folder.glob(f"bucket{number}.*"):
            path.unlink()
