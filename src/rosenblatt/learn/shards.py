"""Shards: parts of the rows that are visited at the same time, each from the same weights.

`visit_shard` is the one function that visits a shard, on a thread of this process (`Threads`) or anywhere else. Whoever
visits shards is a Crew; where crews come from is a Site. What a crew brings back depends on the shards alone, never on
who visited which, or who was done first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from rosenblatt.learn.course import Course
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.rule import Made, Rule
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.exact_sum import exact_sum
from rosenblatt.loops.threads import in_threads, thread_count

A = TypeVar("A")


class Turn(NamedTuple):
    """What all shards are told of a pass."""

    number: int  # of the pass, from 0
    before: int  # rows visited in all passes before it
    size: int  # rows that all shards visit in it
    shards: int


class Vectors(NamedTuple):
    """What a run works on, in the layout of the rows."""

    weights: np.ndarray
    lag: np.ndarray | None  # None when no average is needed
    kept: np.ndarray | None  # what the rule keeps beside the weights


class Found(NamedTuple):
    """What a shard brings back from a pass."""

    vectors: Vectors  # as the shard leaves them; the lag of one of several shards is what its updates add to it
    updates: int
    mistakes: int
    amount: Fraction  # what its updates count together, before they are mixed
    made: Recording  # its steps are positions within the shard


class Crew(Protocol):
    """Visits the shards of one run."""

    sizes: Sequence[int]  # rows of each shard

    def visit(self, number: int, before: int, vectors: Vectors) -> list[Found]:
        """What each shard finds in a pass from these weights, in the order of the shards.

        A single shard continues from the lag it is given; several shards start theirs at zero.
        """
        ...

    def lowest_lead(self, weights: np.ndarray) -> float:
        """How far the true class leads at least over all rows; 0 if any of them is not strictly right."""
        ...


class Site(Protocol):
    """Where shards are visited."""

    def crew(self, problem: Problem, visited: np.ndarray, settings: Settings, rule: Rule, rate: float) -> Crew: ...

    def state(self) -> str:
        """What to tell of it while it works; nothing where there is nothing to tell."""
        ...


def visit_shard(
    problem: Problem,
    order: np.ndarray,
    amounts: np.ndarray,
    rule: Rule,
    turn: Turn,
    vectors: Vectors,
    noted: np.ndarray,
) -> Found:
    """One pass over a shard, which changes the vectors; `rows` are places in the problem.

    An update in one of S shards moves the mean of their weights by 1/S, so that is what it counts in the lag. In the
    average of a pass every shard counts the same, so the steps of a shard are stretched to the length of the pass.
    """
    weights, lag, kept = vectors
    parts: list[Made] = []
    for start, some, here, mine in problem.windows(order, amounts):
        before = None if kept is None or lag is None else kept.copy()
        made = rule.visit(here, some, mine, weights, kept, noted[start : start + len(some)])
        if lag is not None and len(made.steps):
            late = turn.before + (start + made.steps) * (turn.size / len(order))
            counted = made.amounts / turn.shards * late
            rule.add(here, some[made.steps], made.rivals, counted, made.shrinks, before, lag)
        parts.append(made if start == 0 else made._replace(steps=start + made.steps))
    whole = Made.joined(parts)
    amount = exact_sum(whole.amounts) if rule.proves else Fraction()
    listed = Recording(whole.steps, order[whole.steps], whole.rivals, whole.amounts, whole.shrinks, (len(order),))
    return Found(vectors, len(whole.steps), whole.mistakes, amount, listed)


def own_vectors(vectors: Vectors) -> Vectors:
    """What one of several shards begins with: copies, and a lag of zero."""
    weights, lag, kept = vectors
    lag = None if lag is None else np.zeros(lag.shape)
    return Vectors(weights.copy(), lag, None if kept is None else kept.copy())


class Threads:
    """The shards of a problem in the memory of this process, as many at a time as there are threads."""

    sizes: Sequence[int]

    def __init__(self, problem: Problem, visited: np.ndarray, settings: Settings, rule: Rule, rate: float):
        self.course = Course(problem, visited, settings)
        self.rule = rule
        amounts = self.course.problem.amounts
        self.amounts = amounts if rate == 1 else amounts * rate
        self.sizes = [len(shard) for shard in self.course.shards]
        self.noted = [np.empty(size, np.int64) for size in self.sizes]
        self.threads = jobs(settings.n_jobs)

    def visit(self, number: int, before: int, vectors: Vectors) -> list[Found]:
        course = self.course
        turn = Turn(number, before, sum(self.sizes), len(self.sizes))
        alone = turn.shards == 1

        def one(s: int) -> Found:
            mine = vectors if alone else own_vectors(vectors)
            found = visit_shard(
                course.problem, course.order(number, s), self.amounts, self.rule, turn, mine, self.noted[s]
            )
            return found._replace(made=found.made._replace(rows=course.row_numbers(found.made.rows)))

        return self._all(one)

    def lowest_lead(self, weights: np.ndarray) -> float:
        course = self.course
        return min(self._all(lambda s: course.problem.lowest_lead(course.shards[s], weights)))

    def _all(self, work: Callable[[int], A]) -> list[A]:
        shards = range(len(self.sizes))
        return in_threads(work, shards, self.threads) if self.threads > 1 else [work(s) for s in shards]


class Here:
    """This process."""

    def crew(self, problem: Problem, visited: np.ndarray, settings: Settings, rule: Rule, rate: float) -> Crew:
        return Threads(problem, visited, settings, rule, rate)

    def state(self) -> str:
        return ""


def jobs(n_jobs: int | None) -> int:
    """Threads for scikit-learn's n_jobs: None is one, −1 all processors, −2 all but one."""
    if n_jobs is None or n_jobs > 0:
        return n_jobs or 1
    return max(1, thread_count() + 1 + n_jobs)
