"""Doubtful labels: `review` beside out-of-fold logistic regression, with cleanlab's score of a given label.

5% of the labels are flipped at random. The score is the probability of the given label out of fold. Printed are the
average precision of the flipped rows, the least probable first, and what either takes in one run: seconds of processor
time, which other programs on the machine hardly change, from the rows in memory to the scores. What `review` adds when
it is asked for it, rows behind a verdict, proofs and repairs, is left out: nothing here stands beside it.
Data: digits of scikit-learn; Adult, SMS spam and 20 newsgroups in the folder that ROSENBLATT_DATA names.

    python -m benchmarks.review [--seeds 3]
"""

from __future__ import annotations

import argparse
import tarfile
import time
from collections.abc import Callable
from os import environ
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_digits
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rosenblatt import review

DATA = Path(environ.get("ROSENBLATT_DATA", "../shared/data"))
GROUPS = ("alt.atheism", "comp.graphics", "sci.med", "soc.religion.christian")
SHARE = 0.05


def digits() -> tuple[Any, np.ndarray]:
    found = load_digits()
    return found.data, found.target


def adult() -> tuple[Any, np.ndarray]:
    import pandas as pd

    frame = pd.read_csv(DATA / "adult" / "adult.data", header=None, skipinitialspace=True, nrows=10_000)
    frame.columns = [f"c{number}" for number in range(1, 16)]
    return frame.drop(columns="c15"), frame["c15"].str.contains(">50K").to_numpy().astype(int)


def messages() -> tuple[Any, np.ndarray]:
    lines = (DATA / "sms-spam" / "SMSSpamCollection").read_text(encoding="utf8").splitlines()
    rows = [line.split("\t", 1) for line in lines]
    return [text for _, text in rows], np.array([int(kind == "spam") for kind, _ in rows])


def newsgroups() -> tuple[Any, np.ndarray]:
    texts, labels = [], []
    with tarfile.open(DATA / "20news-bydate.tar.gz") as archive:
        for member in archive:
            group = member.name.split("/")[-2] if "/" in member.name else ""
            file = archive.extractfile(member) if member.isfile() and group in GROUPS else None
            if file is not None:
                texts.append(file.read().decode("latin1"))
                labels.append(GROUPS.index(group))
    return texts, np.array(labels)


TASKS: dict[str, Callable[[], tuple[Any, np.ndarray]]] = {
    "digits": digits, "adult, 10,000 rows": adult, "sms-spam": messages, "four newsgroups": newsgroups,
}  # fmt: skip


def logistic(X: Any, y: np.ndarray) -> np.ndarray:
    """The probability of each given label, out of fold, with features as scikit-learn's documentation has them."""
    if isinstance(X, list):
        features: Any = TfidfVectorizer()
    elif isinstance(X, np.ndarray):
        features = StandardScaler()
    else:
        names = OneHotEncoder(handle_unknown="ignore")
        numbers = make_column_selector(dtype_include="number")
        others = make_column_selector(dtype_exclude="number")
        features = make_column_transformer((StandardScaler(), numbers), (names, others))
    model = make_pipeline(features, LogisticRegression(max_iter=1_000))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    found = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
    return np.asarray(found[np.arange(len(y)), y])


def ours(X: Any, y: np.ndarray) -> np.ndarray:
    """The same by `review`."""
    source = pa.table({"text": X}) if isinstance(X, list) else X
    return review(source, label=y).probability


def flipped(y: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The labels with some changed to another class, and which rows these are."""
    drawn = np.random.default_rng(seed)
    which = np.zeros(len(y), bool)
    which[drawn.choice(len(y), round(SHARE * len(y)), replace=False)] = True
    classes = y.max() + 1
    noisy = np.where(which, (y + drawn.integers(1, classes, len(y))) % classes, y)
    return noisy, which


def measured(
    way: Callable[[Any, np.ndarray], np.ndarray], X: Any, y: np.ndarray, which: np.ndarray
) -> tuple[float, float]:
    """The average precision, and seconds of processor time."""
    started = time.process_time()
    scores = way(X, y)
    seconds = time.process_time() - started
    return float(average_precision_score(which, 1 - scores)), seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="How often labels are flipped anew.")
    seeds = range(parser.parse_args().seeds)
    print("| data | rows | logistic regression | review | times as fast |\n|---|---|---|---|---|")
    means = []
    for name, load in TASKS.items():
        X, y = load()
        ours(X, y)  # loops are compiled, and loaded, outside the clock
        found = []
        for seed in seeds:
            noisy, which = flipped(y, seed)
            found.append((*measured(logistic, X, noisy, which), *measured(ours, X, noisy, which)))
        theirs, slow, mine, fast = np.mean(found, axis=0)
        means.append((theirs, mine))
        print(
            f"| {name} | {len(y):,} | {theirs:.3f} ({slow:.2f} s) | {mine:.3f} ({fast:.2f} s) | {slow / fast:.1f} |",
            flush=True,
        )
    theirs, mine = np.mean(means, axis=0)
    print(f"| mean | | {theirs:.3f} | {mine:.3f} | |")


if __name__ == "__main__":
    main()
