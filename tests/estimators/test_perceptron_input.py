"""What goes in: every kind of table, nothing copied without need, and one clear sentence for what cannot be used."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt import Perceptron
from rosenblatt.estimators.input import read_rows
from rosenblatt.loops.rows import SOME_ROWS, SOME_VALUES, Words, columns_increase, rows_repeat_one_value

X = np.array([[1.0, 0, 2], [0, 3, 0], [4, 0, 0], [0, 0, 5], [1, 1, 1], [0, 2, 0]])
Y = np.array([0, 1, 1, 0, 1, 0])
NAMES = ["one", "two", "three"]


def fitted(table=X, y=Y, **settings) -> Perceptron:
    return Perceptron(random_state=0, **settings).fit(table, y)


@pytest.mark.parametrize(
    "form",
    [
        pd.DataFrame,
        lambda x, columns: pl.DataFrame(x, schema=columns),
        lambda x, columns: pa.table(dict(zip(columns, x.T, strict=True))),
    ],
    ids=["pandas", "polars", "arrow"],
)
def test_tables_keep_their_column_names(form):
    table = form(X, columns=NAMES)
    model = fitted(table)
    assert model.feature_names_in_.tolist() == NAMES
    assert np.array_equal(model.coef_, fitted().coef_)
    assert np.array_equal(model.predict(table), fitted().predict(X))
    assert {name for name, _, _ in model.explain(table[:1]).largest()} <= set(NAMES)


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_matrices_of_either_index_type_give_the_dense_weights(form, index):
    matrix = form(X)
    for name in ("indices", "indptr", "row", "col"):
        if hasattr(matrix, name) and form is not sparse.coo_array:
            setattr(matrix, name, getattr(matrix, name).astype(index))
    model = fitted(matrix, weights="final")
    assert np.array_equal(model.coef_, fitted(weights="final").coef_)
    assert np.array_equal(model.decision_function(matrix), model.decision_function(X))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8])
def test_a_contiguous_array_is_not_copied(dtype):
    table = X.astype(dtype)
    model = fitted(table)
    assert read_rows(model, table, bias=1.0).values is table or np.shares_memory(
        read_rows(model, table, bias=1.0).values, table
    )


def test_sparse_values_and_columns_are_not_copied_or_made_dense():
    matrix = sparse.random_array((50, 10**6), density=1e-5, rng=np.random.default_rng(0), format="csr")
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    matrix.sort_indices()
    rows = read_rows(fitted(matrix, np.arange(50) % 2), matrix, bias=1.0)
    assert np.shares_memory(rows.columns, matrix.indices)
    assert np.shares_memory(rows.values, matrix.data)


def test_zeros_and_ones_need_no_values():
    matrix = sparse.csr_array((X > 0).astype(float))
    model = fitted(matrix)
    assert isinstance(read_rows(model, matrix, bias=1.0), Words)
    assert np.array_equal(model.coef_, fitted((X > 0).astype(float)).coef_)


def damaged(change) -> sparse.csr_array:
    matrix = sparse.csr_array(X)
    change(matrix)
    return matrix


def unsorted(matrix):
    matrix.indices[:2] = matrix.indices[:2][::-1].copy()
    matrix.data[:2] = matrix.data[:2][::-1].copy()


def test_unsorted_columns_are_put_in_order_and_repeated_ones_added_up():
    assert np.array_equal(fitted(damaged(unsorted)).coef_, fitted().coef_)
    twice = sparse.csr_array(
        (
            np.array([1.0, 1, 1, 3, 4, 5, 1, 1, 1, 1, 1]),
            np.array([2, 0, 2, 1, 0, 2, 0, 1, 2, 1, 1]),
            np.array([0, 3, 4, 5, 6, 9, 11]),
        ),
        shape=X.shape,
    )
    before = twice.indices.copy(), twice.data.copy()
    model = fitted(twice)
    assert np.array_equal(model.coef_, fitted().coef_)
    assert model.radius_ == fitted().radius_
    assert np.array_equal(twice.indices, before[0])
    assert np.array_equal(twice.data, before[1])


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.indices.__setitem__(3, 3),
        lambda m: m.indices.__setitem__(3, -1),
        lambda m: m.indices.__setitem__(3, 2**31 - 1),
        lambda m: m.indptr.__setitem__(2, 10**6),
        lambda m: m.indptr.__setitem__(2, -5),
        lambda m: m.indptr.__setitem__(-1, 99),
        lambda m: m.indptr.__setitem__(0, 1),
        lambda m: setattr(m, "data", m.data[:2]),
    ],
)
def test_indices_that_point_outside_are_refused(change):
    with pytest.raises(ValueError, match="damaged"):
        fitted(damaged(change))
    with pytest.raises(ValueError, match="damaged"):
        fitted().predict(damaged(change))


@pytest.mark.parametrize("form", [sparse.csc_array, sparse.coo_array])
def test_damage_is_found_before_scipy_follows_it(form):
    matrix = form(X)
    numbers = matrix.indices if form is sparse.csc_array else matrix.row
    numbers[0] = 10**6
    with pytest.raises(ValueError, match="damaged"):
        fitted(matrix)


def broken(table, row, column, value):
    table = table.astype(float)
    table[row, column] = value
    return table


BAD = {
    "NaN": (lambda: fitted(broken(X, 2, 1, np.nan)), "contains NaN in row 2, column 1"),
    "infinity": (lambda: fitted(broken(X, 4, 0, -np.inf)), "contains infinity in row 4, column 0"),
    "sparse NaN": (lambda: fitted(sparse.csr_array(broken(X, 3, 2, np.nan))), "contains NaN in row 3, column 2"),
    "a missing cell": (lambda: fitted(pd.DataFrame(X).astype(object).where(X != 4, None)), "contains NaN in row 2"),
    "too large": (lambda: fitted(X * 1e150), "overflow. Scale the columns"),
    "too large in float32": (lambda: fitted((X * 1e18).astype(np.float32)), "overflow. Scale the columns"),
    "text": (lambda: fitted([["a", "b"], ["c", "d"]], [0, 1]), "column 0 holds 'a' in row 0, which is no number"),
    "one class": (lambda: fitted(X, np.zeros(6)), "all 6 rows have the label 0.0. Give rows of two classes.$"),
    "no rows": (lambda: fitted(X[:0], Y[:0]), "0 sample"),
    "no columns": (lambda: fitted(X[:, :0]), "0 feature"),
    "lengths": (lambda: fitted(X, Y[:4]), "inconsistent numbers of samples: X has 6 rows and y 4 labels"),
    "one dimension": (lambda: fitted(X[0], Y[:3]), "Expected 2D array"),
    "continuous labels": (lambda: fitted(X, X[:, 0] + 0.5), "Unknown label type"),
    "no label": (lambda: fitted(X, ["a", "b", "a", None, "b", "a"]), "y has no label in row 3: it contains None"),
    "NaN as a label": (lambda: fitted(X, np.array(["a", "b", np.nan] * 2, object)), "y has no label in row 2: it con"),
    "NA as a label": (lambda: fitted(X, np.array(["a", pd.NA, "b"] * 2, object)), "y has no label in row 1"),
    "mixed labels": (lambda: fitted(X, np.array(["a", 1, "b"] * 2, object)), "Make them all text or all numbers"),
    "weights": (
        lambda: fitted(weights="mean"),
        "weights must be one of 'final', 'averaged', 'voted', 'pocket'; got 'mean'",
    ),
    "ties": (lambda: fitted(ties="random"), "ties must be one of"),
    "margin": (lambda: fitted(margin=-1), "margin must be 0 or more; got -1"),
    "eta0": (lambda: fitted(eta0=0), "eta0 must be above 0; got 0"),
    "eta0 NaN": (lambda: fitted(eta0=float("nan")), "eta0 must be above 0"),
    "max_iter": (lambda: fitted(max_iter=0), "max_iter must be a whole number of at least 1; got 0"),
    "max_iter 2.5": (lambda: fitted(max_iter=2.5), "max_iter must be a whole number"),
    "tol": (lambda: fitted(tol="small"), "tol must be"),
    "shards": (lambda: fitted(shards=0), "shards must be a whole number of at least 1"),
    "shards voted": (lambda: fitted(shards=2, weights="voted"), "Use shards=1"),
    "validation_fraction": (lambda: fitted(early_stopping=True, validation_fraction=1.5), "between 0 and 1"),
    "nothing held out": (lambda: fitted(early_stopping=True, validation_fraction=0.01), "keep aside none of 6 rows"),
    "n_jobs": (lambda: fitted(n_jobs=0), "n_jobs must be a whole number but not 0"),
    "random_state": (lambda: Perceptron(random_state=2**70).fit(X, Y), f"random_state .* from 0 to {2**64 - 1}; got"),
    "random_state below 0": (
        lambda: Perceptron(random_state=-1).fit(X, Y),
        "random_state must be a whole number from 0 to",
    ),
    "class_weight": (lambda: fitted(class_weight="even"), "class_weight"),
    "negative weight": (lambda: Perceptron().fit(X, Y, sample_weight=[1, 1, -1, 1, 1, 1]), "Negative values"),
    "weights all 0": (lambda: Perceptron().fit(X, Y, sample_weight=np.zeros(6)), "all sample weights are 0|zero"),
    "coef_init": (lambda: Perceptron().fit(X, Y, coef_init=[1, 2]), r"coef_init must hold 1 × 3 finite numbers"),
    "intercept_init": (lambda: Perceptron().fit(X, Y, intercept_init=[1, 2]), "intercept_init must hold 1 finite"),
    "balanced parts": (lambda: Perceptron(class_weight="balanced").partial_fit(X, Y), "Give the weights as a dict"),
    "first part of one class": (lambda: Perceptron().partial_fit(X[:1], Y[:1]), "name all classes with partial_fit"),
    "classes": (lambda: Perceptron().partial_fit(X, Y, classes=[0, 5]), "not in classes"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_a_value_error_that_says_what_to_do(case):
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call()


SPOILERS = {
    "other columns": lambda m: m.partial_fit(np.ones((3, 7)), [0, 1, 0]),
    "NaN": lambda m: m.partial_fit(broken(X, 0, 0, np.nan), Y),
    "one class": lambda m: m.fit(X, np.zeros(6)),
    "other columns and lengths": lambda m: m.fit(np.ones((3, 7)), [0, 1]),
    "a word": lambda m: m.set_params(ties="random").fit(X, Y),
    "start": lambda m: m.fit(X, np.arange(6) % 3, coef_init=[1, 2]),
}


@pytest.mark.parametrize("case", SPOILERS)
def test_a_model_keeps_its_former_state_when_something_is_refused(case):
    model = fitted()
    expected = model.coef_.copy()
    before = {name: value for name, value in vars(model).items() if name.endswith("_")}
    with pytest.raises(ValueError, match=r"\w"):
        SPOILERS[case](model)
    after = {name: value for name, value in vars(model).items() if name.endswith("_")}
    assert np.array_equal(model.coef_, expected)
    assert before.keys() == after.keys()
    assert all(before[name] is after[name] for name in before)


def test_explain_takes_one_row():
    model = fitted()
    with pytest.raises(ValueError, match="explain takes one row; got 2"):
        model.explain(X[:2])
    with pytest.raises(ValueError, match="have no explanation"):
        fitted(weights="voted").explain(X[0])
    assert np.array_equal(model.explain(sparse.csr_array(X[:1])).scores, model.explain(X[0]).scores)
    assert model.explain(pd.Series(X[0])).scores == model.explain(X[0]).scores


def test_predicting_on_values_that_are_not_finite_is_refused():
    for weights in ("averaged", "voted"):
        model = fitted(weights=weights)
        with pytest.raises(ValueError, match="contains NaN in row 0, column 2"):
            model.predict(broken(X, 0, 2, np.nan))


@pytest.mark.parametrize(
    "form", [np.ascontiguousarray, sparse.csr_matrix, sparse.csr_array], ids=["array", "matrix", "csr"]
)
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_that_skip_the_checks_score_as_those_that_do_not(form, classes):
    rng = np.random.default_rng(classes)
    table = rng.normal(size=(60, 7)) * (rng.random((60, 7)) < 0.4)
    model = fitted(form(table), rng.integers(0, classes, 60))
    # Other orders in memory, and other formats, go through scikit-learn's checks.
    checked = np.asfortranarray(table) if form is np.ascontiguousarray else sparse.csc_matrix(table)
    assert model.decision_function(form(table)).tobytes() == model.decision_function(checked).tobytes()
    # A row that repeats one value is stored as such when it comes alone, which rounds its score otherwise.
    alone = np.array([model.decision_function(form(table[i : i + 1]))[0] for i in range(60)])
    assert np.allclose(alone, model.decision_function(form(table)), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix], ids=["array", "sparse"])
@pytest.mark.parametrize(("rows", "said"), [(X[:, :2], "2 features"), (X[:0], "0 sample"), (X * np.nan, "NaN")])
def test_rows_to_predict_that_cannot_be_used_are_refused(form, rows, said):
    with pytest.raises(ValueError, match=said):
        fitted().predict(form(rows))


def test_tables_without_the_names_of_the_training_rows_are_still_noticed():
    with pytest.warns(UserWarning, match="valid feature names"):
        fitted(pd.DataFrame(X, columns=NAMES)).predict(X)


ENTRIES = st.lists(
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from([1.0, 2.0, 0.0, np.nan])), max_size=4), max_size=6
)


@given(ENTRIES)
def test_order_and_repetition_are_seen_as_row_by_row(rows):
    starts = np.cumsum([0, *map(len, rows)]).astype(np.uint64)
    columns = np.array([column for row in rows for column, _ in row], np.uint32)
    values = np.array([value for row in rows for _, value in row], float)
    for bound in (3, 9):
        in_order = all(a < b for row in rows for (a, _), (b, _) in pairwise(row))
        below = all(column < bound for row in rows for column, _ in row)
        assert columns_increase(starts, columns, np.uint32(bound)) == (in_order and below)
    scales = np.ones(len(rows))
    repeats = all(value == row[0][1] and value != 0 for row in rows for _, value in row)
    assert rows_repeat_one_value(starts, values, scales) == repeats
    if repeats:
        assert scales.tolist() == [row[0][1] if row else 1.0 for row in rows]


def test_a_change_between_blocks_of_rows_is_no_change_within_one():
    starts = np.arange(0, 3001, 2).astype(np.uint64)
    values = np.repeat(np.arange(1.0, 1501.0), 2)
    scales = np.ones(1500)
    assert rows_repeat_one_value(starts, values, scales)
    assert np.array_equal(scales, np.arange(1.0, 1501.0))
    values[2049] = 7
    assert not rows_repeat_one_value(starts, values, scales)
    first, second = 2 * SOME_ROWS, 4 * SOME_ROWS  # of ones, of twos, then each row with its own
    values[:first], values[first:second], values[2049] = 1, 2, 1025
    scales = np.ones(1500)
    assert rows_repeat_one_value(starts, values, scales)
    assert np.array_equal(scales, values[::2])
    for place in (first - 1, first, second - 1, second):
        assert not rows_repeat_one_value(starts, np.where(np.arange(3000) == place, 9, values), np.ones(1500))


def test_columns_out_of_order_are_seen_at_the_edges_of_what_is_compared_together():
    size = int(SOME_VALUES)
    columns, starts = np.arange(size + 3, dtype=np.uint32), np.array([0, size + 3], np.uint64)
    assert columns_increase(starts, columns, np.uint32(size + 3))
    assert not columns_increase(starts, columns, np.uint32(size + 2))
    for place in (0, 1, size - 1, size, size + 1):
        columns[place : place + 2] = columns[place : place + 2][::-1].copy()
        assert not columns_increase(starts, columns, np.uint32(size + 3))
        columns[place : place + 2] = columns[place : place + 2][::-1].copy()
