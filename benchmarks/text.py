"""Texts, from strings in memory to a fitted model, beside scikit-learn's TfidfVectorizer and LinearSVC, on one core.

python -m benchmarks.text [--quick]

Words, and words and pairs, on 20 newsgroups and SpamAssassin: our tf-idf (damped counts, unit rows) and four passes of
arow, whose C of 0.05, 0.2, 0.5, 1, 2, 5 and 20 was best out of fold over the rows to learn from; theirs with the same
weighting. Then learning and encoding words, pairs and runs of characters, in MB of text a second. Times are the best of
some runs, of the processor, taken in turns, so that what else the machine does falls on both.

Goals: 15 times as fast with words, 12 times with pairs, at an accuracy as good; 60 MB/s for learning pairs, 40 MB/s for
encoding them by a dictionary, which is most of predicting.
"""

from __future__ import annotations

import os
import tarfile
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("NUMBA_NUM_THREADS", "1")

import numpy as np
import pyarrow as pa
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC

from benchmarks.peers.figures import NEAR, ratio, share
from benchmarks.peers.results import Goal, Sheet
from benchmarks.peers.sections import LeftOut, alone
from rosenblatt import Perceptron
from rosenblatt.data import read
from rosenblatt.data.matrices import csr_of
from rosenblatt.features import Classes, TextSettings, split_rows
from rosenblatt.features.blocks import joined
from rosenblatt.features.textlearner import learn_text

REPEATS, QUICK = 2, 1
QUICK_ROWS = 1_500
FASTER = {1: 15.0, 2: 12.0}  # times theirs, with words and with words and pairs
SPEEDS = {("pairs", "learning and encoding"): 60.0, ("pairs", "encoding by a dictionary"): 40.0}  # MB/s
UNITS = {"time": "seconds", "times ours": "times", "accuracy": "share", "MB/s": "rate"}
STRENGTH = {"20 newsgroups": 0.5, "SpamAssassin": 5.0}  # C of arow
ARCHIVES = ("20news-bydate.tar.gz", "spamassassin.tar.gz")
HAM = dict.fromkeys(("easy_ham", "easy_ham_2", "hard_ham"), "ham")
Texts = tuple[list[str], np.ndarray, list[str], np.ndarray]  # to learn from and their classes, and for the test


def newsgroups(data: Path, folder: Path) -> Texts:
    """The posts, split by date as they come."""
    with tarfile.open(data / "20news-bydate.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    found: list[Any] = []
    for part in ("train", "test"):
        table = read(folder / f"20news-bydate-{part}")
        found += [table.columns["text"].to_pylist(), Classes.learn(table).encode(table)]
    return found[0], found[1], found[2], found[3]


def spam(data: Path, folder: Path) -> Texts:
    """The mails, a fifth of them for the test, copies in one part."""
    with tarfile.open(data / "spamassassin.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    table = read(folder / "spamassassin", relabel={**HAM, "spam_2": "spam"})
    codes = Classes.learn(table).encode(table)
    split = split_rows(table, codes)
    learned = np.sort(np.concatenate([split.train, split.validation]))
    texts = np.array(table.columns["text"].to_pylist(), object)
    return texts[learned].tolist(), codes[learned], texts[split.test].tolist(), codes[split.test]


def ours(texts: list[str], truth: np.ndarray, settings: TextSettings, how: dict[str, Any]) -> Any:
    """Our line and our fitted perceptron."""
    line, block = learn_text("text", pa.chunked_array([pa.array(texts, pa.large_string())]), settings, threads=1)
    rows = joined([block], len(texts), [True], False)
    return line, Perceptron(**how, tol=None, random_state=0).fit(csr_of(rows), truth)


def theirs(texts: list[str], truth: np.ndarray, ngrams: int) -> Any:
    vectorizer = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, ngrams))
    return vectorizer, LinearSVC(random_state=0).fit(vectorizer.fit_transform(texts), truth)


def seconds_of(work: Callable[..., Any], *given: Any) -> tuple[float, Any]:
    started = time.process_time()
    made = work(*given)
    return time.process_time() - started, made


