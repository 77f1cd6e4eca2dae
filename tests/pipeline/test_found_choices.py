"""Choices that were found wrong in use: columns, classes, weights, families and encodings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rosenblatt import cli, load, train
from rosenblatt.errors import DataError
from rosenblatt.pipeline import train_with_evidence

QUICK = {"model": "perceptron", "margin": 0.0, "passes": 1}  # where the plan is what counts


def run(*arguments, capfd):
    """Runs a command as a shell would: exit code and standard output."""
    with pytest.raises(SystemExit) as end:
        cli.main([str(each) for each in arguments])
    return end.value.code, capfd.readouterr().out


def salaries(folder: Path, name: str = "salary", spread: int = 100_000) -> Path:
    """250 people with salaries that are all distinct, and a column that says nothing."""
    rng = np.random.default_rng(5)
    salary = 20_000 + rng.choice(spread, 250, replace=False)
    rows = [f"{s},{rng.normal():.4f},{'high' if s > 20_000 + spread / 2 else 'low'}" for s in salary]
    path = folder / "people.csv"
    path.write_text(f"{name},noise,label\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("memory", [None, "30kB"], ids=["in memory", "on the disk"])
class TestFound18:
    def test_found_18_distinct_salaries_are_amounts_and_no_id(self, memory, tmp_path):
        model, evidence = train_with_evidence(str(salaries(tmp_path)), memory=memory)
        assert {line.column: line.kind for line in model.plan.lines}["salary"] == "numeric"
        assert model.card["test"]["accuracy"] > 0.9
        assert bool(evidence.disk) == (memory is not None)

    @pytest.mark.parametrize("name", ["id", "customer_id", "PassengerId", "customerID", "order no", "id of row"])
    def test_found_18_the_same_numbers_under_the_name_of_an_id_are_one(self, name, memory, tmp_path):
        model = train(str(salaries(tmp_path, name)), memory=memory, **QUICK)
        line = next(line for line in model.plan.lines if line.column == name)
        assert line.kind == "dropped"
        assert line.reason == "an id by its name: 200 whole numbers, all distinct"

    def test_found_18_numbers_given_out_one_after_the_other_are_an_id(self, memory, tmp_path):
        model = train(str(salaries(tmp_path, "who", 250)), memory=memory, **QUICK)
        line = model.plan.lines[0]
        assert line.kind == "dropped"
        assert line.reason.startswith("an id: 200 whole numbers from 20000 to 20248")


def regression(n: int = 442, low: int = 25, high: int = 347) -> tuple[np.ndarray, np.ndarray]:
    """Rows, and how far each patient's illness has gone: about 240 distinct whole numbers in 442 rows."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 3))
    return X, np.clip(150 + 60 * X[:, 0] + 30 * rng.normal(size=n), low, high - 1).astype(int)


@pytest.mark.parametrize("half", [1, 0.5], ids=["whole numbers", "fractions"])
def test_found_19_amounts_to_predict_are_refused_with_the_way_out(half):
    X, y = regression()
    with pytest.raises(DataError) as refused:
        train({"a": X[:, 0].tolist(), "progress": (y * half).tolist()}, label="progress")
    message = str(refused.value)
    assert "distinct numbers in 442 rows are amounts, not classes" in message
    assert "Put them into bins" in message
    assert "name another column" in message
    assert "\n" not in message


def test_found_19_a_command_ends_in_one_line_for_amounts(tmp_path, capfd):
    X, y = regression()
    lines = [",".join(f"{v:.3f}" for v in row) + f",{amount}" for row, amount in zip(X, y, strict=True)]
    (tmp_path / "ill.csv").write_text("a,b,c,progress\n" + "\n".join(lines) + "\n")
    with pytest.raises(SystemExit) as end:
        cli.main(["train", str(tmp_path / "ill.csv"), "--label", "progress"])
    _, err = capfd.readouterr()
    assert end.value.code == 1
    assert "are amounts, not classes" in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("names", "each"),
    [
        (range(10), 12),  # digits
        (range(1, 27), 5),  # letters
        (range(1, 106), 5),  # many classes of little data
        (range(0, 3000, 100), 12),  # codes with gaps, each with many rows
        ([f"person {k}" for k in range(200)], 4),
        ([0.5, 1.0, 1.5, 2.0], 30),
    ],
)
def test_labels_that_are_classes_stay_classes(names, each):
    columns = {"x": np.random.default_rng(0).normal(size=len(names) * each).tolist(), "label": list(names) * each}
    model = train(columns, model="perceptron", passes=1, margin=0)
    assert len(model.classes.names) == len(names)


