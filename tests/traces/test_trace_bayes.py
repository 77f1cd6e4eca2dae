"""Naive Bayes shows its working on one row: the counts and products of the notes, and of the plain reference."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from rosenblatt import NaiveBayes, cli, estimator, save, train
from rosenblatt.data import read
from rosenblatt.errors import SettingError
from rosenblatt.features import Classes, Wishes, split_rows
from rosenblatt.features.contents import Contents
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.reference import naive_bayes as reference
from rosenblatt.traces.bayes import trace_row

WORDS = ["minute", "free", "meeting"]
MAIL = [dict(zip(WORDS, row, strict=True)) for row in ([1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 0, 1])]
KIND = ["spam", "spam", "spam", "ham", "ham"]


def mail_model(k):
    pd = pytest.importorskip("pandas")
    return NaiveBayes(k=k).fit(pd.DataFrame(MAIL), KIND)


def test_minute_makes_ham_impossible_and_smoothing_mends_it():
    row = {"minute": 1, "free": 0, "meeting": 1}
    assert str(trace_row(mail_model(0), row)).splitlines() == [
        "             ham        spam",
        "P(y)         2/5 = 0.4  3/5 = 0.6",
        "minute = 1   0/2 = 0    2/3 = 0.666667",
        "meeting = 1  1/2 = 0.5  2/3 = 0.666667",
        "free = 0     1/2 = 0.5  1/3 = 0.333333",
        "product      0          0.0888889",
        "P(y | row)   0          1",
    ]
    shown = trace_row(mail_model(1), row).to_markdown().splitlines()
    assert shown[:2] == ["|  | ham | spam |", "|---|---|---|"]
    assert shown[3] == "| minute = 1 | (0 + 1)/(2 + 1·2) = 0.25 | (2 + 1)/(3 + 1·2) = 0.6 |"
    assert shown[-2:] == ["| product | 0.025 | 0.0864 |", "| P(y \\| row) | 0.224417 | 0.775583 |"]


def test_where_every_class_is_impossible_the_limit_is_shown():
    X = [[0, 1, 1]] * 6 + [[0, 0, 1]] * 4 + [[0, 1, 1]] * 2 + [[1, 0, 0]]
    found = trace_row(NaiveBayes(k=0).fit(X, ["a"] * 10 + ["b"] * 2 + ["c"]), [1, 1, 1])
    assert found.predicted == "b"
    assert found.cells()[-3:] == [
        ("product", "0", "0", "0"),
        ("product as k → 0", "0.0461538·k", "0.0769231·k", "0.0769231·k^2"),
        ("P(y | row)", "0.375", "0.625", "0"),
    ]


@given(
    st.lists(st.tuples(st.sampled_from("uvw"), st.integers(0, 1), st.sampled_from("ab")), min_size=4, max_size=12),
    st.sampled_from([0, 1, Fraction(1, 2), 7, math.inf]),
    st.tuples(st.sampled_from("uvwx"), st.integers(0, 1)),
)
def test_products_equal_the_reference_and_the_model(table, k, row):
    rows, labels = [list(line[:2]) for line in table], [line[2] for line in table]
    model = NaiveBayes(k=float(k), features=["categorical", "binary"]).fit(rows, labels)
    found = trace_row(model, list(row))
    learned = reference.learn(rows, labels, [None, 2])
    expected = reference.posterior(learned, row, k if k == math.inf else Fraction(k), Fraction(1))
    assert found.posterior == pytest.approx([float(expected[y]) for y in found.classes], rel=1e-12, abs=1e-15)
    assert found.posterior == pytest.approx(model.predict_proba([list(row)])[0], rel=1e-12, abs=1e-15)
    assert found.predicted == model.predict([list(row)])[0]


def test_words_count_as_often_as_they_occur_and_what_is_unknown_is_left_out():
    words = NaiveBayes(features="counts").fit([[3, 0, 1, 0], [0, 2, 2, 0]], ["sport", "politics"])
    found = trace_row(words, [2, 1, 0, 5])
    assert found.cells()[2] == ("column 0 = 2", "[(0 + 1)/(4 + 1·4)]^2 = 0.015625", "[(3 + 1)/(4 + 1·4)]^2 = 0.25")
    assert found.posterior == pytest.approx(words.predict_proba([[2, 1, 0, 5]])[0], rel=1e-12)
    assert str(found).endswith("left out, for no class ever had the value or it is missing: column 3")
    days = NaiveBayes().fit([["sun", 1], ["rain", None], ["sun", 0]], ["out", "in", "out"])
    assert trace_row(days, ["snow", None]).left_out == ("column 1", "column 0")


def test_long_rows_say_what_they_sum_up_and_never_underflow():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (20, 3000)), np.arange(20) % 2
    model = NaiveBayes().fit(X, y)
    found = trace_row(model, X[0])
    assert len(found.cells()) == 34
    assert found.cells()[31][0] == "2971 more factors"
    assert found.cells()[32][1].startswith("e^-")
    assert found.posterior == pytest.approx(model.predict_proba(X[:1])[0], rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: trace_row(NaiveBayes(), [1]), "a fitted NaiveBayes can show its working"),
        (lambda: trace_row(NaiveBayes().fit([[0], [1]], [0, 1]), [[0], [1]]), "explain takes one row; got 2"),
    ],
)
def test_bad_input_is_one_clear_line(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# What explain shows


def test_explain_of_estimator_model_and_command_ends_with_the_products_and_what_they_come_to(tmp_path):
    config = {"search": {"model": "naive-bayes", "counting": "presence", "k": 0.5}}
    model = train("mail", config=config, drop=["subject", "sender"])
    assert model.card["choice"]["name"] == "naive Bayes of presence, k = 0.5"
    text = "a minute of free time"
    why = model.explain([text])
    own = estimator(model).explain(model.plan.encode(model.table([text])))
    assert why.factors.shown() == own.factors.shown()
    assert str(why).endswith(why.factors.shown())
    assert str(own).endswith(own.factors.shown())
    save(model, tmp_path / "m.rosenblatt")
    asked = ["explain", str(tmp_path / "m.rosenblatt"), "--text", text]
    shown = CliRunner().invoke(cli.commands, [*asked, "--features", "4"]).output
    assert f"\n{why.factors.shown(4)}\n" in shown
    plain = json.loads(CliRunner().invoke(cli.commands, [*asked, "--json"]).output)
    assert plain["probabilities"] == pytest.approx(why.probabilities)
    products = plain["products"]
    factors = math.prod(each["probability"]["ham"] for each in products["factors"])
    ham = math.log(products["prior"]["ham"] * factors) + products["absent"]["log"]["ham"]
    assert ham == pytest.approx(products["log_product"]["ham"], rel=1e-12)
    both = np.array([products["log_product"][kind] for kind in ("ham", "spam")])
    assert plain["probabilities"]["spam"] == pytest.approx(1 / (1 + math.exp(both[0] - both[1])), rel=1e-9)


def test_the_filter_asked_for_is_the_one_of_the_notes_counted_by_hand():
    config = {"search": {"model": "naive-bayes", "counting": "presence", "k": 1}}
    model, evidence = train_with_evidence("mail", config=config, drop=["subject", "sender"])
    assert [trial.name for trial in evidence.trials] == ["naive Bayes of presence, k = 1"]
    counted = train_with_evidence("mail", model="naive-bayes", counting="counts", k=1, drop=["subject", "sender"])[1]
    assert [trial.name for trial in counted.trials] == ["naive Bayes of counts, k = 1"]
    table = read("mail")
    wishes = Wishes(drop=["subject", "sender"])
    codes = Classes.learn(table).encode(table)
    parts = split_rows(table, codes, seed=0, contents=Contents.of(table, wishes, None))
    kept = table.take(np.sort(np.concatenate([parts.train, parts.validation])))
    kinds = np.array(kept.labels.to_pylist())
    cells = model.learner.counts
    names = model.plan.names
    for word in ("free", "money", "minute"):
        has = np.array([word in re.findall(r"[\w']+", text.lower()) for text in kept.columns["text"].to_pylist()])
        assert cells.cells[names.index(word)].tolist() == [
            int((has & (kinds == kind)).sum()) for kind in ("ham", "spam")
        ]
    with pytest.raises(SettingError, match="counting is about words"):
        train("iris", model="naive-bayes", counting="presence")


def test_a_zero_and_an_impossible_class_are_shown_as_such():
    model = mail_model(0)
    why = model.explain({"minute": 1, "free": 0, "meeting": 1})
    assert why.probabilities == {"ham": 0.0, "spam": 1.0}
    assert why.decision == math.inf
    lines = why.factors.shown().splitlines()
    assert lines[2].split() == ["minute", "=", "1", "0/2", "=", "0", "2/3", "=", "0.666667"]
    assert lines[5].split() == ["product", "0", "0.0888889"]
    assert why.factors.to_dict()["zero_factors"] == {"ham": 1.0, "spam": 0.0}


def test_smoothed_priors_are_written_as_they_come_about():
    model = mail_model(1).set_params(priors="smoothed")
    prior = model.explain({"minute": 1, "free": 0, "meeting": 1}).factors.cells()[1]
    assert prior == ("P(y)", "(2 + 1)/(5 + 1·2) = 0.428571", "(3 + 1)/(5 + 1·2) = 0.571429")


def test_of_many_classes_the_likeliest_are_shown_and_the_rest_is_summed():
    X, y = load_digits(return_X_y=True)
    model = NaiveBayes(features="binary").fit(X, y)
    why = model.explain(X[0])
    shown = why.factors.shown(5).splitlines()
    assert len(shown[0].split()) == 5
    assert max(map(len, shown)) <= 100
    assert re.fullmatch(r"5 other classes: P\(y \| row\) = \S+ together", shown[-1])
    assert why.probabilities[0] == pytest.approx(model.predict_proba(X[:1])[0, 0])
