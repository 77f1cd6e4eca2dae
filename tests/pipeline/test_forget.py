"""Forgetting: to the bit as if the rows had never been counted, with a receipt that is checked against the data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import cli, load, save, train
from rosenblatt.data import read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Classes, TextSettings, Wishes, learn_and_encode
from rosenblatt.features.contents import Contents
from rosenblatt.model import Bayes, Model, Seen
from rosenblatt.model.bayes import count_matrix
from rosenblatt.model.columns import count_columns
from rosenblatt.pipeline.forget import check_receipt, forget
from sample_models import bayes_model, card_of, table_of

TEXTS = [
    ("claim your prize now", "spam"),
    ("lunch at noon", "ham"),
    ("free prize claim", "spam"),
    ("see you at lunch", "ham"),
    ("zebra at noon with you", "ham"),
    ("win a free yacht now", "spam"),
    ("lunch at noon", "ham"),
]


def texts(rows=TEXTS):
    return table_of({"text": [text for text, _ in rows], "label": [label for _, label in rows]})


def counted_model(table, wishes=None, counted=True) -> Model:
    """Naive Bayes of word counts, or weights, with the hashes of its rows."""
    plan, matrix = learn_and_encode(table, wishes)
    classes = Classes.learn(table)
    counts = count_matrix(matrix.rows, classes.encode(table), len(classes.names), counted)
    card = card_of(table, classes, plan.width, "naive Bayes")
    return Model(plan, classes, Bayes(counts, 1.0, "matrix"), card, None, Seen.of(Contents.of_plan(table, plan)))


def same_counts(one: Model, other: Model) -> bool:
    a, b = one.learner.counts, other.learner.counts
    return all(np.array_equal(x, y) for x, y in ((a.cells, b.cells), (a.rows, b.rows)))


AS_TEXT = Wishes(text=["text"])


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("gone", [[4], [5], [0, 4, 5], [1, 6]])
def test_a_model_that_forgot_is_the_model_that_never_saw_the_rows(counted, gone):
    table = texts()
    rest = [row for row in range(len(TEXTS)) if row not in gone]
    wishes = replace(AS_TEXT, words=TextSettings(weight="counts"), unit="none") if counted else AS_TEXT
    found = forget(counted_model(table, wishes, counted), table.take(gone))
    never = counted_model(table.take(rest), wishes, counted)
    assert found.plan.names == never.plan.names  # words that only they had are gone
    assert same_counts(found, never)
    assert np.array_equal(found.scores(table), never.scores(table))
    assert found.seen.hashes.tolist() == never.seen.hashes.tolist()


def test_fractions_are_counted_again_from_the_data_and_never_subtracted():
    table, gone = texts(), [5]
    model = counted_model(table, replace(AS_TEXT, words=TextSettings(weight="tfidf")))
    assert model.learner.counts.cells.dtype == np.float64
    with pytest.raises(SettingError, match="counts in fractions"):
        forget(model, table.take(gone))
    found = forget(model, table.take(gone), table)
    rest = table.take([row for row in range(len(TEXTS)) if row not in gone])
    again = count_matrix(found.plan.encode(rest).rows, model.classes.encode(rest), 2, True)
    assert np.array_equal(found.learner.counts.cells, again.cells)
    assert found.card["forgotten"][0]["removed"] == 2  # win, yacht; "a" is no word
    assert not {"win", "yacht"} & set(found.plan.names)


def test_values_of_columns_are_forgotten_too():
    values = {"colour": ["red", "red", "blue", "blue", "green", "red"], "size": [1.5, 2.5, 3.5, 1.5, 9.5, 2.5]}
    table = table_of({**values, "label": ["a", "b", "a", "b", "a", "b"]})
    plan, _ = learn_and_encode(table, Wishes(category=["colour"]))
    classes = Classes.learn(table)
    counts = count_columns(plan, table, classes.encode(table), 2)
    model = Model(plan, classes, Bayes(counts, 1.0, "columns"), card_of(table, classes, plan.width, "naive Bayes"))
    found = forget(model, table.take([4]))
    names = found.learner.cell_names(found.plan)
    assert "colour=green" not in names
    rest = table.take([0, 1, 2, 3, 5])
    again = count_columns(found.plan, rest, classes.encode(rest), 2, found.learner.counts.schema)
    assert np.array_equal(found.learner.counts.cells, again.cells)
    assert found.predict(table)  # the row with a value that is no longer known among them


def test_copies_that_remain_are_named_only_where_the_data_is_given():
    table = texts()
    model = counted_model(table, AS_TEXT, False)
    assert forget(model, table.take([1])).card["forgotten"][0]["copies"] is None
    found = forget(model, table.take([1]), table)
    assert found.card["forgotten"][0]["copies_at"] == ["sample.csv, row 7"]
    assert len(found.seen.hashes) == len(model.seen.hashes)  # the copy is still known


def test_a_receipt_holds_for_the_data_with_or_without_the_rows():
    table = texts()
    found = forget(counted_model(table, AS_TEXT, False), table.take([1, 4]), table)
    assert check_receipt(found, table) == 5
    assert check_receipt(found, table.take([0, 2, 3, 5, 6])) == 5


def test_a_receipt_does_not_hold_for_other_counts_or_other_data():
    table = texts()
    found = forget(counted_model(table, AS_TEXT, False), table.take([4]))
    with pytest.raises(DataError, match="not those of the rows that remain"):
        check_receipt(found, table.take([0, 1, 2, 3, 5]))
    counts = found.learner.counts
    more = replace(counts, stored=counts.cells + np.eye(*counts.cells.shape, dtype=np.int64))
    with pytest.raises(DataError, match="not those of the rows that remain"):
        check_receipt(replace(found, learner=replace(found.learner, counts=more)), table)
    with pytest.raises(DataError, match="has forgotten no rows"):
        check_receipt(counted_model(table, AS_TEXT, False), table)


@pytest.mark.parametrize(
    ("rows", "data", "line"),
    [
        ([("a row of its own", "ham")], False, "sample.csv, row 1: the model was never trained on this row"),
        ([("free prize claim", "ham")], False, "fewer such rows than are to be forgotten, or with other labels"),
        ([("free prize claim", "ham")], True, "never trained on this row with this label"),
        ([("zebra at noon with you", "ham")] * 2, False, "fewer such rows"),
        ([("zebra at noon with you", "ham")] * 2, True, "or not so often"),
        ([pair for pair in TEXTS if pair[1] == "spam"], False, "all rows of class spam"),
    ],
)
def test_rows_that_were_never_there_are_one_line(rows, data, line):
    table = texts()
    model = counted_model(table, AS_TEXT, False)
    with pytest.raises(DataError, match=line):
        forget(model, texts(rows), table if data else None)


def test_a_perceptron_cannot_forget():
    with pytest.raises(SettingError, match="only naive Bayes can forget rows"):
        forget(train("iris", model="perceptron"), read("iris"))


def test_a_model_without_hashes_forgets_what_its_counts_allow():
    model = bayes_model(texts(), AS_TEXT)
    assert model.seen is None
    assert same_counts(forget(model, texts(TEXTS[:1])), bayes_model(texts(TEXTS[1:]), AS_TEXT))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    return end.value.code


def test_the_command_forgets_and_check_verifies(capfd):
    rows = [f"{kind}\t{text} {number}{number}" for number in range(15) for text, kind in TEXTS]
    Path("all.tsv").write_text("kind\ttext\n" + "\n".join(rows) + "\n")
    model = train("all.tsv", label="kind", model="naive-bayes", counting="presence")
    save(model, "m.rosenblatt")
    table = model.read("all.tsv")
    known = np.flatnonzero(model.seen.known(Contents.of_plan(table, model.plan)))[:3]
    Path("gone.tsv").write_text("kind\ttext\n" + "".join(rows[row] + "\n" for row in known))
    assert run("update", "m.rosenblatt", "all.tsv", "--forget", "gone.tsv", "--out", "n.rosenblatt") == 0
    assert "forgot   3 rows of gone.tsv" in capfd.readouterr().out
    assert load("n.rosenblatt").learner.counts.rows.sum() == model.learner.counts.rows.sum() - 3
    assert run("check", "n.rosenblatt", "all.tsv") == 0
    assert "The receipt holds" in capfd.readouterr().out
    assert run("update", "n.rosenblatt", "--forget", "gone.tsv") == 1
    assert "never trained on this row" in capfd.readouterr().err
    assert run("update", "n.rosenblatt", "--forget", "gone.tsv", "--passes", "2") == 2
    Path("less.tsv").write_text("kind\ttext\n" + "\n".join(rows[:50]) + "\n")
    assert run("check", "n.rosenblatt", "less.tsv") == 1
    assert run("export", "n.rosenblatt", "--strip", "--out", "bare.rosenblatt") == 0
    assert load("bare.rosenblatt").card["forgotten"][0]["forgotten"] == []
