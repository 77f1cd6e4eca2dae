"""The data of the tasks: real sets from a folder, and a generated stand-in for each that is not there."""

from __future__ import annotations

import gzip
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers import generated
from benchmarks.peers.task import SEED, Curves, Kind, Task, joined_texts, make_task
from rosenblatt.data import read
from rosenblatt.data.table import Table

FOLDER = "ROSENBLATT_DATA"
QUICK_ROWS = 1_000
HAM = dict.fromkeys(("easy_ham", "easy_ham_2", "hard_ham"), "ham") | {"spam_2": "spam"}


@dataclass(frozen=True)
class Entry:
    """One task that can be asked for by name."""

    kind: Kind
    about: str
    needs: str  # the file or folder it is read from; nothing for what is built in
    real: Callable[[Path], tuple[Table, Table | None]]
    instead: Callable[[], Table]  # where that is absent
    curves: Curves = ""  # whether those who follow curves take part too, or only they
    splits: int = 1  # into training and test rows: of few test rows one split decides by luck


def _pair(train: str, test: str) -> Callable[[Path], tuple[Table, Table | None]]:
    return lambda folder: (read(folder / train), read(folder / test))


def _alone(name: str, label: str) -> Callable[[Path], tuple[Table, Table | None]]:
    return lambda folder: (read(folder / name, label), None)


def _headless(name: str, label: str) -> Callable[[Path], tuple[Table, Table | None]]:
    return lambda folder: (read(folder / name, label, header=False), None)


def _letter(folder: Path) -> tuple[Table, Table | None]:
    """The numbers of its svmlight files as arrays, for everybody: all 16 are there in every row."""
    from sklearn.datasets import load_svmlight_files

    names = [str(folder / "libsvm" / f"letter.scale{ending}.gz") for ending in ("", ".t")]
    X, y, X_test, y_test = load_svmlight_files(names)
    return read(X.toarray(), y.astype(int).tolist()), read(X_test.toarray(), y_test.astype(int).tolist())


def _sentences(folder: Path) -> tuple[Table, Table | None]:
    """Each line of the two files is a row; the name of its file says what it is."""
    texts, labels = list[str](), list[str]()
    for label in ("neg", "pos"):
        with gzip.open(folder / "sentences" / f"rt-polarity.{label}.gz", "rt", encoding="latin-1") as stream:
            lines = [line.strip() for line in stream]
        texts += lines
        labels += [label] * len(lines)
    return read(texts, labels), None


def _newsgroups(folder: Path) -> tuple[Table, Table | None]:
    with _unpacked(folder / "20news-bydate.tar.gz") as place:
        parts = [read(Path(place) / f"20news-bydate-{part}", encoding="latin-1") for part in ("train", "test")]
        return _as_strings(parts[0]), _as_strings(parts[1])


def _spam(folder: Path) -> tuple[Table, Table | None]:
    with _unpacked(folder / "spamassassin.tar.gz") as place:
        return _as_strings(read(Path(place) / "spamassassin", relabel=HAM)), None


def _as_strings(table: Table) -> Table:
    """One string for each row: what everybody is given, so that no reader of mail has an advantage."""
    assert table.labels is not None
    return read(joined_texts(table), table.labels.combine_chunks())


def _unpacked(archive: Path) -> Any:
    folder = tempfile.TemporaryDirectory()
    with tarfile.open(archive) as stream:
        stream.extractall(folder.name, filter="data")
    return folder


