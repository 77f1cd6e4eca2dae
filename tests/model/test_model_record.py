"""Recorded models: the weights are the training rows that were updated on, and a score is a sum over them."""

from __future__ import annotations

import numpy as np
import pytest

from rosenblatt import cli, load, save, train
from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.pipeline.update import update
from rosenblatt.store.contents import from_contents, to_contents

RUNS = [(source, weights) for source in ("mail", "digits", "wine") for weights in ("final", "averaged")]


def recorded(source, weights):
    return train(source, model="perceptron", weights=weights, margin=0.5, passes=3, record=True)


@pytest.mark.parametrize(("source", "weights"), RUNS)
def test_the_rows_add_up_to_the_weights(source, weights):
    model = recorded(source, weights)
    assert model.record.weights() == pytest.approx(model.learner.weights, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("source", ["mail", "digits"])
def test_the_parts_of_all_rows_add_up_to_the_score(source):
    model = recorded(source, "averaged")
    row = read(source).take(np.array([7]))
    label = model.classes.names[1]
    score = model.scores(row)[0] if source == "mail" else model.scores(row)[0, 1]
    behind = model.behind(row, label, 10**6)
    assert sum(each.part for each in behind) == pytest.approx(score)
    sizes = [abs(each.part) for each in behind]
    assert sizes == sorted(sizes, reverse=True)


def test_a_row_of_the_record_is_one_of_the_training_data_with_its_label():
    model, table = recorded("mail", "final"), read("mail")
    by_origin = {table.origin.of(i): i for i in range(table.n_rows)}
    for each in model.behind(table.take(np.array([0])), "spam", 50):
        row = by_origin[each.origin]
        assert each.label == table.labels[row].as_py()
        assert table.columns["subject"][row].as_py() in each.shown


@pytest.mark.parametrize("source", ["mail", "digits"])
def test_a_record_is_stored_and_comes_back(source, tmp_path):
    model = recorded(source, "averaged")
    save(model, tmp_path / "one.rosenblatt")
    again = load(tmp_path / "one.rosenblatt")
    row = read(source).take(np.array([3]))
    assert again.behind(row, model.classes.names[0]) == model.behind(row, model.classes.names[0])
    assert np.array_equal(again.record.weights(), model.record.weights())


@pytest.mark.parametrize("name", ["record.columns", "record.amounts", "record.labels", "record.starts"])
def test_a_record_that_does_not_fit_is_refused(name):
    plain, tensors = to_contents(recorded("mail", "final"))
    tensors[name] = tensors[name] + tensors[name].dtype.type(100_000)
    if name == "record.amounts":
        tensors[name] = tensors[name][1:]
    with pytest.raises(DataError, match=r"record of training rows does not fit|matrix is damaged"):
        from_contents(plain, tensors)


def test_only_a_record_keeps_rows_and_inspect_says_so(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    for options, contains in (([], False), (["--record"], True)):
        for arguments in (
            ["train", "mail", "--model", "perceptron", "--quiet", *options],
            ["inspect", "mail.rosenblatt"],
        ):
            with pytest.raises(SystemExit):
                cli.main(arguments)
        assert ("TRAINING ROWS" in capfd.readouterr().out) is contains
        subjects, whole = read("mail").columns["subject"].to_pylist(), (tmp_path / "mail.rosenblatt").read_bytes()
        assert any(subject.encode() in whole for subject in subjects if " " in subject) is contains
    with pytest.raises(SystemExit):
        cli.main(["explain", "mail.rosenblatt", "--text", "free prize"])
    assert "training rows behind the score of spam" in capfd.readouterr().out


def test_without_a_record_and_after_an_update_there_is_none():
    model = recorded("wine", "final")
    assert update(model, read("wine")).record is None
    with pytest.raises(DataError, match="keeps no training rows"):
        train("wine", model="perceptron", passes=1).behind(read("wine").take(np.array([0])), "class_0")
