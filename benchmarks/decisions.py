"""How far probabilities and sets can be believed: python -m benchmarks.decisions [--quick]

`train` with no setting but the label and the seed, on random splits of a9a, adult, MNIST and 20 newsgroups (both files
of each joined), and on 20 newsgroups by date, where the test posts come later. Beside it on the same rows of a9a and
adult scikit-learn's logistic regression (C by five folds, by log loss) and its LinearSVC behind CalibratedClassifierCV;
on 20 newsgroups the latter over tf-idf. Its rows for a9a and adult are encoded by our plan, outside the clock.

Goals: calibration error of the predicted class at most 1.5% (20 newsgroups 2.5%); log loss within 2% of logistic
regression; sets of 95% hold 94 to 96.5% of the rows, and each class within three standard errors of 95%.
"""

from __future__ import annotations

import gzip
import math
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.figures import points
from benchmarks.peers.results import Goal, Sheet
from benchmarks.peers.sections import LeftOut, alone
from rosenblatt import train
from rosenblatt.data import read
from rosenblatt.data.table import Table
from rosenblatt.features import Classes, Wishes, learn, split_rows
from rosenblatt.model import Model
from rosenblatt.model.reliability import Reliability

STRENGTHS = [0.01, 0.1, 1, 10]
FOLDS = 5
MOST, MOST_OF = 0.015, {"20 newsgroups": 0.025}  # calibration error
WORSE = 0.02  # of the log loss of logistic regression
HELD = (0.94, 0.965)  # share of the rows that sets of 95% hold
FAR = 3.0  # standard errors between the coverage of a class and 95%
QUICK_ROWS = 4_000
LOGISTIC, CALIBRATED = "sklearn logistic", "sklearn calibrated SVC"
DRIFTED = "20 newsgroups by date"
UNITS = {
    "accuracy": "share", "calibration error": "share", "log loss": "number", "Brier": "number", "in 95% sets": "share",
    "worst class": "number", "time": "seconds",
}  # fmt: skip


def a9a(data: Path, folder: Path) -> Table:
    path = folder / "a9a"
    path.write_text("".join((data / "libsvm" / name).read_text() for name in ("a9a", "a9a.t")))
    return read(path)


def adult(data: Path, folder: Path) -> Table:
    path = folder / "adult.csv"
    rows = [row for name in ("adult.data", "adult.test") for row in (data / "adult" / name).read_text().splitlines()]
    path.write_text("".join(f"{row.rstrip('.')}\n" for row in rows if row.count(",") > 5))
    return read(path, "c15", header=False)


def mnist(data: Path, folder: Path) -> Table:
    for kind, head in (("images-idx3", 16), ("labels-idx1", 8)):
        packed = [(data / "mnist" / f"{part}-{kind}-ubyte.gz").read_bytes() for part in ("train", "t10k")]
        parts = [gzip.decompress(each) for each in packed]
        size = (70_000).to_bytes(4, "big")
        joined = parts[0][:4] + size + parts[0][8:head] + b"".join(part[head:] for part in parts)
        (folder / f"train-{kind}-ubyte").write_bytes(joined)
    return read(folder / "train-images-idx3-ubyte")


def newsgroups(data: Path, folder: Path) -> Table:
    with tarfile.open(data / "20news-bydate.tar.gz") as archive:
        archive.extractall(folder / "bydate", filter="data")
    for part in sorted((folder / "bydate").iterdir()):
        for post in sorted(part.glob("*/*")):
            target = folder / "news" / post.parent.name / f"{part.name[-5:]}-{post.name}"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.hardlink_to(post)
    return read(folder / "news")


# How each set is read, and the file or folder that it needs.
SETS: dict[str, tuple[Callable[[Path, Path], Table], str]] = {
    "a9a": (a9a, "libsvm/a9a"), "adult": (adult, "adult/adult.data"), "MNIST": (mnist, "mnist"),
    "20 newsgroups": (newsgroups, "20news-bydate.tar.gz"),
}  # fmt: skip
QUICK = ("a9a",)


def logistic() -> Any:
    from sklearn.linear_model import LogisticRegressionCV

    return LogisticRegressionCV(
        Cs=STRENGTHS, cv=FOLDS, scoring="neg_log_loss", l1_ratios=(0,), max_iter=2000, use_legacy_attributes=False
    )


def calibrated() -> Any:
    """Isotonic, which its guide advises for more than a thousand rows."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import LinearSVC

    return CalibratedClassifierCV(LinearSVC(dual="auto", random_state=0), cv=FOLDS, method="isotonic")


def texts() -> Any:
    """Temperatures, which its guide advises for many classes."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    machine = CalibratedClassifierCV(LinearSVC(random_state=0), cv=3, method="temperature")
    return make_pipeline(TfidfVectorizer(), machine)


# Who stands beside us on which set; texts come as strings, other rows as a matrix.
PEERS: dict[str, dict[str, Callable[[], Any]]] = {
    "a9a": {LOGISTIC: logistic, CALIBRATED: calibrated},
    "adult": {LOGISTIC: logistic, CALIBRATED: calibrated},
    "20 newsgroups": {CALIBRATED: texts},
}