def test_classes_that_differ_in_their_case_alone_are_told():
    draw = np.random.default_rng(0).normal(size=90)
    names = [("yes", "Yes", "YES")[k % 3] if x > 0 else "no" for k, x in enumerate(draw)]
    notes = train({"x": draw, "label": names}, model="perceptron", passes=1).card["notes"]
    assert notes == ["the classes YES, Yes, yes differ in their case alone; --relabel Yes=YES makes them one"]


def test_found_16_averaged_weights_win_a_tie_against_final_ones_that_separate():
    rule = {"search": {"rule": "perceptron"}}
    found = [train_with_evidence("mail", model="perceptron", seed=seed, config=rule) for seed in range(10)]
    assert all(model.card["choice"]["weights"] == "averaged" for model, _ in found)
    assert any(
        trial.name.startswith("final") and trial.accuracy == 1 for _, evidence in found for trial in evidence.trials
    )
    assert np.median([model.card["test"]["accuracy"] for model, _ in found]) > 0.95  # final ones: 0.923


def test_that_final_weights_separate_is_reported_all_the_same():
    model = train("mail", model="perceptron", weights="final")
    assert model.card["proof"]["separated"]


def test_found_17_finalists_that_validation_rows_cannot_tell_apart_are_cross_validated():
    model, evidence = train_with_evidence("breast-cancer", seed=8)
    families = {trial.name.split(" ")[0]: trial.accuracy for trial in evidence.trials}
    assert families["naive"] >= families["averaged"]  # on 114 validation rows; naive Bayes was preferred
    cv = model.card["choice"]["cv"]
    assert (cv["folds"], cv["rows"]) == (5, 456)
    assert model.card["choice"]["model"] == "perceptron"
    assert all("perceptron" in each["name"] for each in cv["finalists"])  # naive Bayes is far behind out of fold


def test_found_17_the_report_shows_what_settled_the_choice(tmp_path, capfd):
    page, out = tmp_path / "r.html", tmp_path / "m.rosenblatt"
    code, shown = run("train", "breast-cancer", "--seed", "8", "--report", page, "--out", out, capfd=capfd)
    assert code == 0
    assert "  settled by 5-fold cross-validation of 456 rows\n" in shown
    assert "settled by 5-fold cross-validation of 456 rows" in page.read_text(encoding="utf8")


def test_found_17_a_perceptron_is_chosen_where_naive_bayes_is_clearly_worse(data):
    model = train(str(data / "tables" / "spambase.data.gz"), label="c58", seed=28)
    assert model.card["choice"]["model"] == "perceptron"
    assert model.card["test"]["accuracy"] > 0.92  # naive Bayes, which led by luck: 0.900


def noise(folder: Path) -> Path:
    """Rows that say nothing about a label of which nine in ten are no."""
    rng = np.random.default_rng(8)
    rows = [f"{rng.normal():.4f},{rng.normal():.4f},{'yes' if k % 10 == 0 else 'no'}" for k in range(300)]
    path = folder / "noise.csv"
    path.write_text("a,b,label\n" + "\n".join(rows) + "\n")
    return path


def test_found_20_a_model_that_is_no_better_than_guessing_says_so(tmp_path, capfd):
    page = tmp_path / "r.html"
    code, out = run("train", noise(tmp_path), "--report", page, "--out", tmp_path / "m.rosenblatt", capfd=capfd)
    assert code == 0
    says = "no better than always saying 'no', which gets 90.0%"
    assert f"         {says}\n" in out
    assert "no better than always saying &#x27;no&#x27;, which gets 90.0%" in page.read_text(encoding="utf8")
    assert load(tmp_path / "m.rosenblatt").card["test"]["no_better"] == says
    assert "no_better" not in train("iris").card["test"]
