"""How the work grows with the number of columns: python -m benchmarks.wide [--quick]

A table of 500 rows, a quarter of its columns names, a quarter small whole numbers, the others fractions, is trained on
(one perceptron, three passes, no margin, no curves, units or probabilities, so that the same is done whatever the
width) and predicted: from CSV, from Parquet and from a data frame. Each figure is the least processor time of two runs,
in turns, of the widest of one; the exponent is the slope of log(seconds) over log(columns). A job that
does the same for every column has 1.

Goal: an exponent of at most 1.15 for each, from 1,000 over 4,000 to 16,000 columns.

Beside it, for 2,000 rows of fractions as CSV: reading and encoding them here (`read`, `learn_and_encode`, which also
finds what each column is) and in pandas with scikit-learn's StandardScaler. Goal: never slower.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

from benchmarks.peers.figures import seconds as shown
from benchmarks.peers.generated import wide_columns
from benchmarks.peers.growth import exponent
from benchmarks.peers.results import Goal, Sheet
from benchmarks.peers.sections import alone
from rosenblatt import train
from rosenblatt.data import read
from rosenblatt.features import learn_and_encode

ROWS = 500
WIDTHS = (1_000, 4_000, 16_000)
QUICK = (500, 1_000)
ROUNDS = 2
PLAIN = {"features": {"knots": 0, "units": 0}, "split": {"calibration": "none"}}
GOAL = 1.15
UNITS = {"least": "seconds", "middle": "seconds", "most": "seconds", "exponent": "number"}  # columns


def wide(columns: int) -> pd.DataFrame:
    made = wide_columns(ROWS, columns, 28)
    return pd.DataFrame(made | {"label": np.where(made["c1"] > 50, "high", "low")})


def sources(folder: Path, columns: int) -> dict[str, Any]:
    frame = wide(columns)
    csv, parquet = folder / f"{columns}.csv", folder / f"{columns}.parquet"
    frame.to_csv(csv, index=False)
    frame.to_parquet(parquet)
    return {"CSV": csv, "Parquet": parquet, "pandas": frame}


def timed(source: Any) -> tuple[float, float]:
    """Seconds to train, and to predict the same rows."""
    start = time.process_time()
    model = train(source, model="perceptron", passes=3, margin=0.0, weights="averaged", config=PLAIN)
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


def growth(folder: Path, widths: tuple[int, ...]) -> dict[tuple[str, str], list[float]]:
    """The least seconds of each job and form, for each width."""
    given = {columns: sources(folder, columns) for columns in widths}
    timed(wide(8))  # loads and compiles
    best: dict[tuple[str, str], list[float]] = {}
    for turn in range(ROUNDS):
        for place, columns in enumerate(widths[:-1] if turn else widths):
            for form, source in given[columns].items():
                for job, found in zip(("train", "predict"), timed(source), strict=True):
                    least = best.setdefault((job, form), [np.inf] * len(widths))
                    least[place] = min(least[place], found)
    return best


def measure(folder: Path | None, quick: bool) -> tuple[Sheet, list[Goal]]:
    """How training and predicting grow with columns, and reading and encoding beside pandas."""
    widths = QUICK if quick else WIDTHS
    about = f"tables of {ROWS} rows and {' , '.join(f'{each:,}' for each in widths)} columns; seconds of the processor"
    sheet, goals = Sheet("columns", about.replace(" ,", ","), UNITS), list[Goal]()
    with tempfile.TemporaryDirectory() as name:
        for (job, form), found in growth(Path(name), widths).items():
            slope = exponent(list(widths), found)
            middle = found[len(found) // 2]
            sheet.add(f"{job}, {form}", "rosenblatt", least=found[0], middle=middle, most=found[-1], exponent=slope)
            goals.append(
                Goal(f"columns: {job}, {form}", f"exponent at most {GOAL:g}", f"{slope:.2f}", bool(slope <= GOAL))
            )
        for columns in widths[1:]:
            ours, theirs = beside(Path(name), columns)
            what = f"{columns:,} fractions read and encoded"
            sheet.add(what, "rosenblatt", most=ours)
            sheet.add(what, "pandas, StandardScaler", most=theirs)
            goals.append(Goal(what, f"no slower than pandas, {shown(theirs)}", shown(ours), ours <= theirs))
    return sheet, goals


if __name__ == "__main__":
    alone(measure)
