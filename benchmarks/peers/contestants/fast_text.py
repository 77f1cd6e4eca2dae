"""fastText, trained from a ready-made file of labels and words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers.contestant import Contestant, Settings
from benchmarks.peers.task import Part, Task

WORD = re.compile(r"\w+")
PREFIX = "__label__"


class FastText(Contestant):
    """One thread. The options are those of its tutorial: more epochs, a higher rate, pairs of words."""

    name = "fastText"
    package, module = "fasttext-wheel", "fasttext"
    kinds = ("text",)

    def options(self, task: Task) -> list[Settings]:
        return [{"epoch": epoch, "wordNgrams": pairs, "lr": 0.5, "dim": 50, "bucket": 200_000}
                for epoch, pairs in ((5, 1), (25, 1), (25, 2))]  # fmt: skip

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        return self.once(part.name, lambda: self._written(part))

    def fit(self, given: Any, settings: Settings) -> Any:
        import fasttext

        return fasttext.train_supervised(given[0], thread=1, verbose=0, seed=0, **settings)

    def predict(self, model: Any, given: Any) -> np.ndarray:
        labels, _ = model.predict(given[1])
        return np.array([int(found[0].removeprefix(PREFIX)) if found else 0 for found in labels])

    def size(self, model: Any) -> int | None:
        path = self.folder / "fasttext.bin"
        model.save_model(str(path))
        return path.stat().st_size

    def one_row(self, model: Any, task: Task, settings: Settings) -> Callable[[], Any] | None:
        line = words_of(task.test.rows[0])
        return lambda: model.f.predict(f"{line}\n", 1, 0.0, "strict")

    def cold_start(self, model: Any, message: str) -> str | None:
        path = self.folder / "fasttext.bin"
        model.save_model(str(path))
        return f"import fasttext\nprint(fasttext.load_model({str(path)!r}).predict([{words_of(message)!r}])[0])"

    def _written(self, part: Part) -> tuple[str, list[str]]:
        lines = [words_of(text) for text in part.rows]
        path = self.folder / f"{part.name}.fasttext"
        with path.open("w", encoding="utf8") as stream:
            stream.writelines(f"{PREFIX}{code} {line}\n" for code, line in zip(part.codes, lines, strict=True))
        return str(path), lines


def words_of(text: str) -> str:
    """The words in lower case, punctuation left out, as its tutorial cleans text."""
    return " ".join(WORD.findall(text.lower()))
