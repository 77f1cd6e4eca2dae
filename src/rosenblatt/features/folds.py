"""Folds for cross-validation: each row is scored once by what was learned without it, or without its copies.

Like the split, folds depend on the data and the seed alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rosenblatt.features.contents import firsts_and_sizes
from rosenblatt.loops.order import fill_hashes, key_of

USE = 0xF01D5  # tells the dealing of folds apart from other uses of the seed


@dataclass(frozen=True)
class Fold:
    """Numbers of the rows to learn from and of the rows to score, increasing."""

    train: np.ndarray
    validation: np.ndarray


class Dealt(Sequence[Fold]):
    """Folds that are made when they are asked for: all of them together hold rows × folds numbers."""

    def __init__(self, fold_of: np.ndarray):
        self._fold_of, self._used = fold_of, np.unique(fold_of)

    def __len__(self) -> int:
        return len(self._used)

    def __getitem__(self, number: int) -> Fold:  # type: ignore[override]  # no slices
        of = self._fold_of == self._used[number]
        return Fold(np.flatnonzero(~of), np.flatnonzero(of))


def folds(
    codes: np.ndarray, together: np.ndarray, k: int, seed: int, times: np.ndarray | None = None
) -> Sequence[Fold]:
    """At most k folds; fewer where too few rows may be parted, and none where not even two can be made.

    codes       the class of each row; every class is dealt evenly
    together    a number for each row, from 0 without gaps; rows of one number (copies, members of a group) are never on
                both sides of a fold
    times       numbers that sort as the times do: then folds go forward, and earlier rows are scored by none
    """
    if times is not None:
        return _forward(together, k, times)
    dealt = Dealt(_dealt(codes, together, k, seed))
    return dealt if len(dealt) > 1 else []


def _dealt(codes: np.ndarray, together: np.ndarray, k: int, seed: int) -> np.ndarray:
    """The fold of each row. Groups, the larger first, go where their class has the fewest rows so far, then all have.

    Groups of one size come in the order of a hash, so that neighbours in the data are not neighbours in a fold.
    """
    first, sizes = firsts_and_sizes(together)
    hashes = np.empty(len(first), np.uint64)
    with np.errstate(over="ignore"):
        fill_hashes(key_of(seed, USE), first, hashes)
    classes = codes[first]
    order = np.lexsort([hashes, -sizes, classes])
    del first, hashes  # eight bytes a row each, of what may be millions
    fold_of_group, rows = np.empty(len(sizes), np.int32), np.zeros(k, np.int64)
    for members in np.split(order, np.flatnonzero(np.diff(classes[order])) + 1):
        fold_of_group[members] = found = _of_class(sizes[members], rows)
        rows += np.bincount(found, sizes[members], k).astype(np.int64)
    return fold_of_group[together]


def _of_class(sizes: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The folds of the groups of a class, the larger first; rows    that each fold has so far.

    Groups of one size are dealt in rounds, in each of which a fold takes one: first that with the fewest rows of the
    class, then of all. A fold that has more than others by so many groups waits for as many rounds.
    """
    k, found = len(rows), np.empty(len(sizes), np.int32)
    own, had = np.zeros(k, np.int64), rows.copy()
    ends = np.flatnonzero(np.diff(sizes, append=0))
    for start, end in zip([0, *(ends + 1)], ends + 1, strict=False):
        count, size = end - start, int(sizes[start])
        waits, ahead = np.divmod(own - own.min(), size)
        turn = np.lexsort((had - size * waits, ahead)).astype(np.int32)
        rounds = np.arange(count // k + 1 + waits.max())
        taken = np.broadcast_to(turn, (len(rounds), k))[rounds[:, None] >= waits[turn]][:count]
        found[start:end] = taken
        more = size * np.bincount(taken, minlength=k)
        own, had = own + more, had + more
    return found


def _forward(together: np.ndarray, k: int, times: np.ndarray) -> list[Fold]:
    """The later half of the rows in k stretches of time, each scored by what was learned from all rows before it.

    Rows of the same time belong to the earlier stretch. Copies of earlier rows are not scored.
    """
    order = np.argsort(times, kind="stable")
    sorted_times = times[order]
    marks = [len(order) // 2 + len(order) * stretch // (2 * k) for stretch in range(k + 1)]
    ends = [int(np.searchsorted(sorted_times, sorted_times[mark - 1], "right")) if mark else 0 for mark in marks]
    found = []
    for start, end in pairwise(ends):
        train, later = order[:start], order[start:end]
        later = later[~np.isin(together[later], together[train])]
        if len(train) and len(later):
            found.append(Fold(np.sort(train), np.sort(later)))
    return found if len(found) > 1 else []