def compare(sheet: Sheet, name: str, table: Table) -> None:
    """Peers on the same training and test rows as `train` with seed 0."""
    codes = Classes.learn(table).encode(table)
    split = split_rows(table, codes, seed=0)
    learned = np.sort(np.concatenate([split.train, split.validation]))
    for who, make in PEERS.get(name, {}).items():
        X, X_test = _inputs(table, learned, split.test)
        started = time.perf_counter()
        model = make().fit(X, codes[learned])
        seconds = time.perf_counter() - started
        chances = model.predict_proba(X_test)
        sheet.add(name, who, time=seconds, **_figures(chances, codes[split.test]))


def _inputs(table: Table, learned: np.ndarray, tested: np.ndarray) -> tuple[Any, Any]:
    rows, others = table.take(learned), table.take(tested)
    if table.names == ["text"]:
        return rows.columns["text"].to_pylist(), others.columns["text"].to_pylist()
    from benchmarks.peers.contestants.ours import as_matrix

    plan = learn(rows, Wishes(knots=0))
    return as_matrix(plan.encode(rows).rows), as_matrix(plan.encode(others).rows)


def _figures(chances: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """The same figures as a card has, of anybody's probabilities."""
    predicted = np.argmax(chances, axis=1)
    found = Reliability.of(chances, predicted, truth)
    assert found is not None
    right = float(np.mean(predicted == truth))
    return {"accuracy": right, "calibration error": found.error, "log loss": found.log_loss, "Brier": found.brier}


def ours(sheet: Sheet, name: str, source: Any, **more: Any) -> dict[str, float]:
    """One call of `train`, and what its card says of the test rows."""
    started = time.perf_counter()
    model = train(source, **more)
    seconds = time.perf_counter() - started
    found = model.card["calibration"]["test"]
    figures = {
        "accuracy": model.card["test"]["accuracy"], "calibration error": found["error"], "log loss": found["log_loss"],
        "Brier": found["brier"], "in 95% sets": found["coverage"], "worst class": worst_class(model), "time": seconds,
    }  # fmt: skip
    sheet.add(name, "rosenblatt", **figures)
    if "drift" in model.card["calibration"]:
        sheet.notes.append(f"{name}: {model.card['calibration']['drift']}")
    return figures


def worst_class(model: Model) -> float:
    """How many standard errors the coverage of a class is from 95%, at most."""
    calibration = model.decision.calibration
    assert calibration is not None
    assert calibration.ranks is not None
    covered = model.card["calibration"]["test"]["covered"].values()
    return max(
        abs(held / rows - 0.95) / math.sqrt(0.95 * 0.05 * (1 / rows + 1 / max(1, seen)))
        for (held, rows), seen in zip(covered, calibration.ranks.rows.tolist(), strict=True)
        if rows
    )


def goals_of(sheet: Sheet, name: str, mine: dict[str, float]) -> list[Goal]:
    """Verdicts on one set."""
    most, error, held = MOST_OF.get(name, MOST), mine["calibration error"], mine["in 95% sets"]
    goals = [Goal(f"{name}: calibration error", f"at most {points(most)}", points(error), error <= most)]
    for line in sheet.lines:
        if line.what == name and line.who == LOGISTIC:
            gap = mine["log loss"] / (line.figures["log loss"] or 1.0) - 1
            goals.append(
                Goal(f"{name}: log loss", f"within {WORSE:.0%} of logistic regression", f"{gap:+.1%}", gap <= WORSE)
            )
    wanted = " to ".join(map(points, HELD))
    worst = mine["worst class"]
    return [
        *goals,
        Goal(f"{name}: sets of 95%", f"hold {wanted}", points(held), HELD[0] <= held <= HELD[1]),
        Goal(f"{name}: sets of each class", f"within {FAR:g} standard errors of 95%", f"{worst:.1f}", worst <= FAR),
    ]


def measure(folder: Path | None, quick: bool) -> tuple[Sheet, list[Goal]]:
    """Probabilities of every set, ours and those of peers."""
    about = "how far probabilities can be believed: test rows of a random split, `train` as it is beside peers"
    sheet, goals = Sheet("calibration", about, UNITS), list[Goal]()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for name, (load, needs) in SETS.items():
            if folder is None or not (folder / needs).exists() or (quick and name not in QUICK):
                continue
            table = load(folder, place)
            table = table.take(np.arange(0, table.n_rows, max(1, table.n_rows // QUICK_ROWS))) if quick else table
            mine = ours(sheet, name, table)
            compare(sheet, name, table)
            goals += goals_of(sheet, name, mine)
        if (place / "bydate").exists():
            parts = [str(place / "bydate" / f"20news-bydate-{part}") for part in ("train", "test")]
            ours(sheet, DRIFTED, parts[0], test=parts[1])
    sheet.notes.append("worst class: standard errors between the share of a class that its sets hold and 95%")
    if not sheet.lines:
        raise LeftOut("none of its sets is in the folder of the data")
    return sheet, goals


if __name__ == "__main__":
    alone(measure)
