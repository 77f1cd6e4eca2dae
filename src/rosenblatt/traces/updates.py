"""The updates of a recorded run as a trace: its table, its JSON and its player, from a model file alone.

A model keeps the rows that were updated on and no others, so the steps between the updates are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.run import Run
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.rows import Rows, n_features, n_rows, take
from rosenblatt.loops.vector import add
from rosenblatt.traces.replay import Replay, check_plain
from rosenblatt.traces.step import Step
from rosenblatt.traces.steps import Trace

MOST_NUMBERS = 20_000_000  # weights of all steps together, or features of all rows


@dataclass(frozen=True, kw_only=True)
class UpdateTrace(Trace):
    """The last updates of a run, or all of them; rows are those updated on."""

    origins: tuple[str, ...]  # where each row came from
    n_steps: int  # of the whole run, right rows included
    n_updates: int  # of the whole run
    variant: str  # the weights that the model decides by
    size: int  # rows visited in each pass
    listed: tuple[np.ndarray, np.ndarray, np.ndarray]  # steps from 0, rows, classes punished
    ended: tuple[Run, Problem]  # the run with what its model tells of its end

    @cached_property
    def recorded(self) -> dict[str, Any]:
        return {"origins": list(self.origins), "run_steps": self.n_steps}

    @property
    def _run(self) -> tuple[Run, Problem]:
        return self.ended

    def summary(self) -> str:
        """What is shown of the run, and what the model makes of its weights."""
        updates = "1 update" if self.n_updates == 1 else f"{self.n_updates:,} updates"
        passes = "1 pass" if self.passes == 1 else f"{self.passes} passes"
        short = f"the last {len(self):,} of " if len(self) < self.n_updates else ""
        decides = "; the model decides by the average of the weights" if VARIANTS[self.variant].lags else ""
        return f"{short}{updates} in {passes} over {self.size:,} rows{decides}"

    @cached_property
    def steps(self) -> list[Step]:
        weights, found = self.start, []
        for count, (step, row, rival) in enumerate(zip(*(each.tolist() for each in self.listed), strict=True), 1):
            before, f, true = weights, self.X[row], int(self.truth[row])
            weights = updated(before, f, true, rival)
            scores = np.atleast_1d(before @ f)
            bracket = 0.0, float(np.linalg.norm(weights - self.start)) / count
            passed = step // self.size + 1
            found.append(Step(step + 1, passed, row, before, f, scores, rival, true, rival, weights, bracket))
        return found


def trace_updates(model: Any, last: int | None = None) -> UpdateTrace:
    """The updates of a model of `train` that was recorded, or only the last of them.

    Features are those of the model's plan, the constant first. DataError where they are too many to show.
    """
    replay = Replay(model)
    run, problem = replay.run, replay.problem
    check_plain(run.settings.rule)
    count = len(replay.steps)
    shown = slice(max(0, count - last) if last is not None else 0, count)
    steps = replay.steps[shown]
    used, rows = np.unique(replay.rows[shown], return_inverse=True)
    weights = run.weights.size
    if max(len(steps) * weights, len(used) * (n_features(problem.rows) + 1)) > MOST_NUMBERS:
        most = max(1, MOST_NUMBERS // max(weights, n_features(problem.rows) + 1))
        raise DataError(
            f"the run has {count} updates of {weights} weights, and a trace holds at most {MOST_NUMBERS} numbers. "
            f"Ask for its end alone: last={most} (--last {most}), or fewer."
        )
    start = replay.weights_after(int(steps[0]))
    return UpdateTrace(
        _dense(take(problem.rows, used)),
        problem.truth[used],
        tuple(model.classes.names),
        tuple(model.plan.names),
        np.roll(start, 1, axis=-1).astype(np.float64),
        run.passes,
        run.settings.ties,
        True,
        margin=float(run.settings.margin),
        seed=run.settings.seed if run.settings.shuffle else None,
        origins=tuple(replay.row_name(int(row)) for row in used),
        n_steps=run.steps,
        n_updates=count,
        variant=run.settings.weights,
        size=replay.recording.sizes[0],
        listed=(steps, rows.astype(np.int64), replay.rivals[shown]),
        ended=(_ended(run, model.card.get("proof") or {}), problem),
    )


def _ended(run: Run, proof: Mapping[str, Any]) -> Run:
    """The run with what the card of its model tells of its end; files of other programs may not tell it."""
    last = len(run.recording.by_pass()[-1].steps)
    counts = proof.get("mistakes", 0), proof.get("updates", proof.get("mistakes", 0))
    return replace(
        run, stopped=proof.get("stopped", ""), mistakes=counts[0], updates=counts[1], per_pass=[(last, last)]
    )


def updated(w: np.ndarray, f: np.ndarray, true: int, rival: int) -> np.ndarray:
    """The weights after an update, by the rule of the notes."""
    if w.ndim == 1:
        return w + f if true else w - f
    after = w.copy()
    after[true] += f
    after[rival] -= f
    return after


def _dense(rows: Rows) -> np.ndarray:
    """The rows with every value, the constant first."""
    values = np.zeros((n_rows(rows), n_features(rows) + 1))
    for i in range(len(values)):
        add(rows, i, 1.0, values[i])
    return np.roll(values, 1, axis=1)
