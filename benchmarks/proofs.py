"""How long a proof takes, beside scipy's linear program for the same question.

Run it with `python benchmarks/proofs.py`. Everything is measured in one run, in turns, and medians are printed. Ours is
the whole of `prove`: reading, searching, the exact check and the mark of the data. Theirs is `linprog` (HiGHS) asked
for weights with z·w >= 1 for every signed row, on a matrix of signed rows made beforehand; its answer in floating
point is taken as it is. One call of each before measuring loads and compiles.

    rounds    calls measured of each
    faster    linprog / ours
Goals: 8 times faster in the geometric mean; on no data more than 1.2 times and 0.3 s slower.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy
from scipy import sparse
from scipy.optimize import linprog
from sklearn.datasets import load_breast_cancer, load_digits, load_svmlight_file

from rosenblatt import prove

DATA = Path(os.environ.get("ROSENBLATT_DATA", Path(__file__).parents[2] / "shared" / "data"))
MARGIN = 1e-3  # of the synthetic rows, whose length is about 10
LONG = 20.0  # seconds after which one round is enough


def thin(rows: int = 200_000, columns: int = 100) -> tuple[np.ndarray, np.ndarray]:
    """Normal rows on the two sides of a random plane, those nearer than MARGIN pushed to that distance."""
    r = np.random.default_rng(0)
    X, w = r.normal(size=(rows, columns)), r.normal(size=columns)
    w /= np.linalg.norm(w)
    s = X @ w
    X += (np.sign(s) * np.maximum(np.abs(s), MARGIN) - s)[:, None] * w
    return X, s > 0


def sets() -> Iterator[tuple[str, Any, Any]]:
    table = pd.read_csv(DATA / "mushroom" / "mushroom_with_header.csv")
    labels = table.pop("edible").to_numpy()
    yield "mushroom", pd.get_dummies(table).to_numpy().astype(np.uint8), labels
    yield "a9a", *load_svmlight_file(str(DATA / "libsvm" / "a9a"))
    yield "reuters-acq", *load_svmlight_file(str(DATA / "reuters-acq" / "train.dat"))
    yield "breast-cancer", *load_breast_cancer(return_X_y=True)
    yield "digits", *load_digits(return_X_y=True)
    X, y = load_digits(return_X_y=True)
    yield "digits, 8 or not", X, y == 8
    yield "thin margin", *thin()


def signed_rows(X: Any, y: Any) -> Any:
    """Every signed row, the block of the first class left out; sparse where that is smaller."""
    classes, truth = np.unique(y, return_inverse=True)
    plain = sparse.csr_array(X)
    plain = sparse.hstack([plain, np.ones((plain.shape[0], 1))], format="csr")
    if len(classes) == 2:
        signs = np.where(truth == 1, 1.0, -1.0)[:, None]
        return plain.multiply(signs).tocsr() if sparse.issparse(X) else plain.toarray() * signs
    width, parts = plain.shape[1], []
    for c in range(len(classes)):
        for other in range(len(classes)):
            if c != other:
                mine = plain[truth == c]
                empty = sparse.csr_array(mine.shape)
                blocks = [mine if k == c else -mine if k == other else empty for k in range(1, len(classes))]
                parts.append(sparse.hstack(blocks, format="csr"))
    assert width * (len(classes) - 1) == parts[0].shape[1]
    return sparse.vstack(parts, format="csr")


def by_linprog(Z: Any) -> str:
    size, width = Z.shape
    answer = linprog(np.zeros(width), A_ub=-Z, b_ub=-np.ones(size), bounds=(None, None), method="highs")
    return {0: "separable", 2: "inseparable"}.get(answer.status, f"status {answer.status}")


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def main() -> None:
    print(f"{platform.processor() or platform.machine()}, Python {sys.version.split()[0]}, scipy {scipy.__version__}")
    heads = f"{'data':<17}{'rows × columns':>16}  {'verdict':<12}{'found by':<16}"
    print(f"{heads}{'ours s':>9}{'linprog s':>11}{'faster':>9}  rounds")
    ratios = []
    late = []
    for name, X, y in sets():
        Z = signed_rows(X, y)
        prove(X, y)
        first, said = seconds(lambda Z=Z: by_linprog(Z))
        times: list[tuple[float, float]] = []
        rounds = 1 if first > LONG else 3 if first > 2 else 7
        for k in range(rounds):
            ours, verdict = seconds(lambda X=X, y=y: prove(X, y))
            theirs = first if rounds == 1 and k == 0 else seconds(lambda Z=Z: by_linprog(Z))[0]
            times.append((ours, theirs))
        ours, theirs = np.median(times, axis=0)
        assert verdict.check(X, y)
        ratios.append(theirs / ours)
        if ours > max(1.2 * theirs, theirs + 0.3):
            late.append(name)
        agreed = "" if said == verdict.kind else f"  linprog: {said}"
        size = f"{X.shape[0]:,} × {X.shape[1]:,}"
        print(
            f"{name:<17}{size:>16}  {verdict.kind:<12}{verdict.found_by:<16}{ours:>9.4f}{theirs:>11.4f}"
            f"{theirs / ours:>8.1f}×  {rounds}{agreed}",
            flush=True,
        )
    mean = float(np.exp(np.mean(np.log(ratios))))
    print(f"geometric mean {mean:.1f} times faster (goal 8); too slow: {', '.join(late) or 'none'}")
    sys.exit(0 if mean >= 8 and not late else 1)


if __name__ == "__main__":
    main()
