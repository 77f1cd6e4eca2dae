"""Tables of which one thing doubles (columns, rows, classes, words), as files of every format that can hold them."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.feather as feather
import pyarrow.parquet as parquet

COLOURS = np.array(["red", "green", "blue", "pink"])
FEW = 60  # rows of a table of many columns
DOCUMENTS = 100  # texts of many words
ROWS_PER_CLASS = 4  # of the table that has the most of them; the others have as many rows


def string_columns(n: int, most: int) -> pa.Table:
    """So many columns of names; the first decides the class."""
    codes = np.random.default_rng(1).integers(0, 4, (FEW, n))
    return pa.table({f"c{j}": COLOURS[codes[:, j]] for j in range(n)} | {"label": _two(codes[:, 0] > 1)})


def number_columns(n: int, most: int) -> pa.Table:
    """So many columns of numbers; the first decides the class."""
    numbers = np.random.default_rng(2).integers(1, 1000, (FEW, n)) / 8
    return pa.table({f"c{j}": numbers[:, j] for j in range(n)} | {"label": _two(numbers[:, 0] > 60)})


def rows(n: int, most: int) -> pa.Table:
    """So many rows of two numbers and a name."""
    numbers, names = _measured(n)
    return pa.table({"a": numbers[:, 0], "b": numbers[:, 1], "name": names, "label": _two(numbers[:, 0] > 60)})


def texts(n: int, most: int) -> pa.Table:
    """So many texts of ten words out of two hundred."""
    chosen = _chosen(n)
    return pa.table({"text": _texts(chosen), "label": _two(chosen[:, 0] < 100)})


def classes(n: int, most: int) -> pa.Table:
    """Rows of so many classes, as many rows as the most classes have: only the classes double."""
    numbers, names = _measured(ROWS_PER_CLASS * most)
    return pa.table({"a": numbers[:, 0], "b": numbers[:, 1], "name": names, "label": _classes(n, most)})


def text_classes(n: int, most: int) -> pa.Table:
    """Texts of so many classes, as many texts as the most classes have."""
    return pa.table({"text": _texts(_chosen(ROWS_PER_CLASS * most)), "label": _classes(n, most)})


def words(n: int, most: int) -> pa.Table:
    """A hundred texts that have so many different words among them, each twice."""
    order = np.concatenate([np.random.default_rng(5 + k).permutation(n) for k in range(2)])
    texts = _texts(order[: len(order) // DOCUMENTS * DOCUMENTS].reshape(DOCUMENTS, -1))
    return pa.table({"text": texts, "label": _two(np.arange(DOCUMENTS) % 2 == 0)})


def _measured(n: int) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(3)
    return draw.integers(1, 1000, (n, 2)) / 8, COLOURS[draw.integers(0, 4, n)]


def _chosen(n: int) -> np.ndarray:
    return np.random.default_rng(4).integers(0, 200, (n, 10))


def _classes(n: int, most: int) -> np.ndarray:
    return np.char.add("k", np.resize(np.arange(n), ROWS_PER_CLASS * most).astype(str))


def _two(which: np.ndarray) -> np.ndarray:
    return np.where(which, "high", "low")


def _texts(numbers: np.ndarray) -> list[str]:
    return [" ".join(f"w{number}" for number in row) for row in numbers.tolist()]


def _csv(table: pa.Table, path: Path) -> Path:
    arrow_csv.write_csv(table, path)
    return path


def _tsv(table: pa.Table, path: Path) -> Path:
    with path.open("wb") as file:
        file.write("\t".join(table.column_names).encode() + b"\n")
        arrow_csv.write_csv(
            table, file, arrow_csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="none")
        )
    return path


def _packed(table: pa.Table, path: Path) -> Path:
    plain = _csv(table, path.with_suffix(""))
    path.write_bytes(gzip.compress(plain.read_bytes(), 1))
    return path


def _jsonl(table: pa.Table, path: Path) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()), encoding="utf8")
    return path


def _parquet(table: pa.Table, path: Path) -> Path:
    parquet.write_table(table, path)
    return path


def _arrow(table: pa.Table, path: Path) -> Path:
    feather.write_feather(table, path)
    return path


def _svmlight(table: pa.Table, path: Path) -> Path:
    lines = (
        f"{label} " + " ".join(f"{j}:{value}" for j, value in enumerate(row, 1)) + "\n"
        for label, row in zip(_numbered(table), _numbers(table).tolist(), strict=True)
    )
    path.write_text("".join(lines), encoding="utf8")
    return path


def _idx(table: pa.Table, path: Path) -> Path:
    images, labels = path.with_name(f"images-{path.name}"), path.with_name(f"labels-{path.name}")
    for file, values, code, kind in (
        (images, _numbers(table), 0x08, ">u1"), (labels, _numbered(table), 0x0C, ">i4"),
    ):  # fmt: skip
        head = struct.pack(f">HBB{values.ndim}I", 0, code, values.ndim, *values.shape)
        file.write_bytes(head + values.astype(kind).tobytes())
    return images


def _numbers(table: pa.Table) -> np.ndarray:
    return np.column_stack([column.to_numpy() for column in table.columns if pa.types.is_floating(column.type)])


def _numbered(table: pa.Table) -> np.ndarray:
    return np.unique(table["label"].to_numpy(), return_inverse=True)[1]


def _text_files(table: pa.Table, path: Path) -> Path:
    return _folder(table, path, lambda text: text, "")


def _messages(table: pa.Table, path: Path) -> Path:
    return _folder(table, path, _message, "")


def _maildirs(table: pa.Table, path: Path) -> Path:
    return _folder(table, path, _message, "cur")


def _folder(table: pa.Table, path: Path, content: Callable[[str], str], inside: str) -> Path:
    for number, (label, text) in enumerate(_labelled(table)):
        home = path / label / inside
        if not home.exists():
            home.mkdir(parents=True)
            if inside:
                (path / label / "new").mkdir()
        (home / f"{number}.txt").write_text(content(text), encoding="utf8")
    return path


def _mboxes(table: pa.Table, path: Path) -> Path:
    path.mkdir()
    held: dict[str, list[str]] = {}
    for label, text in _labelled(table):
        held.setdefault(label, []).append(f"From a@b Thu Jan  1 00:00:00 1970\n{_message(text)}\n")
    for label, messages in held.items():
        (path / f"{label}.mbox").write_text("\n".join(messages), encoding="utf8")
    return path


def _labelled(table: pa.Table) -> list[tuple[str, str]]:
    return list(zip(table["label"].to_pylist(), table["text"].to_pylist(), strict=True))


def _message(text: str) -> str:
    return f"From: a@example.org\nSubject: {text[:20]}\nContent-Type: text/plain; charset=utf-8\n\n{text}\n"


Writer = Callable[[pa.Table, Path], Path]
TABLES: dict[str, Writer] = {
    "csv": _csv, "tsv": _tsv, "csv.gz": _packed, "jsonl": _jsonl, "parquet": _parquet, "arrow": _arrow,
}  # fmt: skip
NUMBERS: dict[str, Writer] = {"svm": _svmlight, "idx": _idx}
TEXTS: dict[str, Writer] = {"texts": _text_files, "mail": _messages, "maildir": _maildirs, "mbox": _mboxes}


class Growing(NamedTuple):
    """What doubles: a table with so much of it, out of tables that have at most so much; the formats that can hold it;
    and how much to begin with, where time is measured and where calls are counted."""

    table: Callable[[int, int], pa.Table]
    writers: dict[str, Writer]
    timed: int
    counted: int

    def written(self, folder: Path, form: str, sizes: list[int]) -> list[Path]:
        """The tables of these sizes in this format."""
        folder.mkdir(exist_ok=True)
        return [self.writers[form](self.table(n, max(sizes)), folder / f"{n}.{form}") for n in sizes]


GROWING = {
    "string columns": Growing(string_columns, TABLES, 600, 40),
    "number columns": Growing(number_columns, TABLES | NUMBERS, 600, 40),
    "rows": Growing(rows, TABLES | NUMBERS, 200_000, 500),
    "files": Growing(texts, TEXTS, 5_000, 100),  # fewer than 50 training rows have no n-grams
    "classes": Growing(classes, TABLES | NUMBERS, 1_000, 30),
    "classes of texts": Growing(text_classes, TEXTS, 1_000, 20),
    "words": Growing(words, TABLES | TEXTS, 100_000, 4_000),
}


FAMILIES: dict[str, dict[str, Any]] = {"perceptron": {"passes": 3}, "naive-bayes": {"k": 1.0}}


def trained(source: Path, family: str) -> Any:
    """A model, by settings with which training does the same whatever the size."""
    import rosenblatt

    return rosenblatt.train(source, model=family, **FAMILIES[family])