# The order is that of the report. Stand-ins have a tenth of the rows, or what a few seconds allow.
TASKS: dict[str, Entry] = {
    "reuters-acq": Entry(
        "sparse", "news about acquisitions or not", "reuters-acq",
        _pair("reuters-acq/train.dat", "reuters-acq/test.dat"), lambda: generated.sparse_table(2_600, 2, 10_000, 1),
    ),
    "a9a": Entry(
        "sparse", "adults' income, 0/1 features", "libsvm/a9a",
        _pair("libsvm/a9a", "libsvm/a9a.t"), lambda: generated.sparse_table(10_000, 2, 120, 2),
    ),
    "news20": Entry(
        "sparse", "news by group, words counted", "libsvm/news20",
        _pair("libsvm/news20", "libsvm/news20.t"), lambda: generated.sparse_table(8_000, 20, 30_000, 3),
    ),
    "mnist": Entry(
        "dense", "written digits, 28 × 28 bytes", "mnist",
        _pair("mnist/train-images-idx3-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz"),
        lambda: generated.dense_table(6_000, 10, 784, 4),
    ),
    "digits": Entry(
        "dense", "written digits, 8 × 8 bytes, built in", "",
        lambda folder: (read("digits"), None), lambda: read("digits"), splits=10,
    ),
    "letter": Entry(
        "dense", "printed capitals, 16 measures each", "libsvm/letter.scale.gz",
        _letter, lambda: generated.curved_table(3_000, 26, 16, 9), curves="too",
    ),
    "kernel mnist": Entry(
        "dense", "the same digits, curves only", "mnist",
        _pair("mnist/train-images-idx3-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz"),
        lambda: generated.dense_table(2_000, 10, 784, 4), curves="only",
    ),
    "newsgroups": Entry(
        "text", "20 newsgroups, strings to model", "20news-bydate.tar.gz",
        _newsgroups, lambda: generated.text_table(6_000, 20, 5),
    ),
    "spam": Entry(
        "text", "SpamAssassin mail, strings to model", "spamassassin.tar.gz",
        _spam, lambda: generated.text_table(5_000, 2, 6),
    ),
    "rt-polarity": Entry(
        "text", "sentences of film reviews, strings to model", "sentences/rt-polarity.neg.gz",
        _sentences, lambda: generated.text_table(2_000, 2, 10), splits=5,
    ),
    "adult": Entry(
        "table", "adults' income, raw columns to model", "adult/adult.data",
        _alone("adult/adult.data", "c15"), lambda: generated.mixed_table(10_000, 7, 0.15),
        curves="too",
    ),
    "mushroom": Entry(
        "table", "edible or not, raw columns to model", "mushroom/mushroom_with_header.csv",
        _alone("mushroom/mushroom_with_header.csv", "edible"), lambda: generated.mixed_table(5_000, 8, 0.0),
    ),
    "spambase": Entry(
        "table", "spam by shares of words, raw columns to model", "tables/spambase.data.gz",
        _headless("tables/spambase.data.gz", "c58"), lambda: generated.mixed_table(3_000, 11, 0.05), curves="too",
    ),
    "german": Entry(
        "table", "credits repaid or not, raw columns to model", "tables/german.csv",
        _headless("tables/german.csv", "c21"), lambda: generated.mixed_table(800, 12, 0.2), curves="too", splits=10,
    ),
    "wide": Entry(
        "table", "1,000 columns of names, small numbers and fractions, generated", "",
        lambda folder: generated.wide_tables(1_200, 2_000, 1_000, 13),
        lambda: generated.wide_tables(1_200, 2_000, 1_000, 13)[0],
    ),
}  # fmt: skip


def data_folder() -> Path | None:
    """Where the real data is: the folder that the environment names, or shared/data beside the current folder."""
    named = os.environ.get(FOLDER)
    folder = Path(named) if named else Path("..") / "shared" / "data"
    return folder if folder.is_dir() else None


@dataclass(frozen=True)
class Loaded:
    """A task, a note on its rows, and the same rows split otherwise, where one split is not enough."""

    task: Task
    note: str
    others: Callable[[], Iterator[Task]]


def load_task(name: str, folder: Path | None, most: int | None) -> Loaded:
    """The task of at most so many rows; the note says where its data is generated or cut short."""
    entry, notes = TASKS[name], []
    there = not entry.needs or (folder is not None and (folder / entry.needs).exists())
    if there:
        (table, test), about = entry.real(folder or Path()), entry.about
    else:
        (table, test), about = (entry.instead(), None), f"generated in place of {entry.about}"
        notes.append("generated rows, because the real ones are not there")
    if most is not None and table.n_rows > most:
        notes.append(f"cut to {most:,} rows")

    def split(seed: int) -> Task:
        return make_task(name, entry.kind, about, table, test, most, entry.curves, seed)

    def others() -> Iterator[Task]:
        return (split(seed) for seed in range(SEED + 1, SEED + entry.splits))

    return Loaded(split(SEED), "; ".join(notes), others)
