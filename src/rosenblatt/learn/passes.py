"""One pass after another over a problem: have the shards visited, mix what they found, bring the counts up to date."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.rule import Rule
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.shards import Crew, Found, Vectors

if TYPE_CHECKING:
    from rosenblatt.learn.run import Run


class Passes:
    """The weights while they change, in the layout of the rows, and the crew that visits the rows."""

    at: Vectors

    def __init__(self, problem: Problem, visited: np.ndarray, crew: Crew, settings: Settings, rule: Rule):
        self.problem = problem
        self.visited = visited
        self.crew = crew
        self.settings = settings
        self.rule = rule
        self.size = sum(crew.sizes)

    @property
    def weights(self) -> np.ndarray:
        return self.at.weights

    @property
    def lag(self) -> np.ndarray | None:
        return self.at.lag

    def take_over(self, run: Run) -> None:
        """Takes copies of the run's weights, so that a run that is cut short leaves the former one whole."""
        self.start = run.weights
        laid = (None if each is None else self.problem.layout(each) for each in (run.lag, run.kept))
        self.at = Vectors(self.problem.layout(run.weights), *laid)

    def hand_back(self, run: Run) -> None:
        weights, lag, kept = self.at
        run.weights = self.problem.by_class(weights)
        run.kept = None if kept is None else self.problem.by_class(kept)
        if lag is not None:
            run.own = self.problem.by_class(lag)

    def one_pass(self, run: Run) -> Recording:
        """Visits every row once and brings the run's counts up to date; returns the updates."""
        before = run.variant.before_pass(self)
        found = self.crew.visit(run.passes, run.steps, self.at)
        self._mix(found)
        made = self._joined(run, found)
        run.variant.after_pass(run, self, before, made)
        amount = float(sum((each.amount for each in found[1:]), found[0].amount) / len(found))
        run.count_pass(self.size, sum(each.updates for each in found), sum(each.mistakes for each in found), amount)
        return made

    def retrace(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows and classes punished in the next passes, if the order is fixed. The weights stay as they are."""
        before = self.at._replace(weights=self.weights.copy())
        self.at = self.at._replace(lag=None)
        rows, rivals = [], []
        for _ in range(count):
            found = self.crew.visit(0, 0, self.at)
            self._mix(found)
            rows += [each.made.rows for each in found]
            rivals += [each.made.rivals for each in found]
        self.at = before
        return np.concatenate(rows), np.concatenate(rivals)

    def _mix(self, found: list[Found]) -> None:
        """Takes the mean of the shards' weights and the sum of their lags, both in the order of the shards."""
        if len(found) == 1:
            self.at = found[0].vectors
            return
        if not any(each.updates for each in found):  # the mean could only add rounding
            return
        total, (weights, lag, kept) = np.zeros(self.weights.shape), self.at
        for each in found:
            total += each.vectors.weights
            if lag is not None:
                lag += each.vectors.lag
        weights[...] = total / len(found)
        if kept is not None:
            kept[...] = self.rule.mixed([each.vectors.kept for each in found if each.vectors.kept is not None])

    def _joined(self, run: Run, found: list[Found]) -> Recording:
        """The updates of all shards, as if they had been visited one after the other."""
        begins = accumulate(self.crew.sizes, initial=run.steps)
        parts = [each.made._replace(steps=at + each.made.steps) for at, each in zip(begins, found, strict=False)]
        return Recording.joined(parts)._replace(sizes=(self.size,), first=run.passes, before=run.steps)
