"""A run of the perceptron of the notes: what was given, and the steps that the engine makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.data.door import read_numbers, rows_of
from rosenblatt.data.door_labels import all_classes, read_labels
from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.problem import check_finite
from rosenblatt.learn.settings import Settings, check_rate, check_seed
from rosenblatt.traces.courses import course_of
from rosenblatt.traces.step import Step

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd
    import pyarrow as pa

    from rosenblatt.learn.cycle import Cycle
    from rosenblatt.learn.losses import Losses
    from rosenblatt.learn.problem import Problem
    from rosenblatt.learn.run import Run
    from rosenblatt.traces.replay import Replay

MOST_STEPS = 1_000_000
MOST_SCORES = 50_000_000  # where all rows are looked at for every update
ORDERS = ("given", "shuffled", "first-wrong", "worst-first")
CHOSEN_WORDS = {"first-wrong": "each on the first wrong row", "worst-first": "each on the row that is most wrong"}


@dataclass(frozen=True, repr=False)
class Trace:
    """All steps of a run until a pass without an update or the last pass asked for."""

    X: np.ndarray  # with the bias first, if there is one
    truth: np.ndarray
    classes: tuple[Any, ...]
    names: tuple[str, ...]
    start: np.ndarray
    passes: int
    ties: str
    bias: bool
    margin: float = 0.0
    rate: float = 1.0
    seed: int | None = None  # of the shuffled order; None is the given one
    chosen: str = ""  # the rows come one by one: the first or the worst of those that are wrong (learn/choosing.py)
    course: str = ""  # whose notation the table has (courses.py)

    @cached_property
    def steps(self) -> list[Step]:
        """Every visit of a row, in order; the trace itself can be indexed and iterated in their place."""
        return list(_walk(self))

    @cached_property
    def replay(self) -> Replay:
        """The same run as columns. It is the engine's, so a trace agrees with a Perceptron to the bit."""
        from rosenblatt.traces.replay import Replay, prolonged

        run, problem = self._run
        found = Replay(run if self.chosen else prolonged(run, self.passes), problem)
        if self.chosen:  # in no order of a pass
            found.visits = np.concatenate([found.rows, *[problem.visited] * (run.passes - 1)])
        return found

    @cached_property
    def _run(self) -> tuple[Run, Problem]:
        """The run as the engine made it, and what it visited. A run that ends in a cycle is shown to go on."""
        from rosenblatt.learn.choosing import learn_chosen
        from rosenblatt.learn.run import learn  # the compiler loads when there is something to run

        if self.chosen:
            most = self.passes * len(self.X)
            run = learn_chosen(self._problem, self._settings(), self._start, self.chosen, most)
            return run, self._problem
        return learn(self._problem, self._settings(), self._start), self._problem

    @cached_property
    def _problem(self) -> Problem:
        from rosenblatt.learn.problem import make_problem
        from rosenblatt.loops.rows import dense_rows

        rows = dense_rows(np.ascontiguousarray(self.X[:, 1:] if self.bias else self.X), float(self.bias))
        return make_problem(rows, self.truth, len(self.classes))

    @property
    def _start(self) -> np.ndarray:
        return self._as_engine(self.start)

    def _as_engine(self, weights: np.ndarray) -> np.ndarray:
        """Weights as the engine has them: the bias last, and 0 where there is none."""
        return np.roll(weights, -1, -1) if self.bias else np.insert(weights, weights.shape[-1], 0.0, -1)

    def _settings(self) -> Settings:
        check_rate("rate", self.rate)
        if self.seed is not None:
            check_seed("seed", self.seed)
        return Settings(
            weights="final",
            margin=self.margin,
            ties=self.ties,
            eta0=self.rate,
            max_iter=self.passes,
            tol=None,
            shuffle=self.seed is not None,
            seed=int(self.seed or 0),
            record=True,
        )

    @property
    def recorded(self) -> dict[str, Any]:
        """What is known of a recorded run beyond its steps (updates.py); nothing of a run of the notes."""
        return {}

    @property
    def weights(self) -> np.ndarray:
        """The weights after the last step, bias first."""
        return self.steps[-1].after

    @property
    def n_passes(self) -> int:
        """Passes that were begun, the clean one included."""
        return self.steps[-1].number

    @property
    def n_mistakes(self) -> int:
        """Steps at which the weights changed."""
        return sum(not step.correct for step in self.steps)

    def summary(self) -> str:
        """How long it took and how many mistakes it made."""
        if self.chosen:
            return f"{self.n_mistakes} update{'' if self.n_mistakes == 1 else 's'}, {CHOSEN_WORDS[self.chosen]}"
        passes = "1 pass" if self.n_passes == 1 else f"{self.n_passes} passes"
        return f"{passes}, {self.n_mistakes} mistake{'' if self.n_mistakes == 1 else 's'}"

    @property
    def losses(self) -> list[Losses]:
        """0/1 loss and perceptron loss of the weights at the start and after each pass."""
        return [losses for _, losses in self.replay.passed]

    def losses_after(self, step: int) -> Losses:
        """The losses of the weights after a step, from 1; 0 is the start."""
        from rosenblatt.learn.losses import losses_of

        return losses_of(self._problem, self._as_engine(self.weights_after(step)), self.ties)

    def weights_after(self, step: int) -> np.ndarray:
        """The weights after a step, from 1, bias first; 0 gives the start."""
        return self.start if step == 0 else self.steps[step - 1].after

    @property
    def stopped(self) -> str:
        """Why the run stopped: "separated", "clean pass" (right only by the rule for ties), "cycle" or "limit"."""
        return self._run[0].stopped

    @property
    def cycle(self) -> Cycle | None:
        """The updates that cancel exactly, where the weights came back."""
        return self._run[0].cycle

    def why(self) -> str:
        """Why the run stopped, in words; rows count from 1 there."""
        from rosenblatt.learn.stopping import why_it_stopped

        return why_it_stopped(self._run[0], "row", self.bias, bool(self.chosen))

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: int) -> Step:
        return self.steps[index]

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __str__(self) -> str:
        from rosenblatt.traces.table import to_text

        return to_text(self)

    def __repr__(self) -> str:
        rows, columns = self.X.shape[0], len(self.names)
        return f"<Trace: {rows} rows, {columns} features, {len(self.classes)} classes; at most {self.passes} passes>"

    def to_markdown(self) -> str:
        """The step table as Markdown."""
        from rosenblatt.traces.table import to_markdown

        return to_markdown(self)

    def to_csv(self) -> str:
        """The steps as CSV, every weight and feature in a column of its own."""
        from rosenblatt.traces.table import to_csv

        return to_csv(self)

    def to_json(self) -> str:
        """The data, the settings and every step; `from_json` reads it and checks each step."""
        from rosenblatt.traces.table import to_json

        return to_json(self)

    @staticmethod
    def from_json(text: str) -> Trace:
        """The trace that `to_json` wrote, run anew; DataError names the first step that the rule does not give."""
        from rosenblatt.traces.reading import from_json

        return from_json(text)

    def to_frame(self) -> pd.DataFrame:
        """The steps as a pandas data frame."""
        from rosenblatt.traces.table import to_frame

        return to_frame(self)

    def to_arrow(self) -> pa.Table:
        """The steps as an Arrow table."""
        from rosenblatt.traces.table import to_arrow

        return to_arrow(self)

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """The player: one HTML file with everything in it, which is also written to `path` if that is given."""
        from rosenblatt.traces.player import to_html
        from rosenblatt.writing import write_whole

        page = to_html(self)
        if path is not None:
            write_whole(path, page)
        return page

    def _repr_html_(self) -> str:
        from rosenblatt.traces.player import to_frame_html

        return to_frame_html(self)


