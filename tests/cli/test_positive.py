"""`--positive`: of two classes the one that scores, thresholds and false alarms are about, whichever is the second."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from rosenblatt import cli, load, save, train


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("positive")
    for name, more in (("a", {"record": True}), ("b", {"model": "naive-bayes", "k": 1.0})):
        settings = {"model": "perceptron", "passes": 3, "margin": 1.0} if name == "a" else {}
        save(train("breast-cancer", **settings, **more), folder / f"{name}.rosenblatt")
    save(train("iris", model="perceptron", passes=1, margin=1.0), folder / "iris.rosenblatt")
    return folder


@pytest.fixture
def run(capfd, models):
    def said(command, *files, expect=0):
        with pytest.raises(SystemExit) as end:
            cli.main([command, *(str(models / f) if f.endswith(".rosenblatt") else f for f in files)])
        out, err = capfd.readouterr()
        assert (end.value.code or 0) == expect, err
        return out if expect == 0 else err

    return said


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


class TestPredict:
    def test_scores_and_threshold_point_to_it(self, run):
        told = [
            rows_of(run("predict", "a.rosenblatt", "breast-cancer", "--scores", "--positive", name))
            for name in ("benign", "malignant")
        ]
        for mine, other in zip(*told, strict=True):
            assert mine["prediction"] == other["prediction"]
            assert float(mine["score benign"]) == -float(other["score malignant"])
            assert (float(mine["score benign"]) >= float(mine["threshold"])) == (mine["prediction"] == "benign")

    @pytest.mark.parametrize("line", ["90%", "12.5"])
    def test_a_threshold_is_a_bound_for_it(self, run, models, line):
        model = load(models / "a.rosenblatt")
        told = rows_of(run("predict", "a.rosenblatt", "breast-cancer", "--positive", "benign", "--threshold", line))
        if line.endswith("%"):
            sure = model.predict_proba("breast-cancer")[:, 0] >= 0.9
        else:
            sure = -model.scores("breast-cancer") >= 12.5
        assert [row["prediction"] == "benign" for row in told] == sure.tolist()


class TestExplain:
    @pytest.mark.parametrize("file", ["a.rosenblatt", "b.rosenblatt"])
    def test_every_part_has_the_opposite_sign(self, run, file):
        plain, turned = (
            json.loads(run("explain", file, "breast-cancer", "--row", "4", "--json", "--positive", name))
            for name in ("malignant", "benign")
        )
        assert turned["predicted"] == plain["predicted"]
        assert turned["scores"]["benign"] == -plain["scores"]["malignant"]
        own, others = turned["contributions"]["benign"], plain["contributions"]["malignant"]
        assert own == {name: -part for name, part in others.items()}
        if file.startswith("a"):
            assert [row["part"] for row in turned["behind"]] == [-row["part"] for row in plain["behind"]]

    def test_the_lines_say_towards_which_class(self, run):
        out = run("explain", "a.rosenblatt", "breast-cancer", "--row", "1", "--positive", "benign")
        assert out.startswith("predicted malignant: the score is below the threshold 0\n\nscore -")
        assert "towards benign" in out
        assert "training rows behind the score of benign" in out


def test_two_models_are_compared_for_it(run, models):
    out = run("evaluate", "a.rosenblatt", "b.rosenblatt", "breast-cancer", "--positive", "benign")
    assert [line[:9] for line in out.splitlines()[-2:]] == ["A  benign", "B  benign"]
    values = json.loads(
        run("evaluate", "a.rosenblatt", "b.rosenblatt", "breast-cancer", "--positive", "benign", "--json")
    )
    found = load(models / "b.rosenblatt").evaluate("breast-cancer")
    assert values["positive"]["class"] == "benign"
    assert values["positive"]["B"]["recall"] == pytest.approx(float(found.recall[0]))
    assert np.isclose(values["positive"]["B"]["false_positives"], found.confusion[1, 0] / found.rows[1])


@pytest.mark.parametrize("command", [("predict",), ("explain",), ("evaluate",)])
def test_a_class_that_is_not_there_is_refused_in_one_line(run, command):
    err = run(*command, "a.rosenblatt", "breast-cancer", "--positive", "bening", expect=1)
    assert err == "rosenblatt: positive must be one of the classes, benign and malignant; got 'bening'.\n"
    err = run(*command, "iris.rosenblatt", "iris", "--positive", "setosa", expect=1)
    assert err == "rosenblatt: positive is for two classes; these are 3. Leave it out.\n"
