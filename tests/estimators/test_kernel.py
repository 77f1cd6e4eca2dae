"""KernelPerceptron: what it learns, what follows from its list, and what bad input is told."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits, make_moons
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import KernelPerceptron, Perceptron, prove
from rosenblatt.data import memory

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array(["no", "yes", "yes", "no"])


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:1000], y[:1000], X[1000:], y[1000:]


NOT_A_REPETITION = "an update on a row of weight 2 is one update of twice the size, not the row visited twice"
NOT_A_LOSS = "the rule stops learning from a heavy class once its rows are right; it minimises no weighted loss"


@parametrize_with_checks(
    [
        KernelPerceptron(),
        KernelPerceptron(kernel="poly", weights="final"),
        KernelPerceptron(kernel="cosine", weights="voted"),
    ],
    expected_failed_checks=lambda estimator: {
        "check_sample_weight_equivalence_on_dense_data": NOT_A_REPETITION,
        "check_sample_weight_equivalence_on_sparse_data": NOT_A_REPETITION,
        **({"check_class_weight_classifiers": NOT_A_LOSS} if estimator.weights == "voted" else {}),
    },
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kernel", ["rbf", "poly", "cosine"])
def test_xor_is_separated_by_a_curve(kernel):
    X, y = XOR
    X = 2 * X - 1 if kernel == "cosine" else X  # angles alone tell nothing of (0, 0) and little of (1, 1)
    model = KernelPerceptron(kernel=kernel, degree=2, shuffle=False).fit(X, y)
    assert model.stopped_ == "separated"
    assert model.score(X, y) == 1


def test_a_poly_kernel_of_degree_one_is_the_perceptron(digits):
    X, y, _, _ = digits
    linear = Perceptron(weights="final", record=True, random_state=7, max_iter=8, tol=None).fit(X, y)
    curve = KernelPerceptron("poly", 1, 1.0, 1.0, weights="final", record=True, random_state=7, max_iter=8).fit(X, y)
    assert np.array_equal(linear.mistakes_, curve.mistakes_)
    assert linear.stopped_ == curve.stopped_
    weights = np.hstack([linear.coef_, linear.intercept_[:, np.newaxis]])
    assert np.array_equal(curve.dual_coef_ @ np.hstack([X, np.ones((len(X), 1))])[curve.support_], weights)
    assert curve.margin_bracket_ == pytest.approx(linear.margin_bracket_)
    assert curve.radius_ == pytest.approx(linear.radius_)


def test_the_bracket_holds_the_best_margin_in_feature_space():
    """(x.z + 1)² is the product of 1, √2 x, x², √2 xy; whole numbers make √2 the only rounding."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [3, 0], [0, 3]])
    y = [0, 1, 1, 0, 0, 0]
    model = KernelPerceptron("poly", 2, 1.0, shuffle=False, max_iter=500).fit(X, y)
    root = np.sqrt(2)
    mapped = np.array([[1, root * a, root * b, a * a, b * b, root * a * b] for a, b in X.tolist()])
    low, high = prove(mapped, y, bias=False).best_margin
    assert model.separated_
    assert 0 < model.margin_bracket_[0] <= high * (1 + 1e-9)
    assert low <= model.margin_bracket_[1] * (1 + 1e-9)
    assert model.n_mistakes_ <= (model.radius_ / low) ** 2


def test_scores_are_sums_over_support_rows_and_do_not_depend_on_the_batch(digits):
    X, y, more, _ = digits
    for kernel in ("rbf", "poly", "cosine"):
        model = KernelPerceptron(kernel, random_state=0, max_iter=3).fit(X, y)
        scores = model.decision_function(more)
        alone = np.vstack([model.decision_function(row[np.newaxis]) for row in more[:40]])
        assert alone.tobytes() == scores[:40].tobytes()
        assert model.decision_function(sparse.csr_array(more)).tobytes() == scores.tobytes()
        found = model.explain(more[0])
        assert found.scores.tolist() == scores[0].tolist()
        assert found.contributions.sum(axis=1) == pytest.approx(scores[0], rel=1e-9, abs=1e-9)
        assert len(found.names) == len(model.support_)
        assert found.predicted == model.predict(more[:1])[0]


