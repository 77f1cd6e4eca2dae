"""Found in use: doors that disagreed about an X or a y, and estimators that their own neighbours did not take."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from rosenblatt import NaiveBayes, Perceptron, estimator, plot_boundary, prove, trace, train
from rosenblatt.data import read
from rosenblatt.errors import DataError, SettingError

N = 60
X = np.random.default_rng(12).normal(size=(N, 2)).round(3)
Y = (X[:, 0] > 0).astype(int)
DOORS = {
    "Perceptron": lambda X, y: Perceptron(max_iter=3).fit(X, y),
    "NaiveBayes": lambda X, y: NaiveBayes().fit(X, y),
    "prove": prove,
    "trace": trace,
    "train": lambda X, y: train(X, label=y, model="perceptron"),
}
LINEAR = {name: door for name, door in DOORS.items() if name not in ("NaiveBayes", "train")}


def lines(X, y, doors=DOORS) -> set[str]:
    """What the doors say to it."""
    found = set()
    for door in doors.values():
        with pytest.raises(DataError) as error:
            door(X, y)
        found.add(str(error.value))
    return found


def test_found_12_labels_that_are_fractions_are_refused_everywhere():
    (line,) = lines(X, Y + 0.5)
    assert "y holds 0.5 in row 0, which is no whole number" in line


def test_found_12_labels_that_mix_text_and_numbers_are_refused_everywhere():
    (line,) = lines(X, ["yes" if one else 0 for one in Y])
    assert line.startswith("y mixes text ('yes', row 1) with numbers (0, row 0)")


@pytest.mark.filterwarnings("ignore:A column-vector y")
@pytest.mark.parametrize("form", [np.asarray, pd.DataFrame], ids=["array", "frame"])
def test_found_12_a_column_of_labels_is_taken_everywhere(form):
    for door in DOORS.values():
        door(X, form(Y[:, None]))


def test_found_12_numbers_written_as_text_are_no_numbers_anywhere():
    (line,) = lines(X.astype(str), Y, LINEAR)
    assert line.startswith(f"column 0 holds '{X[0, 0]}' in row 0, which is no number. Convert it")
    (same,) = lines(X.astype(str).tolist(), Y, LINEAR)
    assert same == line


def test_found_12_names_in_an_array_are_names_to_train_as_they_are_to_naive_bayes():
    names = np.array([["red" if one else "green", f"size {i % 5}"] for i, one in enumerate(Y)])
    assert NaiveBayes().fit(names, Y).predict(names).tolist() == Y.tolist()
    numbered = np.column_stack([names, [f"row {i}" for i in range(N)]])  # copies would stay on one side of the split
    assert train(numbered, label=Y).predict(numbered) == [str(one) for one in Y]


def test_found_12_a_hidden_value_of_a_masked_array_is_missing_and_not_used():
    hidden = np.ma.array(X, mask=np.zeros(X.shape, bool))
    hidden[3, 1] = np.ma.masked
    (line,) = lines(hidden, Y, LINEAR)
    assert "contains NaN in row 3, column 1" in line
    (line,) = lines(X, np.ma.array(Y, mask=np.arange(N) == 5))
    assert "y has no label in row 5" in line


def test_found_12_a_missing_label_is_named_by_its_row_at_every_door():
    (line,) = lines(X, [None if row == 7 else label for row, label in enumerate(Y.tolist())])
    assert line == "y has no label in row 7: it contains None. Fill it in, or leave the row out."


def test_found_12_a_proof_is_not_about_rounded_numbers_of_a_list():
    rows = [[2**53, 0.5], [2**53 + 1, 0.5], [0.5, 0.5]]
    with pytest.raises(DataError, match=r"column 0 holds whole numbers beyond 2\^53 \(9007199254740993\)"):
        prove(rows, [0, 1, 1])


def test_found_12_labels_are_not_made_text_by_a_later_part():
    model = Perceptron().partial_fit(X, Y)
    with pytest.raises(DataError, match="of different types"):
        model.partial_fit(X, np.where(Y == 1, "yes", "no"))
    assert model.classes_.tolist() == [0, 1]


WORDS = ["win money now", "see you at lunch", "cash prize inside", "lunch today"]
TABLE = pd.DataFrame(
    {
        "text": [f"{WORDS[i % 4]} {i % 7} {i % 11}" for i in range(N)],
        "size": X[:, 0],
        "farm": ["north", "south", "east"] * (N // 3),
        "code": [i % 6 for i in range(N)],
        "label": ["spam" if i % 2 == 0 else "ham" for i in range(N)],
    }
)
PLANS = {
    "text": (["text"], "perceptron"),
    "text counted": (["text"], "naive-bayes"),
    "text and numbers": (["text", "size"], "perceptron"),
    "numbers and categories": (["size", "farm"], "perceptron"),
    "columns counted": (["size", "farm", "code"], "naive-bayes"),
}


@pytest.mark.parametrize("plan", PLANS)
def test_found_13_an_estimator_takes_what_the_plan_of_its_model_makes(plan):
    columns, kind = PLANS[plan]
    model = train(TABLE[[*columns, "label"]], model=kind)
    rows = model.plan.encode(read(TABLE[columns], labelled=False))
    assert estimator(model).predict(rows).tolist() == model.predict(TABLE[columns])
    if kind == "perceptron":
        assert estimator(model).decision_function(rows).tolist() == model.scores(TABLE[columns]).tolist()


@pytest.mark.parametrize("kind", [Perceptron, NaiveBayes])
def test_found_13_the_boundary_of_an_estimator_is_drawn(kind):
    mpl.use("agg")
    frame = pd.DataFrame(X, columns=["width", "height"])
    model = kind().fit(frame, Y)
    ax = plot_boundary(model, frame, Y)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("width", "height")
    assert [entry.get_text() for entry in ax.get_legend().get_texts()] == ["0", "1"]
    rings = int((model.predict(frame) != Y).sum())
    points = [len(marks.get_offsets()) for marks in ax.collections if len(marks.get_offsets())]
    assert sum(points) >= N + rings


@pytest.mark.parametrize(
    ("draw", "line"),
    [
        (
            lambda: plot_boundary(Perceptron().fit(np.eye(4), [0, 1, 0, 1]), np.eye(4)),
            "there are 4 columns; a plane shows",
        ),
        (lambda: plot_boundary(Perceptron(), X), "takes what train returns, or a fitted Perceptron or NaiveBayes"),
        (lambda: plot_boundary(3, X), "got a int"),
    ],
)
def test_found_13_a_boundary_that_cannot_be_drawn_is_refused_in_one_line(draw, line):
    with pytest.raises(SettingError, match=line) as error:
        draw()
    assert "\n" not in str(error.value)
