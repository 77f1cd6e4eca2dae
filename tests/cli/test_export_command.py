"""`rosenblatt export`: what it writes, where, and how it refuses."""

from __future__ import annotations

import json

import duckdb
import pytest
from click.testing import CliRunner

from rosenblatt import train
from rosenblatt.cli import commands
from rosenblatt.data import read
from rosenblatt.errors import SettingError
from rosenblatt.store import load, save
from sample_models import linear_model, table_of


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "iris.rosenblatt"
    save(linear_model(read("iris"))[0], path)
    return path


def test_sql_is_printed_and_runs(saved):
    done = CliRunner().invoke(commands, ["export", str(saved), "--to", "sql", "--table", 'my "iris"'])
    assert done.exit_code == 0
    with duckdb.connect() as database:
        database.register("given", read("iris").columns)
        database.execute('CREATE TABLE "my ""iris""" AS SELECT * FROM given')
        assert len(database.sql(done.stdout).fetchall()) == 150


def test_json_goes_to_a_file_with_one_feature_on_a_line(saved, tmp_path):
    out = tmp_path / "iris.json"
    done = CliRunner().invoke(commands, ["export", str(saved), "--to", "json", "--out", str(out)])
    assert (done.exit_code, done.stdout) == (0, f"wrote    {out}\n")
    text = out.read_text(encoding="utf8")
    assert len(json.loads(text)["learner"]["scores"]) == 3
    assert sum(line.strip().startswith('["petal width (cm)", ') for line in text.splitlines()) == 3


def test_onnx_can_be_piped(saved):
    pytest.importorskip("onnx", reason="the extra onnx is not installed")
    done = CliRunner().invoke(commands, ["export", str(saved), "--to", "onnx"])
    assert done.exit_code == 0
    assert b"rosenblatt" in done.stdout_bytes


def test_strip_takes_out_the_training_rows_and_nothing_else(tmp_path):
    texts = ["win a secretword prize now", "see you at lunch then"] * 15
    given = table_of({"text": [f"{text} {k}" for k, text in enumerate(texts)], "label": ["spam", "ham"] * 15})
    recorded = train(given.columns.append_column("label", given.labels), model="perceptron", record=True)
    path, out = tmp_path / "recorded.rosenblatt", tmp_path / "stripped.rosenblatt"
    save(recorded, path)
    done = CliRunner().invoke(commands, ["export", str(path), "--strip", "--out", str(out)])
    assert done.exit_code == 0
    assert load(path).record is not None
    assert load(out).record is None
    assert b"a secretword prize" in path.read_bytes()
    assert b"a secretword prize" not in out.read_bytes()
    assert (load(out).scores(given) == recorded.scores(given)).all()
    both = CliRunner().invoke(commands, ["export", str(path), "--strip", "--to", "json"])
    assert both.exit_code == 2


def test_wrong_use_ends_in_one_line(saved, tmp_path):
    assert CliRunner().invoke(commands, ["export", str(saved)]).exit_code == 2
    assert CliRunner().invoke(commands, ["export", str(saved), "--to", "pmml"]).exit_code == 2
    texts = ["win a prize now my friend", "see you at lunch then"] * 5
    words = tmp_path / "words.rosenblatt"
    save(linear_model(table_of({"text": texts, "label": ["spam", "ham"] * 5}))[0], words)
    refused = CliRunner().invoke(commands, ["export", str(words), "--to", "sql"])
    assert isinstance(refused.exception, SettingError)
    assert "Use --to json" in str(refused.exception)


def test_onnx_without_its_package_says_how_to_get_it(saved, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    refused = CliRunner().invoke(commands, ["export", str(saved), "--to", "onnx"])
    assert "pip install 'rosenblatt[onnx]'" in str(refused.exception)
