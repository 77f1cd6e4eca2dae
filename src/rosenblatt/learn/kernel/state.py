"""A run of a kernel between two passes as plain values and arrays, and back: its counts, its list, and its scores.

The scores follow from the list, but to compute them again would take as long as the passes did.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.claims import Misfit, array, fields
from rosenblatt.errors import SettingError
from rosenblatt.learn.kernel.grid import facts_of
from rosenblatt.learn.kernel.run import KernelRun
from rosenblatt.learn.kernel.updates import from_recording
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.state import ANY, check_counts, count_again, counts_of, listed_arrays, read_recording
from rosenblatt.loops.curves import own_values
from rosenblatt.loops.kernels import Kernel
from rosenblatt.loops.rows import n_rows, take

STATE = fields(ANY)
ROUNDED = 1 + 1e-9  # what sums of products may be off by


def kernel_to_state(run: KernelRun) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The plain values and the arrays of a run over one set of rows, after `Passes.hand_back`."""
    if not run.settings.shuffle or run.since:
        raise SettingError("a run in a fixed order, or over several sets of rows, cannot be kept. Use shuffle=True.")
    assert run.scores is not None
    plain, arrays = counts_of(run)
    sizes = (run.steps // run.passes,) * run.passes
    return plain, arrays | listed_arrays(run.updates_list.recording(run.numbers, sizes)) | {"scores": run.scores}


def kernel_from_state(
    plain: Any, arrays: Mapping[str, np.ndarray], settings: Settings, problem: Problem, kernel: Kernel
) -> KernelRun:
    """The run that `kernel_to_state` took apart; Misfit where no run over this problem can have left this state."""
    STATE(plain, "the run")
    check_counts(plain, settings, problem)
    if plain["stopped"] == "cycle":
        raise Misfit("the run has a cycle where it cannot")
    made = read_recording(plain, arrays, settings, problem)
    if (made.rivals == problem.truth[made.rows]).any() or not np.array_equal(made.amounts, problem.amounts[made.rows]):
        raise Misfit("the array recording.rivals or recording.amounts is not of the rows updated on")
    lines = 1 if problem.n_classes == 2 else problem.n_classes
    own = np.zeros(len(problem.squares))
    own_values(kernel, problem.squares, own)
    most = math.fsum(made.amounts) * float(own.max()) * ROUNDED  # no kernel of two rows is above the largest K(x, x)
    scores = array(arrays, "scores", "float64", (lines, n_rows(problem.rows)), -most, most)
    listed, numbers = from_recording(made, problem.truth)
    run = KernelRun(settings, kernel, problem.n_classes, facts_of(problem.rows, problem.squares), listed)
    run.rows, run.numbers, run.scores = take(problem.rows, numbers.astype(np.uint32)), numbers, scores
    count_again(run, plain, arrays, problem)
    if settings.record:
        run.recorded = [made]
    return run
