"""Sample weights find their way through scikit-learn's metadata routing: fit, partial_fit and score."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from rosenblatt import KernelPerceptron, NaiveBayes, Perceptron

rng = np.random.default_rng(0)
X = rng.integers(-4, 5, (60, 3)).astype(float)
y = (X @ [1, -2, 1] + rng.integers(-3, 4, 60) > 0).astype(int)
WEIGHTS = rng.integers(0, 4, 60).astype(float)
MODELS = [Perceptron(random_state=0, max_iter=5), NaiveBayes(), KernelPerceptron(random_state=0, max_iter=3)]
FOLDS = [(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))]
name = lambda model: type(model).__name__  # noqa: E731


@pytest.fixture(autouse=True)
def _routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_weights_reach_fit_and_score_in_cross_validation(model):
    asked = sklearn.clone(model).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    found = cross_validate(asked, X, y, cv=FOLDS, params={"sample_weight": WEIGHTS})["test_score"]
    wanted = [
        sklearn.clone(model).fit(X[a], y[a], sample_weight=WEIGHTS[a]).score(X[b], y[b], sample_weight=WEIGHTS[b])
        for a, b in FOLDS
    ]
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_weights_that_nobody_asked_for_are_refused(model):
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        cross_validate(sklearn.clone(model), X, y, cv=FOLDS, params={"sample_weight": WEIGHTS})


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_weights_reach_the_last_step_of_a_pipeline(model):
    asked = sklearn.clone(model).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    pipeline = make_pipeline(MaxAbsScaler(), asked).fit(X, y, sample_weight=WEIGHTS)
    scaled = MaxAbsScaler().fit_transform(X)
    alone = sklearn.clone(model).fit(scaled, y, sample_weight=WEIGHTS)
    np.testing.assert_array_equal(pipeline.predict(X), alone.predict(scaled))
    assert pipeline.score(X, y, sample_weight=WEIGHTS) == alone.score(scaled, y, sample_weight=WEIGHTS)


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_weights_reach_partial_fit(model):
    asked = sklearn.clone(model).set_partial_fit_request(sample_weight=True, classes=True)
    found = SelectFromModel(asked, importance_getter=lambda fitted: fitted.predict(X[:3])).partial_fit(
        X, y, sample_weight=WEIGHTS, classes=[0, 1]
    )
    alone = sklearn.clone(model).partial_fit(X, y, classes=[0, 1], sample_weight=WEIGHTS)
    np.testing.assert_array_equal(found.estimator_.predict(X), alone.predict(X))


def test_a_search_with_weights_finds_what_it_finds_by_hand():
    asked = Perceptron(random_state=0).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    grid = {"max_iter": [1, 3, 9]}
    found = GridSearchCV(asked, grid, cv=FOLDS).fit(X, y, sample_weight=WEIGHTS).cv_results_["mean_test_score"]
    for passes, score in zip(grid["max_iter"], found, strict=True):
        by_hand = [
            Perceptron(random_state=0, max_iter=passes)
            .fit(X[a], y[a], sample_weight=WEIGHTS[a])
            .score(X[b], y[b], sample_weight=WEIGHTS[b])
            for a, b in FOLDS
        ]
        assert score == pytest.approx(np.mean(by_hand), abs=1e-15)


def test_what_is_asked_for_survives_a_fit_and_a_clone():
    model = Perceptron(random_state=0).set_fit_request(sample_weight=True, coef_init=False).fit(X, y)
    for each in (model, sklearn.clone(model)):
        asked = each.get_metadata_routing().fit.requests
        assert asked["sample_weight"] is True
        assert asked["coef_init"] is False
