"""Probabilities and sets of trained models, in Python, in files and at the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import NaiveBayes, Perceptron, cli, load, save, train
from rosenblatt.data import read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.model import Coverage, Reliability
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.pipeline.update import update
from rosenblatt.store import to_bytes

GOLDEN = Path(__file__).parents[1] / "golden"
FAMILIES = ("perceptron", "naive-bayes")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(capfd, *arguments):
    with pytest.raises(SystemExit) as end:
        cli.main(list(arguments))
    out, err = capfd.readouterr()
    return end.value.code, out, err


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", ["breast-cancer", "digits"])
def test_every_family_gives_probabilities_that_a_file_keeps(name, family):
    model = train(name, model=family)
    rows = read(name)
    found = model.predict_proba(rows)
    assert found.shape == (rows.n_rows, len(model.classes.names))
    assert found.sum(axis=1) == pytest.approx(1)
    assert np.mean(found.argmax(axis=1) == model.codes(rows)) > 0.98
    save(model, "m.rosenblatt")
    again = load("m.rosenblatt")
    assert np.array_equal(again.predict_proba(rows), found)
    assert again.sets(rows, 0.9) == model.sets(rows, 0.9)
    assert again.decision == model.decision
    assert to_bytes(again) == to_bytes(model)


def test_what_is_said_of_the_test_rows_is_so():
    model, evidence = train_with_evidence("digits", model="perceptron", passes=4)
    from sklearn.metrics import log_loss

    from rosenblatt.features import split_rows

    table = read("digits")
    test = table.take(split_rows(table, model.classes.encode(table)).test)
    shares, truth = model.predict_proba(test), model.classes.encode(test)
    told = model.card["calibration"]["test"]
    assert told["log_loss"] == pytest.approx(log_loss(truth, shares))
    assert told["brier"] == pytest.approx(np.mean(np.sum((shares - np.eye(10)[truth]) ** 2, axis=1)))
    sets = model.sets(test)
    held = [name in each for name, each in zip(np.array(model.classes.names)[truth], sets, strict=True)]
    assert told["coverage"] == pytest.approx(np.mean(held))
    assert told["empty"] + told["single"] + told["larger"] == pytest.approx(1)
    assert sum(rows for _, rows in told["covered"].values()) == test.n_rows
    assert evidence.evaluation.reliability.error == told["error"] == model.evaluate(test).reliability.error


def test_the_calibration_error_is_over_15_bins_of_as_many_rows():
    claimed = np.linspace(0.5, 0.95, 30)
    shares = np.column_stack([1 - claimed, claimed])
    found = Reliability.of(shares, np.ones(30, int), np.ones(30, int))
    assert [rows for _, _, rows in found.bins] == [2] * 15
    assert found.error == pytest.approx(np.mean(1 - claimed))
    assert Reliability.of(shares[:0], np.zeros(0, int), np.zeros(0, int)) is None


def test_coverage_counts_empty_single_and_larger_sets():
    members = np.array([[True, False], [True, True], [False, False], [False, True]])
    found = Coverage.of(members, np.array([0, 0, 1, 0]), 0.95)
    assert (found.covered, found.empty, found.single, found.larger) == (0.5, 0.25, 0.5, 0.25)
    assert found.per_class == [(2, 3), (0, 1)]


def test_older_files_have_no_probabilities_and_say_so(capfd):
    old = load(GOLDEN / "format-1-perceptron.rosenblatt")
    assert old.decision.calibration is None
    save(old, "old.rosenblatt")
    Path("rows.csv").write_text("a\n")
    for asked in ("--probabilities", "--sets=95%"):
        code, out, err = run(capfd, "predict", "old.rosenblatt", "rows.csv", asked)
        assert code != 0
        assert out == ""
        assert err.count("\n") == 1
        assert "the model has no probabilities: an older version" in err


def test_predict_gives_probabilities_and_sets_in_every_form(capfd):
    model = train("iris", model="perceptron")
    save(model, "m.rosenblatt")
    code, out, err = run(capfd, "predict", "m.rosenblatt", "iris", "--probabilities", "--sets", "90%")
    assert code == 0
    lines = list(csv.DictReader(out.splitlines()))
    shares, sets = model.predict_proba("iris"), model.sets("iris", 0.9)
    for c, name in enumerate(model.classes.names):
        assert [float(line[f"probability {name}"]) for line in lines] == shares[:, c].tolist()
    assert [line["set"].split("|") if line["set"] else [] for line in lines] == sets
    assert "their coverage is measured and not guaranteed" in err
    empty, single = sum(not each for each in sets), sum(len(each) == 1 for each in sets)
    assert f"sets: {empty} empty, {single} single, {150 - empty - single} larger" in err
    code, out, _ = run(capfd, "predict", "m.rosenblatt", "iris", "--sets", "90%", "--to", "jsonl")
    assert [json.loads(line)["set"] for line in out.splitlines()] == sets


def test_a_threshold_is_a_score_or_a_probability(capfd):
    model = train("breast-cancer", model="perceptron")
    save(model, "m.rosenblatt")
    shares = model.predict_proba("breast-cancer")[:, 1]
    _, out, _ = run(capfd, "predict", "m.rosenblatt", "breast-cancer", "--threshold", "90%")
    assert [line == "malignant" for line in out.splitlines()[1:]] == (shares > 0.9).tolist()
    _, out, _ = run(capfd, "predict", "m.rosenblatt", "breast-cancer", "--threshold", "25")
    assert [line == "malignant" for line in out.splitlines()[1:]] == (model.scores("breast-cancer") > 25).tolist()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--threshold", "much"], "--threshold is a score such as 0.5 or a probability such as 70%; got 'much'."),
        (["--threshold", "nan"], "threshold must be a number, or inf or -inf; got nan."),
        (["--threshold", "170%"], "a probability is from 0% to 100%; got 170.0000%."),
        (["--sets", "100%"], "coverage must be a share from 50% to 99.9%; got 1.0."),
        (["--sets", "some"], "a share is written as 0.1% or 0.001; got 'some'."),
    ],
)
def test_bad_shares_end_in_one_line(words, line, capfd):
    save(train("breast-cancer", model="perceptron", passes=1), "m.rosenblatt")
    code, out, err = run(capfd, "predict", "m.rosenblatt", "breast-cancer", "--out", "o.csv", *words)
    assert code != 0
    assert line in err
    assert err.count("\n") == 1
    assert out == ""
    assert not Path("o.csv").exists()


def test_a_threshold_of_many_classes_is_refused(capfd):
    model = train("iris", model="perceptron", passes=1)
    with pytest.raises(SettingError, match=r"a threshold is for two classes; these are 3\. Leave it out"):
        model.with_threshold(1.0)


def test_a_small_class_is_in_every_set_and_predict_says_so(capfd):
    table = read("iris")
    few = table.take(np.r_[0:50, 50:100, 100:110])
    model = train(few, model="perceptron", passes=2)
    assert all("virginica" in each for each in model.sets(few))
    ranks = model.decision.calibration.ranks
    assert ranks.promised(0.95, model.classes.names)[1:] == [
        f"class 'virginica' is in every set: {ranks.rows[2]} calibration rows are too few to tell by"
    ]


def test_a_new_class_has_no_calibration_and_new_rows_no_guarantee():
    iris = read("iris")
    model = train(iris.take(np.arange(100)), model="perceptron", passes=2)
    assert update(model, iris.take(np.arange(60))).predict_proba(iris).shape == (150, 2)
    with pytest.raises(DataError, match="no probabilities"):
        update(model, iris).predict_proba(iris)


def test_explain_has_probabilities_beside_scores(capfd):
    model = train("mail", model="naive-bayes")
    save(model, "m.rosenblatt")
    _, out, _ = run(capfd, "explain", "m.rosenblatt", "--text", "win a prize", "--json")
    found = json.loads(out)
    assert found["calibrated"]["spam"] == pytest.approx(model.predict_proba(["win a prize"])[0, 1])
    assert found["probabilities"]["spam"] != pytest.approx(found["calibrated"]["spam"])  # its own posterior
    _, out, _ = run(capfd, "explain", "m.rosenblatt", "--text", "win a prize")
    assert "probability (naive Bayes' own posterior is above)" in out


def test_scikit_learns_calibration_works_on_the_perceptron_and_naive_bayes_keeps_its_posterior():
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.datasets import load_breast_cancer
    from sklearn.preprocessing import scale

    X, y = load_breast_cancer(return_X_y=True)
    X = scale(X)
    assert not hasattr(Perceptron(), "predict_proba")
    for method in ("sigmoid", "isotonic"):
        found = CalibratedClassifierCV(Perceptron(random_state=0), method=method, cv=3).fit(X[::2], y[::2])
        shares = found.predict_proba(X[1::2])
        assert shares.sum(axis=1) == pytest.approx(1)
        assert np.mean(shares.argmax(axis=1) == y[1::2]) > 0.93
    counts = (X > 0).astype(int)
    posterior = NaiveBayes().fit(counts, y).predict_proba(counts)
    joint = NaiveBayes().fit(counts, y)
    assert posterior == pytest.approx(np.exp(joint.predict_log_proba(counts)))
