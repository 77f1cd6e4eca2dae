"""The runs of a job: how each is set up, carried out, told of and kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from rosenblatt.claims import anything, fields, listed
from rosenblatt.learn.any_run import AnyRun
from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.run import Run, learn
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.shards import Here, Site
from rosenblatt.learn.state import from_state, to_state
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.rows import Rows
from rosenblatt.pipeline.progress import Progress, Watch, silent
from rosenblatt.pipeline.tries import RUN_APART
from rosenblatt.store.checkpoints import Checkpoints

Kept = Callable[[list[Any], Run], None]
R = TypeVar("R", bound=AnyRun)
SAVED = fields({"run": anything, "seen": listed(anything)})


def nothing_seen(seen: list[Any], run: AnyRun) -> None:
    """For runs that add nothing to what is seen."""
    listed(anything, 0)(seen, "seen")


@dataclass(frozen=True)
class Conduct:
    """How the runs of a job are carried out: shards and threads, where, who is told, and where their state is kept."""

    watch: Watch = silent
    shards: int = 1
    jobs: int | None = None  # None: all processors
    site: Site = field(default_factory=Here)
    checkpoints: Checkpoints | None = None


def run_settings(
    problem: Problem,
    margin: float,
    passes: int,
    seed: int,
    weights: str = "averaged",
    ties: str = Settings.ties,
    rule: str = Settings.rule,
    C: float = Settings.C,
) -> Settings:
    """Settings for a run with a margin that is a multiple of the mean |f(x)|².

    A run of the perceptron has the final and the averaged weights; the others cost more, and so does the average of a
    rule that does better without. Votes are made of its list of updates.
    """
    alone = weights in RUN_APART or weights == RULES[rule].decides
    return Settings(
        weights=weights if alone else "averaged", margin=margin * problem.mean_square, ties=ties, tol=None,
        max_iter=passes, seed=seed, record=VARIANTS[weights].votes, rule=rule, C=C,
    )  # fmt: skip


def problem_of(rows: Rows, truth: np.ndarray, n_classes: int, bias: bool, amounts: np.ndarray | None = None) -> Problem:
    """The problem of a run. Without a bias the constant feature is 0 in training, and so its weight stays 0.

    amounts    how much an update on each row counts, where that is not 1
    """
    return make_problem(rows if bias else rows._replace(bias=0.0), truth, n_classes, amounts)


def run_watched(
    problem: Problem,
    settings: Settings,
    stage: str,
    conduct: Conduct,
    after: Callable[[Run], None],
    seen: list[Any],
    kept: Kept = nothing_seen,
) -> Run:
    """The run, with progress told after every pass.

    after    what else to do after a pass; it may add plain values to `seen`
    seen     is kept with the run, and filled again when the run is taken up from a checkpoint
    kept     raises Misfit where what a checkpoint has for `seen`, and the run beside it, cannot be
    """
    settings = replace(settings, shards=conduct.shards, n_jobs=-1 if conduct.jobs is None else conduct.jobs)

    def made(on_pass: Callable[[Run], None], saved: Run | None) -> Run:
        return learn(problem, settings, on_pass=on_pass, site=conduct.site, saved=saved)

    def read(plain: Any, arrays: dict[str, np.ndarray]) -> Run:
        return from_state(plain, arrays, settings, problem)

    kind = Kind(made, to_state, read, key_of(problem, settings, stage))
    return watched(kind, stage, conduct, after, seen, kept)


class Kind(NamedTuple, Generic[R]):
    """How a run is made and kept."""

    learn: Callable[[Callable[[R], None], R | None], R]  # with what is told of every pass, and what it is taken up from
    to_state: Callable[[R], tuple[dict[str, Any], dict[str, np.ndarray]]]
    from_state: Callable[[Any, dict[str, np.ndarray]], R]
    key: dict[str, Any]  # what tells it apart from all other runs of a job: equal keys would be equal runs


def watched(
    kind: Kind[R],
    stage: str,
    conduct: Conduct,
    after: Callable[[R], None],
    seen: list[Any],
    kept: Callable[[list[Any], R], None],
) -> R:
    """A run of this kind, with progress told and its state kept after every pass."""

    def read(plain: Any, arrays: dict[str, np.ndarray]) -> R:
        SAVED(plain, "the checkpoint")
        run = kind.from_state(plain["run"], arrays)
        kept(plain["seen"], run)
        seen[:] = plain["seen"]
        return run

    saved = None if conduct.checkpoints is None else conduct.checkpoints.load(kind.key, read)
    started, already = time.perf_counter(), 0 if saved is None else saved.steps

    def on_pass(run: R) -> None:
        seconds = max(time.perf_counter() - started, 1e-9)
        mistakes = run.per_pass[-1][1]
        rate = mistakes / max(run.steps // run.passes, 1)
        speed = (run.steps - already) / seconds
        state, most = conduct.site.state(), run.settings.max_iter
        conduct.watch(Progress(stage, run.passes, mistakes, rate, speed, seconds, state=state, most=most))
        after(run)
        if conduct.checkpoints is not None:
            plain, arrays = kind.to_state(run)
            conduct.checkpoints.save(kind.key, {"run": plain, "seen": seen}, arrays)

    return kind.learn(on_pass, saved)


def key_of(problem: Problem, settings: Settings, stage: str) -> dict[str, Any]:
    """What tells a run of a job apart from all others."""
    chosen = {name: value for name, value in asdict(settings).items() if name != "n_jobs"}
    return {"stage": stage, "rows": list(problem.fingerprint), **chosen}
