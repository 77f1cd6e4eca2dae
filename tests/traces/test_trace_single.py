"""A single row, and weights that are given: the two worked examples of the notes that have no data set."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from rosenblatt import Perceptron
from rosenblatt.cli import commands
from rosenblatt.traces import Trace, trace

W, ROW = [[-2, 2, 1], [0, 3, 4], [1, 4, -2]], [-2, 3, 1]


def test_one_negative_row_is_a_run():
    run = trace([[4, 0, 1]], [-1], start=[2, 2, 2], bias=False)
    assert run.classes == (-1, 1)
    assert (run[0].scores[0], run.weights.tolist(), run.weights @ [4, 0, 1]) == (10, [-2, 2, 1], -7)
    assert Trace.from_json(run.to_json()).weights.tolist() == [-2, 2, 1]
    assert trace([[1]], np.array([3], np.uint8)).classes == (-3, 3)


def test_one_row_of_three_classes_that_are_named():
    run = trace([ROW], ["c"], start=W, bias=False, classes=["c", "a", "b"])
    assert run.classes == ("a", "b", "c")
    assert run.weights.tolist() == [[-2, 2, 1], [2, 0, 3], [-1, 7, -1]]
    assert (run.weights @ ROW).tolist() == [11, -1, 22]


def test_given_weights_predict_explain_and_trace():
    model = Perceptron.from_weights([2, 2, 2])
    assert model.predict([[4, 0, 1]]).tolist() == [1]
    assert model.explain([4, 0, 1]).contributions.tolist() == [[8, 0, 2]]
    assert model.trace([[4, 0, 1]], [-1]).weights.tolist() == [-2, 2, 1]
    several = Perceptron.from_weights(W, classes=["a", "b", "c"])
    assert several.decision_function([ROW]).tolist() == [[11, 13, 8]]
    assert several.trace([ROW], ["c"]).weights.tolist() == [[-2, 2, 1], [2, 0, 3], [-1, 7, -1]]


@pytest.mark.parametrize("shuffle", [False, True])
def test_weights_given_are_those_of_a_fitted_model_and_learn_on(shuffle):
    X, y = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [-1, 1, 1, 1, -1]
    choice = {"weights": "final", "shuffle": shuffle, "random_state": 3, "max_iter": 2, "tol": None}
    fitted = Perceptron(**choice).fit(X, y)
    given = Perceptron.from_weights(fitted.coef_, fitted.intercept_, fitted.classes_, random_state=3, shuffle=shuffle)
    assert given.decision_function(X).tolist() == fitted.decision_function(X).tolist()
    one_more = given.trace(X, y)
    assert one_more.weights[1:].tolist() == given.partial_fit(X, y).coef_[0].tolist()


BAD = {
    "shapes": (
        {"coef": [1, 2], "intercept": [1, 2]},
        r"intercept one number for each line; got shapes \(2,\) and \(2,",
    ),
    "two lines": ({"coef": [[1], [2]]}, "give one line, the second less the first"),
    "order": ({"coef": [1], "classes": ["b", "a"]}, "must be 2 different labels in sorted order; got"),
    "NaN": ({"coef": [float("nan")]}, "must hold finite numbers"),
}


@pytest.mark.parametrize("case", BAD)
def test_weights_that_cannot_be_are_refused_in_one_line(case):
    given, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        Perceptron.from_weights(**given)


def test_the_command_takes_and_documents_a_start_for_several_classes():
    start = "0,0,0,0,0;0,1,0,0,0;0,0,0,0,1"
    done = CliRunner().invoke(commands, ["trace", "iris", "--start", start, "--to", "json"])
    assert Trace.from_json(done.output).start.tolist() == [[0] * 5, [0, 1, 0, 0, 0], [0, 0, 0, 0, 1]]
    assert "`;`" in CliRunner().invoke(commands, ["trace", "--help"]).output


def test_the_command_traces_a_single_row(tmp_path):
    (tmp_path / "row.csv").write_text("a,b,c,label\n4,0,1,-1\n")
    how = ["trace", str(tmp_path / "row.csv"), "--start", "2,2,2", "--no-bias"]
    lines = CliRunner().invoke(commands, [*how, "--classes", "-1,1"]).output.splitlines()
    assert lines[1].split(maxsplit=1)[1].startswith("[2, 2, 2]   2·4 + 2·0 + 2·1 = 10  no        -[4, 0, 1]")
    assert lines[2].split(maxsplit=1)[1] == "[-2, 2, 1]"
    alone = CliRunner().invoke(commands, how)
    assert "all 1 rows have the label '-1'" in str(alone.exception)
