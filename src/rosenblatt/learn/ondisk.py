"""A problem whose rows lie on the disk: the same loops over mapped arrays.

A pass visits blocks of 256 rows in an order of its own. Rows are first copied to a file in the first order, so that
each block is one stretch of it; the copy is kept and shared by all runs in that order. The loop runs over windows of
some megabytes; where rows come from the disk, the kernel is asked before each for one that comes some tens of megabytes
later, which it reads while the loop works. Nothing else differs from memory, and no bit of the result.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from rosenblatt.data import cache
from rosenblatt.data.maps import ask_ahead, file_of, relieve
from rosenblatt.data.rowfile import RowsWriter, load_rows, main_array, on_disk, slice_rows
from rosenblatt.errors import DataError
from rosenblatt.learn.problem import Problem
from rosenblatt.loops.order import BLOCK
from rosenblatt.loops.rows import Dense, Rows, Sparse, n_bytes, n_rows, take
from rosenblatt.loops.rule import Rule

# Bytes of rows between two looks at what comes next. The kernel maps up to 2 MB around what is touched, so that the
# blocks of a window take several times its size.
WINDOW = 1 << 23
AHEAD = 8  # windows
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

    def visit(
        self, order: np.ndarray, amounts: np.ndarray, rule: Rule, weights: np.ndarray, noted: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, int]:
        steps, rivals, mistakes = [], [], 0
        for start, some in self._windows(order):
            own = super().visit(some, amounts, rule, weights, noted[start : start + len(some)])
            steps.append(own[0] + start)
            rivals.append(own[1])
            mistakes += own[2]
        return np.concatenate(steps), np.concatenate(rivals), mistakes

    def add(self, which: np.ndarray, rivals: np.ndarray, factors: np.ndarray, weights: np.ndarray) -> None:
        for start, some in self._windows(which):
            stop = start + len(some)
            super().add(some, rivals[start:stop], factors[start:stop], weights)

    def lowest_lead(self, which: np.ndarray, weights: np.ndarray) -> float:
        lowest = np.inf
        for _, some in self._windows(which):
            lowest = min(lowest, super().lowest_lead(some, weights))
            if not lowest > 0:
                return 0.0
        return lowest

    def right(self, which: np.ndarray, rule: Rule, weights: np.ndarray) -> int:
        return sum(Problem.right(self, some, rule, weights) for _, some in self._windows(which))

    def _windows(self, order: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """The order in pieces, each with its place in it; rows of later pieces are read meanwhile."""
        cuts = window_cuts(order, max(1, WINDOW * n_rows(self.rows) // max(1, n_bytes(self.rows)) // BLOCK))
        pieces = [order[start:stop] for start, stop in pairwise(cuts)]
        before, asked = disk_reads(), 0
        for number, piece in enumerate(pieces):
            relieve()
            if asked or disk_reads() > before:  # rows that are in the machine's cache need not be asked for
                for coming in pieces[max(asked, number + 1) : number + AHEAD]:
                    _ask(self.rows, coming)
                asked = max(asked, number + AHEAD)
            yield cuts[number], piece


def window_cuts(order: np.ndarray, most: int) -> list[int]:
    """Where to cut the order so that a piece visits at most so many blocks of rows, however few rows of each."""
    new = np.flatnonzero(np.diff(order // BLOCK)) + 1  # positions at which another block begins
    return [0, *new[most - 1 :: most].tolist(), len(order)]


def disk_reads() -> int:
    """How often this process had to wait for the disk because of a map."""
    try:
        import resource
    except ImportError:  # a system that does not count
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_majflt


def _ask(rows: Rows, which: np.ndarray) -> None:
    """Asks for the blocks that these rows are in."""
    touched = np.unique(which // BLOCK)
    cuts = np.flatnonzero(np.diff(touched) > 1)
    firsts = touched[np.concatenate([[0], cuts + 1])].astype(np.int64) * BLOCK
    lasts = touched[np.concatenate([cuts, [len(touched) - 1]])].astype(np.int64) * BLOCK + BLOCK
    for first, last in zip(firsts.tolist(), np.minimum(lasts, n_rows(rows)).tolist(), strict=True):
        if isinstance(rows, Dense):
            ask_ahead(rows.values, first, last)
            continue
        start, stop = int(rows.starts[first]), int(rows.starts[last])
        ask_ahead(rows.columns, start, stop)
        if isinstance(rows, Sparse):
            ask_ahead(rows.values, start, stop)


def reordered_rows(rows: Rows, order: np.ndarray, name: str) -> Rows:
    """The rows in this order, from the cache or written there, beside the file that they come from."""
    path = file_of(main_array(rows))
    if path is None:
        raise DataError("rows in memory were taken for rows on the disk. Please report it.")
    target = path.parent / f"order-{name}"
    about = cache.opened(target)
    if about is None:
        with cache.building(target) as (made, about):
            writer = RowsWriter(made)
            for some in in_order(rows, order, made):
                writer.append(some)
            about["rows"] = writer.close()
    return load_rows(target, about["rows"])


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
