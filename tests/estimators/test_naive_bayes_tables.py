"""Tables of every make, columns that change, and input that cannot be used."""

from __future__ import annotations

import copy
import datetime
import math
import os
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from rosenblatt.errors import DataError, SettingError
from rosenblatt.estimators.naive_bayes import NaiveBayes

DATA = Path(os.environ.get("ROSENBLATT_DATA", Path(__file__).resolve().parents[2] / "../shared/data"))
COLUMNS = {
    "sky": ["sun", "rain", None, "sun", "rain", "fog"],
    "wind": [True, False, True, None, False, True],
    "guests": [3, 1, None, 3, 2, 1],
    "degrees": [20.5, 11.25, 9.0, 24.75, None, 8.5],
}
LABELS = ["out", "in", "in", "out", "in", "in"]
MAKES = {
    "pandas": pd.DataFrame,
    "pandas categories": lambda c: pd.DataFrame(c).astype({"sky": "category"}),
    "pandas nullable": lambda c: pd.DataFrame(c).convert_dtypes(),
    "polars": pl.DataFrame,
    "Arrow": pa.table,
    "Arrow in chunks": lambda c: pa.concat_tables([pa.table(c).slice(0, 2), pa.table(c).slice(2)]),
}


@pytest.fixture(scope="module")
def plain():
    X = np.array(list(zip(*COLUMNS.values(), strict=True)), dtype=object)
    return NaiveBayes().fit(X, LABELS), X


@pytest.mark.parametrize("make", MAKES)
def test_every_make_of_table_gives_the_same_model(plain, make):
    table = MAKES[make](COLUMNS)
    model = NaiveBayes().fit(table, LABELS)
    assert model.counts_.cells.tolist() == plain[0].counts_.cells.tolist()
    assert model.feature_names_in_.tolist() == list(COLUMNS)
    assert model.predict_proba(table).tolist() == plain[0].predict_proba(plain[1]).tolist()


