"""A run of the kernel perceptron: passes over a problem until there is a reason to stop, and the list they leave."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.learn.any_run import AnyRun
from rosenblatt.learn.cycle import Watch
from rosenblatt.learn.kernel.cycle import prove_cycle
from rosenblatt.learn.kernel.grid import Facts
from rosenblatt.learn.kernel.passes import Passes
from rosenblatt.learn.kernel.start import make_passes
from rosenblatt.learn.kernel.support import Ballot, Support
from rosenblatt.learn.kernel.updates import Updates
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import counted
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.stopping import Progress
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.kernels import POLY, RBF, Kernel
from rosenblatt.loops.rows import Rows


@dataclass
class KernelRun(AnyRun):
    """Everything that a run has found: the list of updates, the rows they are on, and how it went."""

    kernel: Kernel
    n_classes: int
    facts: Facts  # of the rows visited and of the support rows
    updates_list: Updates = field(default_factory=Updates.none)
    rows: Rows | None = None  # the support rows, in the order of their first update; None while there is none
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))  # of the support rows; -1: of other rows
    length: float = 0.0  # of the weights in feature space
    moved: float = 0.0  # how far from where the bracket began
    scores: np.ndarray | None = None  # of every row, by class and number, for a continuation on the same rows
    since: int = 0  # updates before these rows were first visited: made on other rows
    start_scores: np.ndarray | None = None  # the scores that those give these rows; None where there were none
    start_length: float = 0.0  # and the length of their weights
    device: str = "cpu"  # where the last passes were made
    kept: np.ndarray | None = None  # the places of the support rows that pruning left

    @property
    def margin_bracket(self) -> tuple[float, float]:
        """Bounds on the best homogeneous margin of the rows in feature space, from the final list."""
        low = self.lowest_lead / self.length if self.separated and self.length else 0.0
        return low, self.moved / self.amount if self.amount else math.inf

    @property
    def exact(self) -> bool:
        """Whether all products of rows are whole numbers that nothing rounds."""
        return self.facts.exact

    def factors(self, variant: str) -> np.ndarray:
        """What each update counts: its amount, or for averaged scores the share of it that lasted."""
        found = self.updates_list
        if VARIANTS[variant].lags and self.steps:
            return found.amounts * ((self.steps - found.befores) / self.steps)
        return found.amounts

    def dual(self, variant: str) -> np.ndarray:
        """What the updates on each support row count together: a line for two classes, one for each class of more."""
        updates, factors = self.updates_list, self.factors(variant)
        listed = updates.which, updates.gains, updates.loses, factors
        return np.ascontiguousarray(np.atleast_2d(counted(*listed, len(self.numbers), self.n_classes).T))

    @property
    def classes_of_support(self) -> np.ndarray:
        """The class of each support row, of those that were kept."""
        classes = np.zeros(len(self.numbers), np.int32)
        classes[self.updates_list.which] = self.updates_list.gains
        return classes if self.kept is None else classes[self.kept]

    def support(self, empty: Rows) -> Support:
        """Its support rows; `empty` has none of them, for a run that was never updated."""
        return Support(self.kernel, empty if self.rows is None else self.rows, self.facts)

    @property
    def ballot(self) -> Ballot:
        updates = self.updates_list
        survived = np.diff(updates.befores, prepend=0, append=self.steps)
        listed = updates.which, updates.gains, updates.loses, updates.amounts
        return Ballot(listed, survived, self.n_classes, self.settings.ties)

    def with_classes(self, places: np.ndarray, n_classes: int) -> KernelRun:
        """The run with more classes, where its own are now those in `places`: the same list under other numbers."""
        places = places.astype(np.int32)
        return replace(
            self,
            n_classes=n_classes,
            updates_list=self.updates_list.with_classes(places),
            recorded=[each.with_classes(places) for each in self.recorded],
            fingerprint=(),
        )


def learn_kernel(
    problem: Problem,
    settings: Settings,
    kernel: Callable[[np.ndarray], Kernel],
    before: KernelRun | None = None,
    on_pass: Callable[[KernelRun, Passes], None] | None = None,
    told: Callable[[str], None] | None = None,
    device: str = "cpu",
    saved: KernelRun | None = None,
) -> KernelRun:
    """The run from an empty list, or the continuation of the run `before`, by at most max_iter passes.

    A continuation on the same rows equals one long run to the bit. On other rows the list goes on, and the margin
    bracket, the cycle and the stopping rule begin anew.

    kernel   gives the kernel for rows of these lengths²; a continuation keeps the one it has
    on_pass  is told of every pass; `Passes.hand_back` brings the run up to date where it is looked at
    told     is told how much memory the rows take
    saved    this very run after one of its passes, to be taken up there: max_iter counts from its beginning
    device   "cpu", "gpu", or "auto": the GPU where its list is sure to be the CPU's
    """
    check_settings(settings)
    passes = make_passes(problem, settings, kernel, before or saved, told, device)
    if saved is not None:
        run = saved
    else:
        run = _begin(passes, problem, settings) if before is None else _continue(before, passes, problem, settings)
    run.device = passes.device
    passes.take_over(run)
    limit = settings.max_iter + (run.passes if saved is None else 0)
    while not run.stopped:
        made = passes.one_pass(run)
        run.after_pass(made, limit, partial(_cycles, run, passes), lambda: run.per_pass[-1][0] / passes.size)
        if on_pass is not None:
            on_pass(run, passes)
    passes.hand_back(run)
    return run


def check_settings(settings: Settings) -> None:
    """SettingError where these are settings of a linear run alone."""
    variant = VARIANTS[settings.weights]
    if variant.single and not variant.votes:
        raise SettingError(f"weights must be one of 'final', 'averaged', 'voted'; got {settings.weights!r}.")


def _begin(passes: Passes, problem: Problem, settings: Settings) -> KernelRun:
    run = KernelRun(settings, passes.kernel, problem.n_classes, passes.facts)
    return _look_anew(run, passes, problem)


def _continue(before: KernelRun, passes: Passes, problem: Problem, settings: Settings) -> KernelRun:
    run = replace(
        before,
        settings=settings,
        facts=passes.facts,
        per_pass=[*before.per_pass],
        recorded=[*before.recorded],
        progress=Progress() if before.stopped == "no progress" else before.progress,
        watch=None if settings.shuffle else before.watch,
        stopped="",
    )
    return run if run.fingerprint == problem.fingerprint else _look_anew(run, passes, problem)


def _look_anew(run: KernelRun, passes: Passes, problem: Problem) -> KernelRun:
    """Prepares what speaks of the rows visited now."""
    run.fingerprint, run.radius = problem.fingerprint, passes.radius
    run.amount, run.progress, run.cycle = 0.0, Progress(), None
    run.scores = run.start_scores = run.watch = None
    run.since, run.start_length = len(run.updates_list), run.length
    run.numbers = np.full(len(run.numbers), -1)
    return run


def _cycles(run: KernelRun, passes: Passes) -> bool:
    """Whether the scores of all rows came back after a pass in a fixed order, and the updates cancel exactly.

    Weights that are sums of the rows are known by their scores of the rows: equal scores are equal weights.
    """
    if run.settings.shuffle or run.kernel.kind == RBF:  # no sum of curves of distinct rows under rbf is 0
        return False
    scores = passes.all_scores()
    if run.watch is None:
        run.watch = Watch(np.zeros_like(scores) if run.passes == 1 else scores)
        if run.passes > 1:
            return False
    length = run.watch.after_pass(scores)
    if not length or run.kernel.kind != POLY:
        return False
    run.cycle = prove_cycle(
        length, run, passes.latest(sum(count for count, _ in run.per_pass[-length:])), passes.problem
    )
    return run.cycle is not None
