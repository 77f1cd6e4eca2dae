"""This project: what `train` chooses by itself, and then that choice fitted alone, as the others are."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.peers.contestant import Contestant, Search, Settings
from benchmarks.peers.task import SEED, Part, Task
from rosenblatt import pipeline
from rosenblatt.data import read
from rosenblatt.features import Classes
from rosenblatt.loops.rows import Dense, Rows, Words
from rosenblatt.model import Model
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.family import Candidate, Parts
from rosenblatt.pipeline.final import fit as fit_choice
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.search import search
from rosenblatt.pipeline.tries import LONGEST
from rosenblatt.store import save, to_bytes


class Ours(Contestant):
    """What both forms share: the search is one call of `train`, timed whole, its final fit included."""

    package = module = "rosenblatt"
    ours = True

    def search(self, task: Task, tell: Callable[[Search], None] = lambda so_far: None) -> Search:
        started = time.perf_counter()
        model = pipeline.train(task.both.table, test=task.test.table, seed=SEED)
        seconds = time.perf_counter() - started
        return Search(
            self.chosen(task, model), seconds, 0, with_fit=True,
            best=model.card["validation"]["accuracy"], about=model.card["choice"]["name"],
        )  # fmt: skip

    def chosen(self, task: Task, model: Model) -> Settings:
        """What `fit` needs to know of the model that `train` chose."""
        raise NotImplementedError


class OursOnRows(Ours):
    """Ready rows: `Perceptron.fit` or `NaiveBayes.fit`, on rows as the plan of the choice encodes them."""

    name = "rosenblatt"
    kinds = ("sparse", "dense")

    def chosen(self, task: Task, model: Model) -> Settings:
        choice = model.card["choice"]
        if choice["model"] == "naive-bayes":
            how = {"k": choice["k"], "features": "counts" if choice["counted"] else "binary"}
        else:
            proof = model.card["proof"]
            separated = choice["weights"] == "final" and proof is not None and proof["separated"]
            passes = LONGEST if separated else choice["passes"]
            how = {"weights": choice["weights"], "margin": choice["threshold"], "max_iter": passes}
        return {"model": choice["model"], "how": how, "trained": model}

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        X = as_matrix(settings["trained"].plan.encode(part.table).rows)
        if settings["how"].get("features") == "binary":
            X = X > 0 if isinstance(X, np.ndarray) else (X != 0).astype(np.float64)
        return X, part.codes

    def fit(self, given: Any, settings: Settings) -> Any:
        from rosenblatt import NaiveBayes, Perceptron

        self.kept["trained"] = settings["trained"]
        if settings["model"] == "naive-bayes":
            return NaiveBayes(**settings["how"]).fit(*given)
        return Perceptron(**settings["how"], tol=None, random_state=SEED).fit(*given)

    def predict(self, model: Any, given: Any) -> np.ndarray:
        return model.predict(given[0])

    def size(self, model: Any) -> int | None:
        return len(to_bytes(self.kept["trained"]))


class OursFromRaw(Ours):
    """Strings or raw columns in memory: reading them, the plan, the encoding and the fit, all inside the clock."""

    name = "rosenblatt"
    kinds = ("text", "table")

    def chosen(self, task: Task, model: Model) -> Settings:
        def parts(part: Part) -> tuple[Any, np.ndarray]:
            return part.table, part.codes

        (train, truth), (validation, wanted) = parts(task.train), parts(task.validation)
        rows = Parts(train, validation, truth.astype(np.int32), wanted, task.n_classes)
        found = search(rows, Choices(seed=SEED), Conduct()).candidates
        # The search of `train` had the same candidates, but where the task is a few rows of each part, to warm up.
        best = max(found, key=lambda each: each.accuracy)
        named = (each for each in found if each.name == model.card["choice"]["name"])
        return {"candidate": next(named, best), "task": task, "model": model}

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        names = np.array(task.classes)[part.codes].tolist()
        return part.rows, names, task

    def fit(self, given: Any, settings: Settings) -> Model:
        rows, names, task = given
        candidate: Candidate = settings["candidate"]
        table = replace(read(rows, names), declared=task.both.table.declared)
        classes = Classes.learn(table)
        final = fit_choice(candidate, table, classes.encode(table), len(classes.names), SEED, Conduct())
        return Model(final.plan, classes, final.learner, settings["model"].card)

    def predict(self, model: Model, given: Any) -> np.ndarray:
        return model.codes(given[0] if isinstance(given[0], list) else read(given[0], labelled=False))

    def size(self, model: Model) -> int | None:
        return len(to_bytes(model))

    def cold_start(self, model: Model, message: str) -> str | None:
        path = self.folder / "ours.rosenblatt"
        save(model, path)
        return f"from rosenblatt import load\nprint(load({str(path)!r}).predict([{message!r}]))"


def as_matrix(rows: Rows) -> Any:
    """Encoded rows as scikit-learn's users have them: an array or a CSR matrix."""
    from scipy.sparse import csr_matrix

    if isinstance(rows, Dense):
        return rows.values
    starts = rows.starts.astype(np.int32)
    values = np.repeat(rows.scales, np.diff(starts)) if isinstance(rows, Words) else rows.values
    return csr_matrix((values.astype(np.float64), rows.columns.astype(np.int32), starts),
                      shape=(len(starts) - 1, rows.n_columns))  # fmt: skip
