"""Exports: other programs compute the scores that the model computes, or are told in one line why they cannot."""

from __future__ import annotations

import json

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from exported import in_duckdb, in_onnxruntime, same_scores, scores_in
from rosenblatt.data import read
from rosenblatt.data.table import counted, make_table
from rosenblatt.errors import SettingError
from rosenblatt.features import Wishes
from rosenblatt.model import Decision, Linear, Model
from rosenblatt.store.export_json import to_json
from rosenblatt.store.export_onnx import to_onnx
from rosenblatt.store.export_sql import identifier, literal, to_sql, total_of
from sample_models import bayes_model, linear_model, table_of

NASTY = "a\"b'c\\d;--<script>\n"


def mixed(rows: int = 200) -> dict[str, list]:
    """Numbers, names, an order and two-valued columns, all with missing values."""
    make = np.random.default_rng(5)
    colours = ["red", NASTY.strip(), "o'clock", None]
    return {
        "size": make.choice(["small", "medium", "large"], rows).tolist(),
        'width "in" mm': [None if v < -1 else float(v * 1e3) for v in make.normal(size=rows)],
        "colour": [colours[k] for k in make.integers(0, 4, rows)],
        "flag": [None if v == 2 else bool(v) for v in make.integers(0, 3, rows)],
        "bit": [None if v == 2 else int(v) for v in make.integers(0, 3, rows)],
        "label": make.choice(["no", "yes", "it's"], rows).tolist(),
    }


def new_rows() -> pa.Table:
    """Rows with values that training did not see, and with every way of being missing."""
    return pa.table({
        "size": pa.array(["huge", " large ", "", "small", None]),
        'width "in" mm': pa.array([np.nan, None, 1e6, -0.1, 5.0], pa.float64()),
        "colour": pa.array(["blue", "?", "red", NASTY, "\to'clock"]),
        "flag": pa.array([None, True, False, None, True]),
        "bit": pa.array([7, 1, 0, None, 1]),
    })  # fmt: skip


@pytest.mark.parametrize("unit", ["text", "rows"])
@pytest.mark.parametrize("classes", [2, 3])
def test_duckdb_computes_the_scores_of_the_model(unit, classes):
    columns = mixed()
    if classes == 2:
        columns["label"] = ["yes" if name == "yes" else "no" for name in columns["label"]]
    model, _ = linear_model(table_of(columns), Wishes(unit=unit))
    columns.pop("label")
    for rows in (pa.table(columns), new_rows()):
        found = in_duckdb(model, rows)
        assert found.column_names[: rows.num_columns] == rows.column_names
        same_scores(scores_in(found, model), model.scores(rows))
        assert found["predicted"].to_pylist() == model.predict(rows)


def test_whole_numbers_read_the_same_from_a_column_of_doubles():
    model, _ = linear_model(table_of({"bit": [0, 1, 1, 0, 1, 0], "x": [1.5, 2, 0, 1, 9, 4], "label": list("abbaba")}))
    doubles = pa.table({"bit": pa.array([0.0, 1.0, None]), "x": pa.array([1.0, 2.0, 3.0])})
    same_scores(in_duckdb(model, doubles)["score b"].to_numpy(), model.scores(doubles))


@pytest.mark.parametrize("name", ["iris", "wine", "breast-cancer"])
def test_duckdb_and_onnx_agree_on_real_data(name):
    table = read(name)
    model, _ = linear_model(table)
    expected = model.scores(table)
    same_scores(scores_in(in_duckdb(model, table.columns), model), expected)
    inputs = np.column_stack([table.columns[line.column].to_numpy() for line in model.plan.lines if line.width])
    scores, labels = in_onnxruntime(model, inputs)
    same_scores(scores, expected)
    assert labels == model.predict(table)


@pytest.mark.parametrize("ties", ["mistake", "positive"])
@pytest.mark.parametrize("classes", [2, 3])
def test_ties_go_where_the_model_sends_them(ties, classes):
    table = table_of({"x": [1.0, 2.0, 3.0, 5.5], "label": ["a", "b", "a", "b" if classes == 2 else "c"]})
    model, _ = linear_model(table)
    learner = Linear(np.zeros_like(model.learner.weights))
    model = Model(model.plan, model.classes, learner, model.card, decision=Decision(ties))
    rows = pa.table({"x": [1.0]})
    assert in_duckdb(model, rows)["predicted"].to_pylist() == model.predict(rows)
    assert in_onnxruntime(model, np.array([[1.0]]))[1] == model.predict(rows)


