"""A kind of column is one file and one line: a toy of one is trained, saved, loaded, explained and reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa

import rosenblatt
from rosenblatt.data.values import names_of
from rosenblatt.features import kinds
from rosenblatt.features.lines import Learner, Line
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.report.html import write_report


@dataclass(frozen=True)
class Clock(Line):
    """The hour of a text such as 7h30, as a point on a circle, so that 23h is near 1h."""

    earliest: str
    kind: ClassVar[str] = "clock"

    @classmethod
    def suits(cls, facts):
        first = [str(value) for value in facts.first.to_pylist()] if facts.name == "at" else []
        return "times such as 7h30" if first and all("h" in value for value in first) else ""

    @classmethod
    def learner(cls, asked):
        return ClockLearner(asked)

    def names(self):
        return [f"{self.column} sine", f"{self.column} cosine"]

    def encode(self, column, origin):
        hours = [int(value.split("h")[0]) if value else 0 for value in names_of(column).to_pylist()]
        angles = 2 * np.pi * np.array(hours) / 24
        return np.column_stack([np.sin(angles), np.cos(angles)])

    def describe(self):
        return f"clock, the earliest {self.earliest}"


class ClockLearner(Learner):
    def __init__(self, asked):
        self.asked, self.earliest = asked, "99h"

    def look(self, column, origin):
        values = [value.zfill(5) for value in names_of(column).to_pylist()]
        self.earliest = min([self.earliest, *values])

    def merge(self, later):
        self.earliest = min(self.earliest, later.earliest)

    def settle(self):
        return Clock(self.asked.column, self.asked.reason, self.earliest, reads=self.asked.reads)


def write(path):
    """Times and whether it is day, with enough beside them that the rows do not fit into 41 kB."""
    hours = np.random.default_rng(3).integers(0, 24, 400)
    rows = [
        f"{hour}h{number % 60:02},{'always the same ' * 3},{'day' if 6 <= hour < 18 else 'night'}\n"
        for number, hour in enumerate(hours)
    ]
    path.write_text("at,beside,label\n" + "".join(rows))
    return str(path)


def test_a_kind_is_one_file_and_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(kinds, "KINDS", (Clock, *kinds.KINDS))
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    source = write(tmp_path / "times.csv")
    model, evidence = train_with_evidence(source, model="perceptron", passes=8)
    assert [line.kind for line in model.plan.lines] == ["clock", "dropped"]
    assert model.card["test"]["accuracy"] > 0.9
    rosenblatt.save(model, tmp_path / "m.rosenblatt")
    again = rosenblatt.load(tmp_path / "m.rosenblatt")
    assert again.predict(pa.table({"at": ["12h00", "1h30"], "beside": ["", ""]})) == ["day", "night"]
    assert "at cosine" in str(again.explain(pa.table({"at": ["12h00"], "beside": [""]})))
    write_report(again, evidence, str(tmp_path / "r.html"))
    assert "clock, the earliest 00h" in (tmp_path / "r.html").read_text()
    on_disk, evidence = train_with_evidence(source, model="perceptron", passes=8, memory="41kB")
    assert evidence.disk is not None
    assert on_disk.plan.to_dict() == model.plan.to_dict()
