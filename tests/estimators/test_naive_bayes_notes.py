"""The worked numbers of the notes, section 8."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt.estimators.naive_bayes import NaiveBayes
from rosenblatt.reference import naive_bayes as reference

BALLS = [["red"], ["red"], ["blue"]]


def chance(model: NaiveBayes, value: object, y: object) -> float:
    return model.tables()["column 0"].loc[value, y]


def test_three_balls_give_two_thirds_with_likelihood_four_27ths():
    theta = chance(NaiveBayes(k=0).fit(BALLS, ["ball"] * 3), "red", "ball")
    assert theta == pytest.approx(2 / 3, rel=1e-15)
    assert theta**2 * (1 - theta) == pytest.approx(4 / 27, rel=1e-15)
    nearby = np.linspace(0, 1, 1001)
    assert (nearby**2 * (1 - nearby)).max() <= theta**2 * (1 - theta)
    assert reference.smoothed(2, 3, 2, Fraction(0)) == Fraction(2, 3)


def test_seven_heads_of_ten_give_seven_tenths():
    model = NaiveBayes(k=0).fit([[1]] * 7 + [[0]] * 3, ["coin"] * 10)
    assert chance(model, 1, "coin") == pytest.approx(0.7, rel=1e-15)
    assert reference.smoothed(7, 10, 2, Fraction(0)) == Fraction(7, 10)


def test_smoothing_goes_from_maximum_likelihood_to_uniform_without_a_refit():
    model = NaiveBayes(k=0).fit(BALLS, ["ball"] * 3)
    for k, red in ((0, 2 / 3), (1, 3 / 5), (100, 102 / 203), (math.inf, 1 / 2), (1e308, 1 / 2), (5e-324, 2 / 3)):
        assert chance(model.set_params(k=k), "red", "ball") == pytest.approx(red, rel=1e-14)


MAIL = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 0, 1]])  # minute, free, meeting
KIND = ["spam", "spam", "spam", "ham", "ham"]


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, lambda X: X.tolist()])
def test_minute_seen_only_in_spam_makes_ham_impossible_until_smoothed(form):
    mail, model = form(np.array([[1, 0, 1]])), NaiveBayes(k=0).fit(form(MAIL), KIND)
    assert model.predict_proba(mail).tolist() == [[0, 1]]
    assert model.predict_log_proba(mail)[0, 0] == -math.inf
    assert 0 < model.set_params(k=1).predict_proba(mail)[0, 0] < 1


def counterexample():
    """Class a: 10 rows, the two words in 0 and 6; b: 2 rows, in 0 and 2; c has the first word, but not the others."""
    X = [[0, 1, 1]] * 6 + [[0, 0, 1]] * 4 + [[0, 1, 1]] * 2 + [[1, 0, 0]]
    return np.array(X), ["a"] * 10 + ["b"] * 2 + ["c"]


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, lambda X: X.astype(str).tolist()])
def test_where_every_class_is_impossible_the_limit_of_small_k_decides(form):
    X, y = counterexample()
    model = NaiveBayes(k=0).fit(form(X), y)
    row = form(np.array([[1, 1, 1]]))
    assert model.predict(row).tolist() == ["b"]
    # a : b = (10/n)(6/10)(1/10) : (2/n)(2/2)(1/2) = 0.6 : 1; c has two factors of zero
    np.testing.assert_allclose(model.predict_proba(row), [[0.375, 0.625, 0]], rtol=1e-14)
    np.testing.assert_allclose(model.set_params(k=1e-9).predict_proba(row), [[0.375, 0.625, 0]], rtol=1e-6, atol=1e-6)


def test_words_of_the_limit_count_each_time():
    X, y = np.array([[3, 0, 1], [1, 0, 0], [0, 2, 2]]), ["a", "a", "b"]
    model = NaiveBayes(k=0, features="counts").fit(X, y)
    row = [[2, 1, 0]]  # a lacks the second word once, b the first twice: a has fewer factors of zero
    assert model.predict_proba(row).tolist() == [[1, 0]]


def test_a_feature_never_observed_with_a_class_gives_one_over_its_values():
    X = [["x", "u"], ["y", "u"], [None, "u"], [None, "v"]]
    model = NaiveBayes(k=0).fit(X, ["a", "a", "b", "b"])
    np.testing.assert_allclose(model.predict_proba([["x", "u"]]), [[2 / 3, 1 / 3]], rtol=1e-15)


def test_size_is_4n_plus_2_beside_2_to_the_n_plus_1():
    for n in (1, 3, 10):
        X = np.vstack([np.zeros(n, int), np.ones(n, int)])
        tables = NaiveBayes().fit(X, [0, 1]).tables()
        assert (tables.size, tables.joint_size) == (4 * n + 2, 2 ** (n + 1))
    mixed = NaiveBayes().fit([["a", 0], ["b", 1], ["c", 1]], [1, 2, 3]).tables()
    assert (mixed.size, mixed.joint_size) == (3 + 3 * (3 + 2), 3 * 3 * 2)
    assert str(mixed) == "2 tables with 18 entries; the full joint table would have 18."
    many = NaiveBayes().fit(np.eye(200, dtype=int), [0, 1] * 100).tables()
    assert str(many) == "200 tables with 802 entries; the full joint table would have about 2^201."


def test_tables_hold_probabilities_of_every_kind_of_column():
    X = [["a", 1, 0.5], ["b", 0, 1.5], ["a", 0, None], ["b", 1, 2.5]]
    tables = NaiveBayes(k=1).fit(X, ["x", "x", "y", "y"]).tables()
    assert len(tables) == 3
    for name in tables:
        np.testing.assert_allclose(tables[name].sum(axis=0), 1, rtol=1e-14)
    assert tables.priors.to_numpy().tolist() == [[0.5, 0.5]]
    words = NaiveBayes(features="counts").fit([[1, 2], [0, 5]], [0, 1]).tables()
    np.testing.assert_allclose(words["words"].to_numpy(), [[2 / 5, 1 / 7], [3 / 5, 6 / 7]], rtol=1e-14)


def test_the_lowest_k_wins_a_tie_and_every_accuracy_is_kept():
    X, y = counterexample()
    model = NaiveBayes().fit(X, y)
    grid = [math.inf, 1, 0, 0.01]
    model.tune(X, y, grid)
    shares = {k: NaiveBayes(k=k).fit(X, y).score(X, y) for k in grid}
    assert dict(zip(*(part.tolist() for part in model.tuning_), strict=True)) == shares
    assert model.k == reference.best_strength(shares)
    assert sum(share == max(shares.values()) for share in shares.values()) > 1, "the example must hold a tie"


def test_priors_are_relative_counts_or_uniform_or_given():
    X, y = [["u"], ["u"], ["v"]], ["a", "a", "b"]
    model = NaiveBayes(k=math.inf).fit(X, y)
    for priors, first in ((None, 2 / 3), ("uniform", 0.5), ([0.9, 0.1], 0.9), ({"b": 1.0, "a": 0.0}, 0.0)):
        assert model.set_params(priors=priors).predict_proba([["u"]])[0, 0] == pytest.approx(first, abs=1e-15)
    assert model.set_params(k=0).predict_proba([["u"]]).tolist() == [[0, 1]], "a prior of 0 stays 0 in the limit"
