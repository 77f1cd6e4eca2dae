"""Doubtful labels: `review` beside cleanlab over logistic regression out of fold: python -m benchmarks.review [--quick]

5% of the labels are flipped at random, three times. Average precision of the flipped rows, the most doubtful first, and
what either takes in one run: seconds of processor time, which other programs on the machine hardly change, from the
rows in memory to the scores. cleanlab's guide asks for probabilities out of fold of a model that suits the data, and
scores the labels by them; where it is not installed, its default score is taken as it defines it, the probability of
the given label. What `review` adds when it is asked for it, rows behind a verdict, proofs and repairs, is left out:
nothing here stands beside it. Data: digits of scikit-learn; Adult, SMS spam and 20 newsgroups.

Goals: an average precision no lower than theirs on any set, in less time.
"""

from __future__ import annotations

import tarfile
import time
from collections.abc import Callable
from importlib.util import find_spec
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

from benchmarks.peers.figures import ratio
from benchmarks.peers.results import Goal, Sheet
from benchmarks.peers.sections import alone
from rosenblatt import review

GROUPS = ("alt.atheism", "comp.graphics", "sci.med", "soc.religion.christian")
SHARE, SEEDS = 0.05, 3
UNITS = {"average precision": "number", "time": "seconds", "times ours": "times"}


def digits(data: Path) -> tuple[Any, np.ndarray]:
    found = load_digits()
    return found.data, found.target


def adult(data: Path) -> tuple[Any, np.ndarray]:
    import pandas as pd

    frame = pd.read_csv(data / "adult" / "adult.data", header=None, skipinitialspace=True, nrows=10_000)
    frame.columns = [f"c{number}" for number in range(1, 16)]
    return frame.drop(columns="c15"), frame["c15"].str.contains(">50K").to_numpy().astype(int)


def messages(data: Path) -> tuple[Any, np.ndarray]:
    lines = (data / "sms-spam" / "SMSSpamCollection").read_text(encoding="utf8").splitlines()
    rows = [line.split("\t", 1) for line in lines]
    return [text for _, text in rows], np.array([int(kind == "spam") for kind, _ in rows])


def newsgroups(data: Path) -> tuple[Any, np.ndarray]:
    texts, labels = [], []
    with tarfile.open(data / "20news-bydate.tar.gz") as archive:
        for member in archive:
            group = member.name.split("/")[-2] if "/" in member.name else ""
            file = archive.extractfile(member) if member.isfile() and group in GROUPS else None
            if file is not None:
                texts.append(file.read().decode("latin1"))
                labels.append(GROUPS.index(group))
    return texts, np.array(labels)


# How each set is read, and what of the folder it needs.
SETS: dict[str, tuple[Callable[[Path], tuple[Any, np.ndarray]], str]] = {
    "digits": (digits, ""), "adult, 10,000 rows": (adult, "adult/adult.data"),
    "sms-spam": (messages, "sms-spam/SMSSpamCollection"), "four newsgroups": (newsgroups, "20news-bydate.tar.gz"),
}  # fmt: skip


def cleaned(X: Any, y: np.ndarray) -> np.ndarray:
    """How far each given label can be trusted, by cleanlab: features as scikit-learn's documentation has them."""
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
    try:
        from cleanlab.rank import get_label_quality_scores
    except ImportError:
        return np.asarray(found[np.arange(len(y)), y])
    return np.asarray(get_label_quality_scores(y, found))


def ours(X: Any, y: np.ndarray) -> np.ndarray:
    """How probable each given label is, by `review`."""
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


def measure(folder: Path | None, quick: bool) -> tuple[Sheet, list[Goal]]:
    """Both ways on every set that is there."""
    about = f"{SHARE:.0%} of the labels flipped at random; how well their rows come first, and seconds of the processor"
    sheet, goals = Sheet("review", about, UNITS), list[Goal]()
    if not find_spec("cleanlab"):
        sheet.notes.append("cleanlab is not installed (make peers): its score is made by its formula")
    for name, (load, needs) in SETS.items():
        if (needs and (folder is None or not (folder / needs).exists())) or (quick and needs):
            continue
        X, y = load(folder or Path())
        ours(X, y)  # loops are compiled, and loaded, outside the clock
        found = []
        for seed in range(1 if quick else SEEDS):
            noisy, which = flipped(y, seed)
            found.append((*measured(cleaned, X, noisy, which), *measured(ours, X, noisy, which)))
        theirs, slow, mine, fast = (float(each) for each in np.mean(found, axis=0))
        sheet.add(name, "rosenblatt review", time=fast, **{"average precision": mine})
        sheet.add(
            name, "cleanlab, logistic regression", time=slow, times_ours=slow / fast, **{"average precision": theirs}
        )
        goals += [
            Goal(
                f"review, {name}: flipped rows found", f"average precision {theirs:.3f}", f"{mine:.3f}", mine >= theirs
            ),
            Goal(f"review, {name}: time", "less than cleanlab's", ratio(slow, fast), slow > fast),
        ]
    return sheet, goals


if __name__ == "__main__":
    alone(measure)
