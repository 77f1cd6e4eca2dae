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
from rosenblatt.learn.notes import LISTED, Notes
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.shards import Turn, Vectors, own_vectors, visit_shard
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.rows import take
from rosenblatt.traces.recorded import Recorded, recorded

CHECKPOINT = 1000  # updates between weights that are kept, at least
MOST_KEPT = 2**28  # bytes in all of them together


class Replay:
    """A model of `train` or its file; a fitted Perceptron on the rows it was fitted with; or a run on its problem.

    Weights are by class, the constant's last, and scaled as the model's are. A model file keeps the rows that were
    updated on, so it needs no others; `rows` are then places among those.
    """

    def __init__(self, source: Any, X: Any = None, y: Any = None, sample_weight: Any = None):
        self.recorded = recorded(source, X, y, sample_weight)
        run, problem = self.recorded.run, self.recorded.problem
        if not run.settings.record or not run.notes:
            raise DataError("the run kept no mistake list. Train with record=True.")
        if run.settings.shards > 1:
            raise DataError(f"a run of {run.settings.shards} shards has no single sequence of weights to replay.")
        if run.fingerprint != problem.fingerprint:
            raise DataError("these are not the rows that the run visited; give the same rows, labels and weights.")
        self.run, self.problem = run, problem
        self.classes = None if self.recorded.classes is None else list(self.recorded.classes)
        self.rule = RULES[run.settings.rule].of(run.settings, run.scale)
        self.steps = np.concatenate([notes.before + notes.steps for notes in run.notes])
        self.listed = [np.concatenate([getattr(notes, name) for notes in run.notes]) for name in LISTED[1:]]
        self.rows, self.rivals, self.amounts, _ = self.listed
        self._kept: dict[int, Vectors] = {0: self._start()}
        self._stretch = max(CHECKPOINT, -(-len(self.steps) * run.weights.nbytes // MOST_KEPT))

    def weights_after(self, step: int) -> np.ndarray:
        """The weights after this step, counted from 1; 0 gives those at the start."""
        if not 0 <= step <= self.run.steps:
            raise DataError(f"the run has steps 1 to {self.run.steps}; got {step}.")
        updates = int(np.searchsorted(self.steps, step))
        found = self.problem.by_class(self._after_updates(updates).weights)
        return found * found.dtype.type(self.run.scale) if self.run.scale != 1 else found

    def _start(self) -> Vectors:
        kept = self.rule.start(self.problem)
        weights = self.problem.layout(self.run.start.astype(self.run.weights.dtype))
        return Vectors(weights, None, None if kept is None else self.problem.layout(kept))

    def _after_updates(self, count: int) -> Vectors:
        """The weights after so many updates, in the layout of the rows, from the nearest checkpoint before."""
        at = max(kept for kept in self._kept if kept <= count)
        found = own_vectors(self._kept[at])
        while at < count:
            stop = min(count, (at // self._stretch + 1) * self._stretch)
            part = slice(at, stop)
            rows, rivals, amounts, shrinks = (each[part] for each in self.listed)
            self.rule.add(self.problem, rows, rivals, amounts, shrinks, found.kept, found.weights)
            at = stop
            if at % self._stretch == 0:
                self._kept[at] = own_vectors(found)
        return found


def verify(source: Any, X: Any = None, y: Any = None, sample_weight: Any = None) -> None:
    """Proves that this mistake list on these rows gives these weights; DataError names the first step that differs.

    source and X: a fitted Perceptron and its rows, with their labels y; a model of `train` and the data it was
    trained with, as a table or as anything that `read` takes; or a run and its problem.

    The rows are visited again, in the order of the run: the list must have every update that the rule makes, at its
    step, on its row and against the class that was ahead, and no other; and all together must end at the weights of
    the run. Of a model of `train`, the weights that it decides by must follow from them.
    """
    if X is None:
        raise DataError("the list is checked against the rows it speaks of; give the data of the training.")
    replay = Replay(source, X, y, sample_weight)
    run, problem = replay.run, replay.problem
    settings = run.settings
    amounts = problem.amounts if run.scale != 1 or settings.eta0 == 1 else problem.amounts * settings.eta0
    visited = problem.visited
    if settings.early_stopping:
        held = hold_out(problem.truth, visited, settings.validation_fraction, settings.seed)
        visited = np.setdiff1d(visited, held, assume_unique=True)
    course = Course(problem, visited, settings)
    in_course = amounts if course.names is None else amounts[course.names]
    vectors, room = replay._after_updates(0), np.empty(len(visited), np.int64)
    for number, listed in enumerate(run.notes):
        before = number * len(visited)
        if (listed.number, listed.before) != (number, before):
            raise DataError(
                f"pass {number + 1}: the list calls it pass {listed.number + 1} after {listed.before} steps."
            )
        (order,) = course.orders(number)
        turn = Turn(number, before, len(visited), 1)
        made = visit_shard(course.problem, order, in_course, replay.rule, turn, vectors, room)
        rows = course.row_numbers(order)
        again = Notes(number, before, len(visited), made.steps, rows[made.steps], *made[-3:])
        _compare(listed, again, rows, replay.recorded)
    if not np.array_equal(problem.by_class(vectors.weights), run.weights):
        raise DataError("the updates of the list do not give the weights of the run.")
    if replay.recorded.check is not None:
        replay.recorded.check(run)


def _compare(listed: Notes, made: Notes, order: np.ndarray, names: Recorded) -> None:
    """Raises at the first update in which the list of a pass is not what the rule made."""
    size = min(len(listed.steps), len(made.steps))
    same = np.ones(size, bool)
    for name in LISTED[:3]:
        same &= getattr(listed, name)[:size] == getattr(made, name)[:size]
    first = size if same.all() else int(np.argmin(same))
    if first == len(listed.steps) == len(made.steps):
        if not all(np.array_equal(getattr(listed, name), getattr(made, name)) for name in LISTED[3:]):
            raise DataError(f"pass {listed.number + 1}: the amounts of the updates are not those that the rule gives.")
        return
    last = int(made.steps[first - 1]) if first else -1
    given = int(listed.steps[first]) if first < len(listed.steps) else len(order)
    wanted = int(made.steps[first]) if first < len(made.steps) else len(order)
    if not last < given <= len(order) or given == wanted == len(order):
        raise DataError(f"step {listed.before + given + 1}: the list has an update out of its order.")
    step = listed.before + min(given, wanted) + 1
    row = names.row(int(order[min(given, wanted)]))
    if given > wanted:
        raise DataError(f"step {step}: the rule makes an update on {row}, and the list has none.")
    if listed.rows[first] != order[given]:
        raise DataError(f"step {step}: this is the turn of {row}, and the list has {names.row(listed.rows[first])}.")
    if given < wanted:
        raise DataError(f"step {step}: {row} was right, so there was nothing to learn, and the list has an update.")
    ahead, said = names.name(made.rivals[first]), names.name(listed.rivals[first])
    raise DataError(f"step {step}: class {ahead} was ahead on {row}, the list says {said}.")


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
    if not replay.rule.multiples:
        raise SettingError(f"rule={replay.rule.name!r} adds no multiples of rows, so no row has a part of a score.")
    variant = variant or ("final" if replay.classes is None else replay.run.settings.weights)
    if VARIANTS[variant].single:
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
    factors = replay.amounts * run.scale
    factors = factors * VARIANTS[variant].shares(replay.steps, run.steps)
    second = 1 if problem.n_classes == 2 else label
    signs = (problem.truth[replay.rows] == second).astype(float) - (replay.rivals == second)
    parts = np.bincount(places, factors * signs, len(rows)) * products
    counts = np.bincount(places, minlength=len(rows))
    start = run.start if run.start.ndim == 1 else run.start[label]
    order = np.argsort(-np.abs(parts), kind="stable")
    shares = [Share(int(rows[i]), int(counts[i]), float(parts[i])) for i in order if parts[i]]
    return shares, float(start @ query) * run.scale
