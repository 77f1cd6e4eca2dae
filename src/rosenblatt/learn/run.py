"""A run of the perceptron: passes over a problem until there is a reason to stop, and the state they leave."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.learn.any_run import AnyRun
from rosenblatt.learn.bounds import check_bounds, length
from rosenblatt.learn.course import hold_out
from rosenblatt.learn.cycle import Watch, prove_cycle
from rosenblatt.learn.growth import grown, grown_variances
from rosenblatt.learn.passes import Passes
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.shards import Here, Site
from rosenblatt.learn.stopping import Progress
from rosenblatt.learn.variants import VARIANTS


@dataclass
class Run(AnyRun):
    """Everything that a run has found. Arrays of weights are by class: a vector for two classes, a line each for more.

    A run that starts at 0 keeps its weights as if the rate were 1, and `scale` is what to multiply them by. So the
    rate really only scales, and a run that is continued goes on from the very same bits.
    """

    weights: np.ndarray
    start: np.ndarray
    scale: float
    own: Any = None  # what the variant of the weights keeps
    kept: np.ndarray | None = None  # what the rule keeps beside the weights, in float64

    @property
    def margin_bracket(self) -> tuple[float, float]:
        """Bounds on the best homogeneous margin of the rows (NOTES section 5), from the final weights."""
        weights = self.weights.astype(np.float64, copy=False)
        low = self.lowest_lead / length(weights) if self.separated else 0.0
        high = length(weights - self.start) / self.amount if self.amount else float("inf")
        return low, high

    @property
    def lag(self) -> np.ndarray | None:
        """The sum that an average is made of, by class; None where none is wanted."""
        return self.own if self.variant.lags else None

    def weights_of(self, name: str) -> np.ndarray:
        """The weights of a variant: of the run's own, or of one that needs no more than the run has."""
        return self.scaled(VARIANTS[name].weights(self))

    def scaled(self, weights: np.ndarray) -> np.ndarray:
        """A copy of weights of the run, by the scale that it has."""
        return weights * weights.dtype.type(self.scale) if self.scale != 1 else weights.copy(order="K")

    def with_classes(self, places: np.ndarray, n_classes: int) -> Run:
        """The run with more classes, where its own are now those in `places` and the others have weights 0."""
        places = places.astype(np.int32)

        def more(weights: np.ndarray) -> np.ndarray:
            return grown(weights, places, n_classes)

        return replace(
            self,
            weights=more(self.weights),
            start=more(self.start),
            own=self.variant.grown(self.own, more, places),
            kept=None if self.kept is None else grown_variances(self.kept, places, n_classes),
            recorded=[each.with_classes(places) for each in self.recorded],
        )


def learn(
    problem: Problem,
    settings: Settings,
    start: np.ndarray | None = None,
    before: Run | None = None,
    on_pass: Callable[[Run], None] | None = None,
    site: Site | None = None,
    saved: Run | None = None,
) -> Run:
    """The run from `start` (0 if not given), or the continuation of the run `before`, by at most max_iter passes.

    A continuation on the same rows equals one long run to the bit. On other rows the margin bracket, the cycle and
    the stopping rule begin anew, because they speak of the rows that are visited now.

    on_pass  is told of every pass; the run's weights are then views of those at work
    site     where shards are visited; otherwise in this process
    saved    this very run as `on_pass` saw it, to be taken up there: max_iter counts from its beginning
    """
    if saved is not None:
        run = saved
    else:
        run = begin(problem, settings, start) if before is None else _continue(before, problem, settings)
    check_bounds(problem, settings, run.weights, run.scale)
    visited, held = problem.visited, None
    if settings.early_stopping:
        held = _held_out(problem, settings)
        visited = np.setdiff1d(visited, held, assume_unique=True)
    rule = RULES[settings.rule].of(settings, run.scale)
    crew = (site or Here()).crew(problem, visited, settings, rule, 1.0 if run.scale != 1 else settings.eta0)
    passes = Passes(problem, visited, crew, settings, rule)
    passes.take_over(run)
    limit = settings.max_iter + (run.passes if saved is None else 0)
    while not run.stopped:
        made = passes.one_pass(run)
        run.after_pass(made, limit, partial(_cycles, run, passes), partial(_share, run, passes, held))
        if on_pass is not None:
            passes.hand_back(run)  # views: who watches may score with the weights as they are now
            on_pass(run)
    passes.hand_back(run)
    run.end(crew.lowest_lead(passes.weights))
    run.variant.end(run, passes)
    return run


