"""Rows held out for calibration, other things to choose by, lines between two classes, and fitting to all rows."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import balanced_accuracy_score, f1_score, log_loss, roc_auc_score

from rosenblatt import cli, load, save, train
from rosenblatt.data import read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.decide import Decision
from rosenblatt.model.ranking import Ranking
from rosenblatt.pipeline import Goal, train_with_evidence
from rosenblatt.pipeline.calibrated import by_rows
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.merit import merit
from rosenblatt.report.html import page
from rosenblatt.report.terminal import terminal_report


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(capfd, *arguments):
    with pytest.raises(SystemExit) as end:
        cli.main(list(arguments))
    out, err = capfd.readouterr()
    return end.value.code, out, err


class TestHeldOut:
    @pytest.mark.parametrize("name", ["breast-cancer", "digits"])
    def test_rows_are_held_out_and_the_output_says_what_is_guaranteed(self, name, capfd):
        model, evidence = train_with_evidence(name, model="perceptron", config={"split": {"calibration": 0.2}})
        split = model.card["split"]
        assert sum(split[part] for part in ("train", "validation", "calibration", "test")) == model.card["rows"]
        assert split["calibration"] == pytest.approx(0.16 * model.card["rows"], rel=0.05)
        assert model.card["calibration"]["by"] == "rows held out"
        assert "(guaranteed)" in terminal_report(model, evidence)
        save(model, "m.rosenblatt")
        assert load("m.rosenblatt").decision.calibration.ranks.held_out
        _, _, err = run(capfd, "predict", "m.rosenblatt", name, "--sets", "95%", "--out", "o.csv")
        assert "guaranteed by rows held out: each class is in at least 95% of the sets of its rows" in err

    def test_the_model_never_saw_them(self):
        table = read("breast-cancer")
        model = train(table, model="perceptron", passes=2, config={"split": {"calibration": 0.25}})
        found = model.evaluate(table)
        split = model.card["split"]
        assert found.training_rows == split["train"] + split["validation"]

    @pytest.mark.parametrize("name", ["breast-cancer", "digits"])
    def test_probabilities_do_not_depend_on_the_unit_of_the_scores(self, name):
        """Scores have none. MNIST with units has scores of some thousands: of one split the slope began where every
        probability is 0 or 1, stayed there, and a 95% set held every class."""
        held = read(name)
        model = train(held, model="perceptron", passes=4, weights="averaged", config={"split": {"calibration": 0.2}})
        wanted = by_rows(model, held)[0].predict_proba(held)
        for size in (1e-3, 1e5):
            other = replace(model, learner=replace(model.learner, weights=model.learner.weights * size))
            assert np.allclose(by_rows(other, held)[0].predict_proba(held), wanted, rtol=1e-4, atol=1e-7)

    def test_nor_does_a_choice_by_log_loss(self):
        draw = np.random.default_rng(0)
        truth = draw.integers(0, 3, 500)
        scores = np.eye(3)[truth] + draw.normal(size=(500, 3))
        found = [merit(size * scores, truth, Decision(), Choices(choose_by="log-loss")) for size in (1.0, 1e-4, 1e6)]
        assert np.allclose(found, found[0], rtol=1e-6)
        assert found[0] > 0.4  # by chance 1/3

    def test_a_class_without_calibration_rows_is_refused(self):
        iris = read("iris")
        few = iris.take(np.r_[0:50, 50:100, 100:102])
        with pytest.raises(DataError, match=r"calibration 0.1 leaves no row of class 'virginica' to calibrate"):
            train(few, config={"split": {"calibration": 0.1}})

    @pytest.mark.parametrize("share", [0.0, 0.6, "some"])
    def test_other_shares_are_refused(self, share):
        with pytest.raises(SettingError, match="calibration must be"):
            train("iris", config={"split": {"calibration": share}})

    def test_none_makes_no_probabilities(self):
        model = train("iris", model="perceptron", passes=1, config={"split": {"calibration": "none"}})
        assert "calibration" not in model.card
        with pytest.raises(DataError, match="no probabilities"):
            model.predict_proba("iris")


class TestMerits:
    scores = np.array([-2.0, -1.0, -0.5, 0.2, 0.4, 1.0, 3.0, -0.1])
    truth = np.array([0, 0, 1, 0, 1, 1, 1, 0])

    def by(self, name, **more):
        return merit(self.scores, self.truth, Decision(), Choices(choose_by=name, **more))

    def test_they_are_those_of_scikit_learn(self):
        predicted = (self.scores > 0).astype(int)
        assert self.by("accuracy") == np.mean(predicted == self.truth)
        assert self.by("balanced-accuracy") == pytest.approx(balanced_accuracy_score(self.truth, predicted))
        assert self.by("f1") == pytest.approx(f1_score(self.truth, predicted))
        assert self.by("auc") == pytest.approx(roc_auc_score(self.truth, self.scores))

    def test_the_log_loss_is_that_of_calibrated_scores(self):
        from rosenblatt.learn.calibration import learn_calibration

        shares = learn_calibration(self.scores, self.truth).probabilities(self.scores)
        assert -np.log(self.by("log-loss")) == pytest.approx(log_loss(self.truth, shares))

    def test_costs_are_compared_at_the_line_that_suits_them(self):
        # Above 0.3 there are three of the four, and no false alarm: one miss of 1 in at most 4 · 5.
        assert self.by("accuracy", costs=(5.0, 1.0)) == pytest.approx(1 - 1 / 20)
        assert self.by("f1", costs=(5.0, 1.0)) == self.by("f1")

    @pytest.mark.parametrize("by", ["balanced-accuracy", "f1", "auc", "log-loss"])
    def test_a_training_is_chosen_by_each(self, by, capfd):
        model, evidence = train_with_evidence("breast-cancer", choose_by=by)
        assert model.card["choice"]["by"] == by
        assert model.card["config"]["search"]["choose_by"] == by
        assert model.card["test"]["accuracy"] > 0.9
        assert "accuracy  " not in terminal_report(model, evidence).split("tried on")[1].split("test ")[0]

    def test_costs_of_a_goal_enter_the_choice(self):
        goal = Goal("malignant", cost_false_positive=1.0, cost_false_negative=20.0)
        assert train("breast-cancer", goal=goal, model="perceptron").card["choice"]["by"] == "cost"
        plain = train("breast-cancer", goal=Goal("malignant"), model="perceptron")
        assert "by" not in plain.card["choice"]

    @pytest.mark.parametrize("by", ["f1", "auc"])
    def test_a_metric_of_two_classes_is_refused_for_three(self, by, capfd):
        code, _, err = run(capfd, "train", "iris", "--choose-by", by)
        assert code != 0
        assert err.strip().endswith(
            f"choose_by {by} is for two classes; these are 3. Choose by one of accuracy, balanced-accuracy, log-loss."
        )

    def test_an_unknown_metric_and_costs_below_0_are_refused(self):
        with pytest.raises(SettingError, match=r"choose_by must be one of accuracy, .*; got 'beauty'"):
            train("iris", choose_by="beauty")
        with pytest.raises(SettingError, match="cost_false_positive must be 0 or more; got -1"):
            train("breast-cancer", goal=Goal("benign", cost_false_positive=-1))


class TestLines:
    def test_every_line_gives_what_it_says(self):
        rng = np.random.default_rng(0)
        scores, truth = rng.integers(-5, 6, 60).astype(float), rng.integers(0, 2, 60)
        found = Ranking.of(scores, truth)
        for line, hits, alarms in zip(found.lines, found.hits, found.alarms, strict=True):
            assert hits == np.sum((scores > line) & (truth == 1))
            assert alarms == np.sum((scores > line) & (truth == 0))
        for threshold in (-9.0, -5.0, -4.9, 0.0, 0.3, 4.9, 5.0, 9.0):
            assert found.hits[found.at(threshold)] == np.sum((scores > threshold) & (truth == 1))

    def test_the_report_shows_both_curves_and_a_table_by_rows_out_of_fold(self):
        goal = Goal("malignant", max_false_positives=0.01)
        model, evidence = train_with_evidence("breast-cancer", goal=goal, model="perceptron")
        assert evidence.ranking.positives + evidence.ranking.others == model.card["calibration"]["rows"]
        shown = page(model, evidence)
        assert "<h2>Thresholds</h2>" in shown
        assert "ROC curve" in shown
        assert "← the model" in shown
        many, seen = train_with_evidence("iris", model="perceptron", passes=1)
        assert "<h2>Thresholds</h2>" not in page(many, seen)


class TestAllRows:
    def test_the_choice_is_fitted_to_all_rows_and_the_test_is_that_of_the_model_before(self):
        table = read("breast-cancer")
        before = train(table, model="perceptron")
        model, evidence = train_with_evidence(table, model="perceptron", fit_all=True)
        assert model.card["test"] == before.card["test"]
        assert model.card["choice"] == before.card["choice"]
        assert model.card["fit_all"] == table.n_rows
        assert "the test result is that of the model before" in terminal_report(model, evidence)
        assert not np.array_equal(model.learner.weights, before.learner.weights)
        found = model.evaluate(table)
        assert found.training_rows == table.n_rows  # so nothing of it is called a test
        assert found.fresh.n == 0
        assert np.mean(np.abs(model.predict_proba(table) - before.predict_proba(table))) < 0.02

    def test_its_line_moves_with_its_scores(self):
        goal = Goal("malignant", max_false_positives=0.05)
        before = train("breast-cancer", model="perceptron", goal=goal)
        model = train("breast-cancer", model="perceptron", goal=goal, fit_all=True)
        assert model.decision.threshold != before.decision.threshold
        assert np.mean(model.codes("breast-cancer") == before.codes("breast-cancer")) > 0.97

    def test_at_the_command_line_and_again_by_its_config(self, capfd):
        assert run(capfd, "train", "iris", "--fit-all", "--model", "naive-bayes", "--quiet")[0] == 0
        model = load("iris.rosenblatt")
        assert model.card["config"]["search"]["fit_all"] is True
        _, out, _ = run(capfd, "evaluate", "iris.rosenblatt", "iris", "--json")
        assert json.loads(out)["training_rows"] == 150

    def test_test_rows_given_apart_are_refused(self):
        iris = read("iris")
        with pytest.raises(SettingError, match=r"fit_all is for a test part of the data\. Put the test rows into the"):
            train(iris, test=iris, fit_all=True)


def test_a_class_of_three_rows_trains_and_is_in_every_set():
    rng = np.random.default_rng(2)
    kinds = ["a"] * 60 + ["b"] * 60 + ["c"] * 3
    table = pa.table({"x": rng.normal(size=123) + np.repeat([0, 3, 9], [60, 60, 3]), "label": kinds})
    model = train(table, model="perceptron")
    assert all("c" in each for each in model.sets({"x": [0.0, 3.0]}))


@pytest.mark.parametrize("positive", ["benign", "malignant"])
def test_evaluate_tells_of_either_class(positive, capfd):
    table = read("breast-cancer")
    model = train(table, **{"model": "perceptron", "passes": 2, "margin": 1.0})
    save(model, "m.rosenblatt")
    _, out, _ = run(capfd, "evaluate", "m.rosenblatt", "breast-cancer", "--positive", positive, "--json")
    found = json.loads(out)["positive"]
    truth, said = np.array(table.labels.to_pylist()) == positive, np.array(model.predict(table)) == positive
    assert found["f1"] == pytest.approx(f1_score(truth, said))
    assert found["false_positives"] == pytest.approx(np.mean(said[~truth]))
    sign = 1 if positive == "malignant" else -1
    assert found["auc"] == pytest.approx(roc_auc_score(truth, sign * model.scores(table)))
    _, out, _ = run(capfd, "evaluate", "m.rosenblatt", "breast-cancer", "--positive", positive)
    assert f"{positive}: {found['precision']:.1%} precision" in out


def test_evaluate_refuses_a_positive_class_that_there_is_not(capfd):
    save(train("iris", model="perceptron", passes=2, margin=1.0), "m.rosenblatt")
    code, _, err = run(capfd, "evaluate", "m.rosenblatt", "iris", "--positive", "setosa")
    assert code != 0
    assert len(err.splitlines()) == 1
    assert "positive is for two classes; these are 3" in err
