"""The runs of kernels in a job: the rows that they visit, and how their state is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import numpy as np

from rosenblatt.learn.kernel.choice import check_differing
from rosenblatt.learn.kernel.passes import Passes
from rosenblatt.learn.kernel.run import KernelRun, learn_kernel
from rosenblatt.learn.kernel.state import kernel_from_state, kernel_to_state
from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.kernels import Kernel
from rosenblatt.loops.order import row_hashes
from rosenblatt.loops.rows import Dense, Rows, n_features, n_rows, take
from rosenblatt.pipeline.runs import Conduct, Kind, key_of, nothing_seen, watched

WORK = 1.5e10  # products of two numbers in a run of the search, if every row of the sample is updated on once


def run_kernel(
    problem: Problem,
    settings: Settings,
    kernel: Kernel,
    device: str,
    stage: str,
    conduct: Conduct,
    look: Callable[[KernelRun], None] | None = None,
    looks: Collection[int] = (),
    seen: list[Any] | None = None,
    kept: Callable[[list[Any], KernelRun], None] = nothing_seen,
) -> KernelRun:
    """The run, with progress told and, where a job is kept, its state kept after every pass.

    look       is shown the run after the passes in `looks` and at its end; it may add plain values to `seen`
    seen, kept    as those of `runs.run_watched`
    """

    def shown(run: KernelRun) -> bool:
        return look is not None and (run.passes in looks or bool(run.stopped))

    def made(on_pass: Callable[[KernelRun], None], saved: KernelRun | None) -> KernelRun:
        def after(run: KernelRun, passes: Passes) -> None:
            if conduct.checkpoints is not None or shown(run):
                passes.hand_back(run)
            on_pass(run)

        return learn_kernel(problem, settings, lambda _: kernel, None, after, device=device, saved=saved)

    def after(run: KernelRun) -> None:
        if look is not None and shown(run):
            look(run)

    key = key_of(problem, settings, stage) | {"kernel": list(kernel)}
    read = partial(kernel_from_state, settings=settings, problem=problem, kernel=kernel)
    return watched(Kind(made, kernel_to_state, read, key), stage, conduct, after, [] if seen is None else seen, kept)


def problem_of(rows: Rows, truth: np.ndarray, n_classes: int, amounts: np.ndarray | None = None) -> Problem:
    """The problem of a run: a kernel has no constant feature."""
    problem = make_problem(rows._replace(bias=0.0), truth, n_classes, amounts)
    check_differing(problem)
    return problem


def sampled(rows: Rows, truth: np.ndarray, seed: int) -> tuple[Rows, np.ndarray]:
    """The rows that the search sees: all, or those of the smallest hashes where runs over all would take too long."""
    count = n_rows(rows)
    stored = n_features(rows) if isinstance(rows, Dense) else int(rows.starts[-1] - rows.starts[0]) / max(1, count)
    most = int(math.sqrt(WORK / (stored + 16)))
    if count <= most:
        return rows, truth
    hashes = row_hashes(seed, np.arange(count, dtype=np.uint32))
    some = np.sort(np.argsort(hashes, kind="stable")[:most]).astype(np.uint32)
    return take(rows, some), truth[some]
