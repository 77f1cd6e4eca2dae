"""mlpack's perceptron and softmax regression, which take dense rows only.

Its linear_svm is left out: called from Python with two classes, version 4.8 got 49% on Reuters, and the same 76.7% on a
cut of a9a for three settings. The cause was not found, so its figures would say nothing about it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.peers.contestant import Contestant, Settings
from benchmarks.peers.contestants.scikit_rows import in_form
from benchmarks.peers.contestants.scikit_table import as_frame, encoder_for
from benchmarks.peers.task import Part, Task

WIDEST = 1_000  # columns of sparse rows that are made dense for it


class Mlpack(Contestant):
    """Rows between 0 and 1 as an array of doubles; the columns of raw tables are encoded inside the clock."""

    package = module = "mlpack"
    kinds = ("sparse", "dense", "table")

    def declines(self, task: Task) -> str:
        if task.kind == "sparse" and task.both.rows.shape[1] > WIDEST:
            return "takes dense rows only, and these would be mostly zeros"
        return ""

    def options(self, task: Task) -> list[Settings]:
        return [{"classes": task.n_classes, **more} for more in self.grid()]

    def grid(self) -> list[Settings]:
        raise NotImplementedError

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        return self.once(part.name, lambda: self._formed(task, part)), part.codes.astype(np.uint64)

    def _formed(self, task: Task, part: Part) -> Any:
        if task.kind == "table":
            return as_frame(part.rows)
        dense = in_form(part.rows, "0 to 1", task) if task.kind == "dense" else part.rows.toarray()
        return np.ascontiguousarray(dense, np.float64)

    def fit(self, given: Any, settings: Settings) -> Any:
        rows, codes = given
        encoder = None
        if not isinstance(rows, np.ndarray):
            encoder = encoder_for(rows, sparse=False)
            rows = np.ascontiguousarray(encoder.fit_transform(rows), np.float64)
        return self.learn(rows, codes, settings), encoder

    def learn(self, rows: np.ndarray, codes: np.ndarray, settings: Settings) -> Any:
        raise NotImplementedError

    def predict(self, model: Any, given: Any) -> np.ndarray:
        learned, encoder = model
        rows = given[0] if encoder is None else np.ascontiguousarray(encoder.transform(given[0]), np.float64)
        return np.asarray(self.apply(learned, rows)["predictions"]).astype(np.int64)

    def apply(self, model: Any, rows: np.ndarray) -> Any:
        raise NotImplementedError


class MlpackPerceptron(Mlpack):
    """Every pass over all rows, up to a limit."""

    name = "mlpack perceptron"

    def grid(self) -> list[Settings]:
        return [{"max_iterations": passes} for passes in (10, 100)]

    def learn(self, rows: np.ndarray, codes: np.ndarray, settings: Settings) -> Any:
        import mlpack

        made = mlpack.perceptron(training=rows, labels=codes, max_iterations=settings["max_iterations"])
        return made["output_model"]

    def apply(self, model: Any, rows: np.ndarray) -> Any:
        import mlpack

        return mlpack.perceptron(input_model=model, test=rows)


class MlpackSoftmax(Mlpack):
    """Logistic regression for several classes, by L-BFGS."""

    name = "mlpack softmax"
    most_searched = 10_000  # of 60,000 rows of 784 bytes one fit takes minutes

    def grid(self) -> list[Settings]:
        return [{"lambda_": value} for value in (0.0001, 0.01)]

    def learn(self, rows: np.ndarray, codes: np.ndarray, settings: Settings) -> Any:
        import mlpack

        made = mlpack.softmax_regression(
            training=rows, labels=codes, lambda_=settings["lambda_"], number_of_classes=settings["classes"]
        )
        return made["output_model"]

    def apply(self, model: Any, rows: np.ndarray) -> Any:
        import mlpack

        return mlpack.softmax_regression(input_model=model, test=rows)
