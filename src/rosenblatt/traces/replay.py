"""Replay of a recorded run: its steps and weights, the proof that its list of updates made them, and who made a score.

Everything is computed from the run and the rows by the same loops that trained it, so weights agree to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.decide import Decision, score_rows
from rosenblatt.learn.kernel.run import KernelRun
from rosenblatt.learn.losses import Losses, losses_of
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.run import Run
from rosenblatt.learn.shards import Turn, Vectors, own_vectors, visit_shard
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.rows import take
from rosenblatt.traces.any_replay import AnyReplay
from rosenblatt.traces.curve_replay import CurveReplay
from rosenblatt.traces.source import played

CHECKPOINT = 1000  # updates between weights that are kept, at least
MOST_KEPT = 2**28  # bytes in all of them together


class Replay(AnyReplay):
    """A model of `train` or its file; a fitted Perceptron on the rows it was fitted with; or a run on its problem.

    Weights are by class, the constant's last, and scaled as the model's are. A model file keeps the rows that were
    updated on, so it needs no others; `rows` are then places among those. Steps, passes, rows and updates count from 0.
    """

    def _begin(self) -> None:
        if isinstance(self.run, KernelRun):
            raise DataError("a kernel has no weights to show; `check` replays its list, and CurveReplay in Python.")
        if self.run.settings.shards > 1:
            raise DataError(f"a run of {self.run.settings.shards} shards has no single sequence of weights to replay.")
        self.rule = RULES[self.run.settings.rule].of(self.run.settings, self.run.scale)
        self._kept: dict[int, Vectors] = {0: self._start()}
        self._stretch = max(CHECKPOINT, -(-len(self.steps) * self.run.weights.nbytes // MOST_KEPT))

    def made_again(self) -> Recording:
        run, course = self.run, self.course
        rate, size = run.settings.eta0 if run.scale == 1 else 1.0, len(course.visited)
        amounts = course.problem.amounts if rate == 1 else course.problem.amounts * rate
        self._end, room, made = self._after_updates(0), np.empty(size, np.int64), []
        for number in range(run.passes):
            turn = Turn(number, number * size, size, 1)
            found = visit_shard(course.problem, course.orders(number)[0], amounts, self.rule, turn, self._end, room)
            rows = course.row_numbers(found.made.rows)
            made.append(found.made._replace(steps=number * size + found.made.steps, rows=rows))
        return Recording.joined(made)

    def check_end(self) -> None:
        if not np.array_equal(self.problem.by_class(self._end.weights), self.run.weights):
            raise DataError("the updates of the list do not give the weights of the run.")

    @cached_property
    def visits(self) -> np.ndarray:
        """The row of each step."""
        return np.concatenate([self.order(number) for number in range(self.run.passes)])

    @cached_property
    def passes(self) -> np.ndarray:
        """The pass of each step."""
        return np.repeat(np.arange(len(self.recording.sizes)), self.recording.sizes)

    @cached_property
    def updates(self) -> np.ndarray:
        """The number of the update made at each step, or -1."""
        found = np.full(len(self.visits), -1)
        found[self.steps] = np.arange(len(self.steps))
        return found

    @cached_property
    def raw(self) -> np.ndarray:
        """The weights by class before each update, and after the last, as the run keeps them."""
        at = self._start()
        found = np.empty((len(self.steps) + 1, *self.run.weights.shape), at.weights.dtype)
        for u in range(len(found)):
            self._add(slice(u - 1, u) if u else slice(0), at)
            found[u] = self.problem.by_class(at.weights)
        return found

    @cached_property
    def weights(self) -> np.ndarray:
        """Before each update and after the last: (updates + 1, d), or (updates + 1, K, d) for more than two classes.

        Scaled, and the bias first, as in the notes.
        """
        scaled = self._scaled(self.raw)
        return np.roll(scaled, 1, axis=-1) if self.problem.rows.bias else scaled[..., :-1]

    @cached_property
    def scores(self) -> np.ndarray:
        """Of each step: one for two classes, one per class for more. Scored by stretches of equal weights."""
        shape = len(self.visits) if self.problem.n_classes == 2 else (len(self.visits), self.problem.n_classes)
        found = np.empty(shape, self.run.weights.dtype)
        begin = 0
        for weights, end in zip(self.raw, [*(self.steps + 1).tolist(), len(self.visits)], strict=True):
            if begin < end:
                found[begin:end] = self.problem.pass_scores(self.visits[begin:end], self.problem.layout(weights))
            begin = end
        return self._scaled(found)

    @cached_property
    def mistaken(self) -> np.ndarray:
        """For each update, whether the row was wrong or tied, not merely within the margin."""
        scores, truth = self.scores[self.steps], self.problem.truth[self.rows]
        if scores.ndim == 1:
            return np.where(truth == 1, scores, -scores) <= 0
        each = np.arange(len(scores))
        return np.asarray(scores[each, truth] <= scores[each, self.rivals])

    @cached_property
    def predicted(self) -> np.ndarray:
        """The class of each step; where a tie counts as a mistake, the one that was mistaken for the true one."""
        found = Decision(self.run.settings.ties).decide(self.scores)
        found[self.steps[self.mistaken]] = self.rivals[self.mistaken]
        return found

    @cached_property
    def margin_at_most(self) -> np.ndarray:
        """Before each update and after the last: no weights have a larger margin on these rows (NOTES section 5)."""
        moved = (self.raw - self.run.start).reshape(len(self.raw), -1)
        with np.errstate(over="ignore"):  # an infinite length says no more than that no weights have a larger margin
            lengths = np.linalg.norm(moved[1:], axis=1)
        return np.concatenate([[np.inf], lengths / np.cumsum(self.amounts)])

    @cached_property
    def passed(self) -> list[tuple[int, Losses]]:
        """At the start and after each pass: how many updates were made, and the losses of the weights."""
        made = [0, *np.searchsorted(self.steps, self.recording.ends).tolist()]
        found = {u: losses_of(self.problem, self.raw[u], self.run.settings.ties, self.run.scale) for u in set(made)}
        return [(u, found[u]) for u in made]

    def weights_after(self, step: int) -> np.ndarray:
        """The weights after this step, counted from 1; 0 gives those at the start."""
        if not 0 <= step <= self.run.steps:
            raise DataError(f"the run has steps 1 to {self.run.steps}; got {step}.")
        updates = int(np.searchsorted(self.steps, step))
        return self._scaled(self.problem.by_class(self._after_updates(updates).weights))

    def _scaled(self, weights: np.ndarray) -> np.ndarray:
        return weights * weights.dtype.type(self.run.scale) if self.run.scale != 1 else weights

    def _start(self) -> Vectors:
        kept = self.rule.start(self.problem)
        weights = self.problem.layout(self.run.start.astype(self.run.weights.dtype))
        return Vectors(weights, None, None if kept is None else self.problem.layout(kept))

    def _add(self, part: slice, at: Vectors) -> None:
        some = self.recording.part(part)
        self.rule.add(self.problem, some.rows, some.rivals, some.amounts, some.shrinks, at.kept, at.weights)

    def _after_updates(self, count: int) -> Vectors:
        """The weights after so many updates, in the layout of the rows, from the nearest checkpoint before."""
        at = max(kept for kept in self._kept if kept <= count)
        found = own_vectors(self._kept[at])
        while at < count:
            stop = min(count, (at // self._stretch + 1) * self._stretch)
            self._add(slice(at, stop), found)
            at = stop
            if at % self._stretch == 0:
                self._kept[at] = own_vectors(found)
        return found


def check_plain(rule: str) -> None:
    """SettingError unless it is the rule of the notes, which a trace shows."""
    if not RULES[rule].plain:
        raise SettingError(f"a trace shows the rule of the notes; got rule={rule!r}. Use rule='perceptron'.")


def prolonged(run: Run, passes: int) -> Run:
    """A run that ended in a cycle, gone on to so many passes: they repeat those of the cycle."""
    if run.cycle is None or run.passes >= passes:
        return run
    made, length = list(run.recorded), run.cycle.passes
    while len(made) < passes:
        like, before = made[-length], made[-1].before + made[-1].sizes[0]
        made.append(like._replace(first=len(made), before=before, steps=like.steps - like.before + before))
    return replace(run, recorded=made, passes=passes, steps=made[-1].before + made[-1].sizes[0])


def verify(source: Any, X: Any = None, y: Any = None, sample_weight: Any = None) -> None:
    """Proves that this mistake list on these rows gives these weights; DataError names the first step that differs.

    source and X: a fitted Perceptron or KernelPerceptron and its rows, with their labels y; a model of `train` and the
    data it was trained with, as a table or as anything that `read` takes; or a run and its problem.

    The rows are visited again, in the order of the run: the list must have every update that the rule makes, at its
    step, on its row and against the class that was ahead, and no other; and all together must end at the weights of
    the run, or of a kernel at what its support rows count. Of a model of `train`, what it decides by must follow.
    """
    if X is None:
        raise DataError("the list is checked against the rows it speaks of; give the data of the training.")
    found = played(source, X, y, sample_weight)
    replay: AnyReplay = CurveReplay.of(found) if isinstance(found[0], KernelRun) else Replay.of(found)
    run, listed, size = replay.run, replay.recording, len(replay.course.visited)
    if (listed.first, listed.before) != (0, 0) or listed.sizes != (size,) * run.passes:
        raise DataError(f"the list is not of the {run.passes} passes of the run over {size} rows each.")
    _compare(listed, replay.made_again(), replay)
    replay.check_end()
    if replay.check is not None:
        replay.check(run, replay.problem)


def _compare(listed: Recording, made: Recording, replay: AnyReplay) -> None:
    """Raises at the first update in which the list is not what the rule made."""
    count, end = min(len(listed.steps), len(made.steps)), sum(listed.sizes)
    same = np.ones(count, bool)
    for one, other in zip(listed[:3], made[:3], strict=True):
        same &= one[:count] == other[:count]
    first = count if same.all() else int(np.argmin(same))
    if first == len(listed.steps) == len(made.steps):
        if not all(map(np.array_equal, listed[3:5], made[3:5])):
            raise DataError("the amounts of the updates are not those that the rule gives.")
        return
    last = int(made.steps[first - 1]) if first else -1
    given = int(listed.steps[first]) if first < len(listed.steps) else end
    wanted = int(made.steps[first]) if first < len(made.steps) else end
    if not last < given <= end or given == wanted == end:
        raise DataError(f"step {given + 1}: the list has an update out of its order.")
    step, size = min(given, wanted), listed.sizes[0]
    turn = replay.order(step // size)[step % size]
    row = replay.row_name(int(turn))
    if given > wanted:
        raise DataError(f"step {step + 1}: the rule makes an update on {row}, and the list has none.")
    if listed.rows[first] != turn:
        instead = replay.row_name(int(listed.rows[first]))
        raise DataError(f"step {step + 1}: this is the turn of {row}, and the list has {instead}.")
    if given < wanted:
        raise DataError(f"step {step + 1}: {row} was right, so there was nothing to learn, and the list has an update.")
    ahead, said = replay.class_name(made.rivals[first]), replay.class_name(listed.rivals[first])
    raise DataError(f"step {step + 1}: class {ahead} was ahead on {row}, the list says {said}.")


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
    factors = replay.amounts * run.scale * VARIANTS[variant].shares(replay.steps, run.steps)
    rows, amounts = replay.recording.shares(problem.truth, problem.n_classes, factors)
    products = score_rows(take(problem.rows, rows), np.ascontiguousarray(query))
    parts = (amounts if amounts.ndim == 1 else amounts[:, label]) * products
    counts = np.unique(replay.rows, return_counts=True)[1]
    start = run.start if run.start.ndim == 1 else run.start[label]
    order = np.argsort(-np.abs(parts), kind="stable")
    shares = [Share(int(rows[i]), int(counts[i]), float(parts[i])) for i in order if parts[i]]
    return shares, float(start @ query) * run.scale
