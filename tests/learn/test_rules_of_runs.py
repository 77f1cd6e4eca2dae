"""Passive-aggressive rules and AROW: equal to the reference in every storage, to scikit-learn, and to themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.linear_model import SGDClassifier

from rosenblatt import Perceptron
from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.rules import RULES, TABLE
from rosenblatt.learn.run import Run, learn
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.state import from_state, to_state
from rosenblatt.loops.rows import Sparse, Words, dense_rows, sparse_rows
from rosenblatt.reference import rules as reference
from rosenblatt.traces.replay import Replay, made_by, verify

OWN = [rule.name for rule in TABLE if not rule.plain]
STORAGES = ("dense", "sparse", "words")


def drawn(n=120, d=7, n_classes=2, seed=1, whole=False):
    draw = np.random.default_rng(seed)
    X = draw.integers(0, 2, (n, d)).astype(float) if whole else np.round(draw.normal(size=(n, d)), 2)
    X[draw.random((n, d)) < 0.3] = 0
    y = (X @ draw.normal(size=(d, n_classes)) + 0.4 * draw.normal(size=(n, n_classes))).argmax(axis=1)
    y[:n_classes] = np.arange(n_classes)
    return X, y


def rows_in(X, storage, bias=1.0):
    if storage == "dense":
        return dense_rows(X, bias)
    matrix = sparse.csr_array(X)
    rows = sparse_rows(matrix.indptr, matrix.indices, matrix.data, X.shape[1], bias)
    assert isinstance(rows, Words if storage == "words" else Sparse)
    return rows


def reference_run(X, y, n_classes, rule, c, passes):
    """The weights after each row of some passes, the bias last, and what each step noted."""
    rows = [[*map(float, x), 1.0] for x in X]
    width = X.shape[1] + 1
    w = [0.0] * width if n_classes == 2 else [[0.0] * width] * n_classes
    s = [1.0] * width if n_classes == 2 else [[1.0] * width] * n_classes
    labels = [2 * int(c) - 1 for c in y] if n_classes == 2 else list(map(int, y))
    steps = []
    for _ in range(passes):
        if rule == "arow":
            one = reference.arow_pass if n_classes == 2 else reference.arow_classes
            made = list(one(rows, labels, w, s, 1 / (2 * c)))
            w, s = made[-1][-2:]
            steps += [(each[-4], each[-2]) for each in made]
        else:
            one = reference.passive_aggressive_pass if n_classes == 2 else reference.passive_aggressive_classes
            made = list(one(rows, labels, w, rule, c))
            w = made[-1][-1]
            steps += [(each[-2], each[-1]) for each in made]
    return np.array([each for _, each in steps]), np.array([amount for amount, _ in steps]), np.array(s)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("rule", OWN)
def test_loops_are_the_reference(rule, n_classes, storage):
    X, y = drawn(n_classes=n_classes, whole=storage == "words")
    settings = Settings(rule=rule, C=0.7, shuffle=False, tol=None, max_iter=3, record=True)
    run = learn(make_problem(rows_in(X, storage), y, n_classes), settings)
    history, amounts, variances = reference_run(X, y, n_classes, rule, 0.7, run.passes)
    assert np.allclose(run.weights_of("final"), history[-1], rtol=1e-9, atol=1e-12)
    assert np.allclose(run.weights_of("averaged"), history.mean(axis=0), rtol=1e-9, atol=1e-12)
    noted = run.recording.steps
    assert noted.tolist() == np.flatnonzero(amounts).tolist()
    assert np.allclose(run.recording.amounts, amounts[noted], rtol=1e-9)
    if rule == "arow":
        assert np.allclose(run.kept, variances, rtol=1e-9)
    assert run.margin_bracket[1] == np.inf


@pytest.mark.parametrize("c", [0.05, 1.0, 20.0])
@pytest.mark.parametrize("rule", ["pa1", "pa2"])
def test_weights_are_those_of_scikit_learn(rule, c):
    if c != 1 and tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8):
        pytest.skip("this scikit-learn has no C in SGDClassifier but 1")
    X, y = drawn(300, 8)
    ones = np.hstack([X, np.ones((len(X), 1))])
    peer = SGDClassifier(
        loss="hinge", penalty=None, learning_rate=rule, eta0=c, fit_intercept=False, shuffle=False, max_iter=4, tol=None
    ).fit(ones, y)
    for model, data in (
        (Perceptron(fit_intercept=False), ones),
        (Perceptron(), X),
        (Perceptron(), sparse.csr_array(X)),
    ):
        model.set_params(rule=rule, C=c, weights="final", shuffle=False, max_iter=4, tol=None).fit(data, y)
        found = model.coef_ if not model.fit_intercept else np.append(model.coef_, model.intercept_)[None]
        assert np.allclose(found, peer.coef_, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("rule", OWN)
def test_sample_weights_multiply_c(rule):
    X, y = drawn(60)
    weighted = Perceptron(rule=rule, C=0.2, max_iter=3, tol=None, random_state=0)
    weighted.fit(X, y, sample_weight=np.full(len(X), 5.0))
    plain = Perceptron(rule=rule, C=1.0, max_iter=3, tol=None, random_state=0).fit(X, y)
    assert np.allclose(weighted.coef_, plain.coef_, rtol=1e-9)
    by_class = Perceptron(rule=rule, C=0.2, max_iter=3, tol=None, random_state=0, class_weight={0: 5, 1: 5}).fit(X, y)
    assert np.array_equal(by_class.coef_, weighted.coef_)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("rule", OWN)
class TestAsOneRun:
    def test_a_run_that_goes_on_is_one_long_run(self, rule, n_classes):
        X, y = drawn(n_classes=n_classes)
        long = Perceptron(rule=rule, max_iter=6, tol=None, random_state=3).fit(X, y)
        parts = Perceptron(rule=rule, max_iter=3, tol=None, random_state=3, warm_start=True).fit(X, y).fit(X, y)
        assert np.array_equal(long.coef_, parts.coef_)
        assert long.n_updates_ == parts.n_updates_

    def test_partial_fit_is_a_pass(self, rule, n_classes):
        X, y = drawn(n_classes=n_classes)
        whole = Perceptron(rule=rule, max_iter=2, tol=None, random_state=3).fit(X, y)
        parts = Perceptron(rule=rule, random_state=3).partial_fit(X, y).partial_fit(X, y)
        assert np.array_equal(whole.coef_, parts.coef_)

    def test_a_list_of_updates_is_all_there_is(self, rule, n_classes):
        X, y = drawn(n_classes=n_classes)
        model = Perceptron(rule=rule, max_iter=3, tol=None, random_state=3, record=True).fit(X, y)
        verify(model, X, y)
        assert np.array_equal(Replay(model, X, y).weights_after(model.run_.steps), model.run_.weights_of("final"))
        assert (model.mistakes_["amount"] > 0).all()
        recording = model.run_.recording
        model.run_ = replace(model.run_, recorded=[recording._replace(amounts=recording.amounts * 1.5)])
        with pytest.raises(DataError, match="the amounts of the updates are not those that the rule gives"):
            verify(model, X, y)

    def test_a_state_is_taken_up_where_it_was_left(self, rule, n_classes):
        X, y = drawn(n_classes=n_classes)
        problem = make_problem(dense_rows(X), y, n_classes)
        settings = Settings(rule=rule, max_iter=5, tol=None, record=True)
        states: list[tuple] = []

        def keep(run: Run) -> None:
            plain, arrays = to_state(run)
            states.append((plain, {name: each.copy() for name, each in arrays.items()}))

        whole = learn(problem, settings, on_pass=keep)
        saved = from_state(*states[1], settings, problem)
        again = learn(problem, settings, saved=saved)
        assert np.array_equal(again.weights, whole.weights)
        assert np.array_equal(again.weights_of("averaged"), whole.weights_of("averaged"))
        if whole.kept is not None:
            assert np.array_equal(again.kept, whole.kept)
            plain, arrays = states[1]
            with pytest.raises(ValueError, match="kept"):
                from_state(plain, arrays | {"kept": arrays["kept"] + 1}, settings, problem)

    def test_shards_have_one_result_for_any_number_of_threads(self, rule, n_classes):
        X, y = drawn(300, n_classes=n_classes)
        for data in (X, sparse.csr_array(X)):
            one, two = (
                Perceptron(rule=rule, shards=4, n_jobs=jobs, max_iter=3, tol=None, random_state=1).fit(data, y)
                for jobs in (1, 2)
            )
            assert np.array_equal(one.coef_, two.coef_)
            assert one.score(data, y) > 0.7


def test_variances_of_shards_are_averaged_as_what_is_known():
    rule = RULES["arow"].of(Settings(rule="arow"), 1.0)
    assert rule.mixed([np.array([1.0, 0.5]), np.array([0.25, 0.5])]).tolist() == [0.4, 0.5]
    tiny = np.full(1, np.finfo(float).tiny)
    with np.errstate(over="ignore"):
        assert rule.mixed([tiny] * 5).tolist() == tiny.tolist()


@pytest.mark.parametrize("weights", ["voted", "pocket"])
@pytest.mark.parametrize("rule", ["pa1", "pa2"])
def test_all_weights_of_multiples_vote_and_the_best_are_kept(rule, weights):
    X, y = drawn(80)
    settings = {"rule": rule, "C": 0.7, "shuffle": False, "tol": None, "max_iter": 2}
    model = Perceptron(weights=weights, **settings).fit(X, y)
    history, _, _ = reference_run(X, y, 2, rule, 0.7, model.n_iter_)
    ones = np.hstack([X, np.ones((len(X), 1))])
    if weights == "voted":
        votes = np.sign(ones @ history.T).mean(axis=1)
        assert np.allclose(model.decision_function(X), votes, atol=1e-9)
    else:
        right = [np.sum((ones @ w > 0) == y) for w in history]
        assert np.sum(model.predict(X) == y) <= max(right)
        assert any(np.allclose(np.append(model.coef_, model.intercept_), w) for w in history)


@pytest.mark.parametrize("rule", ["pa1", "pa2"])
def test_the_rows_behind_a_score_add_up_to_it(rule):
    X, y = drawn(80, n_classes=3)
    model = Perceptron(rule=rule, max_iter=3, tol=None, random_state=0, record=True).fit(X, y)
    shares, start = made_by(Replay(model, X, y), X[5], 2)
    assert sum(share.part for share in shares) + start == pytest.approx(model.decision_function(X[5:6])[0, 2])


@pytest.mark.parametrize("rule", OWN)
def test_a_row_of_zeros_is_never_updated_on_and_a_new_class_is_taken_in(rule):
    X, y = drawn(40)
    X[7] = 0
    model = Perceptron(rule=rule, fit_intercept=False, max_iter=2, tol=None, record=True, random_state=0).fit(X, y)
    assert 7 not in model.mistakes_["row"]
    more = Perceptron(rule=rule, weights="final", C=5, random_state=0).partial_fit(X, y)
    more.partial_fit(X[:9], [2] * 9)
    assert more.coef_.shape == (3, X.shape[1])
    assert more.score(X[:9], [2] * 9) > 0.5


@pytest.mark.parametrize("rule", OWN)
def test_what_a_rule_does_not_have_is_refused(rule):
    for name, value in (("margin", 1.0), ("ties", "positive"), ("eta0", 0.5)):
        with pytest.raises(SettingError, match=f"rule='{rule}' has a margin and a step of its own, so {name} must be"):
            Settings(**{"rule": rule, name: value})
    with pytest.raises(SettingError, match="C must be above 0"):
        Settings(rule=rule, C=0.0)
    X, y = drawn(40)
    with pytest.raises(SettingError, match="C=1e\\+300 is so large that scores could overflow"):
        Perceptron(rule=rule, C=1e300).fit(X, y)
    model = Perceptron(rule=rule, random_state=0).fit(X, y)
    with pytest.raises(SettingError, match="a trace shows the rule of the notes"):
        model.trace(X, y)


def test_arow_has_no_votes_no_pocket_and_no_rows_behind_a_score():
    for weights in ("voted", "pocket"):
        with pytest.raises(SettingError, match="adds no multiples of rows"):
            Settings(rule="arow", weights=weights)
    X, y = drawn(40)
    model = Perceptron(rule="arow", record=True, random_state=0, max_iter=2, tol=None).fit(X, y)
    with pytest.raises(SettingError, match="no row has a part of a score"):
        made_by(Replay(model, X, y), X[0], 1)
    with pytest.raises(SettingError, match="rule must be one of 'perceptron', 'pa1', 'pa2', 'arow'; got 'pa3'"):
        Perceptron(rule="pa3").fit(X, y)


def test_one_pass_of_arow_learns_what_the_average_needs_several_for():
    X, y = drawn(3000, 40, seed=4)
    X, y, Z, z = X[:2000], y[:2000], X[2000:], y[2000:]
    arow = Perceptron(rule="arow", weights="final", max_iter=1, tol=None, random_state=0).fit(X, y)
    usual = Perceptron(max_iter=1, tol=None, random_state=0).fit(X, y)
    assert arow.score(Z, z) > usual.score(Z, z)
