"""The pocket: the weights that were right for the longest run of rows and get the most rows right (Gallant 1990).

The ratchet counts all rows whenever a run ends that is longer than the pocket's, so this variant costs more than
the others: at worst one extra pass for each record.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.learn.notes import Notes
from rosenblatt.learn.problem import Problem
from rosenblatt.loops.ties import Bounds


@dataclass(frozen=True)
class Pocket:
    """The best weights so far, by class, and the run of right rows that is not over yet."""

    weights: np.ndarray
    right: int  # rows they get right
    longest: int = 0  # their run
    open_run: int = 0  # of the current weights

    def offered(self, weights: np.ndarray, run: int, problem: Problem, visited: np.ndarray, bounds: Bounds) -> Pocket:
        """The pocket after `weights`, in the layout of the rows, ended a run of right rows."""
        if run <= self.longest:
            return self
        right = problem.right(visited, bounds, weights)
        if right <= self.right:
            return self
        return replace(self, weights=problem.by_class(weights.copy()), right=right, longest=run)

    def after_pass(
        self,
        before: np.ndarray,
        notes: Notes,
        problem: Problem,
        visited: np.ndarray,
        bounds: Bounds,
    ) -> Pocket:
        """The pocket after a pass that began with the weights `before`, which this changes.

        Its updates are replayed only as far as the runs that could matter.
        """
        steps, which, rivals, factors = notes.steps, notes.rows, notes.rivals, notes.amounts
        if not len(steps):
            return replace(self, open_run=self.open_run + len(visited))
        runs = np.diff(steps, prepend=-1) - 1
        runs[0] += self.open_run
        pocket, replayed = self, 0
        for u in np.flatnonzero(runs > self.longest):
            part = slice(replayed, int(u))
            problem.add(which[part], rivals[part], factors[part], before)
            replayed = int(u)
            pocket = pocket.offered(before, int(runs[u]), problem, visited, bounds)
        return replace(pocket, open_run=len(visited) - 1 - int(steps[-1]))
