"""Verdicts about data whose answer is known: the notes, truth tables, the sets that come with scikit-learn."""

from __future__ import annotations

from itertools import combinations, product

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits, load_iris

from rationals import holds
from rosenblatt import Perceptron, prove
from rosenblatt.errors import DataError, SettingError
from rosenblatt.proofs import Inseparable, Separable, Undecided, from_json, plot_verdict
from rosenblatt.proofs.picture import boundaries, segments

POINTS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [-1, 1, 1, 1, -1]
CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]
TABLES = {"and": [0, 0, 0, 1], "or": [0, 1, 1, 1], "xor": [0, 1, 1, 0]}


def confirmed(X, y, kind, **options):
    """The verdict, of the kind expected, accepted by its own check and after a journey through JSON."""
    verdict = prove(X, y, **options)
    assert isinstance(verdict, kind)
    assert verdict.check(X, y)
    again = from_json(verdict.to_json())
    assert again == verdict
    assert again.check(X, y)
    return verdict


@pytest.mark.parametrize(("inputs", "separable"), [(2, 14), (3, 104)])
def test_so_many_truth_tables_are_halfspaces(inputs, separable):
    X = list(product([0, 1], repeat=inputs))
    found = 2  # always 0 and always 1 need no boundary; a classifier of one class is not asked for
    for y in product([0, 1], repeat=2**inputs):
        if len(set(y)) == 2:
            verdict = prove(X, y)
            assert holds(verdict, X, y)
            found += isinstance(verdict, Separable)
    assert found == separable


def test_the_five_points():
    verdict = confirmed(*POINTS, Separable)
    assert holds(verdict, *POINTS)
    assert verdict.margin <= 1 / 245**0.5
    assert verdict.radius == pytest.approx(26**0.5)
    assert verdict.mistakes <= verdict.mistake_bound


def test_and_or_are_separable_and_four_rows_prove_that_xor_is_not():
    assert confirmed(CORNERS, TABLES["and"], Separable).gap > 0
    assert confirmed(CORNERS, TABLES["or"], Separable).gap > 0
    verdict = confirmed(CORNERS, TABLES["xor"], Inseparable)
    assert (verdict.rows, verdict.multipliers) == ((0, 1, 2, 3), (1, 1, 1, 1))


def test_iris_by_pairs_of_species():
    X, y = load_iris(return_X_y=True)
    for one, other in combinations(range(3), 2):
        mine = (y == one) | (y == other)
        confirmed(X[mine], y[mine], Separable if one == 0 else Inseparable)


def test_breast_cancer_is_separable():
    confirmed(*load_breast_cancer(return_X_y=True), Separable)


def test_digits_all_at_once_and_each_against_the_rest():
    X, y = load_digits(return_X_y=True)
    assert confirmed(X, y, Separable).weights.shape == (10, 65)
    for digit in range(10):
        confirmed(X, y == digit, Separable if digit < 8 else Inseparable)


def test_without_a_bias_boundaries_pass_through_the_origin():
    X, y = [[1.0], [2.0]], [0, 1]
    confirmed(X, y, Separable)
    assert holds(confirmed(X, y, Inseparable, bias=False), X, y)
    zeros = confirmed([[0.0, 0.0], [1.0, 2.0]], y, Inseparable, bias=False)
    assert zeros.rows == (0,)
    assert confirmed([[1, 2], [2, 1], [-1, 5]], ["a", "b", "c"], Separable, bias=False).weights.shape == (3, 2)


def test_every_storage_is_the_same_data():
    X, y = load_iris(return_X_y=True)
    X, y = X[:100], load_iris().target_names[y[:100]]
    names = [f"f{j}" for j in range(4)]
    forms = [
        X.tolist(),
        np.asfortranarray(X),
        sparse.csr_array(X),
        sparse.csc_matrix(X),
        sparse.coo_array(X),
        pd.DataFrame(X, columns=names),
        pl.DataFrame(X, schema=names),
        pa.table(dict(zip(names, X.T, strict=True))),
    ]
    labels = [y, y.tolist(), pd.Series(y), pl.Series(y), pa.array(y)]
    verdict = prove(X, y)
    for form in forms:
        assert prove(form, y).data == verdict.data
        assert verdict.check(form, y)
    for given in labels:
        assert verdict.check(X, given)
    whole = np.arange(12).reshape(4, 3) % 5
    marks = {
        prove(whole.astype(kind), [0, 0, 1, 1]).data for kind in (np.uint8, np.int64, np.float32, np.float64, object)
    }
    assert len(marks) == 1


