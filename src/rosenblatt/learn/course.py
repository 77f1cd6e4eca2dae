"""The course of a run: in which order each shard visits its rows in each pass, by the rule of loops/order.py."""

from __future__ import annotations

import numpy as np

from rosenblatt.data.memory import available
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.order import hash_order, key_of, pass_order, row_hashes
from rosenblatt.loops.rows import n_bytes

# A copy in the first order costs about as much as two to five passes that jump through memory. It does not pay for
# rows that stay in the processor's cache, nor for rows so long that each is a stretch of memory by itself.
WORTH_COPYING = 32 * 2**20
LONG_ROW = 2**11
COPY_FROM_PASSES = 5


class Course:
    """Orders for every pass. `problem` may be a copy in the first order: then `names` gives the original numbers."""

    def __init__(self, problem: Problem, visited: np.ndarray, settings: Settings):
        self.settings = settings
        self.problem = problem
        self.names: np.ndarray | None = None
        self.key = key_of(settings.seed)
        count = settings.shards
        if settings.shuffle:
            hashes = row_hashes(settings.seed, visited)
            first = hash_order(hashes)
            limits = [(s << 64) // count for s in range(1, count)]
            cuts = np.searchsorted(hashes[first], np.array(limits, np.uint64))
            first = visited[first]
            del hashes  # before rows are copied, which takes memory too
        else:
            cuts = np.array([len(visited) * s // count for s in range(1, count)], np.intp)
            first = visited
        if settings.shuffle and self._copy_pays(problem):
            self.problem, self.names = problem.reordered(first), first
            first = np.arange(len(first), dtype=np.uint32)
        self.visited = first
        self.shards = [shard for shard in np.split(first, cuts) if len(shard)]
        self._orders = [np.empty_like(shard) for shard in self.shards] if settings.shuffle else self.shards

    def _copy_pays(self, problem: Problem) -> bool:
        if problem.on_disk:  # otherwise every row of a pass would be a read from another place of the file
            return True
        size = n_bytes(problem.rows)
        pays = size > WORTH_COPYING and size / len(problem.truth) < LONG_ROW
        return pays and self.settings.max_iter >= COPY_FROM_PASSES and size < (available() or 0) / 2

    def order(self, number: int, shard: int) -> np.ndarray:
        """The order of a shard in pass `number`; valid until the next call for that shard."""
        if self.settings.shuffle:
            pass_order(self.shards[shard], self.key, number, shard, self._orders[shard])
        return self._orders[shard]

    def orders(self, number: int) -> list[np.ndarray]:
        """The order of each shard in pass `number`; valid until the next call."""
        return [self.order(number, shard) for shard in range(len(self.shards))]

    def row_numbers(self, positions: np.ndarray) -> np.ndarray:
        return positions if self.names is None else self.names[positions]


def hold_out(truth: np.ndarray, visited: np.ndarray, fraction: float, seed: int) -> np.ndarray:
    """The visited rows to keep aside for early stopping: the same share of each class, drawn by hash."""
    hashes = row_hashes(int(key_of(seed, 1)), visited)
    held = []
    for c in np.unique(truth[visited]):
        members = np.flatnonzero(truth[visited] == c)
        size = min(round(fraction * len(members)), len(members) - 1)
        held.append(members[np.argsort(hashes[members])[:size]])
    return np.sort(visited[np.concatenate(held)])
