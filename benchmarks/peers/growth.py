"""How cost grows with rows, columns, classes, documents and support rows, and the power that fits the times."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from benchmarks.peers import generated
from benchmarks.peers.child import silence
from benchmarks.peers.results import Growth

PASSES = 5  # the same for all, so that only the cost of a pass can grow
NOISE = 0.2  # share of labels that no weights can follow, so that no run stops early
STEPS = {
    "rows": (1, 2, 4, 8), "columns": (1, 4, 16), "classes": (2, 10, 100), "documents": (1, 2, 4, 8),
    "support rows": (1, 2, 4, 8),
}  # fmt: skip
ASKED = 500  # rows that are predicted by curves

Fit: TypeAlias = Callable[[Any, np.ndarray], Any]


def measure_growth(repeats: int, quick: bool, say: Callable[[str], None]) -> list[Growth]:
    """Every fit along every direction."""
    base = 2_000 if quick else 10_000
    grown: list[Growth] = []
    for along, steps in STEPS.items():
        say(f"growth: {along}")
        times: dict[str, list[float]] = {}
        sizes = []
        for step in steps:
            calls, size = CALLS.get(along, _rows)(along, step, base)
            sizes.append(size)
            for name, seconds in _in_turns(calls, repeats).items():
                times.setdefault(name, []).append(seconds)
        grown += [Growth(name, along, sizes, found, exponent(sizes, found)) for name, found in times.items()]
    return grown


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """The slope of log(seconds) over log(size) by least squares: 1 is linear, 2 quadratic."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def fits() -> dict[str, Fit]:
    """What is timed over rows: one call of fit each."""
    from sklearn.linear_model import Perceptron as ScikitPerceptron
    from sklearn.naive_bayes import BernoulliNB

    from rosenblatt import NaiveBayes, Perceptron

    return {
        "rosenblatt Perceptron": lambda X, y: Perceptron(max_iter=PASSES, tol=None, random_state=0).fit(X, y),
        "sklearn Perceptron": lambda X, y: ScikitPerceptron(max_iter=PASSES, tol=None, random_state=0).fit(X, y),
        "rosenblatt NaiveBayes": lambda X, y: NaiveBayes(features="binary").fit(X, y),
        "sklearn BernoulliNB": lambda X, y: BernoulliNB().fit(X, y),
    }


def _rows(along: str, step: int, base: int) -> tuple[dict[str, Callable[[], Any]], int]:
    X, y, size = _numbers(along, step, base)
    return {name: partial(fit, X, y) for name, fit in fits().items()}, size


def _documents(along: str, step: int, base: int) -> tuple[dict[str, Callable[[], Any]], int]:
    """From strings to a fitted perceptron, the words inside the clock."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import Perceptron as ScikitPerceptron

    from rosenblatt import train

    count = base // 5 * step
    texts, codes = generated.texts(count, 2, 20_000, step)
    flipped = np.random.default_rng(step).random(count) < NOISE
    codes[flipped] = 1 - codes[flipped]
    labels = codes.tolist()
    fixed: dict[str, Any] = {"model": "perceptron", "margin": 0.0, "passes": PASSES, "weights": "averaged"}
    words = {"split": {"calibration": "none"}, "text": {"ngrams": 1, "characters": False, "weight": "tfidf"}}
    theirs = ScikitPerceptron(max_iter=PASSES, tol=None, random_state=0)
    return {
        "rosenblatt train": lambda: train(texts, label=labels, config=words, **fixed),
        "sklearn tf-idf Perceptron": lambda: theirs.fit(TfidfVectorizer().fit_transform(texts), codes),
    }, count


def _support(along: str, step: int, base: int) -> tuple[dict[str, Callable[[], Any]], int]:
    """Predicting the same rows by more and more support rows: labels by chance need nearly every row."""
    from sklearn.svm import SVC

    from rosenblatt import KernelPerceptron

    count, columns = base // 10 * step, 50
    rng = np.random.default_rng(step)
    X, asked = rng.normal(size=(count, columns)), rng.normal(size=(ASKED, columns))
    y = rng.integers(0, 2, count)
    ours = KernelPerceptron(kernel="rbf", gamma=1 / columns, max_iter=2, random_state=0).fit(X, y)
    theirs = SVC(gamma=1 / columns).fit(X, y)
    return {
        "rosenblatt KernelPerceptron": lambda: ours.predict(asked),
        "sklearn SVC": lambda: theirs.predict(asked),
    }, len(ours.support_)


CALLS: dict[str, Callable[[str, int, int], tuple[dict[str, Callable[[], Any]], int]]] = {
    "documents": _documents, "support rows": _support,
}  # fmt: skip


def _numbers(along: str, step: int, base: int) -> tuple[Any, np.ndarray, int]:
    """0/1 rows, sparse for growing rows and dense otherwise, with a noisy planted label; and the size that grows."""
    rng = np.random.default_rng(step)
    if along == "rows":
        from scipy.sparse import csr_matrix

        n, d, per_row = base * step, 5_000, 50
        columns = np.sort(rng.integers(0, d // per_row, (n, per_row), np.int32), axis=1)
        columns += np.arange(0, d, d // per_row, dtype=np.int32)
        starts = np.arange(0, n * per_row + 1, per_row, dtype=np.int32)
        X: Any = csr_matrix((np.ones(n * per_row), columns.ravel(), starts), shape=(n, d))
        return X, _labels(X, 2, rng), n
    n = base // 4
    d = 64 * step if along == "columns" else 128
    X = (rng.random((n, d)) < 0.2).astype(np.uint8)
    return X, _labels(X, step if along == "classes" else 2, rng), d if along == "columns" else step


def _labels(X: Any, classes: int, rng: np.random.Generator) -> np.ndarray:
    """The class whose random weights score highest, replaced by chance for some rows."""
    y = np.argmax(X @ rng.normal(size=(X.shape[1], classes)), axis=1)
    flipped = rng.random(len(y)) < NOISE
    y[flipped] = rng.integers(0, classes, int(flipped.sum()))
    y[:classes] = np.arange(classes)
    return y


def _in_turns(calls: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in calls}
    with silence():
        for call in calls.values():
            call()
        for _ in range(repeats):
            for name, call in calls.items():
                started = time.perf_counter()
                call()
                times[name].append(time.perf_counter() - started)
    return {name: statistics.median(found) for name, found in times.items()}
