"""What runs on a worker: loading a shard, visiting it, and looking for its lowest lead.

These functions see arrays and settings alone, so that a task can be computed again, on any worker, with the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rosenblatt.distributed.changes import Changes, changes, put
from rosenblatt.errors import DataError
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.rule import Rule
from rosenblatt.learn.shards import Found, Turn, Vectors, visit_shard
from rosenblatt.loops.order import key_of, pass_order
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words
from rosenblatt.store.packing import checksum, packed, unpacked


@dataclass(frozen=True)
class Shard:
    """The rows of one shard in their first order, with their numbers among all rows."""

    number: int  # among the shards that have rows
    problem: Problem
    names: np.ndarray


class Order(NamedTuple):
    """What a run asks of all its shards, the same in every pass."""

    rule: Rule
    rate: float
    seed: int
    shuffle: bool
    listed: bool  # whether the updates themselves are wanted, and not only what they add up to


class Start(NamedTuple):
    """The weights that a pass begins with, and the lag where there is only one shard."""

    weights: np.ndarray
    lag: np.ndarray | None
    wanted: bool  # whether to compute the lag
    kept: np.ndarray | None = None


class Brought(NamedTuple):
    """What a shard sends back: a Found, with its arrays as changes."""

    weights: Changes
    lag: Changes | None
    kept: Changes | None
    updates: int
    mistakes: int
    amount: Fraction
    made: Recording

    def found(self, start: Start, alone: bool) -> Found:
        weights = put(self.weights, start.weights)
        lag = None
        if self.lag is not None:
            base = start.lag if alone and start.lag is not None else np.zeros(weights.shape)
            lag = put(self.lag, base)
        kept = None if self.kept is None or start.kept is None else put(self.kept, start.kept)
        return Found(Vectors(weights, lag, kept), *self[3:])


def hand_over(start: Start) -> Start:
    """The start of a pass as a task: workers fetch it from each other, and a lost one is had again."""
    return start


def visit(shard: Shard, start: Start, turn: Turn, order: Order) -> Brought:
    """One pass over the shard, by the function that threads use."""
    problem = shard.problem
    first = np.arange(len(problem.truth), dtype=np.uint32)
    places = np.empty_like(first) if order.shuffle else first
    if order.shuffle:
        pass_order(first, key_of(order.seed), turn.number, shard.number, places)
    amounts = problem.amounts if order.rate == 1 else problem.amounts * order.rate
    weights = np.array(start.weights)
    before = np.zeros(weights.shape) if start.lag is None else start.lag
    lag = np.array(before) if start.wanted else None
    kept = None if start.kept is None else np.array(start.kept)
    vectors, room = Vectors(weights, lag, kept), np.empty(len(first), np.int64)
    found = visit_shard(problem, places, amounts, order.rule, turn, vectors, room)
    made = found.made._replace(rows=shard.names[found.made.rows])
    if not order.listed:
        made = made.part(slice(0))
    return Brought(
        changes(weights, start.weights),
        None if lag is None else changes(lag, before),
        None if kept is None or start.kept is None else changes(kept, start.kept),
        found.updates,
        found.mistakes,
        found.amount,
        made,
    )


def lowest_lead(shard: Shard, start: Start) -> float:
    every = np.arange(len(shard.problem.truth), dtype=np.uint32)
    return shard.problem.lowest_lead(every, np.array(start.weights))


def write_shard(shard: Shard, path: Path) -> None:
    """Writes the shard to a file that any worker can load; without waiting for the disk, since it goes with the job."""
    rows, problem = shard.problem.rows, shard.problem
    arrays = {name: value for name, value in rows._asdict().items() if isinstance(value, np.ndarray)}
    plain = {name: value for name, value in rows._asdict().items() if name not in arrays}
    plain |= {"storage": type(rows).__name__, "number": shard.number, "n_classes": problem.n_classes}
    more = {"truth": problem.truth, "amounts": problem.amounts, "squares": problem.squares, "names": shard.names}
    content = packed(plain, {**{f"rows.{name}": value for name, value in arrays.items()}, **more})
    try:
        path.write_bytes(content)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise DataError(f"{path}: cannot be written ({error.strerror or error}). Make room, or use --shared.") from None


def load_shard(path: str) -> Shard:
    """The shard in the file. A worker that cannot read it is named, with what to do."""
    import json

    try:
        given, text, arrays = unpacked(path, DataError)
    except (DataError, OSError) as error:
        raise DataError(
            f"{here()}: cannot read the shard {path} ({' '.join(str(error).split())[:120]}). "
            "Name a folder that all workers see with --shared."
        ) from None
    if checksum(text, arrays) != given:
        raise DataError(f"{here()}: the shard {path} is damaged: its checksum does not fit. Train again.")
    plain = json.loads(text)
    storage: type[Rows] = {each.__name__: each for each in (Dense, Sparse, Words)}[plain["storage"]]
    fields = {name: arrays.get(f"rows.{name}", plain.get(name)) for name in storage._fields}
    problem = Problem(storage(**fields), arrays["truth"], arrays["amounts"], arrays["squares"], plain["n_classes"])
    return Shard(plain["number"], problem, arrays["names"])


def here() -> str:
    """The worker that this runs on, as a message names it."""
    from distributed import get_worker

    try:
        return f"worker {get_worker().address}"
    except ValueError:
        return "this process"
