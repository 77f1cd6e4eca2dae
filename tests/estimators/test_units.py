"""AssociationUnits: wires from the hash, the same in any storage, and curves by a perceptron on top."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits, make_circles
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import AssociationUnits, Perceptron, prove
from rosenblatt.loops.order import key_of
from rosenblatt.reference import units as reference


@parametrize_with_checks([AssociationUnits(n_units=30)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", ["uint8", "float32", "float64"])
def test_units_are_those_of_the_reference(kind):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 20, (300, 9)) if kind == "uint8" else rng.standard_normal((300, 9))
    X = X.astype(kind)
    X[:, 4] = 0  # a column that tells nothing gets no wire
    units = AssociationUnits(40, fan_in=5, random_state=3).fit(X)
    found, key = units.transform(X).toarray(), int(key_of(3))
    columns = [j for j in range(9) if j != 4]
    for u in range(40):
        wired = reference.wires(key, u, 5, columns)
        expected = [reference.is_on(row, wired, units.units_.thresholds[u]) for row in X.tolist()]
        assert found[:, u].astype(bool).tolist() == expected


def test_wires_over_a_picture_are_those_of_the_reference():
    X = load_digits().data
    units = AssociationUnits(40, fan_in=5, random_state=3).fit(X)
    assert units.units_.shape == (8, 8)
    found, key = units.transform(X[:50]).toarray(), int(key_of(3))
    columns = np.flatnonzero(X.var(axis=0) > 0).tolist()
    for u in range(40):
        wired = reference.nearby_wires(key, u, 5, columns, (8, 8), 2)
        expected = [reference.is_on(row, wired, units.units_.thresholds[u]) for row in X[:50].tolist()]
        assert found[:, u].astype(bool).tolist() == expected


def test_only_rows_that_look_like_pictures_are_taken_for_some():
    X = load_digits().data
    mixed = X[:, np.random.default_rng(0).permutation(64)]
    assert AssociationUnits(5).fit(X).units_.shape == (8, 8)
    assert AssociationUnits(5).fit(mixed).units_.shape is None
    assert AssociationUnits(5).fit(X[:, :63]).units_.shape is None
    assert AssociationUnits(5).fit(np.random.default_rng(0).standard_normal((500, 64))).units_.shape is None


def test_numbers_too_large_to_be_squared_get_one_line():
    with pytest.raises(ValueError, match="squares can be added"):
        AssociationUnits(5).fit([[1e200, 0.0], [0.0, 1.0]])


def test_storage_and_batches_change_nothing():
    X = load_digits().data
    units = AssociationUnits(200).fit(X)
    whole = units.transform(X)
    parts = sparse.vstack([units.transform(X[:300]), units.transform(X[300:])])
    assert (whole != parts).nnz == 0
    for other in (sparse.csr_array(X), X.astype(np.uint8), X.astype(np.float32)):
        again = AssociationUnits(200).fit(other)
        assert again.units_.thresholds.tobytes() == units.units_.thresholds.tobytes()
        assert (again.transform(other) != whole).nnz == 0


def test_a_perceptron_on_units_goes_beyond_a_line_and_is_proved():
    X, y = make_circles(600, noise=0.1, factor=0.4, random_state=0)
    learned, rest = slice(0, 400), slice(400, None)
    line = Perceptron(random_state=0).fit(X[learned], y[learned])
    curve = make_pipeline(AssociationUnits(300, fan_in=4), Perceptron(random_state=0)).fit(X[learned], y[learned])
    assert line.score(X[rest], y[rest]) < 0.7
    assert curve.score(X[rest], y[rest]) > 0.95
    xor, labels = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    on = AssociationUnits(50, fan_in=2).fit(xor).transform(xor)
    assert prove(xor, labels).kind == "inseparable"
    assert prove(on, labels).kind == "separable"


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"n_units": 0}, "n_units"), ({"fan_in": 0}, "fan_in"), ({"random_state": -1}, "random_state")],
)
def test_settings_that_cannot_be_used_get_one_line(changed, words):
    with pytest.raises(ValueError, match=f"{words} must be a whole number"):
        AssociationUnits(**changed).fit([[0, 1], [1, 0]])
