"""NBSVM: a support vector machine over the presence of words and pairs, each times its log-count ratio.

Wang and Manning, "Baselines and Bigrams: Simple, Good Sentiment and Topic Classification", 2012. It has no package of
its own; this is its formula over scikit-learn's counts and LIBLINEAR, as people put it together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers.contestant import Contestant, Search, Settings
from benchmarks.peers.contestants.scikit_rows import dumped_size
from benchmarks.peers.task import SEED, Part, Task

ALPHA, BETA = 1.0, 0.25  # smoothing of the counts, and the share of the learned weights, both as in the paper


class NBSVM(Contestant):
    """For two classes, as in the paper."""

    name = "NBSVM"
    package, module = "scikit-learn", "sklearn"
    kinds = ("text",)

    def declines(self, task: Task) -> str:
        return "" if task.n_classes == 2 else "its paper has two classes"

    def options(self, task: Task) -> list[Settings]:
        return [{"C": C} for C in (0.1, 1.0, 10.0)]

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        return part.rows, part.codes

    def fit(self, given: Any, settings: Settings) -> Any:
        texts, codes = given
        words = presence()
        return words, *learned(words.fit_transform(texts), codes, settings["C"])

    def predict(self, model: Any, given: Any) -> np.ndarray:
        words, weights, bias = model
        return decided(words.transform(given[0]), weights, bias)

    def search(self, task: Task, tell: Callable[[Search], None] = lambda so_far: None) -> Search:
        """The words are made once for all options."""
        started, options = time.perf_counter(), self.options(task)
        words = presence()
        train, validation = words.fit_transform(task.train.rows), words.transform(task.validation.rows)
        found = Search(options[0], time.perf_counter() - started, 0, best=-1.0)
        for settings in options:
            started = time.perf_counter()
            predicted = decided(validation, *learned(train, task.train.codes, settings["C"]))
            accuracy = float(np.mean(predicted == task.validation.codes))
            found = found.after(settings, accuracy, time.perf_counter() - started)
            tell(found)
        return found

    def size(self, model: Any) -> int | None:
        return dumped_size(model)


def presence() -> Any:
    """Words and pairs, there or not."""
    from sklearn.feature_extraction.text import CountVectorizer

    return CountVectorizer(binary=True, ngram_range=(1, 2), dtype=np.float64)


def learned(rows: Any, codes: np.ndarray, C: float) -> tuple[np.ndarray, float]:
    """Weights and bias of the second class: the learned ones are mixed with their mean size."""
    from sklearn.svm import LinearSVC

    counts = [ALPHA + np.asarray(rows[codes == code].sum(axis=0)).ravel() for code in (1, 0)]
    ratio = np.log(counts[0] / counts[0].sum()) - np.log(counts[1] / counts[1].sum())
    machine = LinearSVC(C=C, random_state=SEED).fit(rows.multiply(ratio).tocsr(), codes)
    own = machine.coef_[0]
    return ratio * ((1 - BETA) * np.abs(own).mean() + BETA * own), BETA * float(machine.intercept_[0])


def decided(rows: Any, weights: np.ndarray, bias: float) -> np.ndarray:
    return (rows @ weights + bias > 0).astype(np.int64)
