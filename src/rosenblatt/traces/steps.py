"""The perceptron of the notes, one step at a time."""

from __future__ import annotations

import math
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
from rosenblatt.traces import numerals

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd
    import pyarrow as pa

    from rosenblatt.learn.cycle import Cycle
    from rosenblatt.learn.losses import Losses
    from rosenblatt.learn.problem import Problem
    from rosenblatt.learn.run import Run
    from rosenblatt.traces.history import History

MOST_STEPS = 1_000_000
MOST_WEIGHTS = 24  # of all classes together, in one line of the table


@dataclass(frozen=True)
class Step:
    """One visit of a row. Vectors have the bias first; with more than two classes there is one vector per class."""

    step: int  # from 1
    number: int  # of the pass, from 1
    row: int  # from 0
    before: np.ndarray  # weights: (d,) for two classes, (K, d) for more
    features: np.ndarray
    scores: np.ndarray  # one for two classes, one per class for more
    predicted: int  # number of a class
    true: int
    rival: int | None  # the class punished, or None where nothing was learned
    after: np.ndarray
    bracket: tuple[float, float]  # bounds on the best margin so far, NOTES section 5
    rate: float = 1.0

    @property
    def correct(self) -> bool:
        """Whether nothing was to be learned; with a margin, a row that is right by less is not enough."""
        return self.rival is None

    @property
    def amount(self) -> float:
        """What the features are multiplied with when they are added for the true class (two classes: the second)."""
        return 0.0 if self.rival is None else self.rate if self.before.ndim == 2 or self.true == 1 else -self.rate

    @property
    def moved(self) -> float:
        """By how much the update moved the score of its row (of the true class, if there are more than two)."""
        return self.amount * float(self.features @ self.features)

    def angles(self) -> tuple[float | None, float | None]:
        """Degrees between features and weights before and after; with more than two classes those of the true one."""
        before, after = (w if w.ndim == 1 else w[self.true] for w in (self.before, self.after))
        return _angle(before, self.features), _angle(after, self.features)

    @property
    def arithmetic(self) -> str:
        """The score as the notes expand it; with more classes, each of them."""
        if self.before.ndim == 1:
            return numerals.expanded(self.before.tolist(), self.features.tolist(), float(self.scores[0]))
        return "; ".join(numerals.numeral(float(score)) for score in self.scores)

    @property
    def update(self) -> str:
        """What was added to the weights, as the table shows it; "none" where nothing was."""
        if self.rival is None:
            return "none"
        if self.before.ndim == 1:
            return numerals.change(self.amount, self.features.tolist())
        return f"row {self.true} {numerals.change(self.rate, self.features.tolist())}, row {self.rival} " + (
            numerals.change(-self.rate, self.features.tolist())
        )

    @property
    def subgradient(self) -> str:
        """The step against the subgradient of the perceptron loss of the row, written out; it is the update."""
        alpha = numerals.numeral(self.rate)
        if self.before.ndim == 2:
            return f"W − {alpha}·(e(ŷ) − e(y))·f(x): {self.update}"
        w, f, after = (numerals.vector(each.tolist()) for each in (self.before, self.features, self.after))
        predicted, true = 2 * self.predicted - 1, 2 * self.true - 1
        return f"w − (α/2)(ŷ − y) f(x) = {w} − ({alpha}/2)({predicted} − {true})·{f} = {after}".replace("− -", "+ ")


def _angle(w: np.ndarray, f: np.ndarray) -> float | None:
    """In degrees; None at length 0, where there is none."""
    lengths = float(np.linalg.norm(w)) * float(np.linalg.norm(f))
    if not lengths:
        return None
    return math.degrees(math.acos(max(-1.0, min(1.0, float(w @ f) / lengths))))


