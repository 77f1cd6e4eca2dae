"""`cv`: the whole procedure, cross-validated in place of a test part."""

from __future__ import annotations

import json
import statistics

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt import cli, load, save, train
from rosenblatt.data import read, spooled
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features.folds import folds
from rosenblatt.pipeline import Goal, train_with_evidence
from rosenblatt.report.html import page
from rosenblatt.report.terminal import terminal_report
from rosenblatt.store import to_bytes

QUICK = {"model": "perceptron", "passes": 2, "margin": 1.0}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))


def parted(table, k, seed=0):
    """The folds of a table without copies or groups."""
    codes = np.unique(table.labels.to_numpy(zero_copy_only=False), return_inverse=True)[1]
    return folds(codes, np.arange(table.n_rows), k, seed)


def test_each_fold_is_what_train_makes_of_the_other_rows():
    table = read("wine")
    model = train(table, cv=3)
    found = model.card["cv"]["each"]
    for fold, said in zip(parted(table, 3), found, strict=True):
        alone = train(table.take(fold.train), test=table.take(fold.validation))
        assert said["accuracy"] == alone.card["test"]["accuracy"]
        assert said["choice"] == alone.card["choice"]["name"]
        assert said["rows"] == len(fold.validation)


def test_the_model_is_what_the_procedure_makes_of_all_rows():
    table = read("wine")
    folded, tested = train(table, cv=3), train(table, test=read("wine"))
    assert (folded.scores(table) == tested.scores(table)).all()
    assert folded.evaluate(table).training_rows == table.n_rows


def test_the_card_has_mean_and_deviation_and_no_test():
    model = train("breast-cancer", cv=4, **QUICK)
    cv = model.card["cv"]
    accuracies = [fold["accuracy"] for fold in cv["each"]]
    assert cv["folds"] == len(accuracies) == 4
    assert cv["accuracy"] == pytest.approx(statistics.fmean(accuracies))
    assert cv["deviation"] == pytest.approx(statistics.stdev(accuracies))
    assert cv["rows"] == sum(fold["rows"] for fold in cv["each"]) == 569
    assert "test" not in model.card
    save(model, "m.rosenblatt")
    assert load("m.rosenblatt").card["cv"] == cv


def test_labels_drawn_at_random_are_at_chance():
    rng = np.random.default_rng(0)
    table = pa.table({f"x{j}": rng.normal(size=300) for j in range(30)})
    model = train(table, label=rng.integers(0, 2, 300).astype(str).tolist(), cv=5)
    assert model.card["cv"]["accuracy"] < 0.59  # three standard errors


def test_copies_and_groups_stay_in_one_fold():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 3))
    table = {f"x{j}": np.repeat(rows[:, j], 2) for j in range(3)}  # each row twice, with labels that say nothing
    labels = np.repeat(rng.integers(0, 2, 60), 2).astype(str).tolist()
    seen = train(pa.table(table), label=labels, cv=5, config={"search": {"model": "kernel", "gamma": 50.0}})
    assert seen.card["cv"]["accuracy"] < 0.7  # a nearest neighbour would know all copies
    grouped = pa.table({**table, "who": np.repeat(np.arange(12), 10)})
    found = train(grouped, label=labels, cv=6, group="who", **QUICK).card
    assert all(fold["rows"] % 10 == 0 for fold in found["cv"]["each"])


def test_with_times_folds_go_forward():
    times = np.arange(200)
    rng = np.random.default_rng(2)
    x = rng.normal(size=200)
    labels = np.where((x > 0) == (times < 100), "up", "down").tolist()  # what x says turns over in the middle
    card = train(pa.table({"x": x, "t": times}), label=labels, cv=5, time="t", **QUICK).card
    assert card["cv"]["rows"] == 100  # the later half alone is scored
    assert card["cv"]["each"][0]["accuracy"] < 0.2


def test_the_line_and_the_costs_are_those_of_each_fold():
    goal = Goal("malignant", cost_false_positive=1.0, cost_false_negative=10.0)
    model, evidence = train_with_evidence("breast-cancer", cv=3, goal=goal, **QUICK)
    assert model.card["choice"]["by"] == "cost"
    assert 0.9 < model.card["goal"]["cv"]["recall"] <= 1
    each = model.card["cv"]["each"]
    assert model.card["cv"]["merit"] == pytest.approx(statistics.fmean(fold["merit"] for fold in each))
    text = terminal_report(model, evidence)
    assert "1 - cost" in text
    assert "folds" in text.split("false alarms")[1]


def test_terminal_page_json_and_inspect_say_so(capfd):
    with pytest.raises(SystemExit) as end:
        cli.main(["train", "iris", "--cv", "3", "--report", "r.html", "--json", "--quiet"])
    assert end.value.code == 0
    card = json.loads(capfd.readouterr().out)
    mean = f"{card['cv']['accuracy']:.1%} ± {100 * card['cv']['deviation']:.1f}"
    model, evidence = train_with_evidence("iris", cv=3)
    text = terminal_report(model, evidence)
    assert mean in text
    assert "no test part" in text
    shown = page(model, evidence)
    assert mean in shown
    assert "no test part" in shown
    assert "test row" not in shown.replace("no test part", "").lower()
    for fold in card["cv"]["each"]:
        assert fold["choice"][:40] in text
        assert fold["choice"] in shown
    with pytest.raises(SystemExit):
        cli.main(["inspect", "iris.rosenblatt"])
    assert f"folds    {mean} over 3 folds" in capfd.readouterr().out


def test_the_same_bits_on_the_disk(monkeypatch):
    monkeypatch.setattr(spooled, "BLOCK", 1 << 16)
    rng = np.random.default_rng(3)
    words = np.array([f"word{number}" for number in range(300)])
    rows = [(*rng.choice(words, 80), "good" if rng.random() < 0.5 else "bad") for _ in range(1500)]
    lines = ["text,label", *(f"{' '.join(row)} {row[-1]},{row[-1]}" for row in rows)]
    with open("rows.csv", "w") as file:
        file.write("\n".join(lines))
    here = train("rows.csv", cv=2, **QUICK)
    there, evidence = train_with_evidence("rows.csv", cv=2, memory="200kB", **QUICK)
    assert evidence.disk is not None
    assert to_bytes(here) == to_bytes(there)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"test": "iris"}, "cv takes the place of a test part"),
        ({"fit_all": True}, "with cv the model is fitted to all rows anyway"),
        ({"seeds": 3}, "with cv there are none"),
    ],
)
def test_what_asks_for_test_rows_is_refused(more, said):
    with pytest.raises(SettingError, match=said):
        train("iris", cv=5, **more)


@pytest.mark.parametrize("cv", [1, 0, -2, 2.5, True, "5"])
def test_other_numbers_of_folds_are_refused(cv):
    with pytest.raises(SettingError, match="cv"):
        train("iris", cv=cv)


def test_too_few_rows_for_folds_are_refused():
    table = pa.table({"x": np.arange(60.0), "who": [1, 2, 3] * 20})  # a fold would learn from two groups
    with pytest.raises(DataError, match="too few rows that may be parted for 5 folds"):
        train(table, label=["a", "b"] * 30, cv=5, group="who")
