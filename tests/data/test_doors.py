"""One table of what an X and a y may be, for everybody who takes one: the same verdict and the same line at each.

A case says what the doors of numbers say (None: it is accepted), and in columns of its own where others differ by
design: proofs refuse what float64 would round, naive Bayes takes names and missing values, and so does `train`, which
also reads texts alone as a table and leaves columns of lists to its plan.
"""

from __future__ import annotations

import warnings
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from rosenblatt import NaiveBayes, Perceptron, prove, trace, train
from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import Classes, learn_and_encode
from rosenblatt.loops.rows import dense_rows
from rosenblatt.traces.replay import verify

SAME = object()
N = 24
A = np.array([[i % 5, i // 5 + 0.5 * (i % 2)] for i in range(N)])  # all rows differ, and so do both columns
Y = np.array([i % 2 for i in range(N)])
ROWS = A.tolist()
WHOLE = (A * 2).astype(int)
NAMES = [[f"n{i % 3}", f"m{i % 4}"] for i in range(N)]


class Case(NamedTuple):
    """A given X or y; what doors of numbers say of it, and what the others say where that is not the same."""

    given: Any
    said: str | None = None
    proofs: Any = SAME
    names: Any = SAME
    train: Any = SAME

    def expected(self, column: str) -> str | None:
        found = self.said if column == "numbers" else getattr(self, column)
        return self.said if found is SAME else found


def with_cell(value: Any, row: int = 3, column: int = 1, kind: Any = float) -> np.ndarray:
    table = A.astype(kind)
    table[row, column] = value
    return table


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"u": WHOLE[:, 0], "v": WHOLE[:, 1]} | columns)


def series(values: Any, kind: str) -> pd.Series:
    return pd.Series(list(values), dtype=kind)


MASK = np.zeros(A.shape, bool)
MASK[3, 1] = True
DAYS = np.datetime64("2026-01-01") + np.arange(N)
NO_NUMBER = "column 0 holds 'n0' in row 0, which is no number. Convert it to a number"
NAN, INF = "contains NaN in row 3, column 1", "contains infinity in row 3, column 1"
NO_TABLE = "which is no table of rows. Give a list of rows"
BIG = 2**60 + np.arange(N)
PAST = "whole numbers beyond 2^53"

X_CASES = {
    "list of lists": Case(ROWS),
    "tuple of tuples": Case(tuple(map(tuple, ROWS))),
    "list of arrays": Case(list(A)),
    **{f"array {kind}": Case(WHOLE.astype(kind)) for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")},
    **{f"array {kind}": Case(A.astype(kind)) for kind in ("f2", "f4", "f8", "g", ">f8", ">f4")},
    "array bool": Case(A.astype(int) % 2 == 0),
    "array in Fortran's order": Case(np.asfortranarray(A)),
    "every second row": Case(np.repeat(A, 2, axis=0)[::2]),
    "array object": Case(A.astype(object)),
    "objects of many kinds": Case(np.array([[True, Fraction(1, 2)], [2, Decimal("0.25")]] * (N // 2), object)),
    "masked, nothing hidden": Case(np.ma.array(A, mask=False)),
    "masked": Case(np.ma.array(A, mask=MASK), NAN, names=None),
    "NaN": Case(with_cell(np.nan), NAN, names=None),
    "None": Case(with_cell(None, kind=object), NAN, names=None),
    "None in a list": Case(with_cell(None, kind=object).tolist(), NAN, names=None),
    "infinity": Case(with_cell(np.inf), INF),
    "text": Case(NAMES, NO_NUMBER, names=None, train=None),
    "text array": Case(np.array(NAMES), NO_NUMBER, names=None, train=None),
    "numbers as text": Case(
        [[str(v) for v in row] for row in ROWS], "column 0 holds '0.0' in row 0, which is no", names=None, train=None
    ),
    "numbers as text array": Case(A.astype(str), "column 0 holds '0.0' in row 0", names=None, train=None),
    "one text among numbers": Case(
        with_cell("much", kind=object), "column 1 mixes text ('much', row 3) with numbers (0.0, row 0)", names=None
    ),
    "bytes": Case(
        np.array(NAMES, "S2"), "column 0 holds b'n0' in row 0, which is no number", names=None,
        train="no column is left to learn from. 'x1' is dropped",
    ),
    "a dict in a cell": Case(with_cell({}, kind=object), "column 1 holds a dict in row 3, {}; an argument must be"),
    "complex": Case(A + 1j, "Complex data not supported"),
    "complex in a list": Case((A + 1j).tolist(), "Complex data not supported"),
    "dates": Case(
        np.column_stack([DAYS, DAYS]), "column 0 holds datetime.date(2026, 1, 1) in row 0, which is no nu", names=None,
        train=None,
    ),
    "structured": Case(np.zeros(N, [("a", float), ("b", float)]), "X holds values of type"),
    "np.matrix": Case(np.asmatrix(A), "X is an np.matrix"),
    "beyond 2^53": Case(np.column_stack([BIG, WHOLE[:, 1]]), None, proofs=f"column 0 holds {PAST} ({BIG[-1]})"),
    "beyond 2^53 in a list": Case([[int(b), 0.5] for b in BIG], None, proofs=f"column 0 holds {PAST} ({BIG[-1]})"),
    "beyond 2^53 beside a fraction": Case(
        [[2**53 + 1 if i == 3 else i + 0.5, i] for i in range(N)], None, proofs=f"column 0 holds {PAST} ({2**53 + 1})"
    ),
    "beyond 2^64": Case([[2**70 + i, i] for i in range(N)], None, proofs=f"column 0 holds {PAST} ({2**70})"),
    "beyond floats": Case([[10**400 + i, i] for i in range(N)], "column 0 holds a number beyond", proofs=PAST),
    "pandas": Case(frame()),
    "pandas of many types": Case(frame(v=A[:, 1].astype("f4"), u=WHOLE[:, 0] > 3)),
    "pandas Int64": Case(frame(u=series(WHOLE[:, 0], "Int64"))),
    "pandas Float64": Case(frame(u=series(A[:, 0], "Float64"))),
    "pandas boolean": Case(frame(u=series(WHOLE[:, 0] > 3, "boolean"))),
    "pandas NA": Case(
        frame(u=series([*WHOLE[:3, 0], None, *WHOLE[4:, 0]], "Int64")), "contains NaN in row 3, column 0", names=None,
        train=None,
    ),
    "pandas categories of numbers": Case(frame(u=pd.Categorical(WHOLE[:, 0]))),
    "pandas categories of names": Case(
        frame(u=pd.Categorical([row[0] for row in NAMES])), "column 'u' holds 'n0' in row 0, which is", names=None,
        train=None,
    ),
    "pandas text": Case(frame(u=[row[0] for row in NAMES]), "column 'u' holds 'n0' in row 0", names=None, train=None),
    "pandas dates": Case(
        frame(u=pd.to_datetime(DAYS)), "column 'u' holds datetime.datetime(2026", names=None, train=None
    ),
    "pandas durations": Case(
        frame(u=[timedelta(days=i) for i in range(N)]), "column 'u' holds ", names=None,  # what, pandas says
        train=None,
    ),
    "pandas sparse": Case(pd.DataFrame({"u": pd.arrays.SparseArray(A[:, 0]), "v": pd.arrays.SparseArray(A[:, 1])})),
    "pandas Arrow": Case(frame(u=series(WHOLE[:, 0], "int64[pyarrow]"))),
    "pandas numbered columns": Case(pd.DataFrame(A)),
    "pandas mixed names": Case(pd.DataFrame(A, columns=["u", 1]), "X names some columns by text and one by 1"),
    "pandas twice a name": Case(pd.DataFrame(A, columns=["u", "u"]), "X has two columns named 'u'"),
    "pandas lists": Case(frame(u=[[1.0, 2.0]] * N), "column 'u' holds a list in row 0, [1.0, 2.0]; an arg", train=None),
    "pandas series": Case(pd.Series(A[:, 0]), "Expected 2D array, got 1D array instead"),
    "polars": Case(pl.DataFrame(A, schema=["u", "v"])),
    "polars text": Case(
        pl.DataFrame(NAMES, schema=["u", "v"], orient="row"), "column 'u' holds 'n0'", names=None, train=None
    ),
    "polars categories": Case(
        pl.DataFrame({"u": pl.Series([r[0] for r in NAMES], dtype=pl.Categorical), "v": A[:, 1]}),
        "column 'u' holds 'n0'", names=None, train=None,
    ),
    "polars lazy": Case(pl.DataFrame(A, schema=["u", "v"]).lazy(), f"X is a LazyFrame, {NO_TABLE}"),
    "Arrow": Case(pa.table({"u": A[:, 0], "v": WHOLE[:, 1]})),
    "Arrow in pieces": Case(pa.concat_tables([pa.table({"u": A[i::2, 0], "v": A[i::2, 1]}) for i in (0, 1)])),
    "Arrow batch": Case(pa.RecordBatch.from_pydict({"u": A[:, 0], "v": A[:, 1]})),
    "Arrow null": Case(
        pa.table({"u": [None if i == 3 else i % 5 for i in range(N)], "v": A[:, 1]}), "contains NaN in row 3, column 0",
        names=None, train=None,
    ),
    "Arrow decimals": Case(pa.table({"u": [Decimal(i % 5) / 2 for i in range(N)], "v": A[:, 1]})),
    "Arrow array": Case(pa.array(A[:, 0]), f"X is a DoubleArray, {NO_TABLE}"),
    "dict of columns": Case({"u": A[:, 0].tolist(), "v": WHOLE[:, 1]}),
    "dict of columns, lengths": Case({"u": [1, 2], "v": [1]}, "X has columns of different lengths: 'u' 2, 'v' 1"),
    "dict of numbers": Case({"u": 1.0, "v": 2.0}, "X: column 'u' is a float. Give a value for each row"),
    "list of dicts": Case([{"u": u, "v": v} for u, v in ROWS]),
    "list of dicts, keys": Case(
        [{"u": u, "v": v} if i != 3 else {"u": u} for i, (u, v) in enumerate(ROWS)], NAN, names=None, train=None
    ),
    **{
        f"scipy {form} {kind}": Case(getattr(sparse, f"{form}_{kind}")(A))
        for form in ("csr", "csc", "coo", "lil", "dok", "dia", "bsr")
        for kind in ("array", "matrix")
    },
    "scipy of whole numbers": Case(sparse.csr_array(WHOLE)),
    "scipy of bool": Case(sparse.csr_array(WHOLE > 3)),
    "scipy infinity": Case(sparse.csr_array(with_cell(np.inf)), INF),
    "scipy NaN": Case(sparse.csr_array(with_cell(np.nan)), NAN, names=None),
    "scipy complex": Case(sparse.csr_array(A + 1j), "Complex data not supported"),
    "scipy of one dimension": Case(sparse.coo_array(A[:, 0]), "Expected 2D array, got 1D array instead"),
    "rows for the loops": Case(dense_rows(A)),
    "generator": Case((row for row in ROWS), f"X is a generator, {NO_TABLE}"),
    "map": Case(map(list, ROWS), f"X is a map, {NO_TABLE}"),
    "set": Case({1, 2}, f"X is a set, {NO_TABLE}"),
    "None alone": Case(None, f"X is a NoneType, {NO_TABLE}"),
    "a number": Case(3.0, f"X is a float, {NO_TABLE}"),
    "no dimension": Case(np.array(3.0), "Expected 2D array, got 0D array instead"),
    "one dimension": Case(A[:, 0], "Expected 2D array, got 1D array instead"),
    "one dimension in a list": Case(A[:, 0].tolist(), "Expected 2D array, got 1D array instead"),
    "texts": Case([" ".join(row) for row in NAMES], "Expected 2D array, got 1D array instead", train=None),
    "three dimensions": Case(A[:, :, None], "Expected 2D array, got 3D array instead"),
    "ragged": Case([[1, 2], [3]], "X has 2 values in row 0 and 1 in row 1"),
    "no rows": Case(A[:0], "Found array with 0 sample(s) (shape=(0, 2))"),
    "no rows in a list": Case([], "Found array with 0 sample(s)"),
    "no columns": Case(A[:, :0], "Found array with 0 feature(s) (shape=(24, 0))"),
    "no columns in pandas": Case(pd.DataFrame(index=range(N)), "Found array with 0 feature(s) (shape=(24, 0))"),
    "scipy without columns": Case(sparse.csr_array((N, 0)), "Found array with 0 feature(s) (shape=(24, 0))"),
}  # fmt: skip

TEXT = np.array(["no", "yes"])[Y]
FRACTION = "y holds 0.5 in row 0, which is no whole number"
GONE = "y has no label in row 3: it contains"
KINDS = "Unknown label type: classes are text, whole numbers, or True and False, and y holds"


def labels_with(value: Any, labels: Any = TEXT) -> list[Any]:
    return [value if row == 3 else label for row, label in enumerate(labels.tolist())]


Y_CASES = {
    "list": Case(Y.tolist()),
    "tuple": Case(tuple(Y.tolist())),
    **{f"array {kind}": Case(Y.astype(kind)) for kind in ("?", "i1", "i4", "i8", "u1", "u8", "f2", "f4", "f8", "g")},
    "list of text": Case(TEXT.tolist()),
    "text array": Case(TEXT),
    "text objects": Case(TEXT.astype(object)),
    "NumPy's strings": Case(TEXT.astype(np.dtypes.StringDType())),
    "whole objects": Case(Y.astype(object)),
    "bool objects": Case((Y > 0).astype(object)),
    "True beside 2": Case([True, 2] * (N // 2)),
    "beyond 2^63": Case([2**63 if one else -1 for one in Y.tolist()]),
    "three classes": Case(np.arange(N) % 3),
    "pandas": Case(pd.Series(Y)),
    "pandas text": Case(pd.Series(TEXT)),
    "pandas Int64": Case(pd.Series(Y, dtype="Int64")),
    "pandas string": Case(pd.Series(TEXT, dtype="string")),
    "pandas boolean": Case(pd.Series(Y > 0, dtype="boolean")),
    "pandas categories": Case(pd.Series(pd.Categorical(TEXT))),
    "pandas index": Case(pd.Index(TEXT)),
    "polars": Case(pl.Series(TEXT.tolist())),
    "polars categories": Case(pl.Series(TEXT.tolist(), dtype=pl.Categorical)),
    "Arrow": Case(pa.array(TEXT.tolist())),
    "Arrow in pieces": Case(pa.chunked_array([Y[:9], Y[9:]])),
    "Arrow dictionary": Case(pa.array(TEXT.tolist()).dictionary_encode()),
    "masked, nothing hidden": Case(np.ma.array(Y, mask=False)),
    "column": Case(Y[:, None]),
    "column of text": Case(TEXT[:, None]),
    "column in lists": Case(Y[:, None].tolist()),
    "pandas frame of one column": Case(pd.DataFrame({"label": TEXT})),
    "polars frame of one column": Case(pl.DataFrame({"label": TEXT.tolist()})),
    "Arrow table of one column": Case(pa.table({"label": TEXT.tolist()})),
    "fractions": Case(Y + 0.5, FRACTION),
    "fractions in a list": Case((Y + 0.5).tolist(), FRACTION),
    "fractions as objects": Case((Y + 0.5).astype(object), FRACTION),
    "fractions in Arrow": Case(pa.array(Y + 0.5), FRACTION),
    "infinity": Case(np.where(Y == 1, np.inf, 0.0), "y holds inf in row 1, which is no whole number"),
    "mixed": Case(labels_with(1), "y mixes text ('no', row 0) with numbers (1, row 3)"),
    "mixed objects": Case(np.array(labels_with(1), object), "y mixes text ('no', row 0) with numbers (1, row 3)"),
    "None": Case(labels_with(None), f"{GONE} None"),
    "NaN": Case(np.where(np.arange(N) == 3, np.nan, Y), f"{GONE} nan"),
    "NaN beside text": Case(labels_with(float("nan")), f"{GONE} nan"),
    "nan as NumPy writes it": Case(np.array(labels_with("nan")), f"{GONE} nan"),
    "pandas NA": Case(pd.Series(labels_with(None, Y), dtype="Int64"), GONE),
    "pandas NaN": Case(pd.Series(labels_with(None)), GONE),
    "pandas NaT": Case(np.array(labels_with(pd.NaT), object), f"{GONE} NaT"),
    "polars null": Case(pl.Series(labels_with(None)), f"{GONE} None"),
    "Arrow null": Case(pa.array(labels_with(None)), f"{GONE} None"),
    "masked": Case(np.ma.array(Y, mask=np.arange(N) == 3), GONE),
    "bytes": Case(TEXT.astype("S3"), f"{KINDS} values of type |S3"),
    "bytes in a list": Case([b"a", b"b"] * (N // 2), f"{KINDS} a bytes in row 0"),
    "dates": Case(DAYS, f"{KINDS} values of type datetime64[D]"),
    "dates in a list": Case([datetime(2026, 1, 1 + i % 2) for i in range(N)], f"{KINDS} a datetime in row 0"),
    "complex": Case(Y + 1j, f"{KINDS} values of type complex128"),
    "dicts": Case([{}] * N, f"{KINDS} a dict in row 0"),
    "two columns": Case(np.column_stack([Y, Y]), "y should be a 1d array, got an array of shape (24, 2) instead"),
    "two columns in lists": Case([[0, 1]] * N, "y should be a 1d array, got an array of shape (24, 2) instead"),
    "np.matrix": Case(np.asmatrix(Y).T, "y is an np.matrix"),
    "no dimension": Case(np.array(1), "y should be a 1d array"),
    "a number": Case(1, "y should be a 1d array, got a int instead"),
    "generator": Case((label for label in Y), "y should be a 1d array, got a generator instead"),
    "set": Case({0, 1}, "y should be a 1d array, got a set instead"),
    "too few": Case(Y[:4], "inconsistent numbers of samples: X has 24 rows and y 4 labels"),
    "too many": Case([*Y, 1], "inconsistent numbers of samples: X has 24 rows and y 25 labels"),
    "none": Case([], "inconsistent numbers of samples: X has 24 rows and y 0 labels"),
    "one class": Case(["a"] * N, "all 24 rows have the label 'a'. Give rows of two classes", names=None),
}  # fmt: skip

SETTINGS = {"max_iter": 3, "random_state": 0}


@pytest.fixture(scope="module")
def linear() -> Perceptron:
    return Perceptron(record=True, **SETTINGS).fit(A, Y)


@pytest.fixture(scope="module")
def bayes() -> NaiveBayes:
    return NaiveBayes().fit(NAMES, Y)  # of categories, which take a value of any kind for one that was never seen


def way_into_training(X: Any, y: Any) -> None:
    """What `train` does before it learns; a search over every case would take a minute."""
    table = read(X, y)
    Classes.learn(table).encode(table)
    learn_and_encode(table)


def verified(model: Perceptron, X: Any, y: Any) -> None:
    try:
        verify(model, X, y)
    except DataError as error:
        if "not the rows that the run visited" not in str(error) and "labels that were not learned" not in str(error):
            raise


# Of each door: its column of the table, and how it is asked with an X and a y.
DOORS = {
    "Perceptron.fit": ("numbers", lambda X, y, _: Perceptron(**SETTINGS).fit(X, y)),
    "Perceptron.partial_fit": ("numbers", lambda X, y, _: Perceptron(**SETTINGS).partial_fit(X, y)),
    "trace": ("numbers", lambda X, y, _: trace(X, y)),
    "verify": ("numbers", lambda X, y, fitted: verified(fitted[0], X, y)),
    "prove": ("proofs", lambda X, y, _: prove(X, y, time_limit=0.01)),
    "NaiveBayes.fit": ("names", lambda X, y, _: NaiveBayes().fit(X, y)),
    "NaiveBayes.partial_fit": ("names", lambda X, y, _: NaiveBayes().partial_fit(X, y)),
    "NaiveBayes.tune": ("names", lambda X, y, fitted: fitted[1].tune(X, y)),
    "train": ("train", lambda X, y, _: way_into_training(X, y)),
}
PREDICTING = {
    "Perceptron.predict": ("numbers", lambda X, _, fitted: fitted[0].predict(X)),
    "NaiveBayes.predict": ("names", lambda X, _, fitted: fitted[1].predict(X)),
}
# What these say is no matter of the door: no X at all means the recorded rows, and rows to look at may be of one class.
APART = {("verify", "None alone"), ("verify", "one class")}


def told(door: Any, X: Any, y: Any, fitted: Any) -> str | None:
    """The line that the door refuses with; None if it accepts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            door[1](X, y, fitted)
        except DataError as error:
            return str(error)
    return None


def check(which: str, case: Case, doors: dict[str, Any], given: Any, fitted: Any) -> None:
    """The verdict of each door is that of its column, and all who refuse as doors of numbers do say the same line."""
    doors = {name: door for name, door in doors.items() if (name, which) not in APART}
    found = {name: told(door, *given(case.given), fitted) for name, door in doors.items()}
    for name, (column, _) in doors.items():
        said = case.expected(column)
        assert (found[name] is None) == (said is None), f"{name}: {found[name]}"
        assert said is None or said in str(found[name]), f"{name}: {found[name]}"
        assert "\n" not in str(found[name])
    lines = {found[name] for name, (column, _) in doors.items() if column == "numbers" or getattr(case, column) is SAME}
    assert len({_without_place(line) for line in lines}) == 1, found


def _without_place(line: str | None) -> str | None:
    """Of one class, `train` says the same after the name of its source, and partial_fit knows one more way out."""
    return (
        line
        if line is None or "all 24 rows" not in line
        else line[line.index("all 24 rows") :].split(" two classes")[0]
    )


@pytest.mark.parametrize("case", X_CASES)
def test_an_x_is_told_the_same_at_every_door(case, linear, bayes):
    check(case, X_CASES[case], DOORS | PREDICTING, lambda X: (X, Y), (linear, bayes))


@pytest.mark.parametrize("case", Y_CASES)
def test_a_y_is_told_the_same_at_every_door(case, linear, bayes):
    check(case, Y_CASES[case], DOORS, lambda y: (A, y), (linear, bayes))


@pytest.mark.parametrize("case", [name for name, case in X_CASES.items() if case.expected("train")])
def test_train_refuses_before_it_learns(case):
    with pytest.raises(DataError) as error:
        train(X_CASES[case].given, label=Y)
    assert X_CASES[case].expected("train") in str(error.value)


def test_the_table_is_as_large_as_promised():
    assert len(X_CASES) >= 40
    assert len(Y_CASES) >= 25
