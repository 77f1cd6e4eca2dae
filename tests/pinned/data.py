"""The files that the pinned commands read: written by Python's own generator, so the same with any version of numpy."""

from __future__ import annotations

import csv
import gzip
import json
import struct
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 700
CLASSES = {"two": ["no", "yes"], "many": ["ash", "birch", "cedar", "oak"]}
SIZES = ("small", "medium", "large")
PLACES = ("north", "south", "east", "west", "river", "hill", "coast")


def write_all(folder: Path) -> None:
    """Every file, under the name that a command has for it."""
    for name in CLASSES:
        rows = table(name)
        write_table(folder, name, rows)
        write_table(folder, f"{name}-test", rows[::5])
        write_sparse(folder / f"{name}.svm", name)
        write_texts(folder / f"{name}-texts", name)
    write_images(folder)
    write_mail(folder)


def table(name: str) -> list[dict[str, Any]]:
    """Rows with every kind of column, some values missing, a few rows twice."""
    draw, names = Random(f"table {name}"), CLASSES[name]
    rows: list[dict[str, Any]] = []
    for number in range(ROWS):
        if number % 50 == 49:
            rows.append({**rows[-7], "id": number + 1})
            continue
        which = draw.randrange(len(names))
        weight = round(draw.gauss(which, 0.8), 3)
        rows.append(
            {
                "id": number + 1,
                "weight": None if draw.random() < 0.03 else weight,
                "height": round(draw.gauss(10 - 2 * which, 3), 2),
                "count": draw.randrange(5 + 3 * which),
                "size": SIZES[min(2, max(0, round(draw.gauss(which, 0.9))))],
                "place": None if draw.random() < 0.02 else draw.choice(PLACES[which : which + 4]),
                "member": draw.random() < 0.3 + 0.4 * (which % 2),
                "day": f"2024-{1 + draw.randrange(12):02}-{1 + draw.randrange(28):02}",
                "family": f"f{draw.randrange(120)}",
                "note": words(draw, which, 6),
                "label": names[which],
            }
        )
    return rows


def words(draw: Random, which: int, count: int) -> str:
    """So many words, of which each class has some of its own."""
    return " ".join(f"word{draw.randrange(40) + 12 * which}" for _ in range(count))


def write_table(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    fields = list(rows[0])
    for ending, delimiter in ((".csv", ","), (".tsv", "\t")):
        with (folder / f"{name}{ending}").open("w", newline="") as file:
            writer = csv.DictWriter(file, fields, delimiter=delimiter, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    (folder / f"{name}.csv.gz").write_bytes(gzip.compress((folder / f"{name}.csv").read_bytes(), mtime=0))
    bare = (folder / f"{name}.csv").read_text().split("\n", 1)[1]
    (folder / f"{name}-bare.csv").write_text(bare.replace(",", ";"))
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = pa.table({field: [row[field] for row in rows] for field in fields})
    pq.write_table(columns, folder / f"{name}.parquet", row_group_size=200)
    with pa.OSFile(str(folder / f"{name}.arrow"), "wb") as sink, pa.ipc.new_file(sink, columns.schema) as writer:
        writer.write_table(columns, max_chunksize=150)


def write_sparse(path: Path, name: str) -> None:
    draw, n = Random(f"sparse {name}"), len(CLASSES[name])
    with path.open("w") as file:
        for _ in range(ROWS):
            which = draw.randrange(n)
            columns = sorted({1 + draw.randrange(60) + 15 * which for _ in range(12)})
            label = which if n > 2 else 2 * which - 1
            file.write(f"{label} " + " ".join(f"{column}:{draw.randrange(1, 6)}" for column in columns) + "\n")


def write_texts(folder: Path, name: str) -> None:
    draw = Random(f"texts {name}")
    for which, each in enumerate(CLASSES[name]):
        (folder / each).mkdir(parents=True)
        for number in range(60):
            (folder / each / f"{number:03}.txt").write_text(words(draw, which, 25) + "\n")


def write_images(folder: Path) -> None:
    draw = Random("images")
    labels = bytes(draw.randrange(3) for _ in range(ROWS))
    pixels = bytes(
        min(255, max(0, int(draw.gauss(60 + 120 * (place % 3 == label), 50))))
        for label in labels
        for place in range(36)
    )
    (folder / "train-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 0x803, ROWS, 6, 6) + pixels)
    (folder / "train-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, ROWS) + labels)


def write_mail(folder: Path) -> None:
    draw = Random("mail")
    for which, each in enumerate(("ham", "spam")):
        (folder / "mail" / each).mkdir(parents=True)
        (folder / "boxes").mkdir(exist_ok=True)
        box = []
        for number in range(60):
            mail = (
                f"From: someone{number}@example.org\nTo: me@example.org\nSubject: {words(draw, which, 4)}\n"
                f"Date: Mon, 01 Jan 2024 00:{number:02}:00 +0000\n\n{words(draw, which, 20)}\n"
            )
            (folder / "mail" / each / f"{number:03}.eml").write_text(mail)
            box.append(f"From someone Mon Jan  1 00:00:00 2024\n{mail}\n")
        (folder / "boxes" / f"{each}.mbox").write_text("".join(box))