def trace(
    X: Any,
    y: Any,
    *,
    start: Any = None,
    passes: int | None = None,
    ties: str | None = None,
    bias: bool = True,
    names: Any = None,
    margin: float = 0.0,
    rate: float = 1.0,
    seed: int | None = None,
    classes: Any = None,
    order: str | None = None,
    course: str | None = None,
) -> Trace:
    """The steps of the perceptron of the notes over the rows X with labels y.

    start     the weights to begin with, bias first (one line per class if there are more than two); 0 if not given
    passes    the most passes, by default 1; the trace ends with the first one in which nothing changes
    ties      what a score of exactly 0 is, as for Perceptron; by default "mistake"
    bias      whether a feature that is always 1 comes first
    names     of the columns; otherwise those of the table given, or x0, x1, …
    margin, rate    as the margin and eta0 of Perceptron
    seed      of the shuffled order, as Perceptron's random_state
    classes   all classes, where y does not hold each; beside a single number the other is that of opposite sign
    order     "given" (by default), "shuffled" (with a seed), or row by row "first-wrong" or "worst-first"
    course    "berkeley", "ucla" or "cornell": ties, order, place of the bias and notation of that course
    """
    frame = read_numbers(X)
    check_finite(rows_of(frame, 0.0))
    known, truth = all_classes(read_labels(y, frame.n_rows).values, classes)
    style = course_of(course, len(known), ties, margin, rate)
    seed, chosen = _order(order or (style.order if seed is None else "shuffled"), seed)
    if passes is None:
        passes = min(style.passes, max(1, _most_passes(frame.n_rows, chosen)))
    _check_passes(passes, frame.n_rows, chosen)
    given = tuple(names or frame.names or (f"x{j}" for j in range(frame.n_columns)))
    values = np.asarray(frame.dense if frame.dense is not None else frame.sparse.toarray(), np.float64)
    table = np.insert(values, 0, 1.0, axis=1) if bias else values
    weights = _start(start, table.shape[1], len(known))
    if bias and style.bias_last:
        weights = np.roll(weights, 1, -1)
    found = Trace(
        table,
        truth,
        tuple(known.tolist()),
        given,
        weights,
        int(passes),
        ties or style.ties,
        bool(bias),
        margin,
        rate,
        seed,
        chosen,
        course or "",
    )
    found._settings()  # refuses what cannot be
    return found


