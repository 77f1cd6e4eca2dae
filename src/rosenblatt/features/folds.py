"""Folds for cross-validation: each row is scored once by what was learned without it, or without its copies.

Like the split, folds depend on the data and the seed alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rosenblatt.loops.order import fill_hashes, key_of

USE = 0xF01D5  # tells the dealing of folds apart from other uses of the seed


@dataclass(frozen=True)
class Fold:
    """Numbers of the rows to learn from and of the rows to score, increasing."""

    train: np.ndarray
    validation: np.ndarray


def folds(codes: np.ndarray, together: np.ndarray, k: int, seed: int, times: np.ndarray | None = None) -> list[Fold]:
    """At most k folds; fewer where too few rows may be parted, and none where not even two can be made.

    codes       the class of each row; every class is dealt evenly
    together    a number for each row; rows of one number (copies, members of a group) are never on both sides of a fold
    times       numbers that sort as the times do: then folds go forward, and earlier rows are scored by none
    """
    if times is not None:
        return _forward(together, k, times)
    fold_of = _dealt(codes, together, k, seed)
    used = np.unique(fold_of)
    if len(used) < 2:
        return []
    return [Fold(np.flatnonzero(fold_of != number), np.flatnonzero(fold_of == number)) for number in used]


def _dealt(codes: np.ndarray, together: np.ndarray, k: int, seed: int) -> np.ndarray:
    """The fold of each row. Groups, the larger first, go where their class has the fewest rows so far, then all have.

    Groups of one size come in the order of a hash, so that neighbours in the data are not neighbours in a fold.
    """
    _, first, group_of, sizes = np.unique(together, return_index=True, return_inverse=True, return_counts=True)
    hashes = np.empty(len(first), np.uint64)
    with np.errstate(over="ignore"):
        fill_hashes(key_of(seed, USE), first, hashes)
    classes = codes[first]
    fold_of_group = np.empty(len(first), np.int64)
    rows = [0] * k
    before, of_class = None, [0] * k
    for group in np.lexsort([hashes, -sizes, classes]).tolist():
        if classes[group] != before:
            before, of_class = classes[group], [0] * k
        fold = min(range(k), key=lambda number: (of_class[number], rows[number]))
        fold_of_group[group] = fold
        of_class[fold] += int(sizes[group])
        rows[fold] += int(sizes[group])
    return np.asarray(fold_of_group[group_of])


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
