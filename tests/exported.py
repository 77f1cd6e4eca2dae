"""Exported models in the programs that they are exported to."""

from __future__ import annotations

import json

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from rosenblatt.model import Model
from rosenblatt.store.export_onnx import to_onnx
from rosenblatt.store.export_sql import to_sql


def in_duckdb(model: Model, rows: pa.Table) -> pa.Table:
    """What the statement gives, in the order of the rows: a database has one of its own."""
    with duckdb.connect() as database:
        database.register("data", rows.append_column("place in the test", pa.array(range(rows.num_rows))))
        found = database.sql(to_sql(model)).arrow()
        found = found if isinstance(found, pa.Table) else found.read_all()
        return found.sort_by("place in the test").drop_columns(["place in the test"])


def scores_in(found: pa.Table, model: Model) -> np.ndarray:
    if len(model.classes.names) == 2:
        return found[f"score {model.classes.names[1]}"].to_numpy()
    return np.column_stack([found[f"score {name}"].to_numpy() for name in model.classes.names])


def same_scores(found: np.ndarray, expected: np.ndarray) -> None:
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())


def onnx_inputs(model: Model, rows: pa.Table) -> dict[str, np.ndarray]:
    """The rows as the inputs that the metadata of the file ask for."""
    onnx = pytest.importorskip("onnx", reason="the extra onnx is not installed")
    told = {each.key: json.loads(each.value) for each in onnx.load_from_string(to_onnx(model)).metadata_props}
    numbers, names = [], []
    for name in told["columns"]:
        column = rows[name]
        if name in told["seconds"]:
            column = column.cast(pa.timestamp("us")).cast(pa.int64())
        numbers.append(column.cast(pa.float64()).to_numpy() / (1e6 if name in told["seconds"] else 1))
    for name in told["names"]:
        names.append(rows[name].cast(pa.string()).fill_null("").to_pylist())
    found = {"X": np.array(numbers, np.float64).T, "names": np.array(names, object).T}
    return {name: values for name, values in found.items() if len(values)}


def rows_in_onnxruntime(model: Model, rows: pa.Table) -> list[np.ndarray]:
    """Scores, probabilities and classes of the rows of a table."""
    runtime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    session = runtime.InferenceSession(to_onnx(model), providers=["CPUExecutionProvider"])
    return session.run(["scores", "probabilities", "label"], onnx_inputs(model, rows))


def in_onnxruntime(model: Model, inputs: np.ndarray) -> tuple[np.ndarray, list[str]]:
    pytest.importorskip("onnx", reason="the extra onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    session = runtime.InferenceSession(to_onnx(model), providers=["CPUExecutionProvider"])
    scores, labels = session.run(["scores", "label"], {"X": np.asarray(inputs, np.float64)})
    return scores, labels.tolist()
