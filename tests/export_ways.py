"""Models of every way in which a score is made of columns, and rows for them, for the tests of exports."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa

from rosenblatt import train

# What is asked of `train`, for each of the ways in which a score is made of columns.
WAYS = {
    "straight": {"model": "perceptron", "passes": 2, "margin": 1.0, "config": {"features": {"knots": 0}}},
    "unit rows": {"model": "perceptron", "passes": 2, "margin": 1.0, "config": {"features": {"unit": "rows"}}},
    "bent columns": {
        "model": "perceptron", "passes": 2, "margin": 1.0,
        "config": {"columns": {"width": {"kind": "bent"}, "age": {"kind": "bent"}}},
    },
    "naive Bayes": {"model": "naive-bayes", "k": 0.5},
    "units": {"model": "perceptron", "passes": 2, "margin": 1.0, "config": {"features": {"units": 150}}},
}  # fmt: skip


def table_of(rows: int, classes: int, seed: int) -> pa.Table:
    """Numbers, names, truth values, dates and moments, with missing values; a label that follows from them roughly."""
    make = np.random.default_rng(seed)
    width, age, colour = make.normal(3, 40, rows), make.integers(18, 90, rows), make.integers(0, 30, rows) ** 2 // 30
    days = np.datetime64("1896-02-27") + make.integers(0, 50_000, rows)
    moments = np.datetime64("2023-12-30T00:00:00") + make.integers(0, 40_000_000, rows)
    score = width / 40 + np.abs(age - 50) / 20 - (colour < 5) + (moments.astype("M8[h]").astype(int) % 24) / 30
    label = np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score + make.normal(0, 0.3, rows))
    some = make.random((5, rows)) < 0.08
    return pa.table({
        "id": np.arange(rows), "width": pa.array(width, mask=some[0]), "age": pa.array(age, mask=some[1]),
        "colour": pa.array([f"colour {c}" for c in colour], mask=some[2]), "flag": pa.array(make.random(rows) < 0.4),
        "day": pa.array(days, pa.date32(), mask=some[3]), "at": pa.array(moments, pa.timestamp("s"), mask=some[4]),
        "label": [f"class {c}" for c in label],
    })  # fmt: skip


@cache
def model_of(way: str, classes: int):
    settings = {**WAYS[way]}
    config = settings.pop("config", {})
    columns = {"id": {"kind": "drop"}, **config.get("columns", {})}
    return train(table_of(400, classes, 1), label="label", config={**config, "columns": columns}, **settings)