@pytest.mark.parametrize("threshold", [1e9, float("inf")])
def test_a_moved_threshold_is_exported(threshold):
    table = table_of({"x": [1.0, 2.0, 3.5, 4.0], "label": list("aabb")})
    model = linear_model(table)[0].with_threshold(threshold)
    assert float(json.loads(to_json(model))["learner"]["threshold"]) == threshold
    assert in_duckdb(model, table.columns)["predicted"].to_pylist() == ["a"] * 4
    assert in_onnxruntime(model, table.columns["x"].to_numpy()[:, None])[1] == ["a"] * 4


def test_a_wide_sum_is_not_nested_deep():
    assert total_of([]) == "(0e0)"
    shown = total_of(["1e0"] * 5000)
    assert duckdb.sql(f"SELECT {shown}").fetchall() == [(5000.0,)]
    assert max(np.cumsum([(c == "(") - (c == ")") for c in shown])) <= 4


def test_names_and_strings_are_quoted_by_rule():
    assert duckdb.sql(f"SELECT {literal(NASTY)} AS {identifier(NASTY)}").fetchall() == [(NASTY,)]
    assert duckdb.sql(f"SELECT 1 AS {identifier(NASTY)}").columns == [NASTY]
    with pytest.raises(SettingError, match="NUL"):
        literal("a\x00b")


@pytest.mark.parametrize("unit", ["text", "rows"])
def test_onnx_treats_missing_and_unseen_values_as_the_plan_does(unit):
    make = np.random.default_rng(2)
    columns = {
        "x": [None if v < -1 else float(v) for v in make.normal(size=120)],
        "bit": [None if v == 2 else int(v) for v in make.integers(0, 3, 120)],
        "label": make.choice(["p", "q", "r"], 120).tolist(),
    }
    model, _ = linear_model(table_of(columns), Wishes(unit=unit))
    rows = pa.table({"x": [None, 1.0, 0.0, -3.5], "bit": pa.array([None, 1, 5, 0])})
    inputs = np.column_stack([rows[name].to_numpy() for name in ("x", "bit")])
    scores, labels = in_onnxruntime(model, inputs)
    same_scores(scores, model.scores(rows))
    assert labels == model.predict(rows)


def test_onnx_reads_the_pixels_of_images():
    table = read("digits")
    model, _ = linear_model(table)
    pixels = np.array(table.columns["pixel"].to_pylist(), np.float64)
    scores, labels = in_onnxruntime(model, pixels)
    same_scores(scores, model.scores(table))
    assert labels == model.predict(table)
    assert np.isnan(in_onnxruntime(model, np.full((1, 64), np.nan))[0]).all()


def test_json_holds_what_the_scores_are_made_of():
    table = read("iris")
    model, _ = linear_model(table)
    plain = json.loads(to_json(model))
    X = np.column_stack([table.columns[line["column"]].to_numpy() for line in plain["plan"]["lines"]])
    centre, spread = (np.array([line[key] for line in plain["plan"]["lines"]]) for key in ("centre", "spread"))
    for k, one in enumerate(plain["learner"]["scores"]):
        assert one["class"] == model.classes.names[k]
        assert [name for name, _ in one["weights"]] == model.plan.names
        score = (X - centre) / spread @ [weight for _, weight in one["weights"]] + one["constant"]
        same_scores(score, model.scores(table)[:, k])


def text_table():
    texts = ["win a prize now my friend", "see you at lunch then", "claim the prize today please"] * 4
    columns = pa.table({"text": texts, "label": ["spam", "ham", "spam"] * 4})
    return make_table(columns, counted("mail.csv", "row", 12), "label")


def test_json_of_naive_bayes_holds_its_counts():
    plain = json.loads(to_json(bayes_model(text_table(), Wishes(text=["text"]))))
    counts = dict(plain["learner"]["counts"])
    assert plain["classes"]["names"] == ["ham", "spam"]
    assert plain["learner"]["rows"] == [4, 8]
    assert counts["prize"] == [0, 8]


@pytest.mark.parametrize(
    ("make", "write", "message"),
    [
        (lambda: linear_model(text_table(), Wishes(text=["text"]))[0], to_sql, "'text' is text, .* Use --to json"),
        (
            lambda: bayes_model(text_table(), Wishes(text=["text"])),
            to_sql,
            "'text' is text, 14 words, 0/1. Use --to json",
        ),
        (lambda: linear_model(text_table(), Wishes(text=["text"]))[0], to_onnx, "'text' is text"),
        (lambda: bayes_model(text_table(), Wishes(text=["text"])), to_onnx, "'text' is text"),
        (lambda: linear_model(read("digits"))[0], to_sql, "'pixel' is vector"),
    ],
)
def test_what_cannot_be_expressed_is_refused_in_one_line(make, write, message):
    with pytest.raises(SettingError, match=message) as refused:
        write(make())
    assert "\n" not in str(refused.value)
