"""How long a pass of the perceptron takes: beside scikit-learn's, and beside reading the same bytes once.

Run it by hand: `python benchmarks/passes.py`. Everything is measured in one run, in turns, and medians are
printed, because machines are noisy. Columns:

    stream    ms to sum the bytes that a pass must read, with compiled code on one core
    scores    ms to compute w . f(x) for every row in the given order: a pass that never learns
    ours      ms for one pass, taken between passes inside one run of PASSES passes
    sklearn   ms for one pass of its Perceptron: (fit with PASSES passes less fit with one) / (PASSES - 1)
    faster    sklearn / ours;  /stream  ours / stream;  fit  the same ratio for whole calls of fit with PASSES passes
"""

from __future__ import annotations

import os
import platform
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import scipy
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron as SklearnPerceptron

import rosenblatt
from rosenblatt import Perceptron
from rosenblatt.estimators.input import read_rows_and_labels
from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import learn
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.rows import weight_type

DATA = Path(os.environ.get("ROSENBLATT_DATA", Path(__file__).parents[2] / "shared" / "data"))
PASSES = 6
REPEATS = 5


class Goal(NamedTuple):
    """How many times faster than scikit-learn at least, and how many times the stream at most."""

    speedup: float
    stream: float | None


@numba.njit(fastmath={"reassoc", "contract"})
def total(values):
    result = values.dtype.type(0)
    for i in range(len(values)):
        result += values[i]
    return result


