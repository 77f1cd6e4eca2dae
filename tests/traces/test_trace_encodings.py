"""The command traces any encoding of a table: raw, by plan, by config, words that are there or not; and test rows."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from click.testing import CliRunner

from rosenblatt import Perceptron
from rosenblatt.cli import commands
from rosenblatt.traces import Trace

TABLE = "size,colour,label\n1,red,-1\n2,green,1\n4,red,1\n3,green,-1\n"


def command(*arguments):
    done = CliRunner().invoke(commands, ["trace", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def table(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    return tmp_path / "table.csv"


def test_raw_numbers_and_the_plan_of_train(table):
    raw = Trace.from_json(command(table, "--to", "json"))
    assert raw.X[:, 1].tolist() == [1, 2, 4, 3]
    planned = Trace.from_json(command(table, "--plan", "--to", "json"))
    assert planned.X[:, 1].mean() == pytest.approx(0)  # centred
    assert (raw.names, planned.names) == (("size", "colour=green", "colour=red"), ("size", "colour=red"))


def test_a_config_says_what_columns_are(table, tmp_path):
    config = tmp_path / "config.toml"
    config.write_text('[columns]\nsize = {kind = "ordered", order = ["4", "3", "2", "1"]}\n')
    ordered = Trace.from_json(command(table, "--config", config, "--to", "json"))
    assert np.diff(ordered.X[np.argsort([1, 2, 4, 3]), 1]).max() < 0  # from the highest to the lowest
    config.write_text('[columns]\nsize = {kind = "drop"}\n')
    names = Trace.from_json(command(table, "--config", config, "--to", "json")).names
    assert names
    assert all("size" not in name for name in names)


def test_words_that_are_there_or_not_with_the_error_of_a_test(tmp_path):
    (tmp_path / "train.dat").write_text("# words\n1 1:0.5 3:0.2\n-1 2:0.7\n+1 1:0.1\n-1 2:0.3 3:0.9\n")
    (tmp_path / "test.dat").write_text("1 1:0.4\n-1 1:0.2 2:0.1\n-1\n")
    files = tmp_path / "train.dat", "--test", tmp_path / "test.dat"
    rows = list(csv.DictReader(io.StringIO(command(*files, "--presence", "--passes", 9, "--to", "csv"))))
    X, y = [[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1]], [1, -1, 1, -1]
    for passes, row in enumerate(rows[1:], 1):
        model = Perceptron(weights="final", shuffle=False, tol=None, max_iter=passes).fit(X, y)
        scores = model.decision_function([[1, 0, 0], [1, 1, 0], [0, 0, 0]])
        assert float(row["0/1 loss, test"]) == pytest.approx(np.mean(scores * [1, -1, -1] <= 0), rel=1e-5)
        assert float(row["perceptron loss"]) == pytest.approx(model.loss(X, y))
    assert rows[-1]["0/1 loss"] == "0"


def test_reuters_as_words_there_or_not(data):
    folder = data / "reuters-acq"
    choice = "--names", folder / "words", "--presence", "--shuffle", 0, "--passes", 40, "--to", "csv"
    rows = list(csv.DictReader(io.StringIO(command(folder / "train.dat", *choice, "--test", folder / "test.dat"))))
    assert [row["updates"] for row in rows[:3]] == ["0", "177", "58"]  # as docs/notes.md says
    assert (len(rows), rows[-1]["0/1 loss"], rows[-1]["0/1 loss, test"]) == (12, "0", "0.0366667")


def test_rows_too_large_for_a_trace_are_refused_in_one_line(tmp_path):
    (tmp_path / "wide.dat").write_text("".join(f"{1 if i % 2 else -1} {i}:1\n" for i in range(1, 11_001)))
    done = CliRunner().invoke(commands, ["trace", str(tmp_path / "wide.dat")])
    assert "11000 rows of 11000 features are more than the 100000000 numbers that a trace holds" in str(done.exception)
