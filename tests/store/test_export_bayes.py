"""Naive Bayes in other programs: its log-odds, cell by cell, give the scores that the model gives."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from exported import in_duckdb, in_onnxruntime, same_scores, scores_in
from rosenblatt import train
from rosenblatt.data import read
from rosenblatt.errors import SettingError
from rosenblatt.store.export_json import to_json
from rosenblatt.store.export_onnx import to_onnx
from rosenblatt.store.export_sql import to_sql
from sample_models import table_of

ROWS = 240


def mixed(classes: int) -> dict[str, list]:
    """Names, an order, few and many numbers, bits, truth values and dates, all but one with missing values."""
    make = np.random.default_rng(11)
    days = np.datetime64("2024-01-01") + make.integers(0, 900, ROWS)
    return {
        "colour": [["red", "o'clock", "blue", None][k] for k in make.integers(0, 4, ROWS)],
        "size": make.choice(["small", "medium", "large"], ROWS).tolist(),
        "width": [None if v < -1.2 else round(float(v), 3) for v in make.normal(size=ROWS)],
        "rooms": [None if v == 9 else int(v) for v in make.integers(1, 10, ROWS)],
        "bit": [None if v == 2 else int(v) for v in make.integers(0, 3, ROWS)],
        "flag": [None if v == 2 else bool(v) for v in make.integers(0, 3, ROWS)],
        "day": [day.item() for day in days],
        "label": [["no", "yes", "it is"][k] for k in make.integers(0, classes, ROWS)],
    }


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("priors", [None, "uniform"])
def test_duckdb_computes_the_scores_of_naive_bayes_over_columns(classes, priors):
    columns = mixed(classes)
    model = train(pa.table(columns), label="label", model="naive-bayes", k=0.5, priors=priors)
    assert model.learner.on == "columns"
    columns.pop("label")
    new = pa.table({
        "colour": ["green", None, "red", "blue"], "size": ["huge", "small", "", "large"],
        "width": [1e6, None, -9.0, 0.0], "rooms": [77, 3, None, 1], "bit": [7, 1, 0, None],
        "flag": [None, True, False, True], "day": pa.array([0, 20_000, None, 19_900], pa.date32()),
    })  # fmt: skip
    for rows in (pa.table(columns), new):
        found = in_duckdb(model, rows)
        same_scores(scores_in(found, model), model.scores(rows))
        assert found["predicted"].to_pylist() == model.predict(rows)


@pytest.mark.parametrize("classes", [2, 3])
def test_onnx_computes_the_scores_of_naive_bayes_over_numbers(classes):
    columns = {name: values for name, values in mixed(classes).items() if name in ("width", "rooms", "bit", "label")}
    model = train(pa.table(columns), label="label", model="naive-bayes", k=0.5)
    rows = {"width": [None, 0.3, -9.0, 9.0], "rooms": [3.0, None, 77.0, 1.0], "bit": [1.0, 0.0, None, 7.0]}
    inputs = np.array([[np.nan if v is None else v for v in rows[line.column]] for line in model.plan.lines]).T
    scores, labels = in_onnxruntime(model, inputs)
    table = pa.table({name: pa.array(values, pa.float64()) for name, values in rows.items()})
    same_scores(scores, model.scores(table))
    assert labels == model.predict(table)


def test_onnx_reads_which_pixels_are_set():
    table = read("digits")
    model = train(table, model="naive-bayes", counting="presence", k=1.0)
    pixels = np.array(table.columns["pixel"].to_pylist(), np.float64)[:60]
    scores, labels = in_onnxruntime(model, pixels)
    some = table.take(np.arange(60))
    same_scores(scores, model.scores(some))
    assert labels == model.predict(some)


def test_bins_of_a_perceptron_are_exported_too():
    columns = {name: values for name, values in mixed(2).items() if name in ("width", "rooms", "label")}
    config = {"columns": {"width": {"kind": "bins"}, "rooms": {"kind": "bins"}}, "features": {"unit": "rows"}}
    model = train(pa.table(columns), label="label", model="perceptron", margin=1.0, passes=4, config=config)
    assert [line.kind for line in model.plan.lines] == ["bins", "bins"]
    rows = pa.table({"width": pa.array([None, 0.3, -9.0]), "rooms": pa.array([3.0, None, 77.0])})
    same_scores(scores_in(in_duckdb(model, rows), model), model.scores(rows))
    inputs = np.column_stack([rows[name].to_numpy() for name in ("width", "rooms")])
    same_scores(in_onnxruntime(model, inputs)[0], model.scores(rows))


def test_json_holds_the_log_odds_and_the_counts_they_come_from():
    columns = mixed(2)
    model = train(pa.table(columns), label="label", model="naive-bayes", k=0.5)
    plain = json.loads(to_json(model))["learner"]
    (line,) = plain["scores"]
    assert plain["kind"] == "naive Bayes"
    assert line["class"] == "yes"
    odds, counts, rows = dict(line["weights"]), dict(plain["counts"]), plain["rows"]
    no, yes = counts["size=small"]
    sizes = [sum(counts[f"size={each}"][c] for each in ("small", "medium", "large")) for c in (0, 1)]
    expected = np.log((yes + 0.5) / (sizes[1] + 1.5)) - np.log((no + 0.5) / (sizes[0] + 1.5))
    assert odds["size=small"] == pytest.approx(expected, abs=1e-12)
    assert sum(rows) == model.card["split"]["train"] + model.card["split"]["validation"]


def test_where_counts_make_classes_impossible_there_is_no_sum():
    model = train(pa.table(mixed(2)), label="label", model="naive-bayes", k=0)
    for write, name in ((to_sql, "SQL"), (to_onnx, "ONNX")):
        with pytest.raises(SettingError, match=f"{name} needs scores that are sums, but at k = 0"):
            write(model)
    assert "scores" not in json.loads(to_json(model))["learner"]


def test_a_class_without_rows_which_only_a_forged_file_has_is_minus_infinity_in_json():
    model = train("iris", model="naive-bayes", k=1.0)
    counts = replace(model.learner.counts, rows=np.array([4, 0, 4]))
    plain = json.loads(to_json(replace(model, learner=replace(model.learner, counts=counts))))
    assert [each["constant"] for each in plain["learner"]["scores"]] == [-math.log(2), "-inf", -math.log(2)]


def test_a_text_stays_with_json():
    words = [f"word{i} {'good' if i % 2 else 'bad'} thing{i % 7}" for i in range(60)]
    table = table_of({"text": words, "label": ["xy"[i % 2] for i in range(60)]})
    model = train(table, text=["text"], model="naive-bayes")
    assert json.loads(to_json(model))["learner"]["scores"]
    with pytest.raises(SettingError, match="'text' is text"):
        to_sql(model)
