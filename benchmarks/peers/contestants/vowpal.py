"""Vowpal Wabbit, run as its own driver over a ready-made cache: no Python per row, no parsing inside the clock."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.peers.contestant import Contestant, Settings
from benchmarks.peers.task import Part, Task

WORD = re.compile(r"\w\w+")
UNSAFE = re.compile(r"[\s:|]+")
BITS = 20  # of the hash: room for every feature of every task and class, as its guide advises


class Vowpal(Contestant):
    """`--oaa` for more than two classes; adaptive normalized updates, which are its default."""

    name = "Vowpal Wabbit"
    package = module = "vowpalwabbit"
    kinds = ("sparse", "dense", "text", "table")

    def options(self, task: Task) -> list[Settings]:
        # Its wiki: logistic or hinge loss for classes, several passes over a cache, learning rate 0.5 unless proved
        # otherwise.
        forms = {"text": ("words", "tf-idf"), "sparse": ("values", "unit length")}.get(task.kind, ("values",))
        ways = [("logistic", 5), ("logistic", 20), ("hinge", 10)]
        return [{"rows": form, "loss": loss, "passes": passes, "classes": task.n_classes}
                for form in forms for loss, passes in ways]  # fmt: skip

    def remark(self, task: Task) -> str:
        return {"text": "words made outside the clock", "table": "features made outside the clock"}.get(task.kind, "")

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        return self.once((part.name, settings["rows"]), lambda: self._cached(task, part, settings["rows"]))

    def fit(self, given: Any, settings: Settings) -> Any:
        text, cache, model = given
        run(f"-d {text} --cache_file {cache} -b {BITS} --passes {settings['passes']} --holdout_off "
            f"{kind_of(settings['classes'])} "
            f"--loss_function {settings['loss']} -f {model}")  # fmt: skip
        return model, settings["classes"]

    def predict(self, model: Any, given: Any) -> np.ndarray:
        path, n_classes = model
        text, cache, _ = given
        out = f"{text}.predicted"
        run(f"-t -i {path} -d {text} --cache_file {cache} -p {out}")
        found = np.loadtxt(out, ndmin=1)
        return found.astype(np.int64) - 1 if n_classes > 2 else (found > 0).astype(np.int64)

    def size(self, model: Any) -> int | None:
        import os

        return os.path.getsize(model[0])

    def one_row(self, model: Any, task: Task, settings: Settings) -> Callable[[], Any] | None:
        from vowpalwabbit import Workspace

        workspace = Workspace(f"-t -i {model[0]} --quiet")
        line = next(self._lines(task, task.test, settings["rows"]))
        example = workspace.example(line.partition("|")[1] + line.partition("|")[2])
        return lambda: workspace.predict(example)

    def cold_start(self, model: Any, message: str) -> str | None:
        # Two classes give a margin, more give a class; the work is the same.
        words = " ".join(WORD.findall(message.lower()))
        return (f"from vowpalwabbit import Workspace\n"
                f"print(Workspace('-t -i {model[0]} --quiet').predict('| {words}'))")  # fmt: skip

    def _cached(self, task: Task, part: Part, form: str) -> tuple[str, str, str]:
        stem = self.folder / f"{part.name}-{form.replace(' ', '-')}"
        text, cache, model = (f"{stem}.{ending}" for ending in ("txt", "cache", "model"))
        with open(text, "w", encoding="utf8") as stream:
            stream.writelines(f"{line}\n" for line in self._lines(task, part, form))
        # The kind of label is part of a cache, so it is made by a pass of the same kind.
        run(f"-d {text} --cache_file {cache} -k -b {BITS} {kind_of(task.n_classes)}")
        return text, cache, model

    def _lines(self, task: Task, part: Part, form: str) -> Iterator[str]:
        two = task.n_classes == 2
        for code, features in zip(part.codes, self._features(task, part, form), strict=True):
            yield f"{2 * code - 1 if two else code + 1} | {features}"

    def _features(self, task: Task, part: Part, form: str) -> Iterator[str]:
        if task.kind == "table":
            yield from table_features(part.rows)
        elif form == "words":
            for text in part.rows:
                yield " ".join(sorted(set(WORD.findall(text.lower()))))
        else:
            rows = self._tfidf(task, part) if form == "tf-idf" else part.rows
            yield from matrix_features(task, rows, form)

    def _tfidf(self, task: Task, part: Part) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        # Generous: the weights of rarity are made for it, outside the clock.
        learned_on = task.train if part.name in ("train", "validation") else task.both
        vectorizer = self.once(("tf-idf", learned_on.name), lambda: TfidfVectorizer().fit(learned_on.rows))
        return vectorizer.transform(part.rows)


def kind_of(n_classes: int) -> str:
    """Two classes are its default; more are one against all."""
    return f"--oaa {n_classes}" if n_classes > 2 else ""


def run(arguments: str) -> None:
    """Runs the driver over its files, start to end."""
    from vowpalwabbit import Workspace

    Workspace(f"{arguments} --quiet").finish()


def matrix_features(task: Task, rows: Any, form: str) -> Iterator[str]:
    """`column:value` for each value that is not 0; bytes between 0 and 1."""
    from scipy.sparse import csr_matrix

    from benchmarks.peers.contestants.scikit_rows import in_form

    if isinstance(rows, np.ndarray):
        rows = csr_matrix(in_form(rows, "0 to 1", task))
    elif form == "unit length":
        rows = in_form(rows, form, task)
    starts, columns, values = rows.indptr.tolist(), rows.indices.tolist(), rows.data.tolist()
    for first, last in pairwise(starts):
        yield " ".join(f"{columns[k]}:{values[k]:.7g}" for k in range(first, last))


def table_features(columns: Any) -> Iterator[str]:
    """`column=value` for a category, `column:value` for a number."""
    names = [UNSAFE.sub("_", name) for name in columns.column_names]
    for row in zip(*(column.to_pylist() for column in columns.columns), strict=True):
        yield " ".join(
            f"{name}:{value:.7g}" if isinstance(value, int | float) else f"{name}={UNSAFE.sub('_', str(value))}"
            for name, value in zip(names, row, strict=True)
            if value is not None
        )
