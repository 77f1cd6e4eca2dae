"""Naive Bayes beside scikit-learn, and `tune` beside as many calls of `predict`, measured in one run.

    python benchmarks/naive_bayes.py [repeats]

Data is read from the folder in ROSENBLATT_DATA. Each repeat times every competitor once, one after the other; the
figures are medians, and a ratio is the median of the ratios within the repeats.
"""

from __future__ import annotations

import gzip
import os
import re
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.naive_bayes import BernoulliNB

from rosenblatt.estimators.naive_bayes import NaiveBayes

DATA = Path(os.environ.get("ROSENBLATT_DATA", Path(__file__).resolve().parents[1] / "../shared/data"))
GRID = np.logspace(-4, 2, 50)


def newsgroups() -> tuple[Any, ...]:
    """Presence of every word of the training posts, as 0/1 sparse rows of int32 indices."""
    words: dict[str, int] = {}
    parts: dict[str, tuple[list[Any], list[str]]] = {"train": ([], []), "test": ([], [])}
    with tarfile.open(DATA / "20news-bydate.tar.gz") as archive:
        for member in archive:  # in the archive's order: going back would unpack it again
            if member.isfile():
                part, group = member.name.split("/")[-3:-1]
                text = archive.extractfile(member).read().decode("latin-1")
                rows, labels = parts["train" if part.endswith("train") else "test"]
                rows.append(sorted(set(re.findall(r"\w\w+", text.lower()))))
                labels.append(group)
    for row in parts["train"][0]:
        for word in row:
            words.setdefault(word, len(words))
    found = []
    for rows, labels in (parts["train"], parts["test"]):
        columns = [sorted(words[w] for w in row if w in words) for row in rows]
        starts = np.cumsum([0, *map(len, columns)]).astype(np.int32)
        flat = np.concatenate([np.array(c, np.int32) for c in columns])
        X = sp.csr_matrix((np.ones(len(flat)), flat, starts), shape=(len(rows), len(words)))
        found += [X, np.unique(labels, return_inverse=True)[1]]
    return shuffled(*found[:2]) + shuffled(*found[2:])


def mnist() -> tuple[Any, ...]:
    def read(name: str, skip: int) -> np.ndarray:
        return np.frombuffer(gzip.decompress(next(DATA.glob(f"mnist/{name}*")).read_bytes()), np.uint8, offset=skip)

    found = []
    for part in ("train", "t10k"):
        X = (read(f"{part}-images", 16).reshape(-1, 784) > 127).astype(np.uint8)
        found += [X, read(f"{part}-labels", 8).astype(np.int64)]
    return tuple(found)


def shuffled(X: Any, y: np.ndarray) -> tuple[Any, np.ndarray]:
    order = np.random.default_rng(0).permutation(len(y))
    X = X[order]
    X.sort_indices()
    return X, y[order]


def timed(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare(what: str, repeats: int, wanted: float, ours: Callable[[], Any], theirs: Callable[[], Any]) -> bool:
    ours(), theirs()
    times = np.array([(timed(ours), timed(theirs)) for _ in range(repeats)])
    ratio = float(np.median(times[:, 1] / times[:, 0]))
    ms = np.median(times, axis=0) * 1e3
    print(f"{what:44} {ms[0]:9.2f} ms {ms[1]:10.2f} ms {ratio:9.1f} x  (wanted {wanted:g} x)", flush=True)
    return ratio >= wanted


def many_predicts(model: NaiveBayes, X: Any) -> None:
    for k in GRID:
        model.set_params(k=float(k)).predict(X)


def measure(name: str, data: tuple[Any, ...], wanted: float, repeats: int) -> bool:
    X, y, X_test, y_test = data
    ours, theirs = NaiveBayes().fit(X, y), BernoulliNB().fit(X, y)
    shares = ours.score(X_test, y_test), theirs.score(X_test, y_test)
    print(f"{name}: {X.shape[0]} rows, {X.shape[1]} columns, {len(ours.classes_)} classes; accuracy {shares}")
    # A word that no class ever had leaves its factor out here, while BernoulliNB counts it: compare the other rows.
    alike = np.flatnonzero(np.asarray(X_test @ (np.asarray(X.sum(axis=0)).ravel() == 0).astype(float)) == 0)
    gap = np.abs(ours.predict_log_proba(X_test[alike]) - theirs.predict_log_proba(X_test[alike])).max()
    print(f"  {len(alike)} of {X_test.shape[0]} test rows hold only values seen before; largest difference {gap:.1e}")
    tuned = clone(ours).fit(X, y)
    many = max(2, repeats // 3)
    return all(
        [
            compare(f"{name} fit", repeats, wanted, lambda: ours.fit(X, y), lambda: theirs.fit(X, y)),
            compare(f"{name} predict", repeats, 2, lambda: ours.predict(X_test), lambda: theirs.predict(X_test)),
            compare(
                f"{name} tune, 50 k | 50 predicts",
                many,
                4,
                lambda: tuned.tune(X_test, y_test, GRID),
                lambda: many_predicts(tuned, X_test),
            ),
        ]
    )


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    print(f"{'':44} {'rosenblatt':>12} {'peer':>13} {'ratio':>11}")
    reached = [
        measure("MNIST > 127", mnist(), 100, repeats),
        measure("20 newsgroups 0/1", newsgroups(), 10, repeats),
    ]
    sys.exit(0 if all(reached) else "not every ratio was reached")


if __name__ == "__main__":
    main()