def _order(order: str, seed: int | None) -> tuple[int | None, str]:
    """The seed where rows are shuffled, and how they are chosen where they come one by one."""
    if order not in ORDERS:
        raise SettingError(f"order must be one of {', '.join(map(repr, ORDERS))}; got {order!r}.")
    if seed is not None and order != "shuffled":
        raise SettingError(f"seed={seed} is for rows that are shuffled; got order={order!r}. Leave one of them out.")
    return (seed or 0 if order == "shuffled" else None), order if order in CHOSEN_WORDS else ""


def _most_passes(rows: int, chosen: str) -> int:
    return MOST_SCORES // rows**2 if chosen else MOST_STEPS // rows


def _check_passes(passes: Any, rows: int, chosen: str) -> None:
    if isinstance(passes, bool) or not isinstance(passes, int | np.integer) or passes < 1:
        raise SettingError(f"passes must be a whole number of at least 1; got {passes!r}.")
    if passes <= _most_passes(rows, chosen):
        return
    if chosen:
        raise SettingError(
            f"order={chosen!r} looks at every row for every update: {passes} passes over {rows} rows may take "
            f"{passes * rows**2} scores; at most {MOST_SCORES} are made. Ask for fewer passes or rows."
        )
    raise SettingError(
        f"{passes} passes over {rows} rows are {passes * rows} steps; at most {MOST_STEPS} are "
        "traced. Ask for fewer passes, or use Perceptron(record=True)."
    )


def _start(start: Any, width: int, n_classes: int) -> np.ndarray:
    shape: tuple[int, ...] = (width,) if n_classes == 2 else (n_classes, width)
    if start is None:
        return np.zeros(shape)
    weights = np.asarray(start, np.float64)
    wanted = f"start must hold {' × '.join(map(str, shape))} finite numbers, the bias first"
    if weights.shape != shape:
        raise DataError(f"{wanted}; got {' × '.join(map(str, weights.shape)) or 1}.")
    if not np.isfinite(weights).all():
        raise DataError(f"{wanted}; got {weights[~np.isfinite(weights)][0]} among them.")
    return weights


def _walk(run: Trace) -> Iterator[Step]:
    found = run.replay
    weights, scores = found.weights, found.scores.reshape(len(found.visits), -1)
    high = found.margin_at_most.tolist()
    rows, passes, updates = found.visits.tolist(), found.passes.tolist(), found.updates.tolist()
    predicted, truth, rivals = found.predicted.tolist(), run.truth.tolist(), found.rivals.tolist()
    made = 0
    for s, (row, number, update) in enumerate(zip(rows, passes, updates, strict=True)):
        before, rival = weights[made], None
        if update >= 0:
            made, rival = update + 1, rivals[update]
        yield Step(
            s + 1,
            number + 1,
            row,
            before,
            run.X[row],
            scores[s],
            predicted[s],
            truth[row],
            rival,
            weights[made],
            (0.0, high[made]),
            run.rate,
        )
