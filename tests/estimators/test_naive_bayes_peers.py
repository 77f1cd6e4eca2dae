"""Beside scikit-learn: equal where both apply, and both sides shown where it fails."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, MultinomialNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt.estimators.naive_bayes import NaiveBayes

STRENGTHS = (1e-3, 0.5, 1.0, 30.0)


@pytest.fixture(scope="module")
def words():
    rng = np.random.default_rng(5)
    X = rng.poisson(rng.gamma(1, 1, 15), (400, 15))
    return X, rng.integers(0, 4, 400)


def furthest(ours, theirs, X, Z=None):
    return np.abs(ours.predict_log_proba(X) - theirs.predict_log_proba(X if Z is None else Z)).max()


@pytest.mark.parametrize("k", STRENGTHS)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, sp.csc_array, lambda X: X.astype(bool)])
def test_binary_features_equal_bernoulli(words, form, k):
    X, y = (words[0] > 1).astype(np.uint8), words[1]
    ours, theirs = NaiveBayes(k=k).fit(form(X), y), BernoulliNB(alpha=k).fit(X, y)
    assert furthest(ours, theirs, form(X), X) < 1e-10
    assert (ours.predict(form(X)) == theirs.predict(X)).all()


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_declared_binary_means_presence_as_in_bernoulli(words, form):
    X, y = words
    ours, theirs = NaiveBayes(features="binary").fit(form(X), y), BernoulliNB().fit(X, y)
    assert furthest(ours, theirs, form(X), X) < 1e-10


@pytest.mark.parametrize("k", STRENGTHS)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, lambda X: X / 2])
def test_counts_equal_multinomial(words, form, k):
    X, y = words
    ours = NaiveBayes(k=k, features="counts").fit(form(X), y)
    theirs = MultinomialNB(alpha=k).fit(form(X), y)
    assert furthest(ours, theirs, form(X)) < 1e-10


@pytest.mark.parametrize("k", STRENGTHS)
def test_categories_equal_categorical(k):
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 5, (300, 6)), rng.integers(0, 3, 300)
    assert furthest(NaiveBayes(k=k).fit(X, y), CategoricalNB(alpha=k).fit(X, y), X) < 1e-10


def test_weights_and_priors_equal_bernoulli(words):
    X, y = (words[0] > 1).astype(np.uint8), words[1]
    weights, priors = np.random.default_rng(0).random(len(y)), [0.1, 0.2, 0.3, 0.4]
    ours = NaiveBayes(priors=priors).fit(X, y, sample_weight=weights)
    theirs = BernoulliNB(class_prior=priors).fit(X, y, sample_weight=weights)
    assert furthest(ours, theirs, X) < 1e-10
    assert ours.counts_.cells.dtype == np.float64


def test_k_zero_where_bernoulli_gives_nan():
    X, y = np.array([[1, 0], [1, 1], [1, 0]]), np.array([0, 0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = BernoulliNB(alpha=0, force_alpha=True).fit(X, y).predict_proba(X)
    assert np.isnan(theirs).any()
    assert NaiveBayes(k=0).fit(X, y).predict_proba([[1, 0], [1, 1]]).tolist() == [[0.5, 0.5], [1, 0]]


def test_k_infinite_or_huge_where_bernoulli_refuses_or_gives_nan():
    X, y = np.array([[1, 0], [0, 1], [1, 0]]), np.array([0, 0, 1])
    with pytest.raises(ValueError, match="alpha"):
        BernoulliNB(alpha=math.inf).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = BernoulliNB(alpha=1e308).fit(X, y).predict_proba(X)
    assert np.isnan(theirs).any()
    for k in (math.inf, 1e308, 1.7e308):
        np.testing.assert_allclose(NaiveBayes(k=k).fit(X, y).predict_proba(X), [[2 / 3, 1 / 3]] * 3, rtol=1e-15)


def test_unseen_category_where_categorical_raises():
    X, y = np.array([[0, 2], [1, 3], [1, 2]]), np.array([0, 1, 1])
    with pytest.raises(IndexError):
        CategoricalNB().fit(X, y).predict([[9, 2]])
    ours = NaiveBayes().fit(X, y)
    one = NaiveBayes().fit(X[:, 1:], y)
    np.testing.assert_allclose(ours.predict_proba([[9, 2]]), one.predict_proba([[2]]), rtol=1e-14)


def test_strings_where_categorical_raises():
    X, y = [["sun", "hot"], ["rain", "cold"], ["sun", "cold"]], ["out", "in", "out"]
    with pytest.raises(ValueError, match="sun"):
        CategoricalNB().fit(X, y)
    assert NaiveBayes().fit(X, y).predict([["rain", "cold"]]).tolist() == ["in"]


def test_missing_values_where_bernoulli_raises():
    X, y = np.array([[1, np.nan], [0, 1], [1, 0], [0, 1]]), np.array([0, 0, 1, 1])
    with pytest.raises(ValueError, match="NaN"):
        BernoulliNB().fit(X, y)
    ours = NaiveBayes().fit(X, y)
    left = (1 / 2) * (1 + 1) / (2 + 2) * (1 + 1) / (1 + 2)  # the second column was present once in class 0
    right = (1 / 2) * (1 + 1) / (2 + 2) * (1 + 1) / (2 + 2)
    np.testing.assert_allclose(ours.predict_proba([[1, 1]])[0, 0], left / (left + right), rtol=1e-14)


def test_a_word_never_seen_is_left_out_where_bernoulli_lets_it_decide():
    X, y = np.array([[1, 0], [1, 0], [1, 0], [0, 0]]), np.array([0, 0, 0, 1])
    new, old = [[1, 1]], [[1]]
    ours = NaiveBayes().fit(X, y).predict_proba(new)
    np.testing.assert_allclose(ours, NaiveBayes().fit(X[:, :1], y).predict_proba(old), rtol=1e-14)
    assert abs(BernoulliNB().fit(X, y).predict_proba(new) - ours).max() > 0.05


EXCEPTIONS = {
    "check_dataframe_column_names_consistency": (
        "columns are matched by name: another order is accepted, and columns that the model does not know are ignored"
    ),
}


@parametrize_with_checks([NaiveBayes()], expected_failed_checks=lambda _: EXCEPTIONS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
