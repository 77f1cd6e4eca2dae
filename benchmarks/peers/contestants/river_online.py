"""River: one row at a time, each a dictionary. Where that takes minutes it gets fewer rows, and the report says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from benchmarks.peers.contestant import Contestant, Settings
from benchmarks.peers.task import Part, Task

WORD = re.compile(r"\w\w+")
WORK = 6_000_000  # values × classes in all rows: a few seconds on the machine this was written on


class River(Contestant):
    """One pass, which is its purpose: models that learn from a stream."""

    package = module = "river"
    kinds: ClassVar[Sequence[str]] = ("sparse", "dense", "text", "table")

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        rows = self.once(part.name, lambda: as_dictionaries(task, part))
        return rows[: rows_allowed(task, rows)] if part.name in ("train", "both") else rows, part.codes.tolist()

    def remark(self, task: Task) -> str:
        allowed = rows_allowed(task, self.once("both", lambda: as_dictionaries(task, task.both)))
        return "" if allowed >= len(task.both) else f"learned from {allowed:,} of {len(task.both):,} rows"

    def model(self, n_classes: int) -> Any:
        raise NotImplementedError

    def options(self, task: Task) -> list[Settings]:
        return [{"classes": task.n_classes}]

    def fit(self, given: Any, settings: Settings) -> Any:
        model = self.model(settings["classes"])
        for row, code in zip(given[0], given[1], strict=False):
            model.learn_one(row, code)
        return model

    def predict(self, model: Any, given: Any) -> np.ndarray:
        return np.array([int(model.predict_one(row) or 0) for row in given[0]])

    def one_row(self, model: Any, task: Task, settings: Settings) -> Callable[[], Any] | None:
        row = as_dictionaries(task, task.test, 1)[0]
        return lambda: model.predict_one(row)


class RiverPerceptron(River):
    """Its perceptron, one against the rest for more than two classes."""

    name = "River Perceptron"

    def model(self, n_classes: int) -> Any:
        from river import linear_model, multiclass

        one = linear_model.Perceptron()
        return one if n_classes == 2 else multiclass.OneVsRestClassifier(one)


class RiverBayes(River):
    """Naive Bayes over counted words."""

    name = "River MultinomialNB"
    family = "bayes"
    kinds = ("text",)

    def model(self, n_classes: int) -> Any:
        from river import naive_bayes

        make: Any = naive_bayes.MultinomialNB
        return make(alpha=0.1)


def rows_allowed(task: Task, rows: list[dict[Any, Any]]) -> int:
    """How many rows a few seconds allow."""
    classes = 1 if task.n_classes == 2 else task.n_classes
    values = sum(len(row) for row in rows) / max(len(rows), 1)
    return max(200, int(WORK / (classes * max(values, 1.0))))


def as_dictionaries(task: Task, part: Part, count: int | None = None) -> list[dict[Any, Any]]:
    """Rows as it takes them, made outside the clock: names and values of what is not 0; words counted."""
    if task.kind == "text":
        return [_counted(text) for text in part.rows[:count]]
    if task.kind == "table":
        columns = [column[: count or len(part)].to_pylist() for column in part.rows.columns]
        return [_named(part.rows.column_names, row) for row in zip(*columns, strict=True)]
    from scipy.sparse import csr_matrix

    from benchmarks.peers.contestants.scikit_rows import in_form

    rows = part.rows[:count]
    rows = csr_matrix(in_form(rows, "0 to 1", task)) if isinstance(rows, np.ndarray) else rows
    starts, columns, values = rows.indptr.tolist(), rows.indices.tolist(), rows.data.tolist()
    return [dict(zip(columns[a:b], values[a:b], strict=True)) for a, b in pairwise(starts)]


def _counted(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in WORD.findall(text.lower()):
        found[word] = found.get(word, 0) + 1
    return found


def _named(names: list[str], row: tuple[Any, ...]) -> dict[str, float]:
    return {
        (name if isinstance(value, int | float) else f"{name}={value}"): (
            float(value) if isinstance(value, int | float) else 1.0
        )
        for name, value in zip(names, row, strict=True)
        if value is not None
    }
