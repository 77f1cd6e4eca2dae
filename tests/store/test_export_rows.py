"""Ten thousand rows in DuckDB and in ONNX Runtime: the scores, the probabilities and the classes of the model."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from export_ways import WAYS, model_of, table_of
from exported import in_duckdb, rows_in_onnxruntime, same_scores, scores_in
from rosenblatt.data.matrices import csr_of
from rosenblatt.loops.rows import Dense

ROWS = 10_000


def sizes_of(model, rows: pa.Table) -> np.ndarray:
    """The sum of |w x| over the features of each row."""
    given = model.learner.rows(model.plan, model.table(rows))
    values = np.abs(given.values if isinstance(given, Dense) else csr_of(given).toarray())
    formula = model.formula()
    return (values @ np.abs(formula.weights[:, : values.shape[1]]).T + np.abs(formula.constant)).sum(axis=1)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("way", WAYS)
def test_databases_and_runtimes_agree_with_the_model_on_ten_thousand_rows(way, classes):
    model, rows = model_of(way, classes), table_of(ROWS, classes, 2).drop_columns(["label"])
    expected, shares, names = model.scores(rows), model.predict_proba(rows), np.array(model.predict(rows))
    lead = np.sort(expected.reshape(ROWS, -1) - (model.decision.threshold if classes == 2 else 0))
    clear = (np.abs(lead[:, 0]) if classes == 2 else lead[:, -1] - lead[:, -2]) > 1e-9 * sizes_of(model, rows)
    assert clear.mean() > 0.999
    found = in_duckdb(model, rows).sort_by("id")
    told = np.column_stack([found[f"probability {name}"].to_numpy() for name in model.classes.names])
    for scores, chances, labels in (
        (scores_in(found, model), told, np.array(found["predicted"].to_pylist())),
        rows_in_onnxruntime(model, rows),
    ):
        same_scores(scores, expected)
        assert np.abs(chances - shares).max() < 1e-12
        assert (labels == names)[clear].all()
