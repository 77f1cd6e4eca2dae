"""This project: what `train` chooses by itself, and then that choice fitted alone, as the others are.

Three of them: `train` as it is, and where it is told to count (naive Bayes) or to draw curves (kernel), so that like
can be held against like.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from unittest.mock import patch

import numpy as np

from benchmarks.peers.contestant import Contestant, Search, Settings
from benchmarks.peers.task import SEED, Part, Task
from rosenblatt import pipeline
from rosenblatt.data import read
from rosenblatt.features import Classes
from rosenblatt.loops.rows import Dense, Rows, Words
from rosenblatt.model import Model
from rosenblatt.pipeline.family import Candidate
from rosenblatt.pipeline.final import fit as fit_choice
from rosenblatt.pipeline.procedure import Made, learn_whole
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.tries import LONGEST
from rosenblatt.store import save, to_bytes

RULED = ("rule", "C")  # what a card says of a rule other than the perceptron's
FAMILIES = {"perceptron": "line", "naive-bayes": "bayes", "kernel": "curve"}


class Ours(Contestant):
    """The search is one call of `train`, timed whole, its final fit included; the fit is that of its choice."""

    name = "rosenblatt"
    package = module = "rosenblatt"
    kinds: ClassVar[Sequence[str]] = ("sparse", "dense", "text", "table")
    ours = True
    asked: ClassVar[str] = "auto"  # model

    def search(self, task: Task, tell: Callable[[Search], None] = lambda so_far: None) -> Search:
        with choices_noted() as made:
            started = time.perf_counter()
            model = pipeline.train(task.both.table, test=task.test.table, seed=SEED, model=self.asked)
            seconds = time.perf_counter() - started
        choice = model.card["choice"]
        form = Prepared(model) if fits_ready_rows(task, model) else FromRaw(model, made[-1])
        return Search(
            {"form": form}, seconds, 0, with_fit=True, best=model.card["validation"]["accuracy"], about=choice["name"],
            family=FAMILIES[choice["model"]],
        )  # fmt: skip

    def accuracy_of(self, task: Task) -> float:
        return float(pipeline.train(task.both.table, test=task.test.table, model=self.asked).card["test"]["accuracy"])

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        return settings["form"].prepare(task, part)

    def fit(self, given: Any, settings: Settings) -> Any:
        form = self.kept["form"] = settings["form"]
        return form.fit(given)

    def predict(self, model: Any, given: Any) -> np.ndarray:
        return self.kept["form"].predict(model, given)

    def size(self, model: Any) -> int | None:
        return len(to_bytes(model if isinstance(model, Model) else self.kept["form"].model))

    def cold_start(self, model: Model, message: str) -> str | None:
        if self.asked != "auto":  # its relatives start in the same time
            return None
        path = self.folder / "ours.rosenblatt"
        save(model, path)
        return f"from rosenblatt import load\nprint(load({str(path)!r}).predict([{message!r}]))"


class OursBayes(Ours):
    """`train` that is told to count, beside the naive Bayes of others."""

    name = "rosenblatt naive Bayes"
    kinds = ("sparse", "text")
    family = "bayes"
    asked = "naive-bayes"


class OursKernel(Ours):
    """`train` that is told to draw curves, beside SVC."""

    name = "rosenblatt kernel"
    kinds = ("dense", "table")
    family = "curve"
    asked = "kernel"

    def declines(self, task: Task) -> str:
        return slow_curves(task)


def slow_curves(task: Task) -> str:
    """Why those who compare rows with rows take no part in a task that is not about them."""
    most = 10_000
    many = task.curves != "only" and task.kind == "table" and len(task.both) > most
    return f"more than {most:,} rows of a table, and its time grows with their square" if many else ""


@dataclass(frozen=True, eq=False)
class Prepared:
    """Ready rows: the estimator's `fit`, on rows as the plan of the choice encodes them, outside the clock."""

    model: Model

    def prepare(self, task: Task, part: Part) -> Any:
        X = as_matrix(self.model.plan.encode(part.table).rows)
        choice = self.model.card["choice"]
        if choice["model"] == "naive-bayes" and not choice["counted"]:
            X = X > 0 if isinstance(X, np.ndarray) else (X != 0).astype(np.float64)
        return X, part.codes

    def fit(self, given: Any) -> Any:
        from rosenblatt import NaiveBayes, Perceptron

        choice, proof = self.model.card["choice"], self.model.card["proof"]
        if choice["model"] == "naive-bayes":
            return NaiveBayes(k=choice["k"], features="counts" if choice["counted"] else "binary").fit(*given)
        separated = choice["weights"] == "final" and proof is not None and proof["separated"]
        how: dict[str, Any] = {name: value for name, value in choice.items() if name in RULED}
        return Perceptron(
            weights=choice["weights"], margin=choice["threshold"], max_iter=LONGEST if separated else choice["passes"],
            tol=None, random_state=SEED, **how,
        ).fit(*given)  # fmt: skip

    def predict(self, model: Any, given: Any) -> np.ndarray:
        return model.predict(given[0])


@dataclass(frozen=True, eq=False)
class FromRaw:
    """Strings or raw columns in memory: reading them, the plan, the encoding and the fit, all inside the clock.

    Rows that others get as a matrix are read outside it, but what a choice makes of them (association units, a kernel's
    scaling) is inside.
    """

    model: Model
    candidate: Candidate

    def prepare(self, task: Task, part: Part) -> Any:
        if task.kind in ("sparse", "dense"):
            return part.table, None, task
        return part.rows, np.array(task.classes)[part.codes].tolist(), task

    def fit(self, given: Any) -> Model:
        rows, names, task = given
        table = rows if names is None else replace(read(rows, names), declared=task.both.table.declared)
        classes = Classes.learn(table)
        final = fit_choice(self.candidate, table, classes.encode(table), len(classes.names), SEED, Conduct())
        return Model(final.plan, classes, final.learner, self.model.card)

    def predict(self, model: Model, given: Any) -> np.ndarray:
        rows, names, _ = given
        return model.codes(rows if names is None or isinstance(rows, list) else read(rows, labelled=False))


def fits_ready_rows(task: Task, model: Model) -> bool:
    """Whether an estimator can be given the encoded rows: they are a matrix, and no units or kernels are made of it."""
    plain = model.card["choice"]["model"] != "kernel" and not model.plan.units
    return plain and task.kind in ("sparse", "dense")


@contextmanager
def choices_noted() -> Iterator[list[Candidate]]:
    """What `train` chooses meanwhile, which its models do not hold."""
    noted: list[Candidate] = []

    def learn_and_note(*given: Any) -> Made:
        made = learn_whole(*given)
        noted.append(made.chosen)
        return made

    with patch.object(pipeline, "learn_whole", learn_and_note):
        yield noted


def as_matrix(rows: Rows) -> Any:
    """Encoded rows as scikit-learn's users have them: an array or a CSR matrix."""
    from scipy.sparse import csr_matrix

    if isinstance(rows, Dense):
        return rows.values
    starts = rows.starts.astype(np.int32)
    values = np.repeat(rows.scales, np.diff(starts)) if isinstance(rows, Words) else rows.values
    return csr_matrix((values.astype(np.float64), rows.columns.astype(np.int32), starts),
                      shape=(len(starts) - 1, rows.n_columns))  # fmt: skip