@pytest.mark.parametrize("weights", ["final", "averaged", "voted"])
def test_variants_follow_from_the_list(weights, digits):
    """Each by its definition, from the recorded list and the kernel of scikit-learn."""
    from sklearn.metrics.pairwise import rbf_kernel

    X, y, more, _ = digits
    X, y, more = X[:200], y[:200] % 3, more[:50]
    model = KernelPerceptron(weights=weights, record=True, random_state=1, max_iter=3).fit(X, y)
    gram, scores = rbf_kernel(X, more, gamma=model.gamma_), np.zeros((len(more), 3))
    votes, total, before = np.zeros_like(scores), np.zeros_like(scores), 0
    steps = model.n_iter_ * len(X)
    for step, row, predicted in zip(*(model.mistakes_[k].tolist() for k in ("step", "row", "predicted")), strict=True):
        votes[np.arange(len(more)), scores.argmax(axis=1)] += step - 1 - before
        total += scores * (step - 1 - before)
        before = step - 1
        scores[:, y[row]] += gram[row]
        scores[:, predicted] -= gram[row]
    votes[np.arange(len(more)), scores.argmax(axis=1)] += steps - before
    total += scores * (steps - before)
    expected = {"final": scores, "averaged": total / steps, "voted": votes / steps}[weights]
    assert model.decision_function(more) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("weights", ["final", "averaged", "voted"])
def test_a_warm_start_is_one_long_run(weights, digits):
    X, y, more, _ = digits
    chosen = {"weights": weights, "random_state": 5, "record": True, "margin": 0.05}
    long = KernelPerceptron(max_iter=4, **chosen).fit(X, y)
    parts = KernelPerceptron(max_iter=2, warm_start=True, **chosen).fit(X, y).fit(X, y)
    assert np.array_equal(long.mistakes_, parts.mistakes_)
    assert long.decision_function(more).tobytes() == parts.decision_function(more).tobytes()
    assert long.margin_bracket_ == parts.margin_bracket_


def test_partial_fit_goes_on_over_other_rows_and_takes_in_new_classes(digits):
    X, y, more, labels = digits
    few = y < 2
    model = KernelPerceptron(random_state=0).partial_fit(X[few], y[few])
    assert model.dual_coef_.shape[0] == 1
    for _ in range(3):
        model.partial_fit(X, y)
    assert model.dual_coef_.shape[0] == 10
    assert model.score(more, labels) > 0.9
    assert (model.support_ == -1).any()
    assert len(model.support_) == model.dual_coef_.shape[1]
    assert model.margin_bracket_[0] <= model.margin_bracket_[1]


def test_one_pass_by_partial_fit_is_one_pass_of_fit(digits):
    X, y, more, _ = digits
    one = KernelPerceptron(random_state=3, max_iter=1).fit(X, y)
    other = KernelPerceptron(random_state=3).partial_fit(X, y)
    assert one.decision_function(more).tobytes() == other.decision_function(more).tobytes()


def test_sample_weights_scale_updates_and_zero_leaves_rows_out(digits):
    X, y, more, _ = digits
    kept = np.arange(len(y)) % 3 > 0
    a = KernelPerceptron(gamma=0.001, shuffle=False).fit(X, y, sample_weight=kept.astype(float))
    b = KernelPerceptron(gamma=0.001, shuffle=False).fit(X[kept], y[kept])
    assert a.decision_function(more).tobytes() == b.decision_function(more).tobytes()
    assert set(np.flatnonzero(~kept)).isdisjoint(a.support_.tolist())
    twice = KernelPerceptron(gamma=0.001, shuffle=False, class_weight=dict.fromkeys(range(10), 2.0)).fit(
        X[kept], y[kept]
    )
    assert twice.decision_function(more).tobytes() == (2 * b.decision_function(more)).tobytes()


