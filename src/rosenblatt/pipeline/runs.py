"""The runs of a job: how each is set up, carried out and told of."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rosenblatt.learn.problem import Problem
from rosenblatt.learn.run import Run, learn
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.shards import Here, Site
from rosenblatt.pipeline.progress import Progress, Watch, silent


@dataclass(frozen=True)
class Conduct:
    """How the runs of a job are carried out: in how many shards, on how many threads or where, and who is told."""

    watch: Watch = silent
    shards: int = 1
    jobs: int | None = None  # None: all processors
    site: Site = field(default_factory=Here)


def run_settings(problem: Problem, margin: float, passes: int, seed: int) -> Settings:
    """Settings for a run with a margin that is a multiple of the mean |f(x)|²."""
    return Settings(weights="averaged", margin=margin * problem.mean_square, tol=None, max_iter=passes, seed=seed)


def run_watched(
    problem: Problem, settings: Settings, stage: str, conduct: Conduct, after: Callable[[Run], None] | None = None
) -> Run:
    """The run, with progress told after every pass."""
    settings = replace(settings, shards=conduct.shards, n_jobs=-1 if conduct.jobs is None else conduct.jobs)
    started = time.perf_counter()

    def on_pass(run: Run) -> None:
        seconds = max(time.perf_counter() - started, 1e-9)
        mistakes = run.per_pass[-1][1]
        rate = mistakes / max(run.steps // run.passes, 1)
        speed = run.steps / seconds
        conduct.watch(Progress(stage, run.passes, mistakes, rate, speed, seconds, state=conduct.site.state()))
        if after is not None:
            after(run)

    return learn(problem, settings, on_pass=on_pass, site=conduct.site)
