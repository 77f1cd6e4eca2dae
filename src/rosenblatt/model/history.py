"""The ordered list of a run's updates, kept with the rows it speaks of: all that the weights at any step follow from.

A run of `train` starts at 0, and each of its rows counts the same; so the list, the rows and the settings are enough.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.features.contents import Contents
from rosenblatt.learn.notes import NONE, Notes
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.run import Run
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.rows import Dense, Rows, Words, take

PIECE = 1 << 14  # rows hashed at a time


@dataclass(frozen=True, eq=False)
class History:
    """What a run of `train` did, in the order in which it did it. Steps, rows and classes count from 0."""

    settings: Settings  # `weights` are those that the model decides by
    passes: int
    part: np.ndarray  # for each row of the data whether it was visited; those of the test were not
    fingerprint: str  # of the contents of the rows visited, and their classes
    numbers: np.ndarray  # for each row of the record its number among the visited ones, rising
    steps: np.ndarray  # for each update the steps before it, in all passes; rising
    rows: np.ndarray  # for each update the row, as its place in the record
    rivals: np.ndarray  # for each update the class punished
    amounts: np.ndarray  # for each update how much of the row was added
    columns: tuple[str, ...] | None = None  # that count as contents; files of format 2 do not say
    encoded: str = ""  # SHA-256 of the rows visited as they were encoded, and their classes; "" in files of format 2

    @property
    def visited(self) -> int:
        """Rows visited in each pass."""
        return int(np.count_nonzero(self.part))

    def run_over(self, problem: Problem, rows: np.ndarray) -> Run:
        """The run that this list makes of a problem, in which the row of each update has the number given."""
        size = self.visited
        cuts = np.searchsorted(self.steps, size * np.arange(1, self.passes))
        parts = zip(*(np.split(each, cuts) for each in (self.steps, rows, self.rivals, self.amounts)), strict=True)
        notes = [Notes(k, k * size, size, steps - k * size, *rest, *[NONE]) for k, (steps, *rest) in enumerate(parts)]
        zero = problem.zero_weights()
        weights = self._sum(problem, rows, self.amounts, zero)
        run = Run(self.settings, weights, zero.astype(np.float64), 1.0)
        run.passes = self.passes
        if run.variant.lags:
            run.own = self._sum(problem, rows, self.amounts * self.steps, np.zeros(zero.shape))
        return replace(run, steps=self.passes * size, updates=len(rows), notes=notes, fingerprint=problem.fingerprint)

    def _sum(self, problem: Problem, rows: np.ndarray, factors: np.ndarray, start: np.ndarray) -> np.ndarray:
        """The sum, by class, of the rows that the updates added, each by its factor."""
        total = problem.layout(start)
        problem.add(rows, self.rivals, factors, total)
        return problem.by_class(total)


def history_of(run: Run, variant: str, part: np.ndarray, contents: Contents, problem: Problem) -> History | None:
    """The history of a recorded run over the rows of `part`; None for a run with more to it than can be kept.

    Contents and problem are those of the rows visited.
    """
    settings = run.settings
    if settings.shards > 1 or settings.eta0 != 1 or settings.early_stopping or run.start.any():
        return None
    steps = np.concatenate([notes.before + notes.steps for notes in run.notes])
    numbers, rows = np.unique(np.concatenate([notes.rows for notes in run.notes]), return_inverse=True)
    rivals, amounts = (np.concatenate([getattr(notes, name) for notes in run.notes]) for name in ("rivals", "amounts"))
    numbers, rows = numbers.astype(np.int64), rows.astype(np.int64)
    fingerprint, encoded = contents.fingerprint(problem.truth), digest_of(problem)
    settings = replace(settings, weights=variant)
    listed = numbers, steps, rows, rivals, amounts
    return History(settings, run.passes, part, fingerprint, *listed, contents.columns, encoded)


def digest_of(problem: Problem) -> str:
    """A hash of every encoded row and its class: what a run depends on, whichever columns it came from."""
    found = hashlib.sha256(problem.truth.astype("<i8").tobytes())
    for start in range(0, len(problem.truth), PIECE):
        piece = take(problem.rows, np.arange(start, min(start + PIECE, len(problem.truth))))
        for values, kind in zip(entries_of(piece), ("<i8", "<u4", "<f8"), strict=True):
            found.update(np.ascontiguousarray(values.astype(kind)).data)
    return found.hexdigest()


def entries_of(rows: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How many values each row has that are stored, their columns, and what they are."""
    if isinstance(rows, Dense):
        where, columns = np.nonzero(rows.values)
        return np.bincount(where, minlength=len(rows.values)), columns, rows.values[where, columns]
    lengths = np.diff(rows.starts).astype(np.int64)
    return lengths, rows.columns, np.repeat(rows.scales, lengths) if isinstance(rows, Words) else rows.values
