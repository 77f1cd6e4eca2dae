"""One pass after another over a problem: have the shards visited, mix what they found, bring the counts up to date."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.learn.notes import Notes
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.shards import Crew, Found
from rosenblatt.loops.rule import rule

if TYPE_CHECKING:
    from rosenblatt.learn.run import Run


class Passes:
    """The weights while they change, in the layout of the rows, and the crew that visits the rows."""

    weights: np.ndarray
    lag: np.ndarray | None

    def __init__(self, problem: Problem, visited: np.ndarray, crew: Crew, settings: Settings, rate: float):
        self.problem = problem
        self.visited = visited
        self.crew = crew
        self.settings = settings
        self.rate = rate
        self.size = sum(crew.sizes)

    @property
    def amounts(self) -> np.ndarray:
        """How much an update on each row of the problem counts, the rate included."""
        return self.problem.amounts if self.rate == 1 else self.problem.amounts * self.rate

    def take_over(self, run: Run) -> None:
        """Takes copies of the run's weights, so that a run that is cut short leaves the former one whole."""
        self.start = run.weights
        self.weights = self.problem.layout(run.weights)
        self.lag = None if run.lag is None else self.problem.layout(run.lag)

    def hand_back(self, run: Run) -> None:
        run.weights = self.problem.by_class(self.weights)
        run.lag = None if self.lag is None else self.problem.by_class(self.lag)

    def one_pass(self, run: Run) -> Notes:
        """Visits every row once and brings the run's counts up to date; returns the updates."""
        before = self.weights.copy() if run.pocket is not None else None
        found = self.crew.visit(run.passes, run.steps, self.weights, self.lag)
        self._mix(found)
        notes = self._joined(run, found)
        if before is not None and run.pocket is not None:
            updates = notes.steps, notes.rows, notes.rivals, self.amounts[notes.rows]
            run.pocket = run.pocket.after_pass(before, updates, self.problem, self.visited, rule(self.settings.ties))
        updates_made = sum(each.updates for each in found)
        mistakes = sum(each.mistakes for each in found)
        run.passes += 1
        run.steps += self.size
        run.updates += updates_made
        run.mistakes += mistakes
        run.amount += float(sum((each.amount for each in found), Fraction()) / len(found))
        run.per_pass.append((updates_made, mistakes))
        return notes

    def retrace(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows and classes punished in the next passes, if the order is fixed. The weights stay as they are."""
        weights, lag = self.weights.copy(), self.lag
        self.lag = None
        rows, rivals = [], []
        for _ in range(count):
            found = self.crew.visit(0, 0, self.weights, None)
            self._mix(found)
            rows += [each.rows for each in found]
            rivals += [each.rivals for each in found]
        self.weights, self.lag = weights, lag
        return np.concatenate(rows), np.concatenate(rivals)

    def _mix(self, found: list[Found]) -> None:
        """Takes the mean of the shards' weights and the sum of their lags, both in the order of the shards."""
        if len(found) == 1:
            self.weights, self.lag = found[0].weights, found[0].lag
            return
        if not any(each.updates for each in found):  # the mean could only add rounding
            return
        total = np.zeros(self.weights.shape)
        for each in found:
            total += each.weights
        self.weights[...] = total / len(found)
        if self.lag is not None:
            for each in found:
                self.lag += each.lag

    def _joined(self, run: Run, found: list[Found]) -> Notes:
        """The updates of all shards, as if they had been visited one after the other."""
        if len(found) == 1:
            return Notes(run.passes, run.steps, self.size, found[0].steps, found[0].rows, found[0].rivals)
        offsets = np.cumsum([0, *self.crew.sizes])
        steps, rows, rivals = (
            [offset + each.steps for offset, each in zip(offsets, found, strict=False)],
            [each.rows for each in found],
            [each.rivals for each in found],
        )
        return Notes(run.passes, run.steps, self.size, *map(np.concatenate, (steps, rows, rivals)))
