"""Rules with an amount of their own: against scikit-learn where it has them, and what each step promises."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version
from sklearn.linear_model import SGDClassifier

from rosenblatt.reference.perceptron import dot
from rosenblatt.reference.rules import (
    arow_classes,
    arow_pass,
    passive_aggressive_classes,
    passive_aggressive_pass,
)

numbers = st.fractions(-3, 3, max_denominator=8)
tables = st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=1, max_size=8)


def drawn(n=200, d=6, seed=3):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d))
    return X, np.where(X @ draw.normal(size=d) + 0.3 * draw.normal(size=n) > 0, 1, -1)


@pytest.mark.parametrize("c", [0.05, 1.0, 20.0])
@pytest.mark.parametrize("rule", ["pa1", "pa2"])
def test_two_classes_are_those_of_scikit_learn(rule, c):
    X, y = drawn()
    given = {"fit_intercept": False, "shuffle": False, "max_iter": 1, "tol": None}
    if Version(sklearn.__version__) >= Version("1.8"):
        peer = SGDClassifier(loss="hinge", penalty=None, learning_rate=rule, eta0=c, **given).fit(X, y)
    else:  # the bound is that of a class of its own, which newer versions do not have
        from sklearn.linear_model import PassiveAggressiveClassifier

        peer = PassiveAggressiveClassifier(C=c, loss="hinge" if rule == "pa1" else "squared_hinge", **given).fit(X, y)
    *_, (_, w) = passive_aggressive_pass(X.tolist(), y.tolist(), [0.0] * X.shape[1], rule, c)
    assert w == pytest.approx(peer.coef_[0].tolist(), rel=1e-12, abs=1e-12)


@given(tables, st.integers(0, 255), st.sampled_from([Fraction(1, 4), Fraction(2)]))
def test_a_step_without_a_bound_ends_at_the_margin_and_a_bound_is_kept(rows, bits, c):
    labels = [1 if bits >> k & 1 else -1 for k in range(len(rows))]
    w = [Fraction(0)] * 3
    for (step, after), f, y in zip(passive_aggressive_pass(rows, labels, w, "pa1", c), rows, labels, strict=True):
        assert 0 <= step <= c
        if 0 < step < c:
            assert y * dot(after, f) == 1
        if not any(f) or y * dot(w, f) >= 1:
            assert step == 0
            assert list(after) == list(w)
        w = after


@given(tables, st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_of_more_classes_true_and_rival_move_against_each_other(rows, classes):
    classes = classes[: len(rows)]
    weights = [[Fraction(0)] * 3 for _ in range(3)]
    for rule in ("pa1", "pa2"):
        before = weights
        for (rival, step, after), f, true in zip(
            passive_aggressive_classes(rows, classes, weights, rule, Fraction(5)), rows, classes, strict=True
        ):
            moved = [[a - b for a, b in zip(new, old, strict=True)] for new, old in zip(after, before, strict=True)]
            expected = {true: [step * a for a in f], rival: [-step * a for a in f]}
            assert moved == [expected.get(k, [0, 0, 0]) for k in range(3)]
            if rule == "pa1" and 0 < step < 5:
                assert dot(after[true], f) - dot(after[rival], f) == 1
            before = after


@given(tables, st.integers(0, 255))
def test_variances_stay_above_0_and_never_rise(rows, bits):
    labels = [1 if bits >> k & 1 else -1 for k in range(len(rows))]
    w, s = [Fraction(0)] * 3, [Fraction(1)] * 3
    for (alpha, beta, moved, smaller), f, y in zip(arow_pass(rows, labels, w, s), rows, labels, strict=True):
        assert all(0 < new <= old for new, old in zip(smaller, s, strict=True))
        if y * dot(w, f) < 1 and any(f):
            v = sum(each * a * a for each, a in zip(s, f, strict=True))
            assert beta == 1 / (v + 1)
            # The lead after the step, by the formula of the paper: m + α v.
            assert y * dot(moved, f) == y * dot(w, f) + alpha * v
        else:
            assert (alpha, beta, moved, smaller) == (0, 0, w, s)
        w, s = moved, smaller


@given(tables, st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_of_more_classes_the_lead_grows_by_both_variances(rows, classes):
    classes = classes[: len(rows)]
    weights, variances = [[Fraction(0)] * 3] * 3, [[Fraction(1)] * 3] * 3
    steps = arow_classes(rows, classes, weights, variances, Fraction(1, 2))
    for (rival, alpha, beta, moved, smaller), f, true in zip(steps, rows, classes, strict=True):
        lead, after = (dot(each[true], f) - dot(each[rival], f) for each in (weights, moved))
        v = sum((a + b) * x * x for a, b, x in zip(variances[true], variances[rival], f, strict=True))
        assert (alpha, beta) == (
            ((1 - lead) / (v + Fraction(1, 2)), 1 / (v + Fraction(1, 2))) if lead < 1 and v else (0, 0)
        )
        assert after == lead + alpha * v
        for k in range(3):
            shrunk = [s - beta * s * s * x * x * (k in (true, rival)) for s, x in zip(variances[k], f, strict=True)]
            assert list(smaller[k]) == shrunk
            assert k in (true, rival) or list(moved[k]) == list(weights[k])
        weights, variances = moved, smaller


def test_one_pass_of_arow_does_better_than_one_of_the_perceptron():
    X, y = drawn(400, 30, 5)
    *_, (_, _, w, _) = arow_pass(X.tolist(), y.tolist(), [0.0] * 30, [1.0] * 30)
    *_, (_, pa) = passive_aggressive_pass(X.tolist(), y.tolist(), [0.0] * 30, "pa1", 1.0)
    right = [np.mean(np.sign(X @ np.array(each)) == y) for each in (w, pa)]
    assert right[0] > right[1] > 0.8