@dataclass(frozen=True)
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

    @cached_property
    def steps(self) -> list[Step]:
        """Every visit of a row, in order; the trace itself can be indexed and iterated in their place."""
        return list(_walk(self))

    @cached_property
    def history(self) -> History:
        """The same run as columns. It is the engine's, so a trace agrees with a Perceptron to the bit."""
        from rosenblatt.traces.history import history, prolonged

        run, problem = self._run
        return history(prolonged(run, self.passes), problem)

    @cached_property
    def _run(self) -> tuple[Run, Problem]:
        """The run as the engine made it, and what it visited. A run that ends in a cycle is shown to go on."""
        from rosenblatt.learn.run import learn  # the compiler loads when there is something to run

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
        passes = "1 pass" if self.n_passes == 1 else f"{self.n_passes} passes"
        return f"{passes}, {self.n_mistakes} mistake{'' if self.n_mistakes == 1 else 's'}"

    @property
    def losses(self) -> list[Losses]:
        """0/1 loss and perceptron loss of the weights at the start and after each pass."""
        return [losses for _, losses in self.history.passed]

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

        return why_it_stopped(self._run[0], "row", self.bias)

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: int) -> Step:
        return self.steps[index]

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __str__(self) -> str:
        from rosenblatt.traces.table import to_text

        return to_text(self)

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
    passes: int = 1,
    ties: str = "mistake",
    bias: bool = True,
    names: Any = None,
    margin: float = 0.0,
    rate: float = 1.0,
    seed: int | None = None,
    classes: Any = None,
) -> Trace:
    """The steps of the perceptron of the notes over the rows X with labels y.

    start     the weights to begin with, bias first (one line per class if there are more than two); 0 if not given
    passes    the most passes; the trace ends with the first one in which nothing changes
    ties      what a score of exactly 0 is, as for Perceptron
    bias      whether a feature that is always 1 comes first
    names     of the columns; otherwise those of the table given, or x0, x1, …
    margin, rate    as the margin and eta0 of Perceptron
    seed      rows in the order of Perceptron's shuffle with this random_state; None for the given order
    classes   all classes, where y does not hold each; beside a single number the other is that of opposite sign
    """
    frame = read_numbers(X)
    check_finite(rows_of(frame, 0.0))
    known, truth = all_classes(read_labels(y, frame.n_rows).values, classes)
    if isinstance(passes, bool) or not isinstance(passes, int | np.integer) or passes < 1:
        raise SettingError(f"passes must be a whole number of at least 1; got {passes!r}.")
    if passes * frame.n_rows > MOST_STEPS:
        raise SettingError(
            f"{passes} passes over {frame.n_rows} rows are {passes * frame.n_rows} steps; at most {MOST_STEPS} are "
            "traced. Ask for fewer passes, or use Perceptron(record=True)."
        )
    given = tuple(names or frame.names or (f"x{j}" for j in range(frame.n_columns)))
    values = np.asarray(frame.dense if frame.dense is not None else frame.sparse.toarray(), np.float64)
    table = np.insert(values, 0, 1.0, axis=1) if bias else values
    weights = _start(start, table.shape[1], len(known))
    found = Trace(
        table, truth, tuple(known.tolist()), given, weights, int(passes), ties, bool(bias), margin, rate, seed
    )
    found._settings()  # refuses what cannot be
    return found


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
    found = run.history
    weights, scores = found.weights, found.scores.reshape(len(found.rows), -1)
    high = found.margin_at_most.tolist()
    rows, passes, updates = found.rows.tolist(), found.passes.tolist(), found.updates.tolist()
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


def weights_text(weights: np.ndarray, step: Step | None = None) -> str:
    """The weights as the table shows them: a vector, or one per class.

    Many classes with many features would fill a page per step: then only the rows that an update of the step changes.
    """
    if weights.ndim == 1:
        return numerals.vector(weights.tolist())
    if weights.size <= MOST_WEIGHTS:
        return "; ".join(numerals.vector(line) for line in weights.tolist())
    if step is None:
        return ""
    rows = [step.true] if step.rival is None else [step.true, step.rival]
    return "; ".join(f"row {c}: {numerals.vector(weights[c].tolist())}" for c in rows)
