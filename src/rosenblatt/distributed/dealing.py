"""From fragments to shards, all of it tasks: encode a fragment, deal its rows by their hashes, collect each shard.

Rows go to shards by the rule of loops/order.py, so that shards hold what they would hold in memory. How rows are stored
(dense, sparse, words) is decided in memory by all rows together; here each fragment is counted, the driver adds up, and
pieces are brought to the storage that all of them would have.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from rosenblatt.distributed.parquet import Fragment, read_fragment
from rosenblatt.distributed.shard import Shard
from rosenblatt.features import Classes, Plan
from rosenblatt.features.blocks import Size, size_of
from rosenblatt.features.text import Text
from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.loops.order import hash_order, row_hashes
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, dense_rows, n_rows, rows_repeat_one_value, take


@dataclass(frozen=True)
class Recipe:
    """What every fragment is read and encoded by."""

    plan: Plan
    classes: Classes
    label: str | None
    types: Mapping[str, pa.DataType]  # of the columns that all fragments have
    seed: int
    shards: int


class Piece(NamedTuple):
    """Rows of one fragment for one shard."""

    rows: Rows
    truth: np.ndarray
    numbers: np.ndarray  # among all rows


class Dealt(NamedTuple):
    """An encoded fragment, and what the driver is told of it."""

    pieces: list[Piece]
    told: Told


class Told(NamedTuple):
    """What adds up over fragments."""

    sizes: np.ndarray  # rows for each shard
    classes: np.ndarray  # rows of each class
    size: Size
    words: bool  # whether rows are words, so that dense or sparse is no question
    digest: str


def deal(fragment: Fragment, recipe: Recipe) -> Dealt:
    """The fragment, encoded, its rows dealt to shards by the hash of their number among all rows."""
    table = read_fragment(fragment, recipe.label, recipe.types)
    truth = recipe.classes.encode(table).astype(np.int32)
    used = [line for line in recipe.plan.lines if line.width]
    recipe.plan.refuse_absent(table)
    blocks = [line.encode(table.columns[line.column], table.origin) for line in used]
    rows = recipe.plan._matrix(used, blocks, table).rows
    # One column of words present or not, scaled to unit length, is never looked at for being dense.
    one_text = recipe.plan.unit == "text" and len(used) == 1 and isinstance(used[0], Text)
    numbers = np.arange(fragment.first, fragment.first + len(truth))
    limits = np.array([(s << 64) // recipe.shards for s in range(1, recipe.shards)], np.uint64)
    shard_of = np.searchsorted(limits, row_hashes(recipe.seed, numbers), side="right")
    pieces = []
    for number in range(recipe.shards):
        which = np.flatnonzero(shard_of == number)
        pieces.append(Piece(take(rows, which), truth[which], numbers[which]))
    told = Told(
        np.bincount(shard_of, minlength=recipe.shards),
        np.bincount(truth, minlength=len(recipe.classes.names)),
        size_of(blocks, table.n_rows),
        (one_text or recipe.plan.units is not None) and isinstance(rows, Words),
        _digest(rows, truth),
    )
    return Dealt(pieces, told)


def told(dealt: Dealt) -> Told:
    return dealt.told


def piece(dealt: Dealt, shard: int) -> Piece:
    """The rows for one shard: only these travel to the worker that collects it."""
    return dealt.pieces[shard]


def collect(pieces: list[Piece], number: int, dense: bool | None, n_classes: int) -> Shard:
    """The shard, in the order of the hashes of its rows."""
    kept = [each for each in pieces if len(each.truth)]
    numbers = np.concatenate([each.numbers for each in kept])
    truth = np.concatenate([each.truth for each in kept])
    rows = joined([stored_as(each.rows, dense) for each in kept])
    return Shard(number, make_problem(rows, truth, n_classes), numbers)


def in_first_order(shard: Shard, seed: int, words: bool) -> Shard:
    """The shard with its rows in the first order, as words where all rows of all shards are such."""
    order = hash_order(row_hashes(seed, shard.names))
    problem = shard.problem
    if words:
        problem = make_problem(as_words(problem.rows), problem.truth, problem.n_classes)
    return Shard(shard.number, problem.reordered(order), shard.names[order])


def stored_as(rows: Rows, dense: bool | None) -> Rows:
    """The rows in the storage that all rows together have; None where that is no question of how many there are."""
    if dense is None or isinstance(rows, Dense) == dense:
        return rows
    if isinstance(rows, Dense):
        which, columns = np.nonzero(rows.values)
        starts = np.zeros(len(rows.values) + 1, np.uint64)
        np.cumsum(np.bincount(which, minlength=len(rows.values)), out=starts[1:])
        values = rows.values[which, columns].astype(np.float64)
        return Sparse(starts, columns.astype(np.uint32), values, rows.values.shape[1], rows.bias)
    full = np.zeros((n_rows(rows), rows.n_columns))
    sparse = as_sparse(rows)
    which = np.repeat(np.arange(n_rows(rows)), np.diff(sparse.starts).astype(np.int64))
    full[which, sparse.columns] = sparse.values
    return dense_rows(full, rows.bias)


def as_sparse(rows: Sparse | Words) -> Sparse:
    if isinstance(rows, Sparse):
        return rows
    values = np.repeat(rows.scales, np.diff(rows.starts).astype(np.int64))
    return Sparse(rows.starts, rows.columns, values, rows.n_columns, rows.bias)


def as_words(rows: Rows) -> Rows:
    """Sparse rows whose values repeat, as words."""
    if not isinstance(rows, Sparse):
        return rows
    scales = np.ones(n_rows(rows), rows.values.dtype)
    rows_repeat_one_value(rows.starts, rows.values, scales)
    return Words(rows.starts, rows.columns, scales, rows.n_columns, rows.bias)


def repeats_one_value(shard: Shard) -> bool:
    """Whether each row has one value again and again, as words have."""
    rows = shard.problem.rows
    if not isinstance(rows, Sparse):
        return isinstance(rows, Words)
    return bool(rows_repeat_one_value(rows.starts, rows.values, np.ones(n_rows(rows), rows.values.dtype)))


def joined(parts: list[Rows]) -> Rows:
    """Rows of one storage one after the other; sparse ones and words together are sparse."""
    first = parts[0]
    if isinstance(first, Dense):
        return Dense(np.concatenate([each.values for each in parts if isinstance(each, Dense)]), first.bias)
    starts = [np.zeros(1, np.uint64)]
    for each in parts:
        assert not isinstance(each, Dense)
        starts.append(each.starts[1:] + starts[-1][-1])
    whole = np.concatenate(starts)
    columns = np.concatenate([each.columns for each in parts if not isinstance(each, Dense)])
    words = [each for each in parts if isinstance(each, Words)]
    if len(words) == len(parts):
        return Words(whole, columns, np.concatenate([each.scales for each in words]), first.n_columns, first.bias)
    values = np.concatenate([as_sparse(each).values for each in parts if not isinstance(each, Dense)])
    return Sparse(whole, columns, values, first.n_columns, first.bias)


def outline(shard: Shard) -> Problem:
    """The shard's problem without its rows: what a run asks of it beside visiting them."""
    return replace(shard.problem.reordered(np.empty(0, np.int64)), told=shard.problem.sums)


def _digest(rows: Rows, truth: np.ndarray) -> str:
    found = hashlib.sha256(truth.tobytes())
    for field in rows:
        value: Any = field
        found.update(np.ascontiguousarray(value).tobytes())
    return found.hexdigest()
