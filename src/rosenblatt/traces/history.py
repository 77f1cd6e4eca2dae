"""A recorded run as columns: what happened at every step, and the weights after every update.

Weights and scores come from the loops that trained, so they agree with the model to the bit. In vectors the bias stands
first, as in the notes; numbers are scaled as the model's are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.course import Course
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.losses import Losses, losses_of
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.run import Run


@dataclass(frozen=True, eq=False)
class History:
    """Steps count from 0 here, and so do passes, rows and updates."""

    run: Run
    problem: Problem
    rows: np.ndarray  # of each step
    passes: np.ndarray
    updates: np.ndarray  # the number of the update made at the step, or -1
    steps: np.ndarray  # of each update
    rivals: np.ndarray  # the class punished
    raw: np.ndarray  # weights by class before each update, and after the last, as the run keeps them

    @cached_property
    def weights(self) -> np.ndarray:
        """Before each update and after the last: (updates + 1, d), or (updates + 1, K, d) for more than two classes."""
        return self.shown(self.raw)

    @cached_property
    def scores(self) -> np.ndarray:
        """Of each step: one for two classes, one per class for more. Scored by stretches of equal weights."""
        shape = len(self.rows) if self.problem.n_classes == 2 else (len(self.rows), self.problem.n_classes)
        found = np.empty(shape, self.run.weights.dtype)
        begin = 0
        for weights, end in zip(self.raw, [*(self.steps + 1).tolist(), len(self.rows)], strict=True):
            if begin < end:
                found[begin:end] = self.problem.pass_scores(self.rows[begin:end], self.problem.layout(weights))
            begin = end
        return found * found.dtype.type(self.run.scale) if self.run.scale != 1 else found

    @cached_property
    def mistaken(self) -> np.ndarray:
        """For each update, whether the row was wrong or tied, not merely within the margin."""
        scores, truth = self.scores[self.steps], self.problem.truth[self.rows[self.steps]]
        if scores.ndim == 1:
            return np.where(truth == 1, scores, -scores) <= 0
        each = np.arange(len(scores))
        return np.asarray(scores[each, truth] <= scores[each, self.rivals])

    @cached_property
    def predicted(self) -> np.ndarray:
        """The class of each step; where a tie counts as a mistake, the one that was mistaken for the true one."""
        found = Decision(self.run.settings.ties).decide(self.scores)
        found[self.steps[self.mistaken]] = self.rivals[self.mistaken]
        return found

    @cached_property
    def margin_at_most(self) -> np.ndarray:
        """Before each update and after the last: no weights have a larger margin on these rows (NOTES section 5)."""
        moved = (self.raw - self.run.start).reshape(len(self.raw), -1)
        amounts = np.cumsum(self.factors)
        return np.concatenate([[np.inf], np.linalg.norm(moved[1:], axis=1) / amounts])

    @cached_property
    def passed(self) -> list[tuple[int, Losses]]:
        """At the start and after each pass: how many updates were made, and the losses of the weights."""
        ends = np.flatnonzero(np.diff(self.passes, append=-1)) + 1
        made = [0, *np.searchsorted(self.steps, ends).tolist()]
        found = {u: losses_of(self.problem, self.raw[u], self.run.settings.ties, self.run.scale) for u in set(made)}
        return [(u, found[u]) for u in made]

    @cached_property
    def factors(self) -> np.ndarray:
        """What each update counts, before it is scaled."""
        return np.concatenate([notes.amounts for notes in self.run.notes])

    def shown(self, weights: np.ndarray) -> np.ndarray:
        """Weights by class as they are shown: scaled, the bias first."""
        scaled = weights * weights.dtype.type(self.run.scale) if self.run.scale != 1 else weights
        return np.roll(scaled, 1, axis=-1) if self.problem.rows.bias else scaled[..., :-1]


def check_plain(rule: str) -> None:
    """SettingError unless it is the rule of the notes, which a trace shows."""
    if not RULES[rule].plain:
        raise SettingError(f"a trace shows the rule of the notes; got rule={rule!r}. Use rule='perceptron'.")


def history(run: Run, problem: Problem, orders: Sequence[np.ndarray] | None = None) -> History:
    """The history of a run that was recorded on one shard; `orders` are the rows of each pass, if they were chosen."""
    check_plain(run.settings.rule)
    if not run.settings.record or run.settings.shards > 1:
        raise DataError("only a run that was recorded, on one shard, has a history. Train with record=True.")
    if orders is None:
        course = Course(problem, problem.visited, run.settings)
        orders = [course.row_numbers(course.orders(notes.number)[0]).astype(np.intp) for notes in run.notes]
    rows = np.concatenate(orders)
    steps = np.concatenate([notes.before + notes.steps for notes in run.notes])
    rivals = np.concatenate([notes.rivals for notes in run.notes])
    updates = np.full(len(rows), -1)
    updates[steps] = np.arange(len(steps))
    passes = np.repeat([notes.number for notes in run.notes], [notes.size for notes in run.notes])
    factors = np.concatenate([notes.amounts for notes in run.notes])
    weights = problem.layout(run.start.astype(run.weights.dtype))
    raw = np.empty((len(steps) + 1, *run.weights.shape), weights.dtype)
    raw[0] = problem.by_class(weights)
    which = rows[steps]
    for u in range(len(steps)):
        one = slice(u, u + 1)
        problem.add(which[one], rivals[one], factors[one], weights)
        raw[u + 1] = problem.by_class(weights)
    return History(run, problem, rows, passes, updates, steps, rivals, raw)


def prolonged(run: Run, passes: int) -> Run:
    """A run that ended in a cycle, gone on to so many passes: they repeat those of the cycle."""
    if run.cycle is None or run.passes >= passes:
        return run
    notes, length = list(run.notes), run.cycle.passes
    while len(notes) < passes:
        like = notes[-length]
        notes.append(replace(like, number=len(notes), before=notes[-1].before + notes[-1].size))
    return replace(run, notes=notes, passes=passes, steps=notes[-1].before + notes[-1].size)
