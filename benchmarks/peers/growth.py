"""How cost grows with rows, features and classes: times of fits over generated rows, and the power that fits them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers.child import silence
from benchmarks.peers.results import Growth

PASSES = 5  # the same for all, so that only the cost of a pass can grow
ROWS, FEATURES, CLASSES = (1, 2, 4, 8), (1, 4, 16), (2, 10, 100)
NOISE = 0.2  # share of labels that no weights can follow, so that no run stops early


def measure_growth(repeats: int, quick: bool, say: Callable[[str], None]) -> list[Growth]:
    """Every fit along every direction."""
    base = 2_000 if quick else 10_000
    grown: list[Growth] = []
    for along, steps in (("rows", ROWS), ("features", FEATURES), ("classes", CLASSES)):
        say(f"growth: {along}")
        times: dict[str, list[float]] = {name: [] for name in fits()}
        sizes = []
        for step in steps:
            X, y, size = _rows(along, step, base)
            sizes.append(size)
            for name, seconds in _in_turns(fits(), X, y, repeats).items():
                times[name].append(seconds)
        grown += [Growth(name, along, sizes, found, exponent(sizes, found)) for name, found in times.items()]
    return grown


def fits() -> dict[str, Callable[[Any, np.ndarray], Any]]:
    """What is timed: one call of fit each."""
    from sklearn.linear_model import Perceptron as ScikitPerceptron
    from sklearn.naive_bayes import BernoulliNB

    from rosenblatt import NaiveBayes, Perceptron

    return {
        "rosenblatt Perceptron": lambda X, y: Perceptron(max_iter=PASSES, tol=None, random_state=0).fit(X, y),
        "sklearn Perceptron": lambda X, y: ScikitPerceptron(max_iter=PASSES, tol=None, random_state=0).fit(X, y),
        "rosenblatt NaiveBayes": lambda X, y: NaiveBayes(features="binary").fit(X, y),
        "sklearn BernoulliNB": lambda X, y: BernoulliNB().fit(X, y),
    }


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """The slope of log(seconds) over log(size) by least squares: 1 is linear, 2 quadratic."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _rows(along: str, step: int, base: int) -> tuple[Any, np.ndarray, int]:
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
    d = 64 * step if along == "features" else 128
    X = (rng.random((n, d)) < 0.2).astype(np.uint8)
    return X, _labels(X, step if along == "classes" else 2, rng), d if along == "features" else step


def _labels(X: Any, classes: int, rng: np.random.Generator) -> np.ndarray:
    """The class whose random weights score highest, replaced by chance for some rows."""
    y = np.argmax(X @ rng.normal(size=(X.shape[1], classes)), axis=1)
    flipped = rng.random(len(y)) < NOISE
    y[flipped] = rng.integers(0, classes, int(flipped.sum()))
    y[:classes] = np.arange(classes)
    return y


def _in_turns(
    calls: dict[str, Callable[[Any, np.ndarray], Any]], X: Any, y: np.ndarray, repeats: int
) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in calls}
    with silence():
        for call in calls.values():
            call(X, y)
        for _ in range(repeats):
            for name, call in calls.items():
                started = time.perf_counter()
                call(X, y)
                times[name].append(time.perf_counter() - started)
    return {name: statistics.median(found) for name, found in times.items()}
