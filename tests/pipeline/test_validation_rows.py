"""Validation rows that are given apart alone decide; ties, bias and pocket of a search; accuracy of each pass and k."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

from rosenblatt import Perceptron, cli, load, train
from rosenblatt.data import read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.report.facts import split_fact
from rosenblatt.report.html import page
from rosenblatt.store import to_bytes


@pytest.fixture(scope="module")
def parts():
    """The breast cancer data in three tables that have nothing to do with our splits."""
    table = read("breast-cancer")
    order = np.random.default_rng(0).permutation(table.n_rows)
    return [table.take(np.sort(rows)) for rows in (order[:300], order[300:430], order[430:])]


STRAIGHT = {"features": {"knots": 0}}


def encoded(model, table):
    return np.asarray(model.plan.encode(table).rows.values), model.classes.encode(table)


@pytest.fixture(scope="module")
def trained(parts):
    rows, judges, test = parts
    return train_with_evidence(
        rows, validation=judges, test=test, model="perceptron", weights="final", curves=True, config=STRAIGHT
    )


def test_the_given_rows_alone_decide_and_nothing_is_held_out_or_learned_from_them(parts, trained):
    rows, judges, _ = parts
    model, evidence = trained
    card = model.card
    assert (card["split"]["train"], card["split"]["validation"], card["split"]["test"]) == (300, 130, 0)
    assert "cv" not in card["choice"]
    assert card["validation"]["rows"] == 130
    choice, (X, y), (X_val, y_val) = card["choice"], encoded(model, rows), encoded(model, judges)
    again = Perceptron(
        weights="final", margin=choice["threshold"], max_iter=card["proof"]["passes"], tol=None, random_state=0
    ).fit(X, y)
    assert np.append(again.coef_, again.intercept_).tolist() == model.learner.weights.tolist()
    best = max(trial.accuracy for trial in evidence.trials)
    assert card["validation"]["accuracy"] == best == pytest.approx(np.mean(again.predict(X_val) == y_val))


def test_other_labels_of_these_rows_change_the_choice_and_never_what_is_learned(parts):
    rows, judges, test = parts
    flipped = ["benign" if name == "malignant" else "malignant" for name in judges.labels.to_pylist()]
    wrong = replace(judges, labels=pa.chunked_array([pa.array(flipped)]))
    one, other = (train(rows, validation=each, test=test, model="naive-bayes") for each in (judges, wrong))
    assert one.card["validation"]["accuracy"] > 0.9
    assert other.card["validation"]["accuracy"] < 0.2
    assert one.card["choice"]["k"] != other.card["choice"]["k"]
    assert np.array_equal(one.learner.counts.cells, other.learner.counts.cells)
    assert int(one.learner.counts.rows.sum()) == 300


def test_without_a_test_file_a_fifth_of_the_rows_is_the_test_and_none_is_for_validation(parts):
    rows, judges, _ = parts
    model = train(rows, validation=judges, model="naive-bayes", k=1)
    split = model.card["split"]
    assert split["train"] + split["test"] == 300
    assert split["test"] == pytest.approx(60, abs=2)
    assert split["validation"] == 130
    assert "validation 130 given apart" in " ".join(split_fact(model.card).parts)


def test_copies_of_other_rows_among_them_are_told():
    model = train("iris", validation="iris", model="perceptron", passes=2)
    notes = model.card["notes"]
    assert [note for note in notes if re.match(r"1\d\d of the 150 validation rows are copies of training rows", note)]
    assert [note for note in notes if re.match(r"3\d of the 150 validation rows are copies of test rows", note)]


def test_a_goal_is_met_on_the_given_rows(parts):
    rows, judges, test = parts
    config = {"goal": {"positive": "malignant", "max_false_positives": 0.0}}
    model = train(rows, validation=judges, test=test, config=config, model="perceptron", passes=4)
    goal = model.card["goal"]
    assert goal["validation"]["false_positives"] == 0
    predicted, truth = np.array(model.predict(judges)), np.array(judges.labels.to_pylist())
    assert not ((predicted == "malignant") & (truth == "benign")).any()
    assert goal["validation"]["recall"] == pytest.approx(np.mean(predicted[truth == "malignant"] == "malignant"))


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for name, count in (("rows.csv", 60), ("judges.csv", 30), ("test.csv", 30)):
        x = rng.normal(size=(count, 2))
        lines = [f"{a:.6f},{b:.6f},{'yes' if a > b else 'no'}" for a, b in x]
        (tmp_path / name).write_text("\n".join(["a,b,label", *lines, ""]))
    (tmp_path / "odd.csv").write_text("a,b,label\n1,2,maybe\n")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(cli.commands, list(arguments))


def test_the_command_takes_them_and_the_config_keeps_them(files):
    done = run("train", "rows.csv", "--validation", "judges.csv", "--test", "test.csv", "--report", "r.html")
    assert done.exit_code == 0
    assert "train 60 · validation 30 given apart (judges.csv)" in done.output
    written = (files / "rows.rosenblatt").read_bytes()
    (files / "again.toml").write_text(run("inspect", "rows.rosenblatt", "--config").output)
    assert 'validation = "judges.csv"' in (files / "again.toml").read_text()
    assert run("train", "rows.csv", "--config", "again.toml", "--quiet").exit_code == 0
    assert (files / "rows.rosenblatt").read_bytes() == written
    python = train("rows.csv", validation="judges.csv", test="test.csv")
    assert to_bytes(python) == written
    assert to_bytes(train("rows.csv", validation="judges.csv", test="test.csv", memory="20KB")) == written
    assert "Accuracy for each" in (files / "r.html").read_text()


def test_a_file_that_cannot_judge_is_refused_in_one_line(files):
    with pytest.raises(DataError, match=r"odd\.csv.*maybe.*not one of the training labels"):
        train("rows.csv", validation="odd.csv")
    with pytest.raises(DataError, match="no such file"):
        train("rows.csv", validation="nowhere.csv")
    lost = run("train", "rows.csv", "--validation", "judges.csv", "--out", "judges.csv")
    assert (lost.exit_code, "would write over --validation" in lost.output) == (2, True)


def test_a_checkpoint_knows_which_rows_decide(files):
    def stop(progress):
        if progress.tried:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_with_evidence("rows.csv", validation="judges.csv", checkpoint="kept", watch=stop)
    with pytest.raises((DataError, SettingError), match="validation rows"):
        train("rows.csv", validation="test.csv", checkpoint="kept", resume=True)
    resumed = train("rows.csv", validation="judges.csv", checkpoint="kept", resume=True)
    assert to_bytes(resumed) == to_bytes(train("rows.csv", validation="judges.csv"))


# Ties, bias and pocket


def test_ties_bias_and_pocket_are_settings_of_the_search(parts, tmp_path):
    rows, judges, test = parts
    asked = {"model": "perceptron", "weights": "pocket", "ties": "positive", "bias": False, "passes": 3}
    config = {"search": asked, **STRAIGHT}
    model, evidence = train_with_evidence(rows, validation=judges, test=test, config=config, curves=True)
    choice = model.card["choice"]
    assert re.fullmatch(r"pocket perceptron, (margin \S+, )?ties positive, no bias, 3 passes", choice["name"])
    (X, y), (X_val, y_val) = encoded(model, rows), encoded(model, judges)
    plain = Perceptron(
        weights="pocket", ties="positive", fit_intercept=False, margin=choice["threshold"], max_iter=3, tol=None,
        random_state=0,
    ).fit(X, y)  # fmt: skip
    assert model.learner.weights.tolist() == [*plain.coef_[0].tolist(), 0.0]
    assert model.decision.ties == "positive"
    assert model.card["validation"]["accuracy"] == pytest.approx(plain.score(X_val, y_val))
    assert evidence.curve.points[-1][1:] == pytest.approx((plain.score(X, y), plain.score(X_val, y_val)))
    file = tmp_path / "m.rosenblatt"
    file.write_bytes(to_bytes(model))
    assert load(file).codes(test).tolist() == model.codes(test).tolist()
    assert load(file).decision == model.decision


def test_a_score_of_0_goes_where_ties_says():
    sizes = np.arange(1.0, 21.0) / 8
    rows = {"a": [*sizes, *-sizes], "label": ["p"] * 20 + ["n"] * 20}
    for ties, name in (("mistake", "n"), ("positive", "p"), ("negative", "n")):
        model = train(
            rows, label="label", model="perceptron", ties=ties, bias=False, config={"features": {"scale": False}}
        )
        assert model.learner.weights[-1] == 0
        assert model.predict([{"a": 0.0}]) == [name]


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"weights": "best"}, "weights must be one of averaged, final, pocket, voted; got 'best'"),
        ({"ties": "first"}, "ties must be one of mistake, positive, negative; got 'first'"),
        ({"weights": "pocket", "record": True}, "record is for final and averaged weights with a bias"),
        ({"weights": "voted", "record": True}, "record is for final and averaged weights with a bias"),
        ({"model": "naive-bayes", "bias": False}, "bias is a setting of model perceptron"),
        ({"model": "naive-bayes", "passes": 1}, "passes is a setting of model perceptron"),
        ({"weights": "pocket", "shards": 2}, "follows a single sequence of weights"),
        ({"weights": "voted", "shards": 2}, "follows a single sequence of weights"),
    ],
)
def test_what_does_not_go_together_is_refused(settings, line):
    with pytest.raises(SettingError, match=re.escape(line)):
        train("iris", **settings)


def test_an_update_of_a_model_without_bias_gives_it_none(files):
    from rosenblatt.pipeline.update import update

    model = train("rows.csv", model="perceptron", bias=False)
    assert update(model, model.read("judges.csv")).learner.weights[-1] == 0


# Accuracy of each pass and each k


def test_the_curve_has_every_pass_on_training_and_validation_rows(parts, trained):
    rows, judges, _ = parts
    model, evidence = trained
    curve, choice = evidence.curve, model.card["choice"]
    (X, y), (X_val, y_val) = encoded(model, rows), encoded(model, judges)
    assert (curve.over, curve.chosen) == ("pass", choice["passes"])
    assert [value for value, *_ in curve.points] == list(range(1, len(curve.points) + 1))
    for passes in (1, 3, 8):
        fitted = Perceptron(weights="final", margin=choice["threshold"], max_iter=passes, tol=None, random_state=0).fit(
            X, y
        )
        assert curve.points[passes - 1] == pytest.approx((passes, fitted.score(X, y), fitted.score(X_val, y_val)))
        assert curve.losses[passes - 1] == pytest.approx((1 - fitted.score(X, y), fitted.loss(X, y)))
    assert re.search(r"<th[^>]*>perceptron loss</th>", page(model, evidence))
    assert curve.points[int(curve.chosen) - 1][2] == pytest.approx(model.card["validation"]["accuracy"])


def test_the_curve_has_every_k_on_training_and_validation_rows():
    table = read("mail")
    rows, judges = table.take(np.arange(0, 64, 2)), table.take(np.arange(1, 64, 2))
    model, evidence = train_with_evidence(
        rows, validation=judges, test=judges, model="naive-bayes", counting="presence", k=math.inf, curves=True
    )
    curve = evidence.curve
    assert (curve.over, curve.chosen) == ("k", math.inf)
    X, X_val = (model.learner.rows(model.plan, part) for part in (rows, judges))
    for k, on_train, on_validation in curve.points:
        each = replace(model.learner, k=k)
        for cells, part, share in ((X, rows, on_train), (X_val, judges, on_validation)):
            right = model.decision.decide(each.scores(cells)) == model.classes.encode(part)
            assert share == pytest.approx(right.mean())
    shown = page(model, evidence)
    assert "Accuracy for each k" in shown
    assert "With k = ∞, learned from the training rows alone" in shown
    assert len(re.findall(r"<circle", shown.partition("Accuracy for each k")[2].partition("</svg>")[0])) == 2 * 9 + 1


def test_who_asks_for_no_report_pays_for_no_curve():
    _, evidence = train_with_evidence("iris", model="naive-bayes")
    assert evidence.curve is None