def test_a_cycle_is_found_and_proved():
    X, y = XOR
    model = KernelPerceptron("poly", 1, 1.0, weights="final", shuffle=False, max_iter=1000).fit(X, y)
    assert model.stopped_ == "cycle"
    assert not model.separated_
    assert sorted(set(model.cycle_.rows.tolist())) == [0, 1, 2, 3]


def test_pruning_keeps_the_accuracy_on_the_rows_given():
    X, y = make_moons(600, noise=0.3, random_state=1)
    X, y, more, labels = X[:400], y[:400], X[400:], y[400:]
    model = KernelPerceptron(random_state=0, margin=1.0).fit(X, y)
    before, size = model.score(more, labels), len(model.support_)
    model.prune(more, labels)
    assert model.score(more, labels) >= before
    assert len(model.support_) < size
    assert model.dual_coef_.shape[1] == len(model.support_)
    assert model.explain(more[0]).scores.tolist() == model.decision_function(more[:1]).tolist()


def test_moons_beyond_a_line():
    X, y = make_moons(400, noise=0.15, random_state=0)
    curve = KernelPerceptron(gamma=2.0, margin=0.5, random_state=0).fit(X[:200], y[:200])
    line = Perceptron(random_state=0).fit(X[:200], y[:200])
    assert curve.score(X[200:], y[200:]) > max(0.97, line.score(X[200:], y[200:]))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"kernel": "linear"}, "kernel must be one of 'rbf', 'poly', 'cosine'"),
        ({"kernel": "poly", "degree": 60}, "degree must be at most 30"),
        ({"degree": 0}, "degree must be a whole number of at least 1"),
        ({"gamma": -1}, "gamma must be 'scale', 'auto' or a number above 0"),
        ({"gamma": float("nan")}, "gamma must be"),
        ({"coef0": -1}, "coef0 must be a number of at least 0"),
        ({"weights": "pocket"}, "weights must be one of 'final', 'averaged', 'voted'"),
        ({"device": "tpu"}, "device must be one of 'cpu', 'gpu', 'auto'"),
        ({"kernel": "poly", "degree": 30, "gamma": 1e12}, "scores could overflow"),
    ],
)
def test_settings_that_cannot_be_used_get_one_line(changed, words):
    with pytest.raises(ValueError, match=words) as refused:
        KernelPerceptron(**changed).fit(*XOR)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[0.0, np.nan], [1, 1]], [0, 1], "NaN"),
        ([[0, 0], [1, 1]], [1, 1], "class"),
        ([[3, 4], [3, 4], [3, 4]], [0, 1, 1], "all 3 rows are equal"),
    ],
)
def test_rows_that_cannot_be_used_get_one_line_and_the_model_stays(X, y, words):
    model = KernelPerceptron(random_state=0).fit(*XOR)
    with pytest.raises(ValueError, match=words) as refused:
        model.fit(X, y)
    assert "\n" not in str(refused.value)
    assert model.score(*XOR) == 1


def test_a_gamma_that_makes_every_row_stand_alone_is_warned_of(digits):
    X, y, _, _ = digits
    with pytest.warns(UserWarning, match="all 300 rows became support rows"):
        KernelPerceptron(gamma=10.0).fit(X[:300], y[:300])


@pytest.mark.filterwarnings("error")
def test_rows_past_the_largest_float32_draw_no_warning():
    X = np.array([[1e39, 1.0], [1.0, 1e39], [0.0, 2.0], [2.0, 0.0]])
    found = KernelPerceptron(kernel="cosine", max_iter=3).fit(X, [0, 1, 1, 0])
    assert np.isfinite(found.decision_function(X)).all()


def test_memory_is_said_before_it_is_taken(digits, monkeypatch, capsys):
    X, y, _, _ = digits
    KernelPerceptron(verbose=1, max_iter=1, random_state=0).fit(X, y)
    assert "1,000 rows in tiles take" in capsys.readouterr().out
    monkeypatch.setattr("rosenblatt.learn.kernel.grid.available", lambda: 100_000)
    with pytest.raises(ValueError, match=r"a kernel perceptron on 1,000 rows would take \d+ kB of memory"):
        KernelPerceptron().fit(X, y)
    assert memory.show_size(1000) == "1 kB"
