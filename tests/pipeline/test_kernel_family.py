"""`train --model kernel`: what is chosen, what its file holds, and what every command does with it."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

from rosenblatt import load, save, train
from rosenblatt.errors import DataError, SettingError
from rosenblatt.model import Curved
from rosenblatt.model.separated import check_separated
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.pipeline.update import update
from rosenblatt.report.html import page
from rosenblatt.report.terminal import terminal_report


@pytest.fixture(scope="module")
def rings():
    """Two rings: no line separates them."""
    rng = np.random.default_rng(0)
    angles, far = rng.uniform(0, 7, 240), np.arange(240) % 2
    radius = 1 + 2 * far + rng.normal(0, 0.2, 240)
    columns = {"x": radius * np.cos(angles), "y": radius * np.sin(angles)}
    return {name: values.tolist() for name, values in columns.items()} | {"label": [f"ring {c}" for c in far]}


@pytest.fixture(scope="module")
def curved(rings):
    return train(rings, model="kernel")


def test_a_curve_is_chosen_by_validation_rows_and_says_which_rows_it_holds(curved):
    choice = curved.card["choice"]
    assert curved.card["test"]["accuracy"] > 0.95
    assert choice["model"] == "kernel"
    assert choice["training_rows"] == len(curved.learner.labels) == len(curved.learner.origins)
    assert f"CONTAINS {choice['training_rows']} TRAINING ROWS" in curved.learner.kept
    assert curved.card["proof"]["updates"] > 0


def test_a_file_gives_the_same_scores(curved, rings, tmp_path):
    save(curved, tmp_path / "m.rosenblatt")
    again = load(tmp_path / "m.rosenblatt")
    rows = {name: rings[name] for name in ("x", "y")}
    assert again.scores(rows).tobytes() == curved.scores(rows).tobytes()
    row = {"x": [0.5], "y": [0.1]}
    assert again.explain(row).contributions.tobytes() == curved.explain(row).contributions.tobytes()
    assert again.learner.kept == curved.learner.kept


def test_an_explanation_names_training_rows_and_sums_to_the_score(curved):
    found = curved.explain({"x": [0.5], "y": [0.1]})
    assert found.contributions.sum() == pytest.approx(found.scores[0], rel=1e-9)
    assert all("(ring " in name for name in found.names)


def test_auto_never_chooses_a_kernel(rings):
    assert not isinstance(train(rings).learner, Curved)


def test_auto_tells_what_a_curve_would_gain_and_only_where_it_is_much():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(1200, 2))
    inside = (X**2).sum(axis=1) < 1.4
    rings = {"x": X[:, 0].tolist(), "y": X[:, 1].tolist(), "label": inside.astype(int).tolist()}
    config = {"search": {"passes": 2, "model": "auto"}, "features": {"knots": 0}}
    model, evidence = train_with_evidence(rings, config=config)
    assert re.fullmatch(
        r"a curve reaches 9\d% \(\+\d+\): add --model kernel; the file will hold about \d+ training rows",
        evidence.hint,
    )
    assert evidence.hint.split(";")[0] in terminal_report(model, evidence)
    straight = rings | {"label": (X[:, 0] > 0).astype(int).tolist()}
    assert train_with_evidence(straight, config=config)[1].hint == ""


def test_an_update_learns_from_new_rows(curved):
    rows = {"x": [9.0, 9.1, -9.2], "y": [9.0, 9.1, -8.9], "label": ["ring 0", "ring 0", "ring 2"]}
    more = update(curved, curved.read(rows), passes=5)
    assert more.classes.names == ("ring 0", "ring 1", "ring 2")
    assert more.predict({"x": [-9.2], "y": [-8.9]}) == ["ring 2"]
    assert more.predict({"x": [0.5], "y": [0.5]}) == curved.predict({"x": [0.5], "y": [0.5]})


def test_settings_of_a_config_are_kept(rings):
    model = train(rings, config={"search": {"model": "kernel", "kernel": "poly", "degree": 2, "passes": 5}})
    choice = model.card["choice"]
    assert (choice["kernel"], choice["degree"], choice["passes"]) == ("poly", 2, 5)
    assert model.card["config"]["search"]["kernel"] == "poly"
    with pytest.raises(SettingError, match="degree"):
        train(rings, config={"search": {"model": "kernel", "degree": 60}})
    with pytest.raises(SettingError, match="kernel is a setting of model kernel"):
        train(rings, config={"search": {"kernel": "poly"}})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"device": "gpu"}, "needs an NVIDIA GPU and CuPy"),
        ({"degree": 60}, "degree must be a whole number from 1 to 30"),
        ({"kernel": "poly", "degree": 30, "gamma": 1e30}, "scores could overflow"),
        ({"gamma": 0.0}, "gamma must be"),
    ],
)
def test_settings_that_cannot_be_used_get_one_line(rings, changed, words, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(SettingError, match=words) as refused:
        train(rings, config={"search": {"model": "kernel", **changed}})
    assert "\n" not in str(refused.value)


def test_a_gamma_that_makes_every_row_stand_alone_is_noted(rings):
    model = train(rings, config={"search": {"model": "kernel", "kernel": "rbf", "gamma": 1e6, "passes": 3}})
    (note,) = [each for each in model.card["notes"] if "support rows" in each]
    assert "rows became support rows, because under gamma=1e+06 each resembles itself alone" in note


def test_rows_that_no_curve_can_tell_apart_get_one_line():
    rows = {"x": [1.0] * 40, "y": [2.0] * 40, "label": ["a", "b"] * 20}
    with pytest.raises(DataError) as refused:
        train(rows, model="kernel")
    assert "\n" not in str(refused.value)


def test_check_proves_that_the_list_separates_whole_numbers(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 9, (200, 6)).astype(np.uint8)
    y = ((X[:, 0].astype(int) - 4) * (X[:, 1].astype(int) - 4) > 0).astype(int)
    data = {"pixels": list(X), "label": y.tolist()}
    chosen = {"model": "kernel", "kernel": "poly", "degree": 4, "passes": 200, "margin": 0.0}
    model = train(data, config={"search": chosen})
    assert model.card["proof"]["separated"]
    found = check_separated(model, model.read(data))
    assert found.rows == 160
    assert found.updates == model.card["choice"]["training_rows"]
    broken = load_changed(model, tmp_path)
    with pytest.raises(DataError, match="not get this training row strictly right"):
        check_separated(broken, broken.read(data))


def load_changed(model, tmp_path):
    """The model with a list that punishes what it rewarded."""
    from dataclasses import replace

    changed = replace(model, learner=replace(model.learner, final=-model.learner.final))
    save(changed, tmp_path / "changed.rosenblatt")
    return load(tmp_path / "changed.rosenblatt")


def test_rows_that_count_least_are_dropped_where_validation_rows_lose_nothing(rings, monkeypatch):
    whole = train(rings, model="kernel", config={"search": {"kernel": "rbf", "margin": 1.0}})
    assert "updated_rows" not in whole.card["choice"]  # 48 validation rows are too few to judge by
    monkeypatch.setattr("rosenblatt.pipeline.families.kernel.JUDGES", 40)
    model, evidence = train_with_evidence(rings, model="kernel", config={"search": {"kernel": "rbf", "margin": 1.0}})
    choice = model.card["choice"]
    held, before = choice["training_rows"], choice["updated_rows"]
    assert held == len(model.learner.labels) == model.learner.dual.shape[1] < 0.95 * before
    assert model.card["test"]["accuracy"] > 0.95
    assert f"{held} training rows: a curve is made of them the weightiest of {before} that" in " ".join(
        terminal_report(model, evidence).split()
    )
    with pytest.raises(DataError, match="keeps only some of the rows"):
        check_separated(model, rings)


def test_a_report_shows_the_rows_that_pulled_and_their_parts_sum_to_the_lead(rings):
    noisy = rings | {"label": [label if i % 9 else "ring 0" for i, label in enumerate(rings["label"])]}
    asked = {"search": {"model": "kernel", "kernel": "rbf", "gamma": 0.5, "margin": 0.3, "passes": 5}}
    model, evidence = train_with_evidence(noisy, config=asked)
    assert evidence.worst
    for row in evidence.worst[:5]:
        assert sum(each.counts for each in row.pulls.rows) + row.pulls.rest == pytest.approx(row.margin, rel=1e-9)
        assert row.pulls.rows[0].counts > 0 > row.pulls.rows[-1].counts
    assert "Training rows that pulled the most wrong rows" in page(model, evidence)
