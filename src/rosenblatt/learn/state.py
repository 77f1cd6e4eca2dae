"""A run as plain values and arrays, and back: everything that the passes to come depend on, and nothing else.

The order of rows follows from the seed and the number of the pass, so no generator has a state to be kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.claims import Misfit, array, fields, listed, number, row, whole, words
from rosenblatt.errors import SettingError
from rosenblatt.learn.any_run import AnyRun
from rosenblatt.learn.bounds import check_bounds
from rosenblatt.learn.cycle import Cycle, Watch
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import LISTED, Recording
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.run import Run
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.stopping import Progress
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.confidence import SMALLEST

COUNTS = ("passes", "steps", "updates", "mistakes", "amount", "stopped", "radius")
CYCLE = ("rows", "predicted", "updates", "amounts")
MOST = 2**53  # of anything that is counted
ANY = {
    "passes": whole(1, MOST), "steps": whole(1, MOST), "updates": whole(0, MOST),
    "mistakes": whole(0, MOST), "amount": number(0), "radius": number(0),
    "stopped": words("", "clean pass", "separated", "cycle", "no progress", "limit"),
    "fingerprint": listed(number()), "progress": row(number(infinite=True), whole(0, MOST)),
}  # fmt: skip
STATE = fields(ANY | {"scale": number(0)}, {"watch": row(whole(0, MOST), whole(1, MOST)), "cycle": whole(1, MOST)})


def to_state(run: Run) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The plain values and the arrays of a run between two passes; the arrays are those of the run, not copies."""
    if run.variant.single:
        raise SettingError(f"a run with weights={run.settings.weights!r} cannot be kept. Use 'final' or 'averaged'.")
    plain, arrays = counts_of(run)
    plain["scale"], arrays["weights"] = run.scale, run.weights
    if run.start.any():
        arrays["start"] = run.start
    if run.lag is not None:
        arrays["lag"] = run.lag
    if run.kept is not None:
        arrays["kept"] = run.kept
    if run.watch is not None:
        plain["watch"] = [run.watch.since, run.watch.patience]
        arrays["watch"] = run.watch.kept
    if run.cycle is not None:
        plain["cycle"] = run.cycle.passes
        arrays |= {f"cycle.{name}": getattr(run.cycle, name) for name in CYCLE}
    if run.recorded:
        arrays |= listed_arrays(run.recording)
    return plain, arrays


