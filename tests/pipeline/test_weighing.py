"""Costs and weights of classes: they weigh the rows of every fit, and candidates are compared by them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rosenblatt import Perceptron, load, save, train
from rosenblatt.data import read, spooled
from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.decide import Decision
from rosenblatt.pipeline import Choices, Goal, train_with_evidence
from rosenblatt.pipeline.merit import merit
from rosenblatt.pipeline.update import update
from rosenblatt.pipeline.weighing import Weighing, amounts_again, weighing_of
from rosenblatt.report.html import page
from rosenblatt.report.terminal import terminal_report
from rosenblatt.store import to_bytes
from rosenblatt.traces.replay import verify

DEAR = Goal("malignant", cost_false_positive=1, cost_false_negative=10)
ONE = {"model": "perceptron", "passes": 3, "margin": 1.0}
WEIGHED = {"search": {"class_weights": {"virginica": 3.0}}}


@pytest.fixture(scope="module")
def dear():
    return train_with_evidence("breast-cancer", goal=DEAR, record=True, **ONE)


@pytest.fixture(scope="module")
def counted():
    return train("iris", model="naive-bayes", config=WEIGHED)


class TestWeights:
    truth = np.array([0, 0, 0, 1])

    def test_they_are_1_in_the_mean(self):
        assert Weighing((1.0, 5.0)).amounts(self.truth, 2).tolist() == [0.5, 0.5, 0.5, 2.5]
        assert Weighing("balanced").amounts(self.truth, 2).tolist() == pytest.approx([2 / 3] * 3 + [2.0])
        assert Weighing().amounts(self.truth, 2) is None

    def test_costs_that_are_equal_or_0_weigh_nothing(self):
        assert not weighing_of(None, (2.0, 2.0), ("a", "b"))
        assert not weighing_of(None, (0.0, 2.0), ("a", "b"))
        assert weighing_of(None, (2.0, 1.0), ("a", "b")) == Weighing((2.0, 1.0), costs=True)

    def test_a_class_that_is_not_named_counts_1(self):
        assert weighing_of({"b": 4}, None, ("a", "b", "c")).weights == (1.0, 4.0, 1.0)

    def test_balanced_accuracy_is_the_accuracy_of_balanced_weights(self):
        scores, truth = np.array([-1.0, 1.0, -2.0, -3.0, 2.0]), np.array([0, 0, 0, 1, 1])
        by = {
            name: merit(scores, truth, Decision(), Choices(choose_by=name, weighing=weighing))
            for name, weighing in (("accuracy", Weighing("balanced")), ("balanced-accuracy", Weighing()))
        }
        assert by["accuracy"] == pytest.approx(by["balanced-accuracy"])


class TestFit:
    def test_it_is_that_of_the_estimator_with_these_weights(self, dear):
        model, _ = dear
        table = read("breast-cancer").take(np.flatnonzero(model.record.training.part))
        codes, weights = model.classes.encode(table), model.card["choice"]["class_weights"]
        assert weights[1] == pytest.approx(10 * weights[0])
        assert np.mean(np.array(weights)[codes]) == pytest.approx(1)
        rows = model.plan.encode(table)
        margin = model.card["choice"]["threshold"]
        own = Perceptron(margin=margin, max_iter=3, tol=None, class_weight=dict(enumerate(weights)), random_state=0)
        own.fit(np.asarray(rows.rows.values), codes)
        assert np.array_equal(np.append(own.coef_[0], own.intercept_[0]), model.learner.weights)

    def test_candidates_are_fitted_so_in_every_fold(self):
        plain = train_with_evidence("breast-cancer", goal=Goal("malignant"), **ONE)[1]
        dear = train_with_evidence("breast-cancer", goal=DEAR, **ONE)[1]
        assert dear.trials[0].name == plain.trials[0].name
        assert dear.ranking.area != plain.ranking.area

    def test_a_record_is_verified_also_from_its_file(self, dear, tmp_path):
        save(dear[0], tmp_path / "m.rosenblatt")
        again = load(tmp_path / "m.rosenblatt")
        verify(again, read("breast-cancer"))
        assert np.array_equal(again.record.training.recording.amounts, dear[0].record.training.recording.amounts)
        counts = again.record.training.counts[::-1].copy()
        other = replace(again, record=replace(again.record, training=replace(again.record.training, counts=counts)))
        with pytest.raises(DataError):
            verify(other, read("breast-cancer"))

    def test_learning_more_goes_on_with_the_weights(self, dear):
        some = read("breast-cancer").take(range(60))
        model = replace(dear[0], record=None)
        heavy = update(model, some)
        choice = {name: value for name, value in model.card["choice"].items() if name != "class_weights"}
        light = update(replace(model, card={**model.card, "choice": choice}), some)
        assert not np.array_equal(heavy.learner.weights, light.learner.weights)
        assert amounts_again(model.card["choice"], np.array([0, 1])).tolist() == model.card["choice"]["class_weights"]
        with pytest.raises(DataError, match="1 class weights, fewer than its classes"):
            amounts_again({**model.card["choice"], "class_weights": [1.0]}, np.array([0, 1]))

    @pytest.mark.parametrize("more", [{"rule": "arow"}, {"rule": "pa1"}, {"weights": "voted"}])
    def test_every_rule_takes_them(self, more, tmp_path):
        config = {"search": {"class_weights": {"malignant": 8.0}}, "split": {"calibration": "none"}}
        settings = {"model": "perceptron", "passes": 2, **more}
        heavy, plain = (
            train("breast-cancer", config=each, **settings) for each in (config, {"split": config["split"]})
        )
        found = [each.card["test"]["per_class"]["malignant"]["recall"] for each in (heavy, plain)]
        assert found[0] >= found[1]
        save(heavy, tmp_path / "m.rosenblatt")
        rows = read("breast-cancer")
        assert np.array_equal(load(tmp_path / "m.rosenblatt").scores(rows), heavy.scores(rows))
        assert not np.array_equal(heavy.scores(rows), plain.scores(rows))

    def test_a_kernel_takes_them(self):
        config = {"search": {"kernel": "poly", "degree": 2, "class_weights": "balanced"}}
        model = train("iris", model="kernel", passes=3, margin=0.3, config=config)
        assert model.card["choice"]["by"] == "weighted-accuracy"
        assert model.card["choice"]["class_weights"] == pytest.approx([1, 1, 1])

    def test_out_of_core_and_on_threads_it_is_the_same_model(self, tmp_path, monkeypatch):
        monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
        monkeypatch.setattr(spooled, "BLOCK", 1 << 14)
        rng = np.random.default_rng(0)
        rows = rng.random((2000, 30))
        lines = [f"{'yes' if row[:2].sum() > 1.4 else 'no'}," + ",".join(f"{x:.4f}" for x in row) for row in rows]
        (tmp_path / "d.csv").write_text("\n".join([",".join(["label", *(f"c{j}" for j in range(30))]), *lines]))
        config = {"goal": {"positive": "yes", "cost_false_positive": 7.0}, "split": {"calibration": "none"}}
        made = [
            train_with_evidence(str(tmp_path / "d.csv"), config=config, shards=2, memory=memory, jobs=jobs, **ONE)
            for memory, jobs in ((None, 1), ("400kB", 2))
        ]
        assert [seen.disk is not None for _, seen in made] == [False, True]
        assert to_bytes(made[0][0]) == to_bytes(made[1][0])


class TestNaiveBayes:
    def test_weights_of_classes_are_factors_of_their_priors(self, counted, tmp_path):
        learner = counted.learner
        wanted = learner.counts.rows * np.array([1.0, 1.0, 3.0])
        assert np.exp(learner.log_priors) == pytest.approx(wanted / wanted.sum())
        save(counted, tmp_path / "m.rosenblatt")
        again = load(tmp_path / "m.rosenblatt")
        assert np.array_equal(again.scores(read("iris")), counted.scores(read("iris")))
        assert counted.learner.facts(counted.plan)["priors"] == {"weights": [1.0, 1.0, 3.0]}

    def test_costs_leave_it_to_the_line(self):
        made = train("breast-cancer", goal=DEAR, model="naive-bayes", k=1.0)
        assert made.learner.priors is None
        assert "class_weights" not in made.card["choice"]
        assert made.card["choice"]["by"] == "cost"

    def test_balanced_weights_are_uniform_priors(self):
        made = train("iris", model="naive-bayes", config={"search": {"class_weights": "balanced"}})
        assert made.learner.priors == "uniform"

    def test_a_class_without_a_weight_is_no_update(self, counted, tmp_path):
        path = tmp_path / "new.csv"
        names = [line.column for line in counted.plan.lines]
        path.write_text(",".join([*names, "label"]) + "\n1,2,3,4,other\n")
        with pytest.raises(SettingError, match=r"class 'other' is new, and the others have weights\. Train again"):
            update(counted, read(path))


class TestLine:
    def test_it_is_drawn_by_rows_out_of_fold(self, dear):
        model, evidence = dear
        goal, ranking = model.card["goal"], evidence.ranking
        assert goal["by"] == "folds"
        costs = ranking.costs(1, 10)
        at = ranking.at(goal["threshold"])
        assert costs[at] == costs.min()
        assert goal["validation"]["recall"] == pytest.approx(ranking.recall[at])
        assert model.card["calibration"]["right"] == ranking.hits[at] + ranking.others - ranking.alarms[at]
        assert "out of fold" in terminal_report(model, evidence)
        assert "The line was drawn by rows out of fold." in page(model, evidence)

    @pytest.mark.parametrize(("held", "by"), [(0.2, "rows held out"), ("none", "validation")])
    def test_or_by_others_where_there_are_none(self, held, by):
        model = train("breast-cancer", goal=DEAR, config={"split": {"calibration": held}}, **ONE)
        assert model.card["goal"]["by"] == by

    def test_validation_rows_given_apart_decide_alone(self):
        table = read("breast-cancer")
        parts = [table.take(range(start, table.n_rows, 3)) for start in range(3)]
        model = train(parts[0], validation=parts[1], test=parts[2], goal=DEAR, **ONE)
        assert model.card["goal"]["by"] == "validation"


class TestSaid:
    def test_card_and_report_say_what_a_row_counts(self, dear):
        model, evidence = dear
        benign, malignant = model.card["choice"]["class_weights"]
        said = f"a row counts by its class: benign {benign:.3g}, malignant {malignant:.3g}"
        assert said in terminal_report(model, evidence)
        assert said in page(model, evidence)

    @pytest.mark.parametrize(
        ("search", "said"),
        [
            ({"class_weights": {"viginica": 2.0}}, "'viginica', which is no class. Did you mean 'virginica'?"),
            ({"class_weights": {"virginica": 0}}, "class_weights.virginica must be a number above 0; got 0"),
            ({"class_weights": {"virginica": -1}}, "class_weights.virginica must be a number from 0 to inf; got -1"),
            ({"class_weights": 5}, "search.class_weights must be a table of names"),
            ({"class_weights": "balanced", "priors": "uniform"}, "factors of P(y), as priors are"),
        ],
    )
    def test_weights_that_cannot_be_are_refused(self, search, said):
        with pytest.raises(SettingError) as error:
            train("iris", config={"search": search})
        assert said in str(error.value)

    def test_so_are_weights_beside_costs(self):
        with pytest.raises(SettingError, match="Give costs or class_weights, not both"):
            train("breast-cancer", goal=DEAR, config={"search": {"class_weights": "balanced"}})