def compare(sheet: Sheet, name: str, data: Texts, repeats: int) -> list[Goal]:
    texts, truth, others, wanted = data
    goals = []
    for ngrams, goal in FASTER.items():
        settings = TextSettings(weight="tfidf", damped=True, ngrams=ngrams, min_documents=ngrams)
        how = {"rule": "arow", "C": STRENGTH[name], "max_iter": 4, "weights": "final"}
        mine, yours = [], []
        for _ in range(repeats):
            mine.append(seconds_of(ours, texts, truth, settings, how))
            yours.append(seconds_of(theirs, texts, truth, ngrams))
        line, model = mine[0][1]
        block = line.encode(pa.chunked_array([pa.array(others, pa.large_string())]), None)
        right = float(np.mean(model.predict(csr_of(joined([block], len(others), [True], False))) == wanted))
        vectorizer, peer = yours[0][1]
        peers = float(np.mean(peer.predict(vectorizer.transform(others)) == wanted))
        fast, slow = min(each[0] for each in mine), min(each[0] for each in yours)
        what = f"{name}, {'words' if ngrams == 1 else 'words and pairs'}"
        sheet.add(what, "rosenblatt tf-idf arow", time=fast, accuracy=right)
        sheet.add(what, "sklearn tf-idf LinearSVC", time=slow, times_ours=slow / fast, accuracy=peers)
        goals += [
            Goal(f"{what}: strings to model", f"{goal:g}× sklearn", ratio(slow, fast), slow >= goal * fast),
            Goal(
                f"{what}: accuracy of that", f"within 0.3 points of {share(peers)}", share(right), right >= peers - NEAR
            ),
        ]
    return goals


def speeds(sheet: Sheet, texts: list[str], repeats: int) -> list[Goal]:
    """MB of text a second."""
    column = pa.chunked_array([pa.array(texts, pa.large_string())])
    size = sum(len(text.encode()) for text in texts) / 1e6
    kinds = {"words": TextSettings(), "pairs": TextSettings(ngrams=2), "characters": TextSettings(characters=True)}
    goals = []
    for name, settings in kinds.items():
        line, _ = learn_text("text", column, settings, threads=1)
        jobs: dict[str, Callable[[], Any]] = {
            "learning and encoding": partial(learn_text, "text", column, settings, 1),
            "encoding by a dictionary": partial(line.encode, column, None),
        }
        for job, work in jobs.items():
            best = min(seconds_of(work)[0] for _ in range(repeats))
            sheet.add(f"{job}, {name}", "rosenblatt", time=best, **{"MB/s": size / best})
            if wanted := SPEEDS.get((name, job)):
                goals.append(
                    Goal(f"{job} {name}", f"{wanted:g} MB/s", f"{size / best:.0f} MB/s", size / best >= wanted)
                )
    return goals


def measure(folder: Path | None, quick: bool) -> tuple[Sheet, list[Goal]]:
    """From strings to a model beside scikit-learn, words beside words and pairs beside pairs."""
    if folder is None or not all((folder / name).exists() for name in ARCHIVES):
        raise LeftOut(f"{' and '.join(ARCHIVES)} are not in the folder of the data")
    repeats = QUICK if quick else REPEATS
    with tempfile.TemporaryDirectory() as name:
        sets = {"20 newsgroups": newsgroups(folder, Path(name)), "SpamAssassin": spam(folder, Path(name))}
    if quick:
        sets = {name: tuple(cut(each) for each in data) for name, data in sets.items()}
    for texts, truth, *_ in sets.values():  # everything is compiled before the clock
        ours(texts[::20], truth[::20], TextSettings(weight="tfidf", damped=True, ngrams=2), {"rule": "arow"})
    about = "strings in memory to a fitted model, words beside words and pairs beside pairs; seconds of the processor"
    sheet, goals = Sheet("texts", about, UNITS), list[Goal]()
    for name, data in sets.items():
        goals += compare(sheet, name, data, repeats)
    return sheet, [*goals, *speeds(sheet, sets["20 newsgroups"][0], repeats)]


def cut(each: Any) -> Any:
    """About as many rows as a quick run takes, from all places, since the posts come by group."""
    return each[:: max(1, len(each) // QUICK_ROWS)]


if __name__ == "__main__":
    alone(measure)
