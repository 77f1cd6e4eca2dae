"""Before the first pass: rows in the first order of a run, in tiles here or on a GPU, and the memory they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.data.memory import show_size
from rosenblatt.learn.kernel.device import chosen_device
from rosenblatt.learn.kernel.grid import Grid, check_memory, facts_of, grid_size, make_grid
from rosenblatt.learn.kernel.ondevice import PassesOnDevice
from rosenblatt.learn.kernel.passes import Passes
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.kernels import Kernel
from rosenblatt.loops.order import hash_order, row_hashes
from rosenblatt.loops.rows import n_features
from rosenblatt.loops.tiles import Whole

if TYPE_CHECKING:
    from rosenblatt.learn.kernel.run import KernelRun


def make_passes(
    problem: Problem,
    settings: Settings,
    kernel: Callable[[np.ndarray], Kernel],
    before: KernelRun | None,
    told: Callable[[str], None] | None,
    device: str,
) -> Passes:
    """What visits the rows of a problem, before its first pass."""
    visited = problem.visited
    names = visited[hash_order(row_hashes(settings.seed, visited))] if settings.shuffle else visited
    facts = facts_of(problem.rows, problem.squares)
    if before is not None and before.rows is not None:
        facts = facts.merged(before.facts)
    form = facts.form(n_features(problem.rows))
    if device != "cpu":
        made = before.kernel if before is not None else kernel(problem.squares)
        if chosen_device(device, facts, made) == "gpu" and before is None and facts.exact:
            # Lengths of whole numbers are exact however they were summed, so no tiles are needed here.
            bare = Whole(np.zeros((0, n_features(problem.rows)), np.uint8), np.zeros((0, 0), np.int16))
            grid = Grid(bare, problem.squares[names], n_features(problem.rows))
            passes: Passes = PassesOnDevice(problem, settings, grid, names, facts, form)
            passes.kernel = kernel(grid.squares)
            return passes
    size = grid_size(problem.rows, problem.n_classes, form)
    check_memory(size, f"a kernel perceptron on {len(names):,} rows")
    if told is not None:
        told(f"{len(names):,} rows in tiles take {show_size(size)}")
    grid = make_grid(problem.rows, names, form)
    used = before.kernel if before is not None else kernel(grid.squares)
    where = PassesOnDevice if chosen_device(device, facts, used) == "gpu" else Passes
    passes = where(problem, settings, grid, names, facts, form)
    passes.kernel = used
    return passes
