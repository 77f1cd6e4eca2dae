"""How the work grows with the number of columns: python benchmarks/wide.py [--quick]

A table of 500 rows, a quarter of its columns names, a quarter small whole numbers, the others fractions, is trained on
(one perceptron, three passes, so that the same is done whatever the width) and predicted: from CSV, from Parquet and
from a data frame. Each figure is the least processor time of three runs, in turns; the exponent is the slope of
log(seconds) over log(columns). A job that does the same for every column has 1.

Goal: an exponent of at most 1.15 for each, from 1,000 over 4,000 to 16,000 columns.

Beside it, for 2,000 rows of fractions as CSV: reading and encoding them here (`read`, `learn_and_encode`, which also
finds what each column is) and in pandas with scikit-learn's StandardScaler. Goal: never slower.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

from rosenblatt import train
from rosenblatt.data import read
from rosenblatt.features import learn_and_encode

ROWS = 500
WIDTHS = (1_000, 4_000, 16_000)
QUICK = (500, 1_000, 2_000)
ROUNDS = 3
GOAL = 1.15


def wide(columns: int) -> pd.DataFrame:
    draw = np.random.default_rng(28)
    numbers = draw.integers(0, 1000, (ROWS, columns))
    words = np.array(["red", "green", "blue"])
    kinds = (lambda v: v % 3, lambda v: v / 10, lambda v: words[v % 3], lambda v: v / 7)
    made = {f"c{j}": kinds[j % 4](numbers[:, j]) for j in range(columns)}
    return pd.DataFrame(made | {"label": np.where(numbers[:, 1] > 500, "high", "low")})


def sources(folder: Path, columns: int) -> dict[str, Any]:
    frame = wide(columns)
    csv, parquet = folder / f"{columns}.csv", folder / f"{columns}.parquet"
    frame.to_csv(csv, index=False)
    frame.to_parquet(parquet)
    return {"CSV": csv, "Parquet": parquet, "pandas": frame}


def timed(source: Any) -> tuple[float, float]:
    """Seconds to train, and to predict the same rows."""
    start = time.process_time()
    model = train(source, model="perceptron", passes=3)
    middle = time.process_time()
    model.predict(source)
    return middle - start, time.process_time() - middle


def beside(folder: Path, columns: int) -> tuple[float, float]:
    """The least processor time to read and encode so many columns of fractions, here and there."""
    values = np.random.default_rng(29).integers(0, 1000, (2_000, columns)) / 8
    path = folder / f"fractions{columns}.csv"
    names = [f"c{j}" for j in range(columns)]
    pd.DataFrame(values, columns=names).assign(label=np.where(values[:, 0] > 60, "a", "b")).to_csv(path, index=False)

    def ours() -> None:
        learn_and_encode(read(path))

    def theirs() -> None:
        StandardScaler().fit_transform(pd.read_csv(path).drop(columns="label"))

    best = [np.inf, np.inf]
    for _ in range(ROUNDS):
        for place, job in enumerate((ours, theirs)):
            start = time.process_time()
            job()
            best[place] = min(best[place], time.process_time() - start)
    return best[0], best[1]


def exponent(widths: tuple[int, ...], seconds: list[float]) -> float:
    return float(np.polyfit(np.log(widths), np.log(seconds), 1)[0])


def main() -> None:
    widths = QUICK if "--quick" in sys.argv else WIDTHS
    print(
        f"{platform.machine()}, {len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.1f} when started"
    )
    with tempfile.TemporaryDirectory() as name:
        given = {columns: sources(Path(name), columns) for columns in widths}
        timed(wide(8))  # loads and compiles
        best: dict[tuple[str, str, int], float] = {}
        for _ in range(ROUNDS):
            for columns in widths:
                for form, source in given[columns].items():
                    for job, seconds in zip(("train", "predict"), timed(source), strict=True):
                        key = (job, form, columns)
                        best[key] = min(seconds, best.get(key, seconds))
    print(f"{'seconds':<16} " + " ".join(f"{columns:>9,}" for columns in widths) + "   exponent")
    for job in ("train", "predict"):
        for form in ("CSV", "Parquet", "pandas"):
            found = [best[job, form, columns] for columns in widths]
            slope = exponent(widths, found)
            verdict = "" if slope <= GOAL else f"   above the goal, {GOAL}"
            print(f"{job + ', ' + form:<16} " + " ".join(f"{s:9.2f}" for s in found) + f"   {slope:8.2f}{verdict}")
    with tempfile.TemporaryDirectory() as name:
        for columns in widths[1:]:
            ours, theirs = beside(Path(name), columns)
            verdict = "" if ours <= theirs else "   slower"
            print(f"{columns:,} fractions: read and encoded in {ours:.2f} s, in pandas {theirs:.2f} s{verdict}")


if __name__ == "__main__":
    main()
