"""The plan: what becomes of each column, learned from training rows alone, with a reason."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse

from rosenblatt.data import read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Classes, Plan, TextSettings, Wishes, learn, learn_and_encode
from rosenblatt.loops.rows import Dense, Sparse, Words


def dense(matrix):
    """The rows as one array, whatever their storage."""
    rows = matrix.rows
    if isinstance(rows, Dense):
        return np.asarray(rows.values, np.float64)
    full = np.zeros((len(rows.starts) - 1, rows.n_columns))
    row_of = np.repeat(np.arange(len(full)), np.diff(rows.starts).astype(int))
    full[row_of, rows.columns] = rows.scales[row_of] if isinstance(rows, Words) else rows.values
    return full


def table(n=None, **columns):
    size = len(next(iter(columns.values())))
    return read({**columns, "label": [k % 2 for k in range(size)]})


def lines(source, **wishes):
    return {line.column: line for line in learn(source, Wishes(**wishes)).lines}


def test_the_apples_of_the_notes():
    apples = read("apples")
    _, matrix = learn_and_encode(apples)
    number = {"A": 1, "B": -1, "red": 1, "green": -1, "large": 1, "medium": 0, "small": -1, "crunchy": 1, "soft": -1}
    expected = [[number[value] for value in row.values()] for row in apples.columns.to_pylist()]
    assert dense(matrix).tolist() == expected
    assert sorted(map(tuple, expected)) == sorted(itertools.product([1, -1], [1, -1], [1, 0, -1], [1, -1]))
    classes = Classes.learn(apples)
    assert classes.names == ("not tasty", "tasty")


def test_the_five_points_of_the_notes_stay_as_they_are():
    _, matrix = learn_and_encode(read("notes"))
    assert dense(matrix).tolist() == [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]]
    assert matrix.names == ["x1", "x2"]


def test_adult_and_mushroom_encode_without_any_option(data):
    adult = read(data / "adult" / "adult.data", "c15")
    plan, matrix = learn_and_encode(adult)
    kinds = {line.column: line.kind for line in plan.lines}
    numeric = {"c1", "c3", "c5", "c11", "c12", "c13"}
    assert {name for name, kind in kinds.items() if kind == "numeric"} == numeric
    assert kinds["c10"] == "ordered"
    assert {name for name, kind in kinds.items() if kind == "category"} == set(kinds) - numeric - {"c10"}
    values = dense(matrix)
    np.testing.assert_allclose(values[:, [plan.names.index(name) for name in numeric]].mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(values[:, [plan.names.index(name) for name in numeric]].std(axis=0), 1, rtol=1e-9)
    assert values[:, plan.names.index("c2=(missing)")].sum() == 1836

    mushroom = read(data / "mushroom" / "mushroom_with_header.csv", "edible")
    plan, matrix = learn_and_encode(mushroom)
    kinds = {line.column: line.kind for line in plan.lines}
    assert kinds["veil-type"] == "dropped"
    assert "constant" in next(line.reason for line in plan.lines if line.column == "veil-type")
    assert set(kinds.values()) == {"dropped", "ordered", "category"}
    assert "stalk-root=(missing)" in plan.names


def test_each_kind_is_recognised_with_its_reason():
    n = 40
    made = lines(
        table(
            amount=[k % 7 + 0.5 for k in range(n)],
            flag=[k % 3 == 0 for k in range(n)],
            bit=[k % 2 for k in range(n)],
            size=["small", "large", "medium", "small"] * 10,
            city=["Rome", "Oslo", "Bern", "Kyiv"] * 10,
            text=[f"the quick fox number {k}" for k in range(n)],
            name=[f"Ms. Person {k}" for k in range(n)],
            key=range(100, 100 + n),
            code=[f"id-{k}" for k in range(n)],
            same=["x"] * n,
            nothing=[None] * n,
        )
    )
    assert {name: line.kind for name, line in made.items()} == {
        "amount": "numeric",
        "flag": "ordered",
        "bit": "ordered",
        "size": "ordered",
        "city": "category",
        "text": "text",
        "name": "text",
        "key": "dropped",
        "code": "dropped",
        "same": "dropped",
        "nothing": "dropped",
    }
    assert made["size"].values == ("small", "medium", "large")
    assert made["flag"].values == ("false", "true")
    assert made["key"].reason == "an id by its name: 40 whole numbers, all distinct"
    assert made["code"].reason == "an id: 40 short strings, all distinct"
    assert made["same"].reason == "constant: 'x'"


def test_every_choice_can_be_overridden():
    source = table(key=range(30), word=["a b c d", "e f g h"] * 15, grade=[1, 2, 3] * 10, size=["S", "XL"] * 15)
    made = lines(source, numeric=["key"], category=["grade", "word"], ordered={"size": ["S", "M", "XL"]})
    assert {name: line.kind for name, line in made.items()} == {
        "key": "numeric",
        "word": "category",
        "grade": "category",
        "size": "ordered",
    }
    assert all(line.reason == "as asked" for line in made.values())
    assert made["grade"].names() == ["grade=1", "grade=2", "grade=3"]
    assert lines(source, text=["word"], drop=["size"])["size"].kind == "dropped"


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        ({"text": ["wrod"]}, "text: no column named 'wrod'. Columns are: word. Did you mean 'word'"),
        ({"text": ["word"], "drop": ["word"]}, "cannot be both text and drop"),
        ({"ordered": {"word": ["a"]}}, "needs at least two distinct values"),
        ({"unit": "metre"}, "unit must be one of text, rows, none"),
    ],
)
def test_wishes_that_cannot_be_met(wishes, says):
    with pytest.raises(SettingError, match=says):
        lines(table(word=["a", "b"]), **wishes)


def test_a_declared_order_must_name_every_training_value():
    with pytest.raises(DataError, match="row 2, column 'size': 'huge' is not in the order small, large"):
        lines(table(size=["small", "huge"]), ordered={"size": ["small", "large"]})


def test_missing_values_and_values_unseen_in_training():
    source = table(v=[1.0, None, 3.0, 8.0], c=["a", "b", "c", None], s=["x", "y", None, "x"])
    plan, matrix = learn_and_encode(source, Wishes(scale=False))
    assert matrix.names == ["v", "v=(missing)", "c=a", "c=b", "c=c", "c=(missing)", "s=y", "s=(missing)"]
    assert dense(matrix).tolist() == [
        [1, 0, 1, 0, 0, 0, -1, 0],
        [4, 1, 0, 1, 0, 0, 1, 0],
        [3, 0, 0, 0, 1, 0, 0, 1],
        [8, 0, 0, 0, 0, 1, -1, 0],
    ]
    new = plan.encode(read({"v": [2.0], "c": ["new"], "s": ["new"]}, labelled=False))
    assert dense(new).tolist() == [[2, 0, 0, 0, 0, 0, 0, 0]]


def test_scaling_is_learned_from_training_rows_and_applied_to_others():
    plan, matrix = learn_and_encode(table(v=[1.5, 2.5, 3.5, 4.5]))
    assert dense(matrix).ravel().tolist() == pytest.approx([-1.3416407865, -0.4472135955, 0.4472135955, 1.3416407865])
    assert dense(plan.encode(read({"v": [3, 5]}, labelled=False))).ravel() == pytest.approx([0, 1.788854382])


def test_huge_numbers_do_not_overflow_and_infinite_ones_are_refused():
    _, matrix = learn_and_encode(table(v=[1e308, -1e308, 0.5]))
    assert np.isfinite(dense(matrix)).all()
    with pytest.raises(DataError, match="row 2, column 'v': an infinite value"):
        learn(table(v=[1.5, float("inf"), 2.5]))


def test_a_word_in_a_column_of_numbers_is_named_with_its_row():
    plan = learn(table(v=[1.5, 2.5, 3.5]))
    with pytest.raises(DataError, match="row 2, column 'v': 'many' is not a number"):
        plan.encode(read({"v": ["1", "many"]}, labelled=False))
    assert dense(plan.encode(read({"v": ["2.5"]}, labelled=False))).tolist() == [[0.0]]


def test_a_missing_column_is_named():
    plan = learn(table(height=[1.5, 2.5, 3.5]))
    with pytest.raises(DataError, match=r"no column named 'height', which the model was trained with.*'heigth'"):
        plan.encode(read({"heigth": [1.0]}, labelled=False))


def test_nothing_left_to_learn_from():
    with pytest.raises(DataError, match=r"no column is left to learn from. 'same' is dropped \(constant"):
        learn(table(same=[1, 1, 1]))
    with pytest.raises(DataError, match=r"given: there is no column beside the label. Give a table with columns"):
        learn(read({"label": [0, 1]}))
    with pytest.raises(DataError, match=r"learn from. 'said' holds no word. Give rows with words.$"):
        learn(table(said=["", "…", None]), Wishes(text=["said"]))


def test_storage_follows_what_takes_less_room(data):
    assert isinstance(learn_and_encode(read("iris"))[1].rows, Dense)
    digits = learn_and_encode(read("digits"))[1].rows
    assert digits.values.dtype == np.uint8
    assert isinstance(learn_and_encode(read(data / "libsvm" / "a9a"))[1].rows, Words)
    assert isinstance(learn_and_encode(read(data / "libsvm" / "news20.t"))[1].rows, Sparse)
    assert isinstance(learn_and_encode(read(data / "mushroom" / "mushroom_with_header.csv", "edible"))[1].rows, Sparse)


def test_text_beside_numbers_has_unit_length_and_the_numbers_keep_theirs():
    source = table(
        v=[1.5, 2.5, 3.5, 4.5],
        subject=["one two three four"] * 2 + ["two of three words"] * 2,
        body=["alpha beta gamma delta", "alpha beta gamma"] * 2,
    )
    plan, matrix = learn_and_encode(source, Wishes(scale=False))
    values = dense(matrix)
    assert values[:, 0].tolist() == [1.5, 2.5, 3.5, 4.5]
    np.testing.assert_allclose((values[:, 1:] ** 2).sum(axis=1), 1)
    assert "subject: one" in plan.names
    assert "body: alpha" in plan.names
    _, unit = learn_and_encode(source, Wishes(unit="rows"))
    np.testing.assert_allclose((dense(unit) ** 2).sum(axis=1), 1)


def test_vectors_are_scaled_unless_they_are_bytes():
    rng = np.random.default_rng(0)
    values = rng.normal(5, 3, (50, 4))
    plan, matrix = learn_and_encode(read(values, rng.integers(0, 2, 50)))
    np.testing.assert_allclose(dense(matrix).mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(dense(matrix).std(axis=0), 1)
    assert matrix.names == ["x1", "x2", "x3", "x4"]
    with pytest.raises(DataError, match="vectors of 3 numbers where training had 4"):
        plan.encode(read(values[:, :3], labelled=False))
    with pytest.raises(DataError, match="contains NaN in row 1, column 0"):
        learn(read(np.array([[1.0, 2.0], [np.nan, 1.0]]), [0, 1]))
    embeddings = pa.table({"e": pa.array([[1.0, 2.0], [3.0, 4.0]], pa.list_(pa.float32())), "label": ["a", "b"]})
    assert dense(learn_and_encode(read(embeddings))[1]).tolist() == [[-1, -1], [1, 1]]


@pytest.mark.parametrize("name", ["notes", "apples", "mail", "digits", "iris"])
def test_a_plan_survives_json(name):
    source = read(name)
    plan, matrix = learn_and_encode(source)
    again = Plan.from_dict(json.loads(json.dumps(plan.to_dict())))
    assert str(again) == str(plan)
    assert again.names == plan.names == list(matrix.names)
    assert np.array_equal(dense(again.encode(source)), dense(matrix))


def test_a_plan_from_elsewhere_is_refused():
    plain = learn(read("iris")).to_dict()
    with pytest.raises(DataError, match="version 99"):
        Plan.from_dict({**plain, "version": 99})
    with pytest.raises(DataError, match="unknown kind 'magic'"):
        Plan.from_dict({**plain, "lines": [{**plain["lines"][0], "kind": "magic"}]})
    with pytest.raises(DataError, match="check centre"):
        Plan.from_dict({**plain, "lines": [{k: v for k, v in plain["lines"][0].items() if k != "centre"}]})


def test_the_plan_prints_one_line_per_column():
    shown = str(learn(read("apples"))).splitlines()
    assert shown[2] == "size      ordered, −1 … +1: small, medium, large  (declared by the data)"
    assert len(shown) == 4


def test_whole_numbers_read_in_batches_are_the_same_categories(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("grade,label\n1,x\n2,y\n3,x\n")
    plan, matrix = learn_and_encode(read(path), Wishes(category=["grade"]))
    (batch,) = read(path, batches=10)
    assert np.array_equal(dense(plan.encode(batch)), dense(matrix))


def test_counts_of_words_in_sparse_rows_are_weighed_as_text_is():
    from sklearn.feature_extraction.text import TfidfTransformer

    rng = np.random.default_rng(0)
    counts = scipy.sparse.csr_array(rng.poisson(0.4, (60, 30)).astype(float))
    plan, matrix = learn_and_encode(read(counts, rng.integers(0, 2, 60).astype(str)), Wishes(rare=True, unit="rows"))
    theirs = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
    assert np.array_equal(matrix.rows.columns, theirs.indices)
    np.testing.assert_allclose(matrix.rows.values, theirs.data, rtol=1e-12)
    plain = plan.to_dict()
    assert (
        Plan.from_dict(plain).encode(read(counts, labelled=False)).rows.values.tolist() == matrix.rows.values.tolist()
    )
    strong, _ = learn_and_encode(
        read(counts, rng.integers(0, 2, 60).astype(str)), Wishes(rare=True, words=TextSettings(rarity=1.5))
    )
    np.testing.assert_allclose(strong.lines[0].rarity, plan.lines[0].rarity ** 1.5, rtol=1e-14)
    del plain["lines"][0]["rarity"]  # as earlier versions wrote it
    assert not len(Plan.from_dict(plain).lines[0].rarity)


def test_numbers_in_bins_have_a_feature_for_each_bin_or_few_whole_value():
    numbers = table(x=[k / 4 for k in range(20)], few=[3, 1, 3, 2] * 5, held=[None, 0.5, 1.5, float("nan")] * 5)
    found = lines(numbers, bins=["x", "few", "held"])
    assert found["x"].cuts == (0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4.25)
    assert found["few"].names() == ["few=1", "few=2", "few=3"]
    assert found["held"].names() == ["held <= 0.5", "held > 0.5"]
    plan, matrix = learn_and_encode(numbers, Wishes(bins=["x", "few", "held"]))
    assert dense(matrix).sum(axis=1).tolist() == [2, 3, 3, 2] * 5
    assert dense(matrix)[:, :10].sum(axis=0).tolist() == [2] * 10
    new = read({"x": [-9.0, 0.25, 0.26, 99.0], "few": [1, 7, None, 2], "held": ["1", "0.5", "", "2"]}, labelled=False)
    again = Plan.from_dict(json.loads(json.dumps(plan.to_dict())))
    assert np.argwhere(dense(again.encode(new))).tolist() == [
        [0, 0], [0, 10], [0, 14], [1, 0], [1, 13], [2, 1], [3, 9], [3, 11], [3, 14]
    ]  # fmt: skip
    with pytest.raises(DataError, match="'name': 'a' is not a number"):
        learn(table(name=["a", "b"] * 5), Wishes(bins=["name"]))