def stream(arrays: list[np.ndarray]) -> None:
    """Reads every byte once, as fast as compiled code on one core can."""
    for array in arrays:
        total(array.reshape(-1))


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def in_turns(calls: dict[str, Callable[[], Any]], repeats: int = REPEATS) -> dict[str, float]:
    """The median time of each call, each once per round."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            times[name].append(seconds(call))
    return {name: float(np.median(values)) for name, values in times.items()}


def our_pass(X: Any, y: np.ndarray, shuffle: bool) -> float:
    """Seconds for one pass after the first."""
    estimator = Perceptron()
    rows, y = read_rows_and_labels(estimator, X, y, bias=1.0, reset=True)
    classes, truth = np.unique(y, return_inverse=True)
    problem = make_problem(rows, truth, len(classes))
    ends: list[float] = []
    settings = Settings(weights="final", tol=None, shuffle=shuffle, max_iter=PASSES)
    learn(problem, settings, on_pass=lambda run: ends.append(time.perf_counter()))
    return float(np.median(np.diff(ends)))


def bare_scores(X: Any, y: np.ndarray) -> float:
    """Seconds to score every row with some weights, in the given order."""
    rows, y = read_rows_and_labels(Perceptron(), X, y, bias=1.0, reset=True)
    n_classes = len(np.unique(y))
    width = X.shape[1] + 1
    weights = np.ones(width if n_classes == 2 else (n_classes, width), weight_type(rows))
    score_rows(rows, weights)
    return float(np.median([seconds(lambda: score_rows(rows, weights)) for _ in range(REPEATS)]))


def compare(name: str, X: Any, y: np.ndarray, goal: Goal, *, shuffle: bool) -> None:
    arrays = [X] if isinstance(X, np.ndarray) else [X.indices, X.data]
    if not isinstance(X, np.ndarray) and np.all(X.data == 1):
        arrays = [X.indices]  # 0/1 rows are read without their values
    ours = Perceptron(weights="final", tol=None, shuffle=shuffle, random_state=0, max_iter=PASSES)
    one = SklearnPerceptron(tol=None, shuffle=shuffle, random_state=0, max_iter=1)
    many = clone(one).set_params(max_iter=PASSES)
    ours.fit(X, y)  # compiles
    stream(arrays)
    rounds = []
    for _ in range(REPEATS):
        reading, mine, whole = seconds(lambda: stream(arrays)), our_pass(X, y, shuffle), seconds(lambda: ours.fit(X, y))
        theirs, start = seconds(lambda: many.fit(X, y)), seconds(lambda: one.fit(X, y))
        rounds.append((reading, mine, whole, (theirs - start) / (PASSES - 1), theirs))
    reading, mine, whole, peer, theirs = map(float, np.median(rounds, axis=0))
    bare = bare_scores(X, y)
    speedup, against = peer / mine, mine / reading
    met = speedup >= goal.speedup and (goal.stream is None or against <= goal.stream)
    wanted = f"≥{goal.speedup:g}×" + (f" ≤{goal.stream:g}×" if goal.stream else "")
    print(
        f"{name:<41}{sum(array.nbytes for array in arrays) / 1e6:>5.0f}{reading * 1e3:>8.1f}{bare * 1e3:>8.1f}"
        f"{mine * 1e3:>8.1f}{peer * 1e3:>9.1f}{speedup:>8.1f}×{against:>8.2f}×{theirs / whole:>7.1f}×"
        f"  {wanted:<12} {'yes' if met else 'no'}",
        flush=True,
    )


def labels_of(X: Any, rng: np.random.Generator, noise: float = 0.0) -> np.ndarray:
    """Labels that a planted separator gives, some of them flipped."""
    scores = X @ rng.normal(size=X.shape[1]).astype(X.dtype)
    return (scores > np.median(scores)) ^ (rng.random(len(scores)) < noise)


def random_sparse(n: int, d: int, per_row: int, rng: np.random.Generator) -> sparse.csr_matrix:
    """Rows of `per_row` values each, in evenly spread columns."""
    step = d // per_row
    columns = np.arange(0, d, step)[:per_row] + rng.integers(0, step, (n, per_row))
    starts = np.arange(0, n * per_row + 1, per_row, dtype=np.int32)
    return sparse.csr_matrix((rng.normal(size=n * per_row), columns.astype(np.int32).ravel(), starts), shape=(n, d))


def tiled(X: sparse.csr_matrix, times: int) -> sparse.csr_matrix:
    result = sparse.vstack([X] * times, format="csr")
    result.indices, result.indptr = result.indices.astype(np.int32), result.indptr.astype(np.int32)
    return result


def svmlight(name: str) -> tuple[sparse.csr_matrix, np.ndarray]:
    X, y = load_svmlight_file(str(DATA / name))
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X, y


def mnist() -> tuple[np.ndarray, np.ndarray]:
    import gzip

    def values(name: str, header: int) -> np.ndarray:
        return np.frombuffer(gzip.decompress((DATA / "mnist" / name).read_bytes())[header:], np.uint8)

    return values("train-images-idx3-ubyte.gz", 16).reshape(-1, 784), values("train-labels-idx1-ubyte.gz", 8)


def compile_times() -> None:
    """Seconds of the first and of a later fit in new processes, with an empty and with a full cache."""
    import subprocess
    import tempfile

    code = (
        "import time, numpy as np; from rosenblatt import Perceptron; r = np.random.default_rng(0);"
        "X = r.normal(size=(100, 10)); y = X[:, 0] > 0; t = time.perf_counter();"
        "Perceptron().fit(X, y); print(time.perf_counter() - t)"
    )
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        runs = [
            float(subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True).stdout)
            for _ in range(2)
        ]
    print(f"\nfirst fit after install {runs[0]:.1f} s (compiles; goal under 15), from the cache {runs[1]:.2f} s")


def small_fits() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 10))
    for name, y in {"separable": X[:, 0] + X[:, 1] > 0, "noise": rng.random(100) > 0.5}.items():
        ours, peer = Perceptron(random_state=0).fit(X, y), SklearnPerceptron(random_state=0).fit(X, y)
        times = in_turns({"ours": lambda y=y, m=ours: m.fit(X, y), "theirs": lambda y=y, m=peer: m.fit(X, y)}, 200)
        print(
            f"fit of 100 × 10, {name}: {times['ours'] * 1e3:.2f} ms in {ours.n_iter_} passes (goal under 1); "
            f"scikit-learn {times['theirs'] * 1e3:.2f} ms"
        )


def main() -> None:
    warnings.filterwarnings("ignore", category=sklearn.exceptions.ConvergenceWarning)
    print(
        f"rosenblatt {rosenblatt.__version__}, scikit-learn {sklearn.__version__}, numba {numba.__version__}, numpy "
        f"{np.__version__}, scipy {scipy.__version__}, Python {platform.python_version()}, {platform.machine()}\n"
    )
    print(
        f"{'one pass':<41}{'MB':>5}{'stream':>8}{'scores':>8}{'ours':>8}{'sklearn':>9}{'faster':>9}{'/stream':>9}"
        f"{'fit':>8}  {'goal':<12} met"
    )
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60_000, 784)).astype(np.float32)
    y = labels_of(X, rng)
    compare("dense float32 60,000 × 784, given order", X, y, Goal(4, 1.6), shuffle=False)
    compare("dense float32 60,000 × 784, shuffled", X, y, Goal(2, 2.5), shuffle=True)
    X = random_sparse(160_000, 1_000, 100, rng)
    y = labels_of(X, rng)
    compare("sparse 160,000 × 1,000, given order", X, y, Goal(1.5, 1.6), shuffle=False)
    compare("sparse 160,000 × 1,000, shuffled", X, y, Goal(2, 2.5), shuffle=True)
    X = random_sparse(300_000, 1_000, 100, rng)
    X.data[:] = 1
    y = labels_of(X, rng)
    compare("0/1 300,000 × 1,000, given order", X, y, Goal(1.5, 2.2), shuffle=False)
    compare("0/1 300,000 × 1,000, shuffled", X, y, Goal(2, 2.5), shuffle=True)
    del X
    if DATA.is_dir():
        a9a, y = svmlight("libsvm/a9a")
        values = a9a.copy()
        values.data = rng.uniform(0.5, 1.5, len(values.data))
        X, many = tiled(values, 25), np.tile(y, 25)
        compare("a9a × 25, values, given order", X, many, Goal(1.5, 1.6), shuffle=False)
        compare("a9a × 25, values, shuffled", X, many, Goal(2, 2.5), shuffle=True)
        X, many = tiled(a9a, 60), np.tile(y, 60)
        compare("a9a × 60, 0/1, given order", X, many, Goal(1.5, 2.2), shuffle=False)
        compare("a9a × 60, 0/1, shuffled", X, many, Goal(2, 2.5), shuffle=True)
        news, y = svmlight("libsvm/news20")
        X, many = tiled(news, 10), np.tile(y > 10, 10)
        compare("news20 × 10, two classes, given order", X, many, Goal(1.5, 1.6), shuffle=False)
        compare("news20 × 10, two classes, shuffled", X, many, Goal(2, 2.5), shuffle=True)
        compare("news20, 20 classes, shuffled", news, y, Goal(5, None), shuffle=True)
        X, y = mnist()
        compare("MNIST, 10 classes, shuffled", X, y, Goal(15, None), shuffle=True)
    else:
        print(f"no real data in {DATA}: a9a, news20 and MNIST left out; set ROSENBLATT_DATA")
    print()
    small_fits()
    compile_times()


if __name__ == "__main__":
    main()
