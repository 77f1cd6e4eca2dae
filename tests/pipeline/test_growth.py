"""The learning curve: what fewer training rows reach out of fold, and whether more of them would help."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt.data import read
from rosenblatt.model import Growth
from rosenblatt.pipeline import growth as growing
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.pipeline.final import fit
from rosenblatt.report.growth import answer
from rosenblatt.report.html import page
from rosenblatt.report.terminal import terminal_report

ONE = {"model": "perceptron", "passes": 2, "margin": 1.0, "config": {"split": {"calibration": "none"}}}


def rows_of(count, noise, more=None):
    rng = np.random.default_rng(5)
    columns = {f"x{j}": rng.standard_normal(count).round(2) for j in range(6)}
    score = sum(columns.values()) + noise * rng.standard_normal(count)
    return read(pa.table({**columns, **(more or {}), "label": np.where(score > 0, "yes", "no")}))


def curve_of(table, **more):
    return train_with_evidence(table, curves=True, **{**ONE, **more})


@pytest.fixture(scope="module")
def learned():
    return curve_of(rows_of(400, 1.0))


def test_each_size_is_twice_the_one_before_and_every_row_is_scored_once(learned):
    model, evidence = learned
    found, split = evidence.growth, model.card["split"]
    rows = split["train"] + split["validation"]
    assert found.rows == rows
    assert found.sizes == pytest.approx([rows * 0.8 * share for share in (1 / 8, 1 / 4, 1 / 2, 1)], rel=0.05)
    assert [len(shares) for shares in found.shares] == [5] * 4
    last, before = (np.mean(found.shares[place]) for place in (-1, -2))
    assert found.gain == pytest.approx(last - before, abs=0.01)


def test_report_and_terminal_show_it(learned):
    model, evidence = learned
    shown = page(model, evidence)
    assert "<h2>Would more rows help?</h2>" in shown
    assert answer(evidence.growth)[1:] in shown
    assert "copies and groups are never on both sides" in shown
    lines = terminal_report(model, evidence).splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("rows     "))
    assert all(len(line) <= 80 for line in lines[start : start + 2])


def test_nothing_of_it_is_made_unasked():
    assert train_with_evidence(rows_of(100, 1.0), **ONE)[1].growth is None


@pytest.mark.parametrize(
    ("gain", "error", "said"),
    [
        (0.03, 0.005, "more rows would help: twice the rows (100 → 200) brought +3.0 ± 1.0 points"),
        (0.001, 0.001, "more rows would hardly help: twice the rows (100 → 200) brought +0.1 ± 0.2 points"),
        (-0.01, 0.002, "more rows would hardly help"),
        (0.01, 0.01, "these rows cannot tell whether more would help"),
    ],
)
def test_the_answer_is_one_sentence_with_its_doubt(gain, error, said):
    assert answer(Growth([100, 200], [[0.5, 0.6], [0.6, 0.6]], 400, gain, error)).startswith(said)


def test_no_label_drawn_at_random_is_learned_better_from_more_rows():
    rng = np.random.default_rng(0)
    table = read(pa.table({"a": rng.random(600), "b": rng.random(600), "label": rng.choice(["u", "v"], 600)}))
    assert not answer(curve_of(table)[1].growth).startswith("more rows would help")


def test_groups_and_copies_stay_on_one_side(monkeypatch):
    fitted = []

    def watched(chosen, table, *others, **more):
        fitted.append(set(table.columns["who"].to_pylist()))
        return fit(chosen, table, *others, **more)

    def scored(made, judges):
        assert not fitted[-1] & set(judges.columns["who"].to_pylist())
        return made.learner.scores(made.learner.rows(made.plan, judges))

    monkeypatch.setattr(growing, "fit", watched)
    monkeypatch.setattr(growing, "scores_of", scored)
    curve_of(rows_of(240, 1.0, {"who": [f"p{i // 6}" for i in range(240)]}), group="who")
    assert len(fitted) == 20


def test_in_time_fewer_rows_are_the_latest(monkeypatch):
    spans = []

    def watched(chosen, table, *others, **more):
        when = table.columns["when"].to_pylist()
        spans.append((min(when), max(when)))
        return fit(chosen, table, *others, **more)

    monkeypatch.setattr(growing, "fit", watched)
    model, evidence = curve_of(rows_of(400, 1.0, {"when": list(range(400))}), time="when")
    assert evidence.growth.forward
    first = spans[: len(evidence.growth.sizes)]
    assert len({end for _, end in first}) == 1
    assert [start for start, _ in first] == sorted((start for start, _ in first), reverse=True)
    assert "Folds go forward in time" in page(model, evidence)


def test_of_very_many_rows_a_part_is_looked_at_and_said(monkeypatch):
    monkeypatch.setattr(growing, "MOST", 100)
    model, evidence = curve_of(rows_of(400, 1.0))
    assert 0 < evidence.growth.part <= 110
    assert f"made of {evidence.growth.part} rows, a part of those" in page(model, evidence)


def test_too_few_rows_have_no_curve():
    assert curve_of(rows_of(16, 0.0))[1].growth is None
