"""A run as plain values and arrays, and back: everything that the passes to come depend on, and nothing else.

The order of rows follows from the seed and the number of the pass, so no generator has a state to be kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.learn.cycle import Cycle, Watch
from rosenblatt.learn.notes import Notes
from rosenblatt.learn.run import Run
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.stopping import Progress

COUNTS = ("scale", "passes", "steps", "updates", "mistakes", "amount", "stopped", "radius")
LISTED = ("steps", "rows", "rivals")
CYCLE = ("rows", "predicted", "updates", "amounts")


def to_state(run: Run) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The plain values and the arrays of a run between two passes; the arrays are those of the run, not copies."""
    if run.pocket is not None or run.settings.weights == "voted":
        raise SettingError(f"a run with weights={run.settings.weights!r} cannot be kept. Use 'final' or 'averaged'.")
    plain: dict[str, Any] = {name: getattr(run, name) for name in COUNTS}
    plain["fingerprint"] = list(run.fingerprint)
    plain["progress"] = [run.progress.best, run.progress.waited]
    arrays = {"weights": run.weights, "per_pass": np.array(run.per_pass, np.int64).reshape(-1, 2)}
    if run.start.any():
        arrays["start"] = run.start
    if run.lag is not None:
        arrays["lag"] = run.lag
    if run.watch is not None:
        plain["watch"] = [run.watch.since, run.watch.patience]
        arrays["watch"] = run.watch.kept
    if run.cycle is not None:
        plain["cycle"] = run.cycle.passes
        arrays |= {f"cycle.{name}": getattr(run.cycle, name) for name in CYCLE}
    if run.notes:
        plain["notes"] = [[each.number, each.before, each.size, len(each.steps)] for each in run.notes]
        arrays |= {f"notes.{name}": np.concatenate([getattr(each, name) for each in run.notes]) for name in LISTED}
    return plain, arrays


def from_state(plain: Mapping[str, Any], arrays: Mapping[str, np.ndarray], settings: Settings) -> Run:
    """The run that `to_state` took apart."""
    weights = arrays["weights"]
    start = arrays["start"] if "start" in arrays else np.zeros(weights.shape)
    run = Run(settings, weights, start, plain["scale"], lag=arrays.get("lag"))
    for name in COUNTS:
        setattr(run, name, plain[name])
    run.fingerprint = tuple(plain["fingerprint"])
    run.progress = Progress(*plain["progress"])
    run.per_pass = [(int(updates), int(mistakes)) for updates, mistakes in arrays["per_pass"]]
    if "watch" in plain:
        run.watch = Watch(arrays["watch"])
        run.watch.since, run.watch.patience = plain["watch"]
    if "cycle" in plain:
        run.cycle = Cycle(plain["cycle"], *(arrays[f"cycle.{name}"] for name in CYCLE))
    ends = np.cumsum([0, *(count for *_, count in plain.get("notes", []))])
    for (number, before, size, _), start, stop in zip(plain.get("notes", []), ends[:-1], ends[1:], strict=True):
        listed = (arrays[f"notes.{name}"][start:stop] for name in LISTED)
        run.notes.append(Notes(number, before, size, *listed))
    return run
