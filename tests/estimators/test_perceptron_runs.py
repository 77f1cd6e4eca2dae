"""How runs begin, go on, stop and are split: warm start, partial_fit, new classes, early stopping, shards, weights."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import Perceptron
from rosenblatt.learn import course
from rosenblatt.learn.bounds import length

VARIANTS = ("final", "averaged", "voted", "pocket")
NOT_A_REPETITION = "an update on a row of weight 2 is one update of twice the size, not the row visited twice"

NOT_A_LOSS = (
    "with weights of ten million to one on noise, the check wants 87% of the other classes' rows given to the heavy "
    "class; the rule stops learning from it once its rows are right, and does not minimise a weighted loss beyond that"
)


@parametrize_with_checks(
    [Perceptron(weights=variant, max_iter=50) for variant in VARIANTS],
    expected_failed_checks=lambda estimator: {
        "check_sample_weight_equivalence_on_dense_data": NOT_A_REPETITION,
        "check_sample_weight_equivalence_on_sparse_data": NOT_A_REPETITION,
        **({} if estimator.weights == "final" else {"check_class_weight_classifiers": NOT_A_LOSS}),
    },
)
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 12), st.booleans())
def test_dense_whole_numbers_give_scikit_learn_s_weights_after_each_number_of_passes(seed, passes, bias):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-5, 6, (30, 4)).astype(float), rng.integers(0, 2, 30)
    ours = Perceptron(weights="final", shuffle=False, tol=None, max_iter=passes, fit_intercept=bias).fit(X, y)
    if ours.n_iter_ < passes:
        passes = ours.n_iter_
    theirs = SklearnPerceptron(shuffle=False, tol=None, max_iter=passes, fit_intercept=bias).fit(X, y)
    assert np.array_equal(ours.coef_, theirs.coef_)
    assert np.array_equal(ours.intercept_, theirs.intercept_)


def table(n_classes=3, n=90, d=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(-9, 10, (n, d)).astype(float), rng.integers(0, n_classes, n)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("shuffle", [False, True])
def test_a_warm_start_equals_one_long_run(variant, n_classes, shuffle):
    X, y = table(n_classes)
    choice = dict(weights=variant, shuffle=shuffle, random_state=3, tol=None, record=True)
    long = Perceptron(max_iter=9, **choice).fit(X, y)
    parts = Perceptron(max_iter=3, warm_start=True, **choice).fit(X, y).fit(X, y).fit(X, y)
    assert np.array_equal(parts.coef_, long.coef_)
    assert np.array_equal(parts.decision_function(X), long.decision_function(X))
    assert np.array_equal(parts.mistakes_, long.mistakes_)
    assert (parts.n_iter_, parts.margin_bracket_) == (long.n_iter_, long.margin_bracket_)


@pytest.mark.parametrize("variant", VARIANTS)
def test_partial_fit_is_one_pass_more(variant):
    X, y = table()
    choice = dict(weights=variant, random_state=3, tol=None)
    whole = Perceptron(max_iter=4, **choice).fit(X, y)
    parts = Perceptron(**choice)
    for _ in range(4):
        parts.partial_fit(X, y)
    assert np.array_equal(parts.decision_function(X), whole.decision_function(X))
    assert (parts.n_iter_, parts.n_updates_) == (4, whole.n_updates_)


def test_a_warm_start_after_a_clean_pass_has_nothing_to_do():
    X, y = load_iris(return_X_y=True)
    model = Perceptron(warm_start=True, random_state=0).fit(X, y == 0)
    before = model.n_iter_, model.coef_.copy()
    model.fit(X, y == 0)
    assert model.stopped_ == "separated"
    assert (model.n_iter_, model.coef_.tolist()) == (before[0], before[1].tolist())


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_classes_grow_to_w_and_minus_w(variant):
    X, y = table(2)
    model = Perceptron(weights=variant, shuffle=False).partial_fit(X, y)
    w, final, seen = model.coef_[0].copy(), model.run_.weights[:-1], model.predict(X)
    model.partial_fit(np.zeros((1, 5)), [7], sample_weight=[1e-9])  # a row that moves nothing but the bias, by 1e-9
    assert model.classes_.tolist() == [0, 1, 7]
    if variant == "averaged":  # one row more was visited, with the weights as they were
        w = (90 * w + final) / 91
    if variant in ("final", "averaged"):
        assert np.allclose(model.coef_, [-w, w, 0 * w], rtol=1e-12)
    assert np.mean(model.predict(X) == seen) > 0.9


def test_strings_bools_and_integers_are_labels():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    by_name = Perceptron(random_state=0).fit(X, names)
    by_number = Perceptron(random_state=0).fit(X, y)
    assert np.array_equal(by_name.coef_, by_number.coef_)
    assert set(by_name.predict(X)) <= set(names)
    assert Perceptron(random_state=0).fit(X, y == 0).predict(X).dtype == bool
    assert Perceptron(random_state=0).fit(X, names.astype(object)).classes_.tolist() == sorted(set(names))


def test_record_keeps_updates_from_which_the_weights_can_be_rebuilt():
    X, y = table()
    model = Perceptron(weights="final", record=True, random_state=1, max_iter=5, tol=None).fit(X, y)
    weights = np.zeros((3, 6))
    f = np.hstack([X, np.ones((len(X), 1))])
    for note in model.mistakes_:
        weights[y[note["row"]]] += f[note["row"]]
        weights[note["predicted"]] -= f[note["row"]]
    assert np.array_equal(weights, np.hstack([model.coef_, model.intercept_[:, None]]))
    assert model.mistakes_.dtype.names == ("step", "pass", "row", "predicted")
    assert len(model.mistakes_) == model.n_updates_
    assert not hasattr(Perceptron().fit(X, y), "mistakes_")


def test_updates_within_the_margin_are_not_mistakes():
    X, y = table(2)
    plain = Perceptron(weights="final", random_state=0, max_iter=3, tol=None).fit(X, y)
    wide = Perceptron(weights="final", margin=50, random_state=0, max_iter=3, tol=None).fit(X, y)
    assert plain.n_updates_ == plain.n_mistakes_
    assert wide.n_updates_ > wide.n_mistakes_


def test_rows_of_weight_zero_are_not_visited():
    X, y = table()
    keep = np.arange(len(X)) % 3 > 0
    weighted = Perceptron(shuffle=False, max_iter=4).fit(X, y, sample_weight=keep.astype(float))
    alone = Perceptron(shuffle=False, max_iter=4).fit(X[keep], y[keep])
    assert np.array_equal(weighted.coef_, alone.coef_)
    assert weighted.radius_ == alone.radius_


def test_a_weight_scales_its_update():
    X, y = np.array([[1.0, 2.0], [3.0, -1.0]]), [0, 1]
    model = Perceptron(weights="final", shuffle=False, max_iter=1).fit(X, y, sample_weight=[0.5, 4])
    # Row 0 ties at 0, so w = −½(1, 2); row 1 then scores −½ − ½ = −1, so 4 (3, −1) is added.
    assert model.coef_.tolist() == [[-0.5 + 12, -1 - 4]]
    by_class = Perceptron(weights="final", shuffle=False, max_iter=1, class_weight={0: 0.5, 1: 4}).fit(X, y)
    assert np.array_equal(by_class.coef_, model.coef_)


def test_no_progress_stops_when_the_share_of_updates_stops_falling():
    X, y = table(n=200)
    model = Perceptron(weights="final", random_state=0, n_iter_no_change=4, tol=1e-3).fit(X, y)
    assert model.stopped_ == "no progress"
    shares = [updates / len(X) for updates, _ in model.run_.per_pass]
    assert min(shares[-4:]) >= min(shares[:-4]) - 4 * 1e-3
    assert len(shares) == model.n_iter_


@pytest.mark.parametrize("variant", VARIANTS)
def test_early_stopping_learns_from_the_rest_only(variant):
    X, y = load_digits(return_X_y=True)
    keep = y < 3
    X, y = X[keep], y[keep]
    model = Perceptron(
        weights=variant, early_stopping=True, random_state=0, margin=10**15, max_iter=30, n_iter_no_change=2
    )
    model.set_params(record=True).fit(X, y)
    assert model.stopped_ == "no progress"
    held = set(range(len(X))) - set(model.mistakes_["row"])
    per_class = np.bincount(y[sorted(held)])
    assert np.abs(per_class - 0.1 * np.bincount(y)).max() <= 1  # with so wide a margin every visited row is updated on
    if variant != "pocket":  # no weights survive a single row, so the pocket keeps the start
        assert model.score(X, y) > 0.9


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_threads_do_not_change_a_bit_and_shards_do(n_classes, form):
    X, y = table(n_classes, n=700)
    X = form(X)
    choice = dict(random_state=5, max_iter=4, tol=None)
    runs = [Perceptron(shards=4, n_jobs=jobs, **choice).fit(X, y) for jobs in (None, 2, 4, -1)]
    for run in runs[1:]:
        assert np.array_equal(run.coef_, runs[0].coef_)
    assert not np.array_equal(Perceptron(shards=1, **choice).fit(X, y).coef_, runs[0].coef_)


def test_mixing_is_the_mean_of_shards_that_start_alike():
    X, y = table(2, n=60)
    model = Perceptron(weights="final", shards=2, shuffle=False, max_iter=1).fit(X, y)
    halves = [
        Perceptron(weights="final", shuffle=False, max_iter=1).fit(X[part], y[part])
        for part in (slice(30), slice(30, 60))
    ]
    assert np.array_equal(model.coef_, sum(half.coef_ for half in halves) / 2)
    averaged = Perceptron(shards=2, shuffle=False, max_iter=1).fit(X, y)
    means = [Perceptron(shuffle=False, max_iter=1).fit(X[part], y[part]).coef_ for part in (slice(30), slice(30, 60))]
    assert np.allclose(averaged.coef_, sum(means) / 2, rtol=1e-12)


def test_a_permuted_copy_changes_no_bit(monkeypatch):
    for X in (table()[0], sparse.csr_array(table()[0]), sparse.csr_array((table()[0] > 0).astype(float))):
        y = table()[1]
        choice = dict(random_state=5, max_iter=6, tol=None, record=True, shards=2)
        index = Perceptron(**choice).fit(X, y)
        monkeypatch.setattr(course, "WORTH_COPYING", 0)
        copy = Perceptron(**choice).fit(X, y)
        monkeypatch.undo()
        assert np.array_equal(copy.coef_, index.coef_)
        assert np.array_equal(copy.mistakes_, index.mistakes_)


@pytest.mark.parametrize("variant", VARIANTS)
def test_models_pickle_and_clone(variant):
    X, y = table()
    model = Perceptron(weights=variant, random_state=0, record=True).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    assert np.array_equal(again.partial_fit(X, y).coef_, model.partial_fit(X, y).coef_)
    assert clone(model).get_params() == model.get_params()


def test_float32_stays_float32_and_bytes_become_float64():
    X, y = table()
    assert Perceptron().fit(X.astype(np.float32), y).coef_.dtype == np.float32
    assert Perceptron().fit(np.abs(X).astype(np.uint8), y).coef_.dtype == np.float64


def test_explanations_sum_to_the_score():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = Perceptron(weights="final", random_state=0).fit(X, y)
    why = model.explain(X.iloc[70])
    assert np.allclose(why.scores, model.decision_function(X.iloc[[70]])[0], rtol=1e-12)
    assert why.predicted == model.predict(X.iloc[[70]])[0]
    assert why.largest(1)[0][0] in X.columns
    whole = Perceptron(weights="final", shuffle=False).fit(*table(2))
    row = table(2)[0][0]
    assert whole.explain(row).scores.tolist() == whole.decision_function([row]).tolist()
    assert str(whole.explain(row)).startswith("predicted ")


def test_loss_refuses_labels_it_has_not_learned():
    X, y = table()
    model = Perceptron(random_state=0).fit(X, y)
    assert model.loss(X, y) > 0
    with pytest.raises(ValueError, match="not learned"):
        model.loss(X, y + 1)


def test_at_zero_the_loss_is_zero_although_nothing_is_separated():
    X, y = [[0.0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    model = Perceptron(weights="final", shuffle=False).fit(X, y)
    assert not model.coef_.any()
    assert (model.loss(X, y), model.separated_) == (0, False)


@pytest.mark.parametrize(
    ("kind", "scale"),
    [(np.float64, 1e-300), (np.float64, 1.0), (np.float64, 1e300), (np.float32, 1e-30), (np.float32, 1e30)],
)
def test_the_length_of_weights_at_any_scale_and_in_any_layout(kind, scale):
    whole = np.arange(100_000).reshape(10, -1) % 7
    weights = (whole * kind(scale)).astype(kind)
    wanted = math.sqrt(int((whole * whole).sum())) * float(kind(scale))
    for view in (weights, weights.T, weights[::-1]):
        assert length(view) == pytest.approx(wanted, rel=1e-6 if kind is np.float32 else 1e-13)
    assert length(0 * weights) == length(weights[:0]) == 0