def test_auto_decides_each_column_by_its_values():
    n = 40
    table = {
        "bool": [True, False] * (n // 2),
        "zero or one": [0.0, 1.0] * (n // 2),
        "few integers": list(range(32)) + [0] * 8,
        "many integers": list(range(n)),
        "fractions": [0.5, 1.5] * (n // 2),
        "strings": ["0", "1"] * (n // 2),
        "dates": [datetime.date(2026, 1, 1)] * n,
        "nothing": [None] * n,
        "mixed": [1, "1"] * (n // 2),
    }
    model = NaiveBayes().fit(pd.DataFrame(table, dtype=object), [0, 1] * (n // 2))
    cuts = model.features_.pop("many integers")
    found = dict(model.features_)
    assert found.pop("many integers") == (3, 7, 11, 15, 19, 23, 27, 31, 35) == cuts
    assert found.pop("fractions") == (0.5,)
    assert found == {
        "bool": "binary",
        "zero or one": "binary",
        "few integers": "categorical",
        "strings": "categorical",
        "dates": "categorical",
        "nothing": "binary",
        "mixed": "categorical",
    }


@pytest.mark.parametrize(("data", "kind"), [([1, 1, 1], "binary"), ([1, 3, 1], "counts"), ([0.5, 1, 2], "counts")])
def test_a_sparse_matrix_is_binary_or_counts_as_a_whole(data, kind):
    X = sp.csr_matrix((data, ([0, 1, 1], [0, 0, 1])), shape=(2, 3))
    assert set(NaiveBayes().fit(X, [0, 1]).features_.values()) == {kind}


def test_bins_hold_about_equal_numbers_of_rows_and_are_shared_through_features():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1000, 2)), rng.integers(0, 2, 1000)
    whole = NaiveBayes().fit(X, y)
    sizes = whole.counts_.cells.sum(axis=1)
    assert (sizes == 100).all()
    shards = [NaiveBayes(features=whole.features_).fit(X[i::3], y[i::3]) for i in range(3)]
    merged = shards[0].merge(shards[1]).merge(shards[2])
    assert merged.counts_.cells.tolist() == whole.counts_.cells.tolist()
    with pytest.raises(DataError, match=r"column 0 is cut into different bins.*same cuts in features"):
        NaiveBayes().fit(X[::2], y[::2]).merge(NaiveBayes().fit(X[1::2], y[1::2]))


def test_a_third_value_makes_a_binary_column_categorical():
    model = NaiveBayes().fit([[0, 1], [1, 1]], ["a", "b"])
    assert model.features_ == {0: "binary", 1: "binary"}
    model.partial_fit([[2, 0], [0, 0]], ["a", "b"])
    assert model.features_ == {0: "categorical", 1: "binary"}
    whole = NaiveBayes().fit([[0, 1], [1, 1], [2, 0], [0, 0]], ["a", "b", "a", "b"])
    assert model.counts_.cells.tolist() == whole.counts_.cells.tolist()
    sparse = NaiveBayes().fit(sp.csr_matrix([[0, 1], [1, 1]]), ["a", "b"])
    sparse.partial_fit(sp.csr_matrix([[2, 0], [0, 0]]), ["a", "b"])
    assert sparse.counts_.cells.tolist() == whole.counts_.cells.tolist()
    assert sparse.predict_proba(sp.csr_matrix([[2, 1]])).tolist() == whole.predict_proba([[2, 1]]).tolist()


def test_a_class_a_value_and_a_named_column_may_come_later():
    first = pd.DataFrame({"sky": ["sun", "rain"], "wind": [0, 1]})
    later = pd.DataFrame({"wet": [1, 0], "wind": [1, 1], "sky": ["fog", "sun"]})
    model = NaiveBayes().fit(first, ["out", "in"]).partial_fit(later, ["away", "in"])
    both = pd.DataFrame({"sky": ["sun", "rain", "fog", "sun"], "wind": [0, 1, 1, 1], "wet": [None, None, 1, 0]})
    whole = NaiveBayes().fit(both, ["out", "in", "away", "in"])
    assert model.classes_.tolist() == ["away", "in", "out"]
    assert model.predict_proba(both).tolist() == whole.predict_proba(both).tolist()
    other = NaiveBayes().fit(later, ["away", "in"]).merge(NaiveBayes().fit(first, ["out", "in"]))
    assert other.predict_proba(both[["wet", "sky", "wind"]]).tolist() == whole.predict_proba(both).tolist()


@pytest.mark.parametrize("n", [255, 256, 65_535, 65_536, 70_000])
def test_counts_do_not_overflow_the_bytes_they_are_first_held_in(n):
    X, y = np.ones((n, 2), np.uint8), np.zeros(n, int)
    X[0, 1] = 0
    for form in (X, X.astype(bool), sp.csr_matrix(X)):
        assert NaiveBayes().fit(form, y).counts_.cells.tolist() == [[n], [n - 1]]


def test_large_whole_numbers_are_not_mistaken_for_each_other():
    ids = np.array([[2**60], [2**60 + 1], [2**60], [2**60 + 1]])
    model = NaiveBayes(k=0).fit(ids, ["a", "b", "a", "b"])
    assert model.predict_proba(ids).tolist() == [[1, 0], [0, 1]] * 2


@pytest.mark.parametrize(
    "X",
    [
        np.array([["u"], ["v"], ["u"], ["v"]]),
        np.array(["2026-01-01", "2026-01-02", "2026-01-01", "2026-01-02"], "datetime64[D]")[:, None],
        pd.DataFrame({"when": pd.to_datetime(["2026-01-01", "2026-01-02"] * 2)}),
        np.array([[b"u"], [b"v"], [b"u"], [b"v"]]),
        np.array([[0.5], [1.5], [0.5], [1.5]], np.float16),
        np.array([[True], [False], [True], [False]]),
        [(1, ), ("v", ), (1.0, ), ("v", )],
        pd.DataFrame({"c": pd.Categorical([7, 9, 7, 9], categories=[5, 7, 9])}),
        pa.table({"a": pa.array(["u", "v", "u", "v"]).dictionary_encode()}),
        pl.DataFrame({"a": ["u", "v", "u", "v"]}, schema={"a": pl.Categorical}),
    ],
)  # fmt: skip
def test_two_values_of_any_type_are_told_apart(X):
    model = NaiveBayes(k=0).fit(X, ["a", "b", "a", "b"])
    assert model.predict_proba(X).tolist() == [[1, 0], [0, 1]] * 2
    assert model.tables().size == 2 + 2 * 2


def test_counts_of_truth_values_and_of_one_word_repeated_in_every_row():
    y = [0, 1]
    for X in (np.array([[True, False], [True, True]]), np.array([[2.0, 0], [3, 3]]), sp.csr_matrix([[2.0, 0], [3, 3]])):
        model = NaiveBayes(features="counts", k=1).fit(X, y)
        dense = X.toarray() if sp.issparse(X) else X.astype(float)
        assert model.counts_.cells.T.tolist() == dense.tolist()
        assert model.counts_.cells.dtype == np.int64
        chances = np.log([[1 / 2, 1 / 2]]) + dense @ np.log(model.tables()["words"].to_numpy())
        np.testing.assert_allclose(
            model.predict_log_proba(X), chances - np.log(np.exp(chances).sum(axis=1))[:, None], rtol=1e-12
        )


def test_missing_entries_of_a_sparse_matrix_leave_their_factor_out():
    dense = np.array([[1, 0, np.nan], [0, 1, 1], [np.nan, 1, 0], [1, 1, 0.0]])
    X, y = sp.csr_matrix(dense), [0, 0, 1, 1]
    assert NaiveBayes().fit(X, y).predict_proba(X).tolist() == NaiveBayes().fit(dense, y).predict_proba(dense).tolist()


def test_k_is_tuned_beside_a_column_that_lists_no_value():
    X, y = pd.DataFrame({"none": [None] * 4, "sky": ["sun", "rain"] * 2}), ["out", "in"] * 2
    model = NaiveBayes(features="categorical").fit(X, y).tune(X, y)
    assert model.features_ == {"none": "categorical", "sky": "categorical"}
    assert model.tuning_.accuracies.max() == model.score(X, y) == 1


def test_changing_k_or_copying_needs_no_refit_and_weights_of_whole_numbers_repeat_rows(plain):
    model, X = plain
    changed = copy.deepcopy(model).set_params(k=0.1)
    assert changed.predict_proba(X).tolist() == NaiveBayes(k=0.1).fit(X, LABELS).predict_proba(X).tolist()
    assert pickle.loads(pickle.dumps(model)).predict_proba(X).tolist() == model.predict_proba(X).tolist()
    weights = np.array([2, 0, 1, 3, 1, 1])
    repeated = NaiveBayes().fit(np.repeat(X, weights, axis=0), np.repeat(LABELS, weights))
    assert NaiveBayes().fit(X, LABELS, weights).counts_.cells.tolist() == repeated.counts_.cells.tolist()


def test_an_explanation_reads_well():
    model = NaiveBayes(k=0).fit(sp.csr_matrix([[1, 0, 0], [1, 1, 0], [0, 1, 0]]), ["spam", "spam", "ham"])
    told = model.explain(sp.csr_matrix([[1, 0, 0]]))
    assert told.decision == math.inf
    assert str(told).splitlines()[0] == "'spam' rather than 'ham': log-odds +inf"
    assert "(other class never has it)" in str(told)
    assert [term.feature for term in told.terms].count("2 absent") == 1
    named = NaiveBayes().fit(pd.DataFrame({"sky": ["sun", "rain"]}), ["out", "in"])
    assert named.explain({"sky": "rain"}) == named.explain(pd.DataFrame({"sky": ["rain"]}))
    assert "sky = rain" in str(named.explain({"sky": "rain"}, against="out"))


def table(**columns):
    return pd.DataFrame(columns)


FITTED = {"sky": ["sun", "rain"], "wind": [0, 1]}
WRONG = {
    "negative k": (SettingError, r"^k must be .* got -1", lambda m: m.set_params(k=-1).predict(table(**FITTED))),
    "NaN k": (SettingError, r"^k must be .* got nan", lambda m: m.set_params(k=math.nan).fit(table(**FITTED), [0, 1])),
    "text k": (SettingError, "^k must be", lambda m: m.set_params(k="1").fit(table(**FITTED), [0, 1])),
    "grid": (SettingError, "every k of the grid must be", lambda m: m.tune(table(**FITTED), ["in", "out"], [1, -2])),
    "empty grid": (SettingError, "grid is empty", lambda m: m.tune(table(**FITTED), ["in", "out"], [])),
    "kind": (SettingError, "unknown kind 'words'", lambda m: m.set_params(features="words").fit([[1]], [1])),
    "kind of a column": (
        SettingError,
        r"column 'sky': unknown kind 7",
        lambda m: m.set_params(features={"sky": 7}).fit(table(**FITTED), [0, 1]),
    ),
    "unknown column": (
        SettingError,
        "features names column 'sea'",
        lambda m: m.set_params(features={"sea": "binary"}).fit(table(**FITTED), [0, 1]),
    ),
    "too few kinds": (SettingError, "lists 1 kinds", lambda m: m.set_params(features=["auto"]).fit([[1, 2]], [1])),
    "cuts": (SettingError, "cuts must", lambda m: m.set_params(features=[[2.0, 1.0]]).fit([[1]], [1])),
    "priors": (SettingError, "priors must be 2", lambda m: m.set_params(priors=[1]).predict(table(**FITTED))),
    "priors' sum": (SettingError, "sum to 1", lambda m: m.set_params(priors=[0.5, 0.6]).predict(table(**FITTED))),
    "priors' classes": (SettingError, "name the classes", lambda m: m.set_params(priors={"x": 1}).tables()),
    "missing column": (DataError, "lacks column 'wind'", lambda m: m.predict(table(sky=["sun"]))),
    "missing in part": (DataError, "lacks column 'wind'", lambda m: m.partial_fit(table(sky=["sun"]), ["in"])),
    "unnamed columns": (DataError, "X has 3 features, but .* expecting 2", lambda m: m.predict([["sun", 1, 2]])),
    "merge columns": (DataError, "has 2 columns, the other 1", lambda m: m.merge(NaiveBayes().fit([[1]], ["in"]))),
    "merge kinds": (
        DataError,
        "sky is categorical in one model and counts in the other",
        lambda m: m.merge(NaiveBayes(features={"sky": "counts"}).fit(table(sky=[1, 2], wind=[0, 1]), ["in", "out"])),
    ),
    "merge classes": (DataError, "of different types", lambda m: m.merge(NaiveBayes().fit(table(**FITTED), [0, 1]))),
    "classes": (DataError, "of different types", lambda m: m.partial_fit(table(**FITTED), ["in", "out"], classes=[1])),
    "merge else": (DataError, "takes another NaiveBayes", lambda m: m.merge(7)),
    "negative count": (DataError, "column 1 holds -2", lambda m: m.set_params(features="counts").fit([[1, -2]], [1])),
    "negative sparse": (DataError, "column 1 .* holds -2", lambda m: m.fit(sp.csr_matrix([[1, -2.0]]), [1])),
    "huge count": (DataError, r"2\*\*53", lambda m: m.set_params(features="counts").fit([[1e300, 1]], [1])),
    "infinity": (DataError, "infinity in row 0, column 1", lambda m: m.fit([[1.0, math.inf]], [1])),
    "string to count": (
        DataError,
        "column 'sky' is to be counts but holds 'rain'",
        lambda m: m.set_params(features={"sky": "counts"}).fit(table(**FITTED), [0, 1]),
    ),
    "twice a name": (
        DataError,
        "two columns named 'a'",
        lambda m: m.fit(pd.DataFrame([[1, 2]], columns=["a", "a"]), [1]),
    ),
    "no label": (DataError, "no label in row 1", lambda m: m.fit([[1], [2]], ["a", None])),
    "labels": (DataError, "2 rows and y 1 labels", lambda m: m.fit([[1], [2]], ["a"])),
    "weights": (DataError, "finite and not negative", lambda m: m.fit([[1]], ["a"], [-1])),
    "huge weights": (DataError, "add up to infinity", lambda m: m.fit([[1]] * 3, ["a"] * 3, [1e308] * 3)),
    "cell": (DataError, "holds a dict", lambda m: m.fit(np.array([[{}], [1]], dtype=object), [0, 1])),
    "two rows": (DataError, "explain takes one row; got 2", lambda m: m.explain(table(**FITTED))),
    "against": (SettingError, "against must be one of", lambda m: m.explain({"sky": "sun", "wind": 1}, against="x")),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_named_and_leaves_the_model_as_it_was(case):
    kind, message, call = WRONG[case]
    model = NaiveBayes().fit(table(**FITTED), ["out", "in"])
    before = model.predict_proba(table(**FITTED)).tolist()
    with pytest.raises(kind, match=message):
        call(model)
    again = model.set_params(**NaiveBayes().get_params())
    assert again.predict_proba(table(**FITTED)).tolist() == before


def test_an_unfitted_model_says_so(plain):
    for call in ("predict", "explain", "tune"):
        with pytest.raises(NotFittedError):
            getattr(clone(plain[0]), call)(*([[[1]], [1]] if call == "tune" else [[[1]]]))


@pytest.mark.skipif(not (DATA / "mushroom").exists(), reason="ROSENBLATT_DATA has no mushroom table")
def test_mushrooms_are_told_apart_from_their_raw_table():
    frame = pd.read_csv(DATA / "mushroom/mushroom_with_header.csv").replace("?", None)
    X, y = frame.drop(columns="edible"), frame["edible"]
    odd = np.arange(len(X)) % 2 == 1
    model = NaiveBayes().fit(X[odd], y[odd]).tune(X[~odd], y[~odd], [1e-6, 1e-3, 1, 100])
    assert model.k < 1
    assert model.score(X[~odd], y[~odd]) > 0.98


def test_a_small_weight_beside_a_large_missing_one_is_not_lost():
    # 16384 + 1e-13 − 16384 is 0 in floating point, less than the 1e-13 that is known to be present.
    rows = pd.DataFrame({"x": [None, 1, 0]}, dtype=object)
    model = NaiveBayes(k=5e-324, features="binary").fit(rows, ["c", "c", "a"], sample_weight=[16384, 1e-13, 1])
    chances = model.predict_proba(rows)
    assert np.isfinite(chances).all()
    assert np.allclose(chances.sum(axis=1), 1)
