"""Exported models in the programs that they are exported to."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from rosenblatt.model import Model
from rosenblatt.store.export_onnx import to_onnx
from rosenblatt.store.export_sql import to_sql


def in_duckdb(model: Model, rows: pa.Table) -> pa.Table:
    with duckdb.connect() as database:
        database.register("data", rows)
        found = database.sql(to_sql(model)).arrow()
        return found if isinstance(found, pa.Table) else found.read_all()


def scores_in(found: pa.Table, model: Model) -> np.ndarray:
    if len(model.classes.names) == 2:
        return found[f"score {model.classes.names[1]}"].to_numpy()
    return np.column_stack([found[f"score {name}"].to_numpy() for name in model.classes.names])


def same_scores(found: np.ndarray, expected: np.ndarray) -> None:
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())


def in_onnxruntime(model: Model, inputs: np.ndarray) -> tuple[np.ndarray, list[str]]:
    pytest.importorskip("onnx", reason="the extra onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    session = runtime.InferenceSession(to_onnx(model), providers=["CPUExecutionProvider"])
    scores, labels = session.run(["scores", "label"], {"X": np.asarray(inputs, np.float64)})
    return scores, labels.tolist()
