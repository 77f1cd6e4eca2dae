"""Association units as an encoding of train: the same bits everywhere, a file without rows, and a search that may take
them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rosenblatt
from rosenblatt.data import spooled
from rosenblatt.errors import SettingError
from rosenblatt.features.units import Units
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.report.terminal import terminal_report
from rosenblatt.store import load, save, to_bytes
from rosenblatt.store.export_json import to_json
from rosenblatt.traces.replay import verify

QUICK = {"model": "perceptron", "passes": 4, "margin": 2.0}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(spooled, "BLOCK", 1 << 14)  # many blocks, although the data is small


def circles(path, rows=900, more=1):
    """A table that no line separates: rows within a ring, and around it; `more` columns tell nothing."""
    values = np.random.default_rng(0).uniform(-1, 1, (rows, 2 + more))
    labels = np.where((values[:, :2] ** 2).sum(axis=1) < 0.5, "in", "out")
    names = ["x", "y", "z", *(f"z{k}" for k in range(1, more))]
    lines = [",".join([*(f"{v:.4f}" for v in row), label]) for row, label in zip(values, labels, strict=True)]
    path.write_text("\n".join([",".join([*names, "label"]), *lines]) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    path = circles(tmp_path_factory.mktemp("units") / "circles.csv")
    return path, rosenblatt.train(path, config={"features": {"units": 300}}, **QUICK)


def test_units_follow_a_curve_that_no_line_does(trained):
    path, model = trained
    assert (
        rosenblatt.train(path, config={"features": {"units": 0, "knots": 0}}, **QUICK).card["test"]["accuracy"] < 0.75
    )
    assert model.card["test"]["accuracy"] > 0.93
    assert model.card["features"] == model.plan.width == len(model.plan.names) == 300
    assert "300 association units of 6 wires" in str(model.plan)


@pytest.mark.parametrize("shards", [1, 3])
def test_out_of_core_the_model_is_the_same_to_the_bit(tmp_path, shards):
    path = circles(tmp_path / "circles.csv", 4000, more=40)
    settings = {**QUICK, "config": {"features": {"units": 200}}, "shards": shards}
    here, evidence = train_with_evidence(path, **settings)
    there, on_disk = train_with_evidence(path, memory="500kB", **settings)
    assert evidence.disk is None
    assert on_disk.disk is not None
    assert to_bytes(here) == to_bytes(there)


def test_a_file_holds_the_units_and_no_rows_and_what_is_damaged_is_told(trained, tmp_path):
    path, model = trained
    save(model, tmp_path / "units.rosenblatt")
    again = load(tmp_path / "units.rosenblatt")
    assert again.plan.to_dict() == model.plan.to_dict()
    assert np.array_equal(again.scores(path), model.scores(path))
    assert not model.learner.kept
    good = model.plan.units.to_dict()
    for wrong in ({"fan_in": 0}, {"columns": [7]}, {"columns": []}, {"thresholds": [float("nan")]}, {"shape": [2, 2]}):
        with pytest.raises(ValueError, match="units"):
            Units.from_dict({**good, **wrong})


def test_a_run_over_units_is_recorded_and_checked(trained, tmp_path):
    path, _ = trained
    save(rosenblatt.train(path, config={"features": {"units": 60}}, record=True, **QUICK), tmp_path / "r.rosenblatt")
    verify(load(tmp_path / "r.rosenblatt"), path)  # DataError where a step differs


def test_parts_of_a_score_are_units_and_a_flip_changes_columns(trained):
    _, model = trained
    row = {"x": 0.05, "y": 0.0, "z": 0.3}
    found = model.explain(row)
    assert model.predict([row]) == ["in"]
    assert found.largest(3)[0][0].startswith("unit ")
    assert np.isclose(found.contributions.sum() + found.bias.sum(), model.scores([row])[0])
    flip = model.flip(row)
    assert {each.column for each in flip.changes} <= {"x", "y", "z"}
    assert model.predict(flip.row) == ["out"]


def test_json_says_the_wires(trained):
    _, model = trained
    plain = json.loads(to_json(model))
    unit, names = plain["units"][0], {"+x", "-x", "+y", "-y", "+z", "-z"}
    assert len(plain["units"]) == 300
    assert len(unit["wires"]) == 6
    assert set(unit["wires"]) <= names
    assert unit["above"] == model.plan.units.thresholds[0]


def test_no_unit_can_be_left_out_to_make_a_file_small(trained):
    path, _ = trained
    with pytest.raises(SettingError, match="still takes"):
        rosenblatt.train(path, config={"features": {"units": 500}, "search": {"size": "5kB"}}, **QUICK)


def test_units_do_not_read_words(tmp_path):
    with pytest.raises(SettingError, match="units read up to 16,384 numbers and names"):
        rosenblatt.train("mail", config={"features": {"units": 10}})


def chequers(path, rows=300):
    """A table of a number and a name: which class a row is of, neither tells alone."""
    draws = np.random.default_rng(0)
    numbers, names = (
        draws.uniform(-1, 1, rows),
        draws.choice([f"{side} {'-' * 100}" for side in ("left", "right")], rows),
    )
    labels = np.where((numbers > 0) == np.char.startswith(names, "left"), "white", "black")
    lines = [f"{number:.4f},{name},{label}" for number, name, label in zip(numbers, names, labels, strict=True)]
    path.write_text("\n".join(["place,side,label", *lines]) + "\n")
    return str(path)


def test_a_small_table_takes_units_where_columns_count_together_and_says_how_to_do_without(tmp_path):
    path = chequers(tmp_path / "chequers.csv")
    model, evidence = train_with_evidence(path)
    assert "read by 2,000 association units" in terminal_report(model, evidence)
    assert model.card["test"]["accuracy"] > 0.9
    assert evidence.hint.startswith("units = 0 under [features] of a config keeps to weights of columns; of the")
    without, evidence = train_with_evidence(path, config={"features": {"units": 0}})
    assert without.card["test"]["accuracy"] < 0.8
    assert not evidence.hint.startswith("units")
    assert not any("units" in t.name for t in train_with_evidence(path, config={"search": {"size": "1MB"}})[1].trials)


def test_a_small_table_on_the_disk_takes_the_same_units(tmp_path):
    path = chequers(tmp_path / "chequers.csv")
    assert to_bytes(rosenblatt.train(path, memory="32kB")) == to_bytes(rosenblatt.train(path))


def test_units_that_do_not_lead_are_left_out(tmp_path):
    few, many = circles(tmp_path / "few.csv", 900), circles(tmp_path / "many.csv", 9000)
    assert rosenblatt.train(few).plan.units is None  # curves do as well, and are read as columns
    model, evidence = train_with_evidence(many, model="perceptron")
    assert any("2,000 units" in trial.name for trial in evidence.trials)
    assert (model.plan.units is not None) == any("units" in trial.name and trial.chosen for trial in evidence.trials)
    assert not any("units" in t.name for t in train_with_evidence(many, config={"features": {"units": 0}})[1].trials)
