"""What is done with a model: predict in a stream, evaluate, explain, update; in pipes; without scikit-learn."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from rosenblatt import cli, load, save, train
from rosenblatt.data import read

MESSAGES = [
    ("win cash now", "spam"),
    ("lunch at noon", "ham"),
    ("free prize, claim now", "spam"),
    ("see you later", "ham"),
]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def messages():
    """A table of messages and a model of them."""
    rows = [(f"{text} {number}{number}", kind) for number in range(15) for text, kind in MESSAGES]
    Path("messages.tsv").write_text("".join(f"{kind}\t{text}\n" for text, kind in [("text", "kind"), *rows]))
    model = train("messages.tsv", label="kind")
    save(model, "m.rosenblatt")
    return model


def shell(*arguments, **more):
    return subprocess.run([sys.executable, "-m", "rosenblatt", *arguments], capture_output=True, timeout=120, **more)


def run(*arguments):
    with pytest.raises(SystemExit) as end:
        cli.main(list(arguments))
    assert end.value.code == 0


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_predictions_are_those_of_the_model_in_the_order_of_the_rows(form, messages, monkeypatch):
    monkeypatch.setattr(sys.modules["rosenblatt.cli.predict"], "ROWS", 7)
    run("predict", "m.rosenblatt", "messages.tsv", "--out", f"out.{form}", "--scores")
    table = read("messages.tsv", "kind")
    if form == "parquet":
        found = pq.read_table("out.parquet").to_pylist()
    elif form == "jsonl":
        found = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    else:
        found = list(csv.DictReader(Path("out.csv").read_text().splitlines()))
    assert [row["prediction"] for row in found] == messages.predict(table)
    assert [float(row["score spam"]) for row in found] == messages.scores(table).tolist()


def test_with_more_classes_there_is_a_score_for_each(capfd):
    run("train", "iris", "--quiet", "--model", "perceptron")
    run("predict", "iris.rosenblatt", "iris", "--scores")
    rows = list(csv.DictReader(capfd.readouterr().out.splitlines()))
    assert set(rows[0]) == {"prediction", "score setosa", "score versicolor", "score virginica"}
    for row in rows:
        scores = {name[6:]: float(value) for name, value in row.items() if name.startswith("score")}
        assert row["prediction"] == max(scores, key=scores.get)


def test_a_pipe_from_training_to_prediction(messages):
    content = Path("messages.tsv").read_bytes()
    made = shell("train", "-", "--label", "kind", "--out", "-", "--seed", "3", input=content)
    assert made.returncode == 0, made.stderr
    assert b"standard input" in made.stderr  # the report goes beside the model
    Path("piped.rosenblatt").write_bytes(made.stdout)
    answers = shell("predict", "piped.rosenblatt", "-", input=content)
    assert answers.returncode == 0, answers.stderr
    expected = load("piped.rosenblatt").predict(read("messages.tsv", "kind"))
    assert answers.stdout.decode().splitlines() == ["prediction", *expected]


def test_a_reader_that_closes_the_pipe_ends_it_without_a_word(messages):
    Path("many.tsv").write_text("text\n" + "win cash now\n" * 200_000)
    with subprocess.Popen(
        [sys.executable, "-m", "rosenblatt", "predict", "m.rosenblatt", "many.tsv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        error = process.stderr.read().decode()
        assert process.wait(60) == 1
    assert error == ""


def test_neither_training_nor_prediction_from_files_loads_scikit_learn(messages):
    for arguments in (["train", "messages.tsv", "--label", "kind"], ["predict", "m.rosenblatt", "messages.tsv"]):
        code = (
            "import sys; from rosenblatt.cli import main\n"
            f"sys.argv[1:] = {arguments!r}\n"
            "try: main()\n"
            "except SystemExit as end: assert end.code == 0\n"
            f"assert ('numba' in sys.modules) == {arguments[0] == 'train'}\n"
            "assert not {'sklearn', 'matplotlib', 'pandas.core'} & set(sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr


def test_a_first_answer_in_python_does_not_wait_for_pandas_or_scikit_learn(messages):
    code = (
        "import sys; from rosenblatt import load\n"
        "assert len(load('m.rosenblatt').predict(['win cash now', ''])) == 2\n"
        "assert not {'sklearn', 'pandas'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_prediction_holds_a_batch_at_a_time(messages, monkeypatch):
    from rosenblatt.model import Model

    Path("many.tsv").write_text("text\n" + "".join(f"win cash {i % 9}\n" for i in range(45_000)))
    sizes = []
    real = Model.scores
    monkeypatch.setattr(Model, "scores", lambda self, rows: (sizes.append(rows.n_rows), real(self, rows))[1])
    run("predict", "m.rosenblatt", "many.tsv", "--out", "out.csv")
    assert sum(sizes) == 45_000
    assert max(sizes) <= 20_000
    assert len(Path("out.csv").read_text().splitlines()) == 45_001


def test_a_failed_prediction_leaves_no_half_file(messages):
    Path("bad.tsv").write_text("words\nhello you\n")
    with pytest.raises(SystemExit) as end:
        cli.main(["predict", "m.rosenblatt", "bad.tsv", "--out", "out.csv"])
    assert end.value.code == 1
    assert not [name for name in os.listdir(".") if "out" in name]


def test_evaluation_counts_what_predict_gets_right(messages, capfd):
    run("evaluate", "m.rosenblatt", "messages.tsv", "--json")
    found = json.loads(capfd.readouterr().out)
    table = read("messages.tsv", "kind")
    right = np.mean(np.array(messages.predict(table)) == np.array(table.labels.to_pylist()))
    assert found["accuracy"] == right
    assert found["rows"] == 60
    run("evaluate", "m.rosenblatt", "messages.tsv")
    assert f"right    {right:.1%}" in capfd.readouterr().out


def test_an_explanation_sums_to_the_score_that_predict_writes(messages, capfd):
    run("explain", "m.rosenblatt", "--text", "win a free lunch", "--json")
    found = json.loads(capfd.readouterr().out)
    parts = found["contributions"]["spam"]
    assert {"win", "free", "lunch"} >= {name for name in parts if not name.endswith(" absent")}
    assert sum(parts.values()) + found["constant"]["spam"] == pytest.approx(found["scores"]["spam"])
    assert messages.scores(["win a free lunch"])[0] == pytest.approx(found["scores"]["spam"])
    sizes = [abs(part) for part in parts.values()]
    assert sizes == sorted(sizes, reverse=True)
    run("explain", "m.rosenblatt", "messages.tsv", "--row", "2")
    assert "towards spam" in capfd.readouterr().out


def test_inspect_shows_plan_card_and_weights(messages, capfd):
    run("inspect", "m.rosenblatt", "--json")
    assert json.loads(capfd.readouterr().out) == messages.card
    run("inspect", "m.rosenblatt")
    shown = capfd.readouterr().out
    assert all(line in shown for line in messages.card["plan"])
    assert messages.heaviest(1)["spam"][0][0] in shown


@pytest.mark.parametrize("kind", ["perceptron", "naive-bayes"])
def test_an_update_learns_corrections_and_takes_in_a_new_class(kind, capfd):
    iris = read("iris")
    rows = iris.columns.append_column("label", iris.labels)
    pq.write_table(rows.slice(0, 100), "two.parquet")
    pq.write_table(rows, "three.parquet")
    save(train("two.parquet", model=kind), "m.rosenblatt")
    run("update", "m.rosenblatt", "three.parquet", "--out", "n.rosenblatt", "--passes", "5")
    assert "classes  new: virginica" in capfd.readouterr().out
    before, after = load("m.rosenblatt"), load("n.rosenblatt")
    assert after.classes.names == ("setosa", "versicolor", "virginica")
    assert after.plan.names == before.plan.names
    assert after.evaluate(iris).accuracy > 0.85
    assert [entry["rows"] for entry in after.card["updates"]] == [150]
    assert before.card["updates"] == []


def test_naive_bayes_after_an_update_has_counted_all_rows():
    iris = read("iris")
    rows = iris.columns.append_column("label", iris.labels)
    model = train(rows.slice(0, 150), model="naive-bayes")
    from rosenblatt.pipeline.update import update

    once = update(model, iris)
    assert once.learner.counts.rows.tolist() == (model.learner.counts.rows + 50).tolist()
    assert once.learner.counts.cells.sum() == model.learner.counts.cells.sum() + 4 * 150


def test_a_perceptron_that_is_right_with_room_to_spare_is_not_changed():
    from rosenblatt.pipeline.update import update

    model = train("apples", model="perceptron", margin=0.0, weights="final")
    assert model.card["proof"]["separated"]
    table = read("apples")
    right = np.flatnonzero(np.array(model.predict(table)) == np.array(table.labels.to_pylist()))
    assert np.array_equal(update(model, table.take(right)).learner.weights, model.learner.weights)


def test_a_batch_in_which_names_look_like_numbers_is_read_as_names():
    names = ["10", "20", "A"]
    rows = "".join(f"{names[i % 3]},{i % 7}.{i},{i % 3 == 2}\n" for i in range(90))
    Path("room.csv").write_text(f"room,noise,label\n{rows}")
    run("train", "room.csv", "--quiet")
    Path("new.csv").write_text("room,noise\n" + "10,3.5\n" * 30_000 + "A,3.5\n")
    run("predict", "room.rosenblatt", "new.csv", "--out", "out.csv")
    found = Path("out.csv").read_text().splitlines()
    assert found[1:] == ["false"] * 30_000 + ["true"]
