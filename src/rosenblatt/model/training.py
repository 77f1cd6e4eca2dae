"""A recorded run of `train`: the list of its updates over the rows that the model keeps, and the data that it was of.

A run of `train` starts at 0, and rows of one class count the same; so the list, the rows, what a row of each class
counts and the settings are enough.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.features.contents import Contents
from rosenblatt.learn.kernel.grid import facts_of
from rosenblatt.learn.kernel.run import KernelRun
from rosenblatt.learn.kernel.updates import from_recording
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.run import Run, begin
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.kernels import Kernel
from rosenblatt.loops.rows import Dense, Rows, Words, take

PIECE = 1 << 14  # rows hashed at a time


@dataclass(frozen=True, eq=False)
class Training:
    """What a run of `train` did, and on what."""

    recording: Recording  # its rows are places among the rows that the model keeps
    settings: Settings  # `weights` are those that the model decides by
    part: np.ndarray  # for each row of the data whether it was visited; those of the test were not
    numbers: np.ndarray  # for each row that the model keeps its number among the visited ones, rising; of a kernel in
    # the order in which they were first updated on
    fingerprint: str  # of the contents of the rows visited, and their classes
    columns: tuple[str, ...] | None = None  # that count as contents; files of format 2 do not say
    encoded: str = ""  # SHA-256 of the rows visited as they were encoded, and their classes; "" in files of format 2
    counts: np.ndarray | None = None  # what a row of each class counts; None where all count 1

    @property
    def visited(self) -> int:
        """Rows visited in each pass."""
        return int(np.count_nonzero(self.part))

    def amounts(self, truth: np.ndarray) -> np.ndarray | None:
        """What rows of these classes count; None where all count 1."""
        return None if self.counts is None else self.counts[truth]

    @property
    def passes(self) -> int:
        return len(self.recording.sizes)

    def run_over(self, problem: Problem, rows: np.ndarray) -> Run:
        """The run that this list makes of a problem, in which the row of each update has the number given."""
        made, run = self.recording._replace(rows=rows), begin(problem, self.settings, None)
        rule = RULES[self.settings.rule].of(self.settings, run.scale)

        def summed(factors: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
            """The sum, by class, of what the updates added, each by its factor, and what the rule keeps beside it."""
            laid, kept = problem.layout(total), rule.start(problem)
            beside = None if kept is None else problem.layout(kept)
            rule.add(problem, rows, made.rivals, factors, made.shrinks, beside, laid)
            return problem.by_class(laid), None if beside is None else problem.by_class(beside)

        weights, kept = summed(made.amounts, run.weights)
        if run.variant.lags:
            run.own, _ = summed(made.amounts * made.steps, run.own)
        run.passes, run.steps, run.updates = self.passes, sum(made.sizes), len(rows)
        return replace(run, weights=weights, kept=kept, recorded=[made])

    def curve_over(self, kernel: Kernel, problem: Problem, rows: np.ndarray) -> KernelRun:
        """The same of a kernel."""
        made = self.recording._replace(rows=rows)
        listed, numbers = from_recording(made, problem.truth)
        found = KernelRun(self.settings, kernel, problem.n_classes, facts_of(problem.rows, problem.squares), listed)
        found.rows, found.numbers, found.recorded = take(problem.rows, numbers), numbers, [made]
        found.passes, found.steps, found.updates = self.passes, sum(made.sizes), len(rows)
        found.fingerprint = problem.fingerprint
        return found


def training_of(
    run: Run | KernelRun, variant: str, part: np.ndarray, contents: Contents, problem: Problem
) -> Training | None:
    """A recorded run over the rows of `part` as it can be kept; None for a run with more to it than that.

    Contents and problem are those of the rows visited.
    """
    settings = run.settings
    made = run.recording
    if isinstance(run, KernelRun):
        numbers, rows = run.numbers, run.updates_list.which
    elif settings.shards > 1 or settings.eta0 != 1 or settings.early_stopping or run.start.any():
        return None
    else:
        numbers, rows = np.unique(made.rows.astype(np.int64), return_inverse=True)
    fingerprint, encoded = contents.fingerprint(problem.truth), digest_of(problem)
    made, settings = made._replace(rows=rows), replace(settings, weights=variant)
    return Training(made, settings, part, numbers, fingerprint, contents.columns, encoded, _counts_of(problem))


def _counts_of(problem: Problem) -> np.ndarray | None:
    """What a row of each class counts; None where all count 1."""
    if (problem.amounts == 1).all():
        return None
    found = np.ones(problem.n_classes)
    found[problem.truth] = problem.amounts
    return found


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
