"""One pass after another over a problem: visit the shards, mix their weights, fold the mistake list into the sums."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.learn.course import Course
from rosenblatt.learn.notes import Notes
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.rule import Rule, rule

if TYPE_CHECKING:
    from rosenblatt.learn.run import Run


class Passes:
    """The weights while they change, in the layout of the rows, and the room that every pass needs."""

    weights: np.ndarray
    lag: np.ndarray | None

    def __init__(self, problem: Problem, course: Course, settings: Settings, training: Rule, rate: float):
        self.problem = problem
        self.course = course
        self.settings = settings
        self.rule = training
        self.amounts = problem.amounts if rate == 1 else problem.amounts * rate
        self.amounts_in_course = self.amounts if course.names is None else self.amounts[course.names]
        self.size = len(course.visited)
        self.noted = [np.empty(len(shard), np.int64) for shard in course.shards]
        self.threads = min(len(course.shards), _thread_count(settings.n_jobs))

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
        course = self.course
        orders = course.orders(run.passes)
        before = self.weights.copy() if run.pocket is not None else None
        found = self._visit(orders)
        if len(orders) == 1:
            ((steps, rivals, mistakes),) = found
            places = orders[0][steps]
            factors = self.amounts_in_course[places]
            late = steps + run.steps
        else:
            steps, places, rivals, factors, late, mistakes = self._joined(orders, found, run.steps)
        if self.lag is not None and len(steps):
            course.problem.add(places, rivals, factors * late, self.lag)
        notes = Notes(run.passes, run.steps, self.size, steps, course.row_numbers(places), rivals)
        if before is not None and run.pocket is not None:
            updates = steps, places, rivals, factors
            run.pocket = run.pocket.after_pass(
                before, updates, course.problem, course.visited, rule(self.settings.ties)
            )
        run.passes += 1
        run.steps += self.size
        run.updates += len(steps)
        run.mistakes += mistakes
        run.amount += float(factors.sum())
        run.per_pass.append((len(steps), mistakes))
        return notes

    def _visit(self, orders: list[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray, int]]:
        """Each shard's updates. More than one: each from the same weights, then their mean, taken in shard order."""
        problem, amounts = self.course.problem, self.amounts_in_course
        if len(orders) == 1:
            return [problem.visit(orders[0], amounts, self.rule, self.weights, self.noted[0])]
        copies = [self.weights.copy() for _ in orders]

        def one(s: int) -> tuple[np.ndarray, np.ndarray, int]:
            return problem.visit(orders[s], amounts, self.rule, copies[s], self.noted[s])

        if self.threads > 1:
            with ThreadPoolExecutor(self.threads) as pool:
                found = list(pool.map(one, range(len(orders))))
        else:
            found = [one(s) for s in range(len(orders))]
        if any(len(steps) for steps, _, _ in found):  # otherwise the mean could only add rounding
            total = np.zeros(self.weights.shape)
            for weights in copies:
                total += weights
            self.weights[...] = total / len(copies)
        return found

    def _joined(
        self, orders: list[np.ndarray], found: list[tuple[np.ndarray, np.ndarray, int]], visited: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
        """The updates of all shards, as if they had been visited one after the other.

        An update in one of S shards moves the mean by 1/S. In the average of a pass every shard counts the same, so
        the steps of a shard are stretched to the length of the pass.
        """
        offsets = np.cumsum([0, *map(len, orders)])
        steps = np.concatenate([offset + own for offset, (own, _, _) in zip(offsets, found, strict=False)])
        places = np.concatenate([order[own] for order, (own, _, _) in zip(orders, found, strict=True)])
        rivals = np.concatenate([rivals for _, rivals, _ in found])
        factors = self.amounts_in_course[places] / len(orders)
        late = visited + np.concatenate(
            [own * (self.size / len(order)) for order, (own, _, _) in zip(orders, found, strict=True)]
        )
        return steps, places, rivals, factors, late, sum(mistakes for _, _, mistakes in found)


def _thread_count(n_jobs: int | None) -> int:
    """Threads for scikit-learn's n_jobs: None is one, −1 all processors, −2 all but one."""
    if n_jobs is None or n_jobs > 0:
        return n_jobs or 1
    return max(1, (cpu_count() or 1) + 1 + n_jobs)
