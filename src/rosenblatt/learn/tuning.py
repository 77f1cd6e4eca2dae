"""Choosing k by accuracy on validation rows: all values of k in one pass over them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.data.rowfile import pieces
from rosenblatt.errors import SettingError
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.smoothing import absence, check_strength, log_factor, log_priors, needs_gone
from rosenblatt.loops.counts import count_right, list_nonzero
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words

GRID = (0.0, *(10.0**e for e in np.arange(-4, 3.5, 0.5)), math.inf)

LANES = 8  # float64 numbers in what a processor loads at once
IMPOSSIBLE = -1e300  # stands for the logarithm of a prior of 0, so that scores stay finite


class Tuning(NamedTuple):
    """The accuracy of every k that was tried, in rising order of k."""

    strengths: np.ndarray
    accuracies: np.ndarray

    @property
    def best(self) -> float:
        """The k of the highest accuracy, the lowest among equals."""
        return float(self.strengths[self.accuracies.argmax()])

    def __str__(self) -> str:
        lines = [f"{k:>12g} {share:>9.4f}" for k, share in zip(self.strengths, self.accuracies, strict=True)]
        return "\n".join([f"{'k':>12} {'accuracy':>9}", *lines, f"best: {self.best:g}"])


def check_grid(grid: Iterable[Any] | None) -> list[float]:
    """The values of k to try, each once, in rising order."""
    ks = sorted({check_strength(k, "every k of the grid") for k in (GRID if grid is None else grid)})
    if not ks:
        raise SettingError("the grid is empty. Give at least one k, or None for the default.")
    return ks


class Distinct(NamedTuple):
    """Every cell as a place in a list of distinct (count, total, size, sign); the logarithms are taken of the list."""

    which: np.ndarray  # (classes, cells), places; those of one class lie together
    above: np.ndarray  # (places, 2): counts whose factor is multiplied with, and divided by
    totals: np.ndarray
    sizes: np.ndarray
    signs: np.ndarray  # (places, 2): 1, -1, or 0 where the factor is left out


def tune(rows: Rows, truth: np.ndarray, counts: Counts, priors: Any, ks: list[float]) -> Tuning:
    """The share of the rows that is predicted rightly with each k; truth is -1 where the class is not known.

    priors    as `log_priors` takes them
    """
    finite = [k for k in ks if k < math.inf]
    distinct = list_distinct(counts, needs_gone(rows, counts))
    lanes = math.ceil((len(ks) + 1) / LANES) * LANES
    tables = _aligned_zeros(len(distinct.totals), lanes)
    base = np.zeros((len(counts.classes), lanes))
    for g, k in enumerate(ks):
        base[:, g] = np.maximum(log_priors(priors, counts, k), IMPOSSIBLE)
    base[base[:, 0] == IMPOSSIBLE, -1] = math.inf  # of use for k = 0 alone, which is the first
    absences = absence(counts)
    for g, k in enumerate(finite):
        logs, zeros = absences.sums(k)
        base[:, g] += logs
        for side in range(2):
            factor = log_factor(distinct.above[:, side], distinct.totals, distinct.sizes, k)
            tables[:, g] += distinct.signs[:, side] * factor.logs
            if factor.zeros is not None:
                tables[:, -1] += distinct.signs[:, side] * factor.zeros
        if k == 0:
            base[:, -1] += zeros
    right = np.zeros(lanes - 1, np.int64)
    limit = 0 if ks[0] == 0 else -1
    for start, stop, some in pieces(rows):
        count_right(as_sparse(some), truth[start:stop], distinct.which, tables, base, limit, right)
    return Tuning(np.array(ks), right[: len(ks)] / len(truth))


def _aligned_zeros(height: int, width: int) -> np.ndarray:
    """Zeros that start where a cache line does, a quarter faster to add up than those that do not."""
    room = np.zeros(height * width + LANES)
    first = -room.ctypes.data // room.itemsize % LANES
    return room[first : first + height * width].reshape(height, width)


def as_sparse(rows: Rows) -> Sparse | Words:
    """Dense rows with only what is not zero in them; others as they are."""
    if not isinstance(rows, Dense):
        return rows
    height, width = rows.values.shape
    starts = np.zeros(height + 1, np.uint64)
    columns = np.empty(np.count_nonzero(rows.values) + 1, np.uint32)  # one more, to be written and not counted
    columns = columns[: list_nonzero(rows.values, starts, columns)]
    if rows.values.dtype == np.uint8:
        return Words(starts, columns, np.ones(height), width, rows.bias)
    return Sparse(starts, columns, rows.values[rows.values != 0], width, rows.bias)


def list_distinct(counts: Counts, with_gone: bool) -> Distinct:
    """The cells of a model (and those for missing columns) as places in a list without repetitions."""
    ones, zeros = counts.cells[: len(counts.schema.binary)], counts.zeros()
    seen = np.stack([ones.any(axis=1), -1.0 * zeros.any(axis=1)], axis=1)
    present, per_class = np.broadcast_to(counts.present(), ones.shape), counts.gone is None
    blocks = [_block(ones, zeros, present, 2, seen, per_class)]
    for cells in counts.groups():
        used = np.stack([cells.any(axis=1), np.zeros(len(cells))], axis=1)
        blocks.append(_block(cells, cells, np.broadcast_to(cells.sum(axis=0), cells.shape), len(cells), used, True))
    if with_gone:
        blocks.append(_block(ones, zeros, present, 2, seen * [0, 1], per_class))
    return _stacked(blocks)


def _block(first: Any, second: Any, totals: Any, size: int, signs: np.ndarray, per_class: bool) -> Distinct:
    """The distinct entries of cells that share a size; `per_class` if all cells of a class share their total."""
    n_classes = first.shape[1]
    codes = first if first.dtype.kind == "i" else np.unique(first, return_inverse=True)[1].reshape(first.shape)
    groups = np.broadcast_to(np.arange(n_classes), first.shape)
    if not per_class:
        groups = np.unique(totals, return_inverse=True)[1].reshape(first.shape)
    kinds = (signs @ [1, -3]).astype(np.int64)[:, np.newaxis]  # 0, 1, 3 or 4
    keys = (groups * 5 + kinds) * (int(codes.max(initial=0)) + 1) + codes
    if keys.max(initial=0) < 4 * keys.size + 1_000_000:
        present = np.zeros(int(keys.max(initial=0)) + 1, bool)
        present[keys] = True
        where = np.empty(len(present), np.int64)
        where[keys.ravel()] = np.arange(keys.size)
        where = where[present]
        which = (np.cumsum(present) - 1)[keys]
    else:
        _, where, which = np.unique(keys, return_index=True, return_inverse=True)
    above = np.stack([first.ravel()[where], second.ravel()[where]], axis=1).astype(np.float64)
    sizes = np.full(len(where), float(size))
    return Distinct(
        which.reshape(keys.shape).T.astype(np.int32), above, totals.ravel()[where], sizes, signs[where // n_classes]
    )


def _stacked(blocks: list[Distinct]) -> Distinct:
    before = np.cumsum([0, *(len(block.totals) for block in blocks)])
    which = np.concatenate([block.which + start for block, start in zip(blocks, before, strict=False)], axis=1)
    rest = (np.concatenate([block[part] for block in blocks]) for part in range(1, 5))
    return Distinct(np.ascontiguousarray(which, np.int32), *rest)
