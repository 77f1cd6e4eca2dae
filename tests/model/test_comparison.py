"""Two models on the same rows: the exact test, the interval, the rows that differ and those that either knows."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import cli, compare, save, train
from rosenblatt.data import read
from rosenblatt.errors import SettingError
from rosenblatt.model.comparison import differences
from rosenblatt.model.statistics import mcnemar, paired_interval
from rosenblatt.pipeline.operating import Goal


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 1), (1, 9), (5, 5), (11, 3), (40, 60)])
def test_the_p_value_is_the_share_of_divisions_as_uneven(first, second):
    total = first + second
    exact = Fraction(2 * sum(comb(total, i) for i in range(min(first, second) + 1)), 2**total)
    assert mcnemar(first, second) == pytest.approx(float(min(1, exact)), rel=1e-12)


def test_the_p_value_of_very_many_rows_is_still_a_number():
    assert mcnemar(100_000, 100_000) == 1.0
    assert 0 < mcnemar(49_000, 51_000) < 1e-9


def test_the_interval_is_that_of_bonett_and_price():
    # 21 children before and after a transplant: 1 changed one way, 7 the other (Bentur et al. 2009)
    assert paired_interval(7, 1, 21) == pytest.approx((-0.508, -0.013), abs=5e-4)
    assert paired_interval(0, 0, 0) == (-1.0, 1.0)
    assert paired_interval(1, 7, 21) == tuple(-bound for bound in reversed(paired_interval(7, 1, 21)))


def test_the_interval_covers_the_true_difference_in_95_of_100_samples():
    drawn = np.random.default_rng(3).multinomial(200, [0.1, 0.04, 0.86], 4_000)
    bounds = np.array([paired_interval(int(a), int(b), 200) for a, b, _ in drawn])
    assert 0.94 < np.mean((bounds[:, 0] <= -0.06) & (bounds[:, 1] >= -0.06)) < 0.97


@pytest.fixture(scope="module")
def models():
    return train("iris", model="perceptron"), train("iris", model="naive-bayes", seed=2)


def test_what_is_counted_is_what_the_two_predict(models):
    a, b = models
    table = read("iris")
    found = compare(a, b, table)
    first, second, truth = np.array(a.predict(table)), np.array(b.predict(table)), np.array(table.labels.to_pylist())
    assert found.differ.tolist() == np.flatnonzero(first != second).tolist()
    assert found.only_a == np.sum((first == truth) & (second != truth))
    assert found.only_b == np.sum((second == truth) & (first != truth))
    assert found.difference == pytest.approx(b.evaluate(table).accuracy - a.evaluate(table).accuracy)
    assert found.p_value == mcnemar(found.only_a, found.only_b)
    assert found.interval[0] <= found.difference <= found.interval[1]


def test_rows_that_either_was_trained_on_are_told_apart(models):
    found = compare(*models, read("iris"))
    known = found.known_to_either
    assert known.sum() > max(found.a.training_rows, found.b.training_rows)
    new = ~known
    rows, only_a, only_b = found.fresh
    assert rows == new.sum() > 0
    right = [codes == found.truth for codes in found.predicted]
    assert (only_a, only_b) == (np.sum(right[0] & ~right[1] & new), np.sum(right[1] & ~right[0] & new))


def test_classes_in_another_order_are_the_same_classes():
    text = "x,y,label\n" + "".join(f"{i % 7},{i},{'ham' if i < 30 else 'spam'}\n" for i in range(60))
    Path("two.csv").write_text(text)
    a, b = (train("two.csv", goal=Goal(positive=name)) for name in ("ham", "spam"))
    assert a.classes.names == tuple(reversed(b.classes.names))
    found = compare(a, b, "two.csv")
    assert found.a.accuracy == np.mean(found.predicted[0] == found.truth)
    assert found.b.accuracy == np.mean(found.predicted[1] == found.truth)


def test_models_of_other_classes_are_refused_in_one_line(models):
    other = train("wine", model="naive-bayes")
    with pytest.raises(SettingError, match="only the first knows setosa, versicolor, virginica"):
        compare(models[0], other, "iris")


def test_cards_differ_in_what_was_set_and_found(models):
    found = {each.what: (each.a, each.b) for each in differences(models[0].card, models[1].card)}
    assert found["choice.model"] == ("perceptron", "naive-bayes")
    assert found["split.seed"] == (0, 2)
    assert "source" not in found
    assert differences(models[0].card, models[0].card) == []


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    return end.value.code


def test_the_command_gives_the_comparison_as_lines_and_as_json(models, capfd):
    save(models[0], "a.rosenblatt")
    save(models[1], "b.rosenblatt")
    assert run("evaluate", "a.rosenblatt", "b.rosenblatt", "iris", "--json") == 0
    found, same = json.loads(capfd.readouterr().out), compare(*models, "iris")
    assert found["p_value"] == same.p_value
    assert [each["row"] - 1 for each in found["differ"]] == same.differ.tolist()
    assert found["fresh"]["rows"] == same.fresh[0]
    assert run("evaluate", "a.rosenblatt", "b.rosenblatt", "iris") == 0
    shown = capfd.readouterr().out
    assert f"on {len(same.differ)} row" in shown
    assert f"on the {same.fresh[0]} rows new to both" in shown
    assert "choice.name" in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["a.rosenblatt", "w.rosenblatt", "iris"], 1, "the models tell different classes apart"),
        (["a.rosenblatt", "a.rosenblatt", "a.rosenblatt", "iris"], 2, "one model or two"),
        (["a.rosenblatt", "none.rosenblatt", "iris"], 1, "none.rosenblatt: no such file"),
        (["a.rosenblatt", "iris.csv"], 1, "iris.csv: no such file"),
    ],
)
def test_wrong_usage_is_one_line(models, capfd, arguments, code, line):
    save(models[0], "a.rosenblatt")
    save(train("wine", model="naive-bayes"), "w.rosenblatt")
    assert run("evaluate", *arguments) == code
    assert line in capfd.readouterr().err
