"""The data of the tasks: real sets from a folder, and a generated stand-in for each that is not there."""

from __future__ import annotations

import os
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers import generated
from benchmarks.peers.task import Kind, Task, joined_texts, make_task
from rosenblatt.data import read
from rosenblatt.data.table import Table

FOLDER = "ROSENBLATT_DATA"
QUICK_ROWS = 1_500
HAM = dict.fromkeys(("easy_ham", "easy_ham_2", "hard_ham"), "ham") | {"spam_2": "spam"}


@dataclass(frozen=True)
class Entry:
    """One task that can be asked for by name."""

    kind: Kind
    about: str
    needs: str  # the file or folder it is read from; nothing for what is built in
    real: Callable[[Path], tuple[Table, Table | None]]
    instead: Callable[[], Table]  # where that is absent


def _pair(train: str, test: str) -> Callable[[Path], tuple[Table, Table | None]]:
    return lambda folder: (read(folder / train), read(folder / test))


def _alone(name: str, label: str) -> Callable[[Path], tuple[Table, Table | None]]:
    return lambda folder: (read(folder / name, label), None)


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
        lambda folder: (read("digits"), None), lambda: read("digits"),
    ),
    "newsgroups": Entry(
        "text", "20 newsgroups, strings to model", "20news-bydate.tar.gz",
        _newsgroups, lambda: generated.text_table(6_000, 20, 5),
    ),
    "spam": Entry(
        "text", "SpamAssassin mail, strings to model", "spamassassin.tar.gz",
        _spam, lambda: generated.text_table(5_000, 2, 6),
    ),
    "adult": Entry(
        "table", "adults' income, raw columns to model", "adult/adult.data",
        _alone("adult/adult.data", "c15"), lambda: generated.mixed_table(10_000, 7, 0.15),
    ),
    "mushroom": Entry(
        "table", "edible or not, raw columns to model", "mushroom/mushroom_with_header.csv",
        _alone("mushroom/mushroom_with_header.csv", "edible"), lambda: generated.mixed_table(5_000, 8, 0.0),
    ),
}  # fmt: skip


def data_folder() -> Path | None:
    """Where the real data is: the folder that the environment names, or shared/data beside the current folder."""
    named = os.environ.get(FOLDER)
    folder = Path(named) if named else Path("..") / "shared" / "data"
    return folder if folder.is_dir() else None


def load_task(name: str, folder: Path | None, most: int | None) -> tuple[Task, str]:
    """The task of at most so many rows, and a note where its data is generated or cut short."""
    entry, notes = TASKS[name], []
    there = not entry.needs or (folder is not None and (folder / entry.needs).exists())
    if there:
        (table, test), about = entry.real(folder or Path()), entry.about
    else:
        (table, test), about = (entry.instead(), None), f"generated in place of {entry.about}"
        notes.append("generated rows, because the real ones are not there")
    if most is not None and table.n_rows > most:
        notes.append(f"cut to {most:,} rows")
    return make_task(name, entry.kind, about, table, test, most), "; ".join(notes)