def counts_of(run: AnyRun) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What every run has counted, of weights or of a kernel."""
    plain: dict[str, Any] = {name: getattr(run, name) for name in COUNTS}
    plain["fingerprint"] = list(run.fingerprint)
    plain["progress"] = [run.progress.best, run.progress.waited]
    return plain, {"per_pass": np.array(run.per_pass, np.int64).reshape(-1, 2)}


def listed_arrays(recording: Recording) -> dict[str, np.ndarray]:
    """A list of updates as arrays."""
    return {f"recording.{name}": getattr(recording, name) for name in LISTED}


def from_state(plain: Any, arrays: Mapping[str, np.ndarray], settings: Settings, problem: Problem) -> Run:
    """The run that `to_state` took apart, over this problem; ValueError where no run over it can have left this state.

    The loops trust what they are given, and a file says what whoever made it likes: so every array is held to the type,
    the shape and the range that the problem gives it, and the counts to each other.
    """
    like = problem.zero_weights()
    STATE(plain, "the run")
    check_counts(plain, settings, problem)
    _check_own(plain, settings)
    weights = array(arrays, "weights", like.dtype.name, like.shape)
    start = array(arrays, "start", "float64", like.shape) if "start" in arrays else np.zeros(like.shape)
    if ("lag" in arrays) != VARIANTS[settings.weights].lags:
        raise Misfit("the array lag belongs to averaged weights alone")
    lag = array(arrays, "lag", "float64", like.shape) if "lag" in arrays else None
    for each in [weights] if lag is None else [weights, lag / plain["steps"]]:
        check_bounds(problem, settings, each, plain["scale"])
    kept = RULES[settings.rule].of(settings, plain["scale"]).start(problem)
    if kept is not None:
        kept = array(arrays, "kept", "float64", like.shape, SMALLEST, 1)
    run = Run(settings, weights, start, plain["scale"], own=lag, kept=kept)
    count_again(run, plain, arrays, problem)
    if "watch" in plain:
        run.watch = Watch(array(arrays, "watch", like.dtype.name, problem.layout(like).shape))
        run.watch.since, run.watch.patience = plain["watch"]
    if "cycle" in plain:
        run.cycle = _read_cycle(plain["cycle"], arrays, problem)
    if settings.record:
        run.recorded = [read_recording(plain, arrays, settings, problem)]
    return run


def count_again(run: AnyRun, plain: Mapping[str, Any], arrays: Mapping[str, np.ndarray], problem: Problem) -> None:
    """Gives the run what `counts_of` took from it."""
    per_pass = array(arrays, "per_pass", "int64", (plain["passes"], 2), 0, plain["steps"])
    if per_pass.sum(0).tolist() != [plain["updates"], plain["mistakes"]]:
        raise Misfit("the array per_pass must add up to the updates and the mistakes")
    for name in COUNTS:
        setattr(run, name, plain[name])
    run.fingerprint = problem.fingerprint
    run.progress = Progress(*plain["progress"])
    run.per_pass = [(int(updates), int(mistakes)) for updates, mistakes in per_pass]


def check_counts(plain: Mapping[str, Any], settings: Settings, problem: Problem) -> None:
    """The counts must be those of a run over this problem with these settings."""
    rows, passes = int(problem.fingerprint[0]), plain["passes"]
    if passes > settings.max_iter or (passes == settings.max_iter and not plain["stopped"]):
        raise Misfit(f"the run.passes must be below its limit, {settings.max_iter}; got {passes}")
    if tuple(plain["fingerprint"]) != problem.fingerprint:
        raise Misfit("the run.fingerprint is that of other rows")
    if plain["steps"] > passes * rows or plain["steps"] % passes or plain["updates"] > plain["steps"]:
        raise Misfit(f"the run.steps must be those of {passes} passes over {rows} rows; got {plain['steps']}")


def _check_own(plain: Mapping[str, Any], settings: Settings) -> None:
    """The scale, and whether there may be a cycle."""
    if plain["scale"] not in (1, settings.eta0):
        raise Misfit(f"the run.scale must be {settings.eta0} or 1; got {plain['scale']}")
    alone = settings.shuffle or not RULES[settings.rule].proves
    if ("cycle" in plain) != (plain["stopped"] == "cycle") or (alone and {"watch", "cycle"} & set(plain)):
        raise Misfit("the run has a cycle, or watches for one, where it cannot")


def _read_cycle(passes: int, arrays: Mapping[str, np.ndarray], problem: Problem) -> Cycle:
    rows = array(arrays, "cycle.rows", "int64", (None,), 0, int(problem.fingerprint[0]) - 1)
    predicted = array(arrays, "cycle.predicted", "int64", rows.shape, 0, problem.n_classes - 1)
    updates = array(arrays, "cycle.updates", "int64", rows.shape, 1)
    return Cycle(passes, rows, predicted, updates, array(arrays, "cycle.amounts", "float64", rows.shape, 0))


def read_recording(
    plain: Mapping[str, Any], arrays: Mapping[str, np.ndarray], settings: Settings, problem: Problem
) -> Recording:
    """The list of updates: as many as were counted, at steps that rise."""
    shape, size = (plain["updates"],), plain["steps"] // plain["passes"]
    steps = array(arrays, "recording.steps", "int64", shape, 0, plain["steps"] - 1)
    if (np.diff(steps) <= 0).any():
        raise Misfit("the array recording.steps must rise")
    rows = array(arrays, "recording.rows", "uint32 int64", shape, 0, int(problem.fingerprint[0]) - 1)
    rivals = array(arrays, "recording.rivals", "int32 int64", shape, 0, problem.n_classes - 1)
    amounts = array(arrays, "recording.amounts", "float64", shape, 0)
    shrinks = array(arrays, "recording.shrinks", "float64", (0,) if RULES[settings.rule].multiples else shape, 0)
    return Recording(steps, rows, rivals, amounts, shrinks, (size,) * plain["passes"])
