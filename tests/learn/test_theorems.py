"""The theorems of NOTES section 5, on random data: the mistake bound, the margin bracket, cycles and their proofs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import nnls

from rosenblatt import Perceptron


def signed_rows(X: np.ndarray, truth: np.ndarray, n_classes: int) -> np.ndarray:
    """One row for each row and other class: f(x) in the block of the true class, −f(x) in the other's."""
    f = np.hstack([X, np.ones((len(X), 1))])
    if n_classes == 2:
        return f * np.where(truth == 1, 1, -1)[:, None]
    z = []
    for row, true in zip(f, truth, strict=True):
        for other in set(range(n_classes)) - {true}:
            blocks = np.zeros((n_classes, f.shape[1]))
            blocks[true], blocks[other] = row, -row
            z.append(blocks.ravel())
    return np.array(z)


def true_margin(z: np.ndarray) -> float:
    """The length of the shortest convex combination of the signed rows (Lawson and Hanson, least distance)."""
    multipliers, _ = nnls(np.vstack([z.T, np.ones(len(z))]), np.append(np.zeros(z.shape[1]), 1.0), maxiter=10_000)
    return float(np.linalg.norm(z.T @ (multipliers / multipliers.sum())))


@st.composite
def tables(draw, most=8):
    n_classes = draw(st.integers(2, 4))
    n, d = draw(st.integers(n_classes, most)), draw(st.integers(1, 4))
    X = draw(arrays(float, (n, d), elements=st.integers(-4, 4).map(float)))
    truth = np.array(
        [
            *range(n_classes),
            *draw(st.lists(st.integers(0, n_classes - 1), min_size=n - n_classes, max_size=n - n_classes)),
        ]
    )
    return X, truth, n_classes


amounts = st.sampled_from([0.25, 1.0, 3.0])


@given(
    tables(),
    st.data(),
    st.sampled_from(["mistake", "positive", "negative"]),
    st.sampled_from([0.0, 2.0]),
    st.sampled_from([0.5, 1.0, 4.0]),
    st.integers(1, 40),
    st.sampled_from([1, 2, 3]),
)
def test_the_bracket_contains_the_true_margin_for_any_start_rate_weights_and_threshold(
    table, data, ties, margin, eta0, max_iter, shards
):
    X, truth, n_classes = table
    weights = np.array(data.draw(st.lists(amounts, min_size=len(X), max_size=len(X))))
    lines = 1 if n_classes == 2 else n_classes
    start = data.draw(arrays(float, (lines, X.shape[1] + 1), elements=st.integers(-3, 3).map(float)))
    model = Perceptron(
        weights="final", ties=ties, margin=margin, eta0=eta0, max_iter=max_iter, tol=None, random_state=0, shards=shards
    ).fit(X, truth, coef_init=start[:, 1:], intercept_init=start[:, 0], sample_weight=weights)
    low, high = model.margin_bracket_
    best = true_margin(signed_rows(X, truth, n_classes))
    assert low <= best + 1e-9
    assert high >= best - 1e-9
    assert (low > 0) == model.separated_
    assert (high == np.inf) == (model.n_updates_ == 0)


@st.composite
def separable(draw):
    """Rows labelled by planted whole-number weights, with the margin that those weights have."""
    n_classes = draw(st.integers(2, 4))
    n, d = draw(st.integers(n_classes, 12)), draw(st.integers(1, 4))
    X = draw(arrays(float, (n, d), elements=st.integers(-4, 4).map(float), unique=False))
    lines = 1 if n_classes == 2 else n_classes
    planted = draw(arrays(float, (lines, d + 1), elements=st.integers(-5, 5).map(float)))
    scores = np.hstack([X, np.ones((n, 1))]) @ planted.T
    truth = (scores[:, 0] > 0).astype(int) if n_classes == 2 else scores.argmax(axis=1)
    assume(len(np.unique(truth)) == n_classes)
    z = signed_rows(X, truth, n_classes)
    gamma = (z @ planted.ravel()).min() / np.linalg.norm(planted)
    assume(gamma > 0.02)
    return X, truth, gamma, np.linalg.norm(z, axis=1).max()


@given(separable(), st.sampled_from([0.0, 1.0, 10.0]), st.sampled_from([0.5, 1.0, 3.0]), st.booleans())
def test_mistakes_never_exceed_the_bound_of_the_convergence_theorem(data, margin, eta0, shuffle):
    X, truth, gamma, radius = data
    model = Perceptron(
        weights="final", margin=margin, eta0=eta0, shuffle=shuffle, tol=None, max_iter=10**6, random_state=0
    ).fit(X, truth)
    assert model.stopped_ == "separated"
    assert model.radius_ <= radius * (1 + 1e-12)
    assert model.n_updates_ <= (radius**2 + 2 * margin / eta0) / gamma**2


@given(tables(most=6))
def test_a_cycle_is_an_exact_certificate(table):
    X, truth, n_classes = table
    model = Perceptron(weights="final", shuffle=False, tol=None, max_iter=3000).fit(X, truth)
    if model.stopped_ != "cycle":
        assert model.separated_ or model.n_iter_ == 3000
        return
    total: dict[tuple[int, int], Fraction] = {}
    cycle = model.cycle_
    for row, loses, count in zip(cycle.rows, cycle.predicted, cycle.updates, strict=True):
        assert count > 0
        for j, value in enumerate([*X[row], 1.0]):
            for c, sign in ((int(truth[row]), 1), (int(loses), -1)):
                total[c, j] = total.get((c, j), Fraction(0)) + sign * int(count) * Fraction(value)
    assert not any(total.values())
    assert true_margin(signed_rows(X, truth, n_classes)) < 1e-6


def test_repeated_weights_alone_are_no_cycle():
    # 1 added to 1e17 is lost, so the weights of the run repeat, but the rows are separable: no proof, no cycle.
    X, y = [[1.0], [-2.0]], [1, 0]
    model = Perceptron(weights="final", shuffle=False, tol=None, max_iter=50, fit_intercept=False)
    model.fit(X, y, coef_init=[[-1e17]])
    assert model.coef_ == [[-1e17]]
    assert (model.cycle_, model.stopped_) == (None, "limit")


def test_separated_means_that_every_row_is_strictly_right():
    rng = np.random.default_rng(5)
    for _ in range(50):
        X, y = rng.integers(-3, 4, (12, 3)).astype(float), rng.integers(0, 2, 12)
        if len(set(y)) < 2:
            continue
        model = Perceptron(weights="final", random_state=0, max_iter=30).fit(X, y)
        strictly = bool(np.all(np.where(y == 1, 1, -1) * model.decision_function(X) > 0))
        assert model.separated_ == strictly
