"""Labels: numbers compare as numbers, and what training does not know is refused."""

from __future__ import annotations

import pytest

from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import Classes


def labels(values):
    return read({"v": list(range(len(values))), "label": values})


@pytest.mark.parametrize(
    ("values", "names", "codes"),
    [
        (["1", "+1", "1.0", "-1", "1e0"], ("-1", "1"), [1, 1, 1, 0, 1]),
        ([10, 9, 2], ("2", "9", "10"), [2, 1, 0]),
        (["b", "a", "b"], ("a", "b"), [1, 0, 1]),
        (["10", "9", "x"], ("10", "9", "x"), [0, 1, 2]),
        ([True, False], ("false", "true"), [1, 0]),
        ([0.5, 1.5, 0.5], ("0.5", "1.5"), [0, 1, 0]),
    ],
)
def test_classes_are_sorted_and_numbers_are_numbers(values, names, codes):
    classes = Classes.learn(labels(values))
    assert classes.names == names
    assert classes.encode(labels(values)).tolist() == codes
    assert Classes.from_dict(classes.to_dict()) == classes


def test_test_labels_may_be_spelt_otherwise():
    classes = Classes.learn(labels([1, -1]))
    assert classes.encode(labels(["+1", "-1.0"])).tolist() == [1, 0]
    assert classes.encode(labels([1.0, -1.0])).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("training", "test", "says"),
    [
        (["spam", "ham"], ["spam", "spam."], "row 2: the label 'spam.' .* ham, spam. Did you mean 'spam'"),
        ([1, 2, 3], [1, 7], "row 2: the label '7' .* The nearest is '3'"),
        ([1, 2], ["one"], "the label 'one'"),
    ],
)
def test_unknown_labels_are_refused_with_the_nearest(training, test, says):
    with pytest.raises(DataError, match=says):
        Classes.learn(labels(training)).encode(labels(test))


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (["x", "x", "x"], "all 3 rows have the label 'x'"),
        (["x", "y", "NaN", "nan"], r"row 3: the label .* is 'NaN', which means no number \(2 rows have it\)"),
        (["1", "1.0"], "all 2 rows have the label '1'"),
        (["x", None, "y", None], r"row 2: no value for the label 'label' \(2 rows lack it\)"),
        (["x", " ", "y"], "row 2: no value for the label"),
        ([1.0, float("nan")], "row 2: no value for the label"),
        ([k + 0.5 for k in range(50)], "50 distinct labels in 50 rows are not classes"),
        ([f"name {k}" for k in range(50)], "50 distinct labels in 50 rows are not classes"),
    ],
)
def test_labels_that_cannot_be_learned(values, says):
    with pytest.raises(DataError, match=says):
        Classes.learn(labels(values))


def test_rows_without_labels():
    with pytest.raises(DataError, match="the rows have no labels"):
        Classes.learn(read({"v": [1, 2]}, labelled=False))
