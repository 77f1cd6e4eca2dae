"""A second opinion on every answer: whatever way rows come to a model, each of them gets the same class.

One column of each kind, trained from one format and asked for in all: whole, shuffled, in parts, row by row, beside an
odd row, in other spellings of the same values, by Python, by the command line, and by SQL on what DuckDB made of it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import rosenblatt
from rosenblatt.cli import commands
from rosenblatt.features import Wishes
from rosenblatt.features.text import Text
from rosenblatt.store.export_sql import to_sql

ROWS = 90
TRAINED = ("csv", "jsonl", "parquet")


@dataclass(frozen=True)
class Kind:
    """A column: its values, how a CSV file writes them, what else means the same, and a value out of place."""

    values: tuple[Any, ...]  # the first half goes with one class mostly, the second with the other
    wish: str | None = None
    text: Callable[[Any], str] = str
    other: Callable[[str], str] | None = None
    odd: str = "something else"
    trained: tuple[str, ...] = field(default=TRAINED)
    without: tuple[str, ...] = ()  # formats that cannot hold the values


def padded(text: str) -> str:
    return f" {text} "


def fraction(text: str) -> str:
    return f"{text}.0" if text.lstrip("-").isdigit() else text


def quoted(text: str) -> str:
    return text.lower()


DAYS = tuple(date(2024, 1, day) for day in (3, 4, 20, 21))
STAMPS = tuple(datetime(2024, 1, day, 12, 30) for day in (3, 4, 20, 21))
KINDS = {
    "whole numbers": Kind((1, 2, 3, 4, 5, 6), other=fraction, odd=""),
    "fractions": Kind((0.25, 1.5, 3.0, 4.75, 6.5, 8.0), other=padded, odd="NA"),
    "fractions and missing ones": Kind((0.25, None, 3.5, 4.75, 6.5, 8.25), odd="?"),
    "minus zero": Kind((-0.0, 0.5, 1.0, 7.5, 8.0, 9.0), odd=""),
    "large numbers": Kind((1e20, 2e20, 3e20, 8e20, 9e20, 1e21), odd=""),
    "small numbers": Kind((1e-20, 2e-20, 3e-20, 8e-20, 9e-20, 1e-19), odd=""),
    "signs": Kind((-3, -2, -1, 1, 2, 3), text=lambda v: f"{v:+d}", odd="", other=padded),
    "zero and one": Kind((0, 1), other=fraction),
    "two numbers": Kind((2.5, 7), other=padded),
    "codes as names": Kind((1, 2, 3, 4), "category", other=lambda text: f"0{text}"),
    "codes as names, fractions": Kind((1, 2, 3, 4), "category", other=fraction),
    "fractions as names": Kind((0.5, 1.0, 1.5, 2.0), "category", other=lambda text: f"{text}0"),
    "codes with zeros": Kind(("01", "02", "11", "12"), "category", trained=("jsonl", "parquet")),
    "codes past 2^53": Kind((2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3), "category"),
    "codes past 2^63": Kind(tuple(10**20 + k for k in range(4)), "category", trained=("csv",), without=("jsonl",)),
    "codes and a word": Kind(("1", "2", "3", "none of them"), "category"),
    "hexadecimal": Kind(("0x10", "0x11", "0x20", "0x21"), "category"),
    "truth values": Kind((True, False), other=quoted),
    "truth values, one missing": Kind((True, None, False), other=str.upper),
    "truth values in capitals": Kind(("TRUE", "FALSE"), trained=("csv",), other=quoted),
    "yes and no": Kind(("yes", "no"), other=padded),
    "names": Kind(("red", "green", "light blue", "dark blue"), other=padded),
    "names with blanks": Kind(("a\u00a0b", "c\td", "e  f", "g'h\"i"), without=("tsv",)),
    "names beyond ASCII": Kind(("Zürich", "Αθήνα", "東京", "İzmir"), other=padded),
    "names that look missing": Kind(("NA", "null", "south", "west")),
    "names, some missing": Kind(("north", None, "south", "west"), odd="?"),
    "words in order": Kind(("low", "medium", "high")),
    "dates": Kind(DAYS, "category", text=date.isoformat, odd="1999-01-01"),
    "dates as numbers": Kind(DAYS, "numeric", text=date.isoformat, odd="", trained=("csv", "parquet")),
    "times": Kind((time(9), time(9, 30), time(17), time(17, 30)), "category", text=lambda v: f"{v:%H:%M}",
                  trained=("csv", "parquet"), other=lambda text: f"{text}:00"),
    "timestamps": Kind(STAMPS, "category", text=lambda v: v.isoformat(" "), other=lambda text: text.replace(" ", "T")),
    "timestamps of a zone": Kind(
        tuple(stamp.replace(tzinfo=UTC) for stamp in STAMPS), "category", text=datetime.isoformat
    ),
    "texts": Kind(("buy it now at once", "win a prize today", "see you at lunch then", "notes of the last meeting"),
                  other=padded),
}  # fmt: skip


def data_of(kind: Kind) -> tuple[list[Any], np.ndarray, list[str]]:
    """A column of the kind, a column of numbers, and labels that mostly follow from the first."""
    rng = np.random.default_rng(7)
    picked = rng.integers(0, len(kind.values), ROWS)
    wrong = rng.random(ROWS) < 0.1
    labels = np.where((picked * 2 < len(kind.values)) ^ wrong, "stay", "go")
    return [kind.values[place] for place in picked], rng.normal(size=ROWS).round(3), labels.tolist()


def delimited(columns: dict[str, list[str]], delimiter: str) -> str:
    if delimiter == "\t":  # no quotes there
        rows = zip(*columns.values(), strict=True)
        return "".join("\t".join(row) + "\n" for row in [tuple(columns), *rows])
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return stream.getvalue()


class Asked:
    """The rows of a kind in all the forms that a model can be given."""

    def __init__(self, kind: Kind, folder: Any) -> None:
        self.kind, self.folder = kind, folder
        self.values, self.numbers, self.labels = data_of(kind)
        self.texts = ["" if value is None else kind.text(value) for value in self.values]

    def path(self, form: str, texts: list[str] | None = None, name: str = "rows", order: Any = None) -> Path:
        path = self.folder / f"{name}.{form}"
        texts = self.texts if texts is None else texts
        numbers = [repr(float(number)) for number in self.numbers]
        columns: dict[str, list[Any]] = {"x": texts, "z": numbers[: len(texts)], "label": self.labels[: len(texts)]}
        if order is not None:
            columns = {name: [values[place] for place in order] for name, values in columns.items()}
        if form in ("csv", "tsv"):
            path.write_text(delimited(columns, "," if form == "csv" else "\t"), encoding="utf8", newline="")
        elif form == "jsonl":
            rows = zip(self.values, self.numbers.tolist(), self.labels, strict=True)
            plain = [{"x": self._json(value), "z": z, "label": label} for value, z, label in rows]
            path.write_text("".join(json.dumps(row) + "\n" for row in plain), encoding="utf8")
        else:
            pq.write_table(pa.Table.from_pandas(self.frame()), path)
        return path

    def _json(self, value: Any) -> Any:
        return self.kind.text(value) if isinstance(value, date | time) else value

    def frame(self) -> pd.DataFrame:
        values = [str(v) if isinstance(v, int) and abs(v) >= 2**63 else v for v in self.values]
        return pd.DataFrame({"x": pd.Series(values, dtype=None), "z": self.numbers, "label": self.labels})

    def dicts(self) -> list[dict[str, Any]]:
        values = [str(v) if isinstance(v, int) and abs(v) >= 2**63 else v for v in self.values]
        return [{"x": value, "z": float(z)} for value, z in zip(values, self.numbers, strict=True)]


def by_command(model: str, data: Path) -> list[str]:
    """What `rosenblatt predict` writes."""
    done = CliRunner().invoke(commands, ["predict", model, str(data)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return [row["prediction"] for row in csv.DictReader(io.StringIO(done.stdout))]


# These gave the same answers in version 0.1 too.
SOUND = (
    "whole numbers", "minus zero", "large numbers", "small numbers", "signs", "zero and one", "codes as names",
    "codes as names, fractions", "codes and a word", "names", "names with blanks", "names beyond ASCII",
    "names that look missing", "names, some missing", "words in order", "texts",
)  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_every_way_to_ask_gives_the_same_answers(name, tmp_path):
    ask_in_every_way(name, tmp_path)


@pytest.mark.parametrize("name", [name for name in KINDS if name not in SOUND])
def test_found_01_every_way_to_ask_gives_the_same_answers(name, tmp_path):
    ask_in_every_way(name, tmp_path)


def ask_in_every_way(name: str, tmp_path: Any) -> None:
    kind = KINDS[name]
    asked = Asked(kind, tmp_path)
    forms = {form: asked.path(form) for form in ("csv", "tsv", "jsonl", "parquet")}
    for form in kind.without:
        del forms[form]
    wishes = Wishes(**{kind.wish: ["x"]}) if kind.wish else Wishes()
    for trained in kind.trained:
        model = rosenblatt.train(forms[trained], model="perceptron", passes=4, margin=0.5, wishes=wishes)
        rosenblatt.save(model, tmp_path / "m.rosenblatt")
        right = model.predict(forms[trained])
        assert model.evaluate(forms[trained]).accuracy == np.mean(np.array(right) == asked.labels) > 0.7
        answers = {f"{form} by Python": model.predict(path) for form, path in forms.items()}
        answers |= {
            f"{form} by command": by_command(str(tmp_path / "m.rosenblatt"), path) for form, path in forms.items()
        }
        answers |= {"pandas": model.predict(asked.frame()), "dicts": model.predict(asked.dicts())}
        answers["one at a time"] = [model.predict(row)[0] for row in asked.dicts()[:20]] + right[20:]
        answers |= in_other_company(model, asked)
        answers |= by_sql(model, asked)
        for form, path in forms.items():
            evaluated = model.evaluate(path).accuracy
            assert evaluated == np.mean(np.array(right) == asked.labels), f"evaluate {form}, trained from {trained}"
        for way, found in answers.items():
            assert found == right, f"{way}, trained from {trained}"


def in_other_company(model: Any, asked: Asked) -> dict[str, list[str]]:
    """Answers to the same rows beside others, and in other spellings."""
    texts, found = asked.texts, {}
    order = np.random.default_rng(1).permutation(ROWS)
    shuffled = asked.path("csv", name="shuffled", order=order)
    found["shuffled"] = np.array(model.predict(shuffled))[np.argsort(order)].tolist()
    mixed = asked.path("csv", [*texts[:-1], asked.kind.odd], "odd")
    found["an odd row below"] = [*model.predict(mixed)[:-1], model.predict(asked.path("csv"))[-1]]
    first = asked.path("csv", texts[:1], "first")
    found["the first row alone"] = model.predict(first) + model.predict(asked.path("csv"))[1:]
    if asked.kind.other is not None:
        spelled = [text and asked.kind.other(text) for text in texts]
        found["in other spellings"] = model.predict(asked.path("csv", spelled, "other"))
    return found


def by_sql(model: Any, asked: Asked) -> dict[str, list[str]]:
    """Answers of the exported statement, on tables that DuckDB loaded as it saw fit and with all columns as text."""
    if any(isinstance(line, Text) for line in model.plan.lines):
        return {}  # SQL holds no words
    text, odd = asked.path("csv"), asked.path("csv", [*asked.texts[:-1], asked.kind.odd], "odd")
    sources = {"as text": f"read_csv('{text}', all_varchar = true)", "an odd row": f"read_csv('{odd}')"}
    if not any(isinstance(value, int) and abs(value) >= 2**63 for value in asked.values):  # which it makes doubles
        sources |= {"csv": f"read_csv('{text}')", "parquet": f"read_parquet('{asked.path('parquet')}')"}
    found = {}
    with duckdb.connect() as database:
        for name, source in sources.items():
            database.execute(f"CREATE OR REPLACE TABLE data AS SELECT * FROM {source}")
            answer = database.sql(f"SELECT predicted FROM ({to_sql(model).strip().removesuffix(';')})")
            rows = [row[0] for row in answer.fetchall()]
            found[f"SQL, {name}"] = [*rows[:-1], model.predict(text)[-1]] if name == "an odd row" else rows
    return found