def begin(problem: Problem, settings: Settings, start: np.ndarray | None) -> Run:
    """A run before its first step, at `start` or at 0."""
    weights = problem.zero_weights()
    scale = float(settings.eta0)
    if start is not None:
        check_bounds(problem, settings, start)  # before it is rounded to the type of the weights
        weights = weights + start.astype(weights.dtype)
        if weights.any():
            scale = 1.0
    begun = problem.zero_weights() if start is None else weights  # zeros that nobody writes to take no memory
    run = Run(settings, weights=weights, start=begun.astype(np.float64, copy=start is not None), scale=scale)
    run.own = run.variant.begin(run)
    run.kept = RULES[settings.rule].of(settings, scale).start(problem)
    return _look_anew(run, problem, settings)


def _continue(before: Run, problem: Problem, settings: Settings) -> Run:
    run = replace(
        before,
        settings=settings,
        per_pass=[*before.per_pass],
        recorded=[*before.recorded],
        progress=Progress() if before.stopped == "no progress" else before.progress,
        watch=deepcopy(before.watch) if RULES[settings.rule].proves and not settings.shuffle else None,
        stopped="",
    )
    if settings.weights == before.settings.weights:
        run.own = run.variant.continued(before.own)
    else:  # an average cannot begin in the middle; until `fit` begins anew the final weights decide
        run.own = None if run.variant.lags else run.variant.begin(run)
        run.own = run.variant.look_anew(run, problem)
    if run.scale not in (1, settings.eta0):  # the rate was changed: the weights so far count as they are
        run.weights = before.weights_of("final")
        run.start = run.start * run.scale
        run.amount *= run.scale
        run.own = run.variant.scaled(run.own, run.scale)
        run.recorded = [each._replace(amounts=each.amounts * run.scale) for each in run.recorded]
        run.scale = 1.0
    if settings.rule != before.settings.rule or run.kept is None:
        run.kept = RULES[settings.rule].of(settings, run.scale).start(problem)
    if run.fingerprint != problem.fingerprint:
        run.start, run.amount, run.progress, run.cycle = run.weights.astype(np.float64), 0.0, Progress(), None
        run = _look_anew(run, problem, settings)
    return run


def _look_anew(run: Run, problem: Problem, settings: Settings) -> Run:
    """Prepares what speaks of the rows visited now."""
    run.fingerprint, run.radius = problem.fingerprint, problem.radius
    watched = RULES[settings.rule].proves and not settings.shuffle
    run.watch = Watch(problem.layout(run.weights)) if watched else None
    run.own = run.variant.look_anew(run, problem)
    return run


def _held_out(problem: Problem, settings: Settings) -> np.ndarray:
    held = hold_out(problem.truth, problem.visited, settings.validation_fraction, settings.seed)
    if not len(held):
        raise SettingError(
            f"early_stopping would keep aside none of {len(problem.visited)} rows with "
            f"validation_fraction={settings.validation_fraction}; raise it, or turn early_stopping off."
        )
    return held


def _cycles(run: Run, passes: Passes) -> bool:
    """Whether the pass closed a cycle that can be proved. If it cannot, later repetitions would be the same one."""
    length = run.watch.after_pass(passes.weights) if run.watch is not None else 0
    if length:
        run.watch = None
        run.cycle = prove_cycle(length, *passes.retrace(length), passes.problem)
    return run.cycle is not None


def _share(run: Run, passes: Passes, held: np.ndarray | None) -> float:
    """The share of rows updated on, or of held-out rows that are wrong."""
    if held is None:
        return run.per_pass[-1][0] / passes.size
    return 1 - run.variant.right(held, run, passes) / len(held)
