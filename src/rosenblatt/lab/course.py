"""The run of a bench on the engine, with everything the page may ask about it: each moment, each kind of weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rosenblatt.lab.bench import Bench
from rosenblatt.lab.sessions import Session
from rosenblatt.learn.decide import Decision, score_rows
from rosenblatt.learn.pocket import Pocket
from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.learn.run import Run, learn
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.votes import Chapter, ballots, make_chapter
from rosenblatt.loops.rows import Rows, dense_rows
from rosenblatt.loops.rule import rule
from rosenblatt.traces.history import History, history

MOST_STEPS = 100_000
MOST_UPDATES = 10_000
AT_ONCE = 5_000  # steps between looks at how many updates there are


@dataclass(frozen=True, eq=False)
class Course:
    """A bench and its run. Weights here are by class and unscaled; `history.shown` makes them what people see."""

    bench: Bench
    problem: Problem
    run: Run
    history: History
    limited: bool  # whether the lab's limits ended the run, not the person's

    @cached_property
    def averaged(self) -> np.ndarray:
        """The average of the weights after every step so far: at the start, and at each update just after it."""
        past, problem = self.history, self.problem
        lag = problem.layout(np.zeros(self.run.start.shape))
        found = past.raw.copy()
        rows = past.rows[past.steps]
        for u, step in enumerate(past.steps.tolist()):
            one = slice(u, u + 1)
            problem.add(rows[one], past.rivals[one], past.factors[one] * step, lag)
            found[u + 1] = past.raw[u + 1] - problem.by_class(lag) / (step + 1)
        return found

    @cached_property
    def pockets(self) -> tuple[np.ndarray, np.ndarray]:
        """What is in the pocket at the start, after each update and at the end, and how many rows it gets right.

        The pocket is offered weights when their run of right rows ends.
        """
        past, problem = self.history, self.problem
        visited, by = problem.visited, rule(self.bench.ties)
        pocket = Pocket(past.raw[0], problem.right(visited, by, problem.layout(past.raw[0])))
        found, right = [pocket.weights], [pocket.right]
        last = -1
        for u, step in enumerate([*past.steps.tolist(), len(past.rows)]):
            if step - last - 1 > pocket.longest:
                pocket = pocket.offered(problem.layout(past.raw[u]), step - last - 1, problem, visited, by)
            found.append(pocket.weights)
            right.append(pocket.right)
            last = step
        return np.array(found), np.array(right)

    @cached_property
    def chapter(self) -> Chapter:
        """All weights of the run, to vote."""
        past = self.history
        factors = np.zeros(len(self.problem.truth))
        factors[past.rows[past.steps]] = past.factors
        return make_chapter(past.raw[0], self.run.notes, self.problem, factors)

    def weights(self, variant: str, updates: int | None = None) -> np.ndarray:
        """Final, averaged or pocket weights after so many updates, or at the end of the run."""
        past = self.history
        if updates is not None and updates < len(past.steps):
            return {"final": past.raw, "averaged": self.averaged, "pocket": self.pockets[0]}[variant][updates]
        if variant == "pocket":
            return np.asarray(self.pockets[0][-1])
        if variant == "averaged" and self.run.lag is not None and self.run.steps:
            return self.run.weights - self.run.lag / self.run.steps
        return self.run.weights

    def decide(self, points: np.ndarray, variant: str, updates: int | None = None) -> np.ndarray:
        """For each point the place of its class in `classes`."""
        rows = self.rows(points)
        if variant == "voted":
            votes = ballots(rows, [self.chapter], len(self.bench.classes), self.bench.ties)
            return Decision(self.bench.ties).decide(votes)
        scores = score_rows(rows, np.ascontiguousarray(self.weights(variant, updates)))
        return Decision(self.bench.ties).decide(scores)

    def rows(self, points: np.ndarray) -> Rows:
        return dense_rows(np.ascontiguousarray(points, np.float64), float(self.bench.bias))

    def right(self, variant: str) -> int:
        """How many points these weights get right; a tie is right only where the tie rule says so."""
        if variant == "voted":
            return int(np.sum(self.decide(self.bench.points, "voted") == self.bench.codes))
        weights = self.problem.layout(self.weights(variant))
        return self.problem.right(self.problem.visited, rule(self.bench.ties), weights)

    @property
    def size(self) -> int:
        """About how many bytes this takes with all that may be computed of it."""
        return self.history.raw.nbytes * 4 + len(self.history.rows) * 8 * (6 + len(self.bench.classes)) + 100_000


def course_of(session: Session, bench: Bench) -> Course:
    """The course of this bench; remembered, because a page asks many things about one run."""
    kept = session.get(f"course {bench.key}")
    if isinstance(kept, Course) and kept.bench.columns == bench.columns:
        return replace(kept, bench=bench) if kept.bench.names != bench.names else kept
    made = make_course(bench)
    return session.keep(f"course {bench.key}", made, made.size)


def make_course(bench: Bench) -> Course:
    problem = make_problem(dense_rows(bench.points, float(bench.bias)), bench.codes, len(bench.classes))
    passes = min(bench.passes, max(1, MOST_STEPS // len(bench.points)))
    at_once = max(1, AT_ONCE // len(bench.points))
    settings = Settings(
        weights="averaged",
        margin=bench.margin,
        ties=bench.ties,
        eta0=bench.alpha,
        tol=None,
        shuffle=bench.seed is not None,
        seed=bench.seed or 0,
        record=True,
    )
    run = learn(problem, replace(settings, max_iter=min(at_once, passes)), engine_start(bench))
    while run.stopped == "limit" and run.passes < passes and run.updates < MOST_UPDATES:
        # A run that is continued is the same to the bit as a long one.
        run = learn(problem, replace(settings, max_iter=min(at_once, passes - run.passes)), before=run)
    limited = run.stopped == "limit" and run.passes < bench.passes
    return Course(bench, problem, run, history(run, problem), limited)


def engine_start(bench: Bench) -> np.ndarray | None:
    """The start weights as the engine has them: the bias last, and 0 where there is none."""
    if bench.start is None:
        return None
    if bench.bias:
        return np.roll(bench.start, -1, -1)
    return np.insert(bench.start, bench.start.shape[-1], 0.0, -1)