def test_values_too_small_for_a_margin_in_floats_are_still_decided():
    verdict = confirmed([[5e-324], [0.0], [1.0]], [1, 0, 1], Separable)
    assert holds(verdict, [[5e-324], [0.0], [1.0]], [1, 0, 1])
    confirmed([[1e139], [1e-300], [1e-310]], [0, 1, 0], Inseparable)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0, np.nan], [2, 3]], [0, 1], "NaN in row 0, column 1"),
        ([[1.0, np.inf], [2, 3]], [0, 1], "infinity in row 0"),
        ([[1.0], [2.0]], [0, 0], "all 2 rows have the label 0"),
        ([[1.0], [2.0]], [0, 1, 1], "X has 2 rows and y 3 labels"),
        ([[1.0], [2.0]], [0.5, 1.5], "holds 0.5 in row 0, which is no whole number"),
        ([[1.0], [2.0]], ["a", None], "no label in row 1"),
        ([["red"], ["green"]], [0, 1], "no number"),
        ([1.0, 2.0], [0, 1], "Expected 2D array"),
        (np.zeros((0, 2)), [], r"0 sample\(s\)"),
        ([[2**60 + 1], [1]], [0, 1], "beyond 2\\^53"),
        ([[1e200], [1.0]], [0, 1], "so large"),
        ([[1j], [1.0]], [0, 1], "Complex data"),
        (pd.DataFrame({"size": [1, 2], "farm": ["A", "B"]}), [0, 1], "column 'farm'"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(X, y, message):
    with pytest.raises(DataError, match=message):
        prove(X, y)


def test_a_time_limit_must_be_one():
    for limit in (-1, float("nan"), "soon", True):
        with pytest.raises(SettingError, match="time_limit"):
            prove(CORNERS, TABLES["and"], time_limit=limit)


def test_when_time_is_up_the_bound_on_the_margin_is_proved():
    r = np.random.default_rng(0)
    X = r.normal(size=(300, 20))
    y = np.where(X @ np.arange(20.0) + 0.3 * r.normal(size=300) > 0, "up", "down")
    verdict = confirmed(X, y, Undecided, time_limit=0)
    assert holds(verdict, X.tolist(), y.tolist())
    assert verdict.margin_bracket == (0.0, verdict.high)
    y3 = r.integers(0, 3, 300)
    assert holds(confirmed(X, y3, Undecided, time_limit=0), X.tolist(), y3.tolist())


def test_the_bound_from_very_many_rows_covers_the_exact_one(monkeypatch):
    r = np.random.default_rng(1)
    X, y = r.normal(size=(200, 5)), r.integers(0, 3, 200)
    exact = prove(X, y, time_limit=0)
    monkeypatch.setattr("rosenblatt.proofs.exact.FEW_VALUES", 0)
    bound = prove(X, y, time_limit=0)
    assert exact.high <= bound.high <= exact.high * (1 + 1e-9)


@pytest.mark.parametrize("record", [False, True])
def test_a_fitted_perceptron_gives_what_its_run_proves(record):
    model = Perceptron(weights="averaged", shuffle=False, tol=None, record=record)
    separated = model.fit(*POINTS).verdict(*POINTS)
    assert isinstance(separated, Separable)
    assert separated.weights.tolist() == [-31, 12, 2]
    cycled = model.fit(CORNERS, TABLES["xor"]).verdict(CORNERS, TABLES["xor"])
    assert isinstance(cycled, Inseparable)
    assert cycled.multipliers == (1, 1, 1, 1)
    X, y = load_iris(return_X_y=True)
    model.set_params(max_iter=50)
    stopped = model.fit(X, y).verdict(X, y)
    assert isinstance(stopped, Undecided)
    assert holds(stopped, X.tolist(), y.tolist())
    if record:
        assert stopped.high == pytest.approx(model.margin_bracket_[1])
    with pytest.raises(DataError, match="other classes"):
        model.verdict(X[:100], y[:100])


def test_the_picture_shows_the_boundary_in_the_band_and_the_crossing_segments():
    mpl.use("Agg")
    verdict = prove(*POINTS)
    ax = plot_verdict(verdict, *POINTS)
    (weights,) = boundaries(verdict)
    for x, y in zip(*ax.lines[0].get_data(), strict=True):
        assert weights @ [1, x, y] == pytest.approx(0, abs=1e-6)
    assert "gap" in ax.get_title()
    crossing = prove(CORNERS, TABLES["xor"])
    assert segments(crossing, np.array(TABLES["xor"])) == [(0, 3), (1, 2)]
    assert len(plot_verdict(crossing, CORNERS, TABLES["xor"]).lines) == 2
    mpl.pyplot.close("all")
    X, y = load_iris(return_X_y=True)
    with pytest.raises(DataError, match="two features"):
        plot_verdict(prove(X, y), X, y)


def test_a_separator_by_a_hair_is_not_the_last_word_on_small_data():
    """The perceptron's weights 5 and -1 keep 0.2 off the boundary by its rounding alone."""
    verdict = prove([[0.1], [0.2]], ["a", "b"])
    assert verdict.gap == pytest.approx(0.1)
    assert verdict.mistake_bound < 2000
    verdict.check([[0.1], [0.2]], ["a", "b"])
