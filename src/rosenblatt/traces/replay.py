"""Replay of a recorded run: its weights at any step, the proof that its mistake list made them, and who made a score.

Everything is computed from the run and the rows by the same loops that trained it, so weights agree to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.course import Course, hold_out
from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.notes import Notes
from rosenblatt.learn.problem import Problem
from rosenblatt.loops.rows import take
from rosenblatt.loops.rule import rule
from rosenblatt.traces.recorded import recorded

CHECKPOINT = 1000  # updates between weights that are kept


class Replay:
    """A fitted model on the rows it was fitted with, or a run on its problem.

    Weights are by class, the constant's last, and scaled as the model's are.
    """

    def __init__(self, source: Any, X: Any, y: Any = None, sample_weight: Any = None):
        run, problem = recorded(source, X, y, sample_weight)
        if not run.settings.record or not run.notes:
            raise DataError("the run kept no mistake list. Train with record=True.")
        if run.settings.shards > 1:
            raise DataError(f"a run of {run.settings.shards} shards has no single sequence of weights to replay.")
        if run.fingerprint != problem.fingerprint:
            raise DataError("these are not the rows that the run visited; give the same rows, labels and weights.")
        self.run, self.problem = run, problem
        self.classes = None if source is run else list(np.asarray(source.classes_).tolist())
        unit = run.scale != 1 or run.settings.eta0 == 1
        self.amounts = problem.amounts if unit else problem.amounts * run.settings.eta0
        self.steps = np.concatenate([notes.before + notes.steps for notes in run.notes])
        self.rows = np.concatenate([notes.rows for notes in run.notes])
        self.rivals = np.concatenate([notes.rivals for notes in run.notes])
        self._kept: dict[int, np.ndarray] = {0: problem.layout(run.start.astype(run.weights.dtype))}

    def weights_after(self, step: int) -> np.ndarray:
        """The weights after this step, counted from 1; 0 gives those at the start."""
        if not 0 <= step <= self.run.steps:
            raise DataError(f"the run has steps 1 to {self.run.steps}; got {step}.")
        updates = int(np.searchsorted(self.steps, step))
        weights = self._after_updates(updates)
        found = self.problem.by_class(weights)
        return found * found.dtype.type(self.run.scale) if self.run.scale != 1 else found

    def _after_updates(self, count: int) -> np.ndarray:
        """The weights after so many updates, in the layout of the rows, from the nearest checkpoint before."""
        at = max(kept for kept in self._kept if kept <= count)
        weights = self._kept[at].copy()
        while at < count:
            stop = min(count, (at // CHECKPOINT + 1) * CHECKPOINT)
            part = slice(at, stop)
            self.problem.add(self.rows[part], self.rivals[part], self.amounts[self.rows[part]], weights)
            at = stop
            if at % CHECKPOINT == 0:
                self._kept[at] = weights.copy()
        return weights


def verify(source: Any, X: Any, y: Any = None, sample_weight: Any = None) -> None:
    """Proves that this mistake list on these rows gives these weights; DataError names the first step that differs.

    source and X: a fitted Perceptron and its rows, with their labels y; or a run and its problem.

    Every update must be on the row that the order puts there, must be a mistake at that moment, and must punish the
    class that was ahead; and all together must end at the weights of the run.
    """
    replay = Replay(source, X, y, sample_weight)
    run, problem = replay.run, replay.problem
    settings = run.settings
    margin = settings.margin / run.scale if run.scale != 1 else settings.margin
    by = rule(settings.ties, margin)
    visited = problem.visited
    if settings.early_stopping:
        held = hold_out(problem.truth, visited, settings.validation_fraction, settings.seed)
        visited = np.setdiff1d(visited, held, assume_unique=True)
    course = Course(problem, visited, settings)
    weights = replay._after_updates(0)
    before = 0
    for number, notes in enumerate(run.notes):
        if (notes.number, notes.before) != (number, before):
            raise DataError(f"pass {number + 1}: the list calls it pass {notes.number + 1} after {notes.before} steps.")
        (order,) = course.orders(number)
        _check_pass(notes, course.row_numbers(order), problem)
        for u in range(len(notes.steps)):
            _check_update(notes, u, weights, problem, by)
            one = slice(u, u + 1)
            problem.add(notes.rows[one], notes.rivals[one], replay.amounts[notes.rows[one]], weights)
        before += len(visited)
    if not np.array_equal(problem.by_class(weights), run.weights):
        raise DataError("the updates of the list do not give the weights of the run.")


def _check_pass(notes: Notes, order: np.ndarray, problem: Problem) -> None:
    wrong = (np.diff(notes.steps, prepend=-1) <= 0) | (notes.steps < 0) | (notes.steps >= len(order))
    wrong[~wrong] = order[notes.steps[~wrong]] != notes.rows[~wrong]
    wrong |= (notes.rivals < 0) | (notes.rivals >= problem.n_classes)
    if wrong.any():
        step = notes.before + int(notes.steps[int(np.argmax(wrong))]) + 1
        raise DataError(f"step {step}: the order of the run has another row here than the list.")


def _check_update(notes: Notes, u: int, weights: np.ndarray, problem: Problem, by: tuple[float, float, bool]) -> None:
    row, rival = int(notes.rows[u]), int(notes.rivals[u])
    scores = score_rows(take(problem.rows, np.array([row])), problem.by_class(weights))[0]
    true = int(problem.truth[row])
    if problem.n_classes == 2:
        lead, expected = float(scores) * (1 if true else -1), 1 - true
    else:
        others = np.delete(np.arange(problem.n_classes), true)
        tied = others[scores[others] == scores[others].max()]
        expected = int(tied[-1] if by[2] else tied[0])
        lead = float(scores[true]) - float(scores[expected])
    step = notes.before + int(notes.steps[u]) + 1
    if rival != expected:
        raise DataError(f"step {step}: class {expected} was ahead on row {row}, the list says {rival}.")
    if not lead <= (by[1] if true > expected else by[0]):
        raise DataError(f"step {step}: row {row} was right by {lead:g}, so there was nothing to learn.")


@dataclass(frozen=True)
class Share:
    """What the updates on one training row put into a score."""

    row: int
    updates: int
    part: float


def made_by(replay: Replay, query: Any, label: Any, variant: str | None = None) -> tuple[list[Share], float]:
    """The training rows whose mistakes made a score, weightiest first, and what the start weights put in.

    The parts and the start sum to the score. Of a model: query is one row, label a class, and the variant the
    model's own. Of a run: query has the constant's feature last, label is the number of a class, and the variant is
    "final". With two classes the score is that of the second, whatever the label.
    """
    variant = variant or ("final" if replay.classes is None else replay.run.settings.weights)
    if variant not in ("final", "averaged"):
        raise SettingError(f"weights={variant!r} are no sum over the mistakes; ask for 'final' or 'averaged'.")
    query = np.asarray(query, np.float64)
    if replay.classes is not None:
        if label not in replay.classes:
            raise DataError(f"label must be one of the classes {replay.classes[:20]}; got {label!r}.")
        label = replay.classes.index(label)
        query = np.append(query, replay.problem.rows.bias)
    width = replay.run.start.shape[-1]
    if query.shape != (width,):
        raise DataError(f"the row must have {width - (replay.classes is not None)} features; got shape {query.shape}.")
    run, problem = replay.run, replay.problem
    rows, places = np.unique(replay.rows, return_inverse=True)
    products = score_rows(take(problem.rows, rows), np.ascontiguousarray(query))
    factors = replay.amounts[replay.rows] * run.scale
    if variant == "averaged":
        factors = factors * (1 - replay.steps / run.steps)
    second = 1 if problem.n_classes == 2 else label
    signs = (problem.truth[replay.rows] == second).astype(float) - (replay.rivals == second)
    parts = np.bincount(places, factors * signs, len(rows)) * products
    counts = np.bincount(places, minlength=len(rows))
    start = run.start if run.start.ndim == 1 else run.start[label]
    order = np.argsort(-np.abs(parts), kind="stable")
    shares = [Share(int(rows[i]), int(counts[i]), float(parts[i])) for i in order if parts[i]]
    return shares, float(start @ query) * run.scale
