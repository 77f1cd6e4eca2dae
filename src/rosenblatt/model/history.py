"""The ordered list of a run's updates, kept with the rows it speaks of: all that the weights at any step follow from.

A run of `train` starts at 0, and each of its rows counts the same; so the list, the rows and the settings are enough.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.learn.notes import Notes
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.run import Run
from rosenblatt.learn.settings import Settings


@dataclass(frozen=True, eq=False)
class History:
    """What a run of `train` did, in the order in which it did it. Steps, rows and classes count from 0."""

    settings: Settings  # `weights` are those that the model decides by
    passes: int
    part: np.ndarray  # for each row of the data whether it was visited; those of the test were not
    fingerprint: str  # of the rows visited and their classes
    numbers: np.ndarray  # for each row of the record its number among the visited ones, rising
    steps: np.ndarray  # for each update the steps before it, in all passes; rising
    rows: np.ndarray  # for each update the row, as its place in the record
    rivals: np.ndarray  # for each update the class punished

    @property
    def visited(self) -> int:
        """Rows visited in each pass."""
        return int(np.count_nonzero(self.part))

    def run_over(self, problem: Problem, rows: np.ndarray) -> Run:
        """The run that this list makes of a problem, in which the row of each update has the number given."""
        size = self.visited
        cuts = np.searchsorted(self.steps, size * np.arange(1, self.passes))
        split = zip(*(np.split(each, cuts) for each in (self.steps, rows, self.rivals)), strict=True)
        notes = [Notes(k, k * size, size, steps - k * size, *rest) for k, (steps, *rest) in enumerate(split)]
        zero = problem.zero_weights()
        weights = problem.layout(zero)
        problem.add(rows, self.rivals, np.ones(len(rows)), weights)
        run = Run(self.settings, problem.by_class(weights), zero.astype(np.float64), 1.0, passes=self.passes)
        if self.settings.weights == "averaged":
            lag = problem.layout(np.zeros(zero.shape))
            problem.add(rows, self.rivals, self.steps.astype(np.float64), lag)
            run.lag = problem.by_class(lag)
        return replace(run, steps=self.passes * size, updates=len(rows), notes=notes, fingerprint=problem.fingerprint)


def history_of(run: Run, variant: str, part: np.ndarray, fingerprint: str) -> History | None:
    """The history of a recorded run over the rows of `part`; None for a run with more to it than can be kept."""
    settings = run.settings
    if settings.shards > 1 or settings.eta0 != 1 or settings.early_stopping or run.start.any():
        return None
    steps = np.concatenate([notes.before + notes.steps for notes in run.notes])
    numbers, rows = np.unique(np.concatenate([notes.rows for notes in run.notes]), return_inverse=True)
    rivals = np.concatenate([notes.rivals for notes in run.notes])
    numbers, rows = numbers.astype(np.int64), rows.astype(np.int64)
    return History(replace(settings, weights=variant), run.passes, part, fingerprint, numbers, steps, rows, rivals)
