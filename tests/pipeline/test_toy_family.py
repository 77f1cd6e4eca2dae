"""A family of models is one file: a toy of one is trained, saved, loaded, explained, exported and reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pytest
from pyarrow.csv import write_csv

import rosenblatt
from exported import in_duckdb, same_scores, scores_in
from rosenblatt.data.rowfile import pieces
from rosenblatt.learn.decide import Decision, score_rows
from rosenblatt.loops.rows import n_features
from rosenblatt.loops.vector import add
from rosenblatt.model import Curve, Formula, Learner
from rosenblatt.pipeline import families, train_with_evidence
from rosenblatt.pipeline.family import Candidate, Final
from rosenblatt.pipeline.update import update
from rosenblatt.report.html import page
from rosenblatt.store import contents, to_bytes


@dataclass(frozen=True, eq=False)
class Means(Learner):
    """The sum of the rows of each class, and how many there are: a row is of the class whose mean is nearest."""

    sums: np.ndarray
    counts: np.ndarray
    kind: ClassVar[str] = "means"
    family: ClassVar[str] = "nearest-mean"

    @property
    def weights(self):
        means = self.sums / self.counts[:, None]
        lines = np.column_stack([means, -np.square(means).sum(axis=1) / 2])
        return lines[1] - lines[0] if len(lines) == 2 else lines

    def scores(self, rows):
        return score_rows(rows, self.weights)

    def formula(self, plan):
        lines = np.atleast_2d(self.weights)
        return Formula(lines[:, :-1], lines[:, -1], plan.names, plan.terms(), plan.unit)

    def facts(self, plan):
        return {"kind": "nearest mean", "rows": self.counts.tolist()}


def means_of(rows, truth, n_classes):
    sums = np.zeros((n_classes, n_features(rows) + 1))
    for start, stop, some in pieces(rows):
        for i, c in enumerate(truth[start:stop].tolist()):
            add(some, i, 1.0, sums[c])
    return Means(sums[:, :-1], np.bincount(truth, minlength=n_classes))


@dataclass(frozen=True)
class NearestMean(Candidate):
    model: ClassVar[str] = "nearest-mean"
    unrecorded: ClassVar[str] = "means are no updates"

    @classmethod
    def candidates(cls, ways, parts, choices, conduct, thorough):
        found = means_of(ways.first.train, parts.truth, parts.n_classes).scores(ways.first.validation)
        return [cls(ways.first.way, float(np.mean(Decision().decide(found) == parts.wanted)))]

    def fit(self, task):
        return Final(task.plan, means_of(task.rows, task.truth, task.n_classes))

    @classmethod
    def update(cls, model, table, truth, places, n_classes, passes):
        more = means_of(model.plan.encode(table).rows, truth, n_classes)
        more.sums[places] += model.learner.sums
        more.counts[places] += model.learner.counts
        return more, 1

    def curve(self, encoded, parts, choices, conduct):
        return Curve("pass", [(1, self.accuracy, self.accuracy)], 1)

    def facts(self, final):
        return {"means": len(final.learner.counts)}

    @property
    def name(self):
        return "nearest mean"


def written(learner, tensors):
    tensors |= {"means.sums": learner.sums, "means.counts": learner.counts}
    return {}


def read(plain, free, plan, n_classes, ties):
    return Means(free.pop("means.sums"), free.pop("means.counts"))


@pytest.fixture(autouse=True)
def _in_the_tables(monkeypatch):
    monkeypatch.setattr(families, "FAMILIES", (*families.FAMILIES, NearestMean))
    monkeypatch.setitem(contents.STATES, "means", contents.State(written, read))


def table_of(rows=400):
    make = np.random.default_rng(4)
    colour, width = make.choice(["red", "green", "blue"], rows), make.normal(size=rows)
    label = np.where(width + (colour == "red") > 0.4, "near", np.where(colour == "blue", "far", "off"))
    beside = ["always the same " * 6] * rows
    return pa.table({"colour": colour, "width": width, "beside": beside, "label": label})


def test_a_toy_family_does_what_every_family_does(tmp_path):
    write_csv(table_of(), tmp_path / "rows.csv")
    source = str(tmp_path / "rows.csv")
    model, evidence = train_with_evidence(source, model="nearest-mean", config={"features": {"knots": 0}}, curves=True)
    assert model.card["choice"]["model"] == "nearest-mean"
    assert model.card["choice"]["means"] == 3
    assert model.card["test"]["accuracy"] > model.card["test"]["always"]
    assert to_bytes(rosenblatt.train(source, model="nearest-mean", memory="41kB", config=model.card["config"])) == (
        to_bytes(model)
    )
    rosenblatt.save(model, tmp_path / "m.rosenblatt")
    again, rows = rosenblatt.load(tmp_path / "m.rosenblatt"), table_of(30).drop_columns(["label"])
    assert model.scores(rows).tobytes() == again.scores(rows).tobytes()
    found = again.explain(rows.slice(0, 1))
    assert found.contributions.sum(axis=1) + found.bias == pytest.approx(found.scores)
    turned = again.flip(rows.slice(0, 1))
    assert again.predict(turned.row) == [turned.becomes] != [turned.predicted]
    same_scores(scores_in(in_duckdb(again, rows), again), again.scores(rows))
    assert "nearest mean" in page(model, evidence)
    assert update(again, again.read(source)).card["updates"][-1]["rows"] == 400


def test_a_toy_family_competes_with_the_others():
    _, evidence = train_with_evidence(table_of(), label="label", passes=4, margin=1.0, k=1.0)
    assert "nearest mean" in {trial.name for trial in evidence.trials}


def test_a_toy_family_is_short():
    from pathlib import Path

    text = Path(__file__).read_text(encoding="utf8")
    family = text.split("@dataclass", 1)[1].split("def written")[0]
    assert len([line for line in family.splitlines() if line.strip()]) <= 60
