"""Columns that bend: hats by the plain rule, knots that blocks do not change, and curves everywhere a model goes."""

from __future__ import annotations

import math
from bisect import bisect_right
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

import rosenblatt
from exported import in_duckdb, in_onnxruntime, same_scores, scores_in
from rosenblatt.data.table import counted
from rosenblatt.errors import SettingError
from rosenblatt.features import Wishes, learn
from rosenblatt.features.bent import COUNTED, Bent, BentLearner, knots_of
from rosenblatt.features.lines import Asked
from rosenblatt.features.numeric import Numeric
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.report.html import write_report
from sample_models import linear_model, table_of


def column(values) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, pa.float64(), from_pandas=True)])


def plain_hats(knots, value) -> list[Fraction]:
    """The rule itself, in fractions: 1 − s and s between the knots around a value, clipped at the ends."""
    hats = [Fraction(0)] * len(knots)
    if value is None:
        return hats
    inside = min(max(value, knots[0]), knots[-1])
    i = min(bisect_right(knots, inside) - 1, len(knots) - 2)
    share = (Fraction(inside) - Fraction(knots[i])) / (Fraction(knots[i + 1]) - Fraction(knots[i]))
    hats[i], hats[i + 1] = 1 - share, share
    return hats


def plain_slopes(knots, hats) -> list[float]:
    """What the hats say of two slopes: over the values of the knots, in their spread, and over their places."""
    mean = sum(map(Fraction, knots)) / len(knots)
    spread = math.sqrt(sum((Fraction(knot) - mean) ** 2 for knot in knots) / len(knots))
    places = [2 * Fraction(i, len(knots) - 1) - 1 for i in range(len(knots))]
    by_value = sum(hat * (Fraction(knot) - mean) for hat, knot in zip(hats, knots, strict=True))
    return [float(by_value) / spread, float(sum(hat * place for hat, place in zip(hats, places, strict=True)))]


def plain_knots(values, most, over) -> list[float]:
    """The ⌈qn⌉-th smallest of the values, or of the distinct ones, for q = 0, 1/(m − 1), …, 1; equal ones merged."""
    listed = sorted(values if over == "rows" else set(values))
    places = [max(1, math.ceil(Fraction(k, most - 1) * len(listed))) for k in range(most)]
    return sorted({listed[place - 1] for place in places})


def dense(block, width) -> np.ndarray:
    found = np.zeros((len(block.starts) - 1, width))
    for row, (start, stop) in enumerate(pairwise(block.starts)):
        found[row, block.columns[start:stop]] = block.values[start:stop]
    return found


@pytest.mark.parametrize("missing", [False, True])
def test_hats_are_those_of_the_plain_rule(missing):
    knots = (-2.0, -0.5, 0.0, 1.25, 8.0)
    values = [-9.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.25, 7.75, 8.0, 1e300, None]
    line = Bent("x", "numbers", knots, missing, reads="number")
    found = dense(line.encode(column(values), counted("here", "row", len(values))), line.width)
    for row, value in enumerate(values):
        hats = plain_hats(knots, value)
        expected = [float(hat) / 2 for hat in hats] + [0.0 if value is None else s for s in plain_slopes(knots, hats)]
        assert found[row].tolist() == pytest.approx([*expected, *[float(value is None)] * missing], rel=1e-14)
    assert len(line.names()) == line.width == len(knots) + 2 + missing
    assert np.allclose(line.at_knots(), found[[1, 3, 4, 6, 8], : len(knots) + 2], rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("over", ["rows", "values"])
@pytest.mark.parametrize("most", [3, 8, 16])
def test_knots_are_values_that_occur_at_quantiles(most, over):
    draw = np.random.default_rng(most)
    for size in (1, 2, 3, 10, 500):
        values = np.round(draw.normal(size=size) ** 3, 1)
        distinct, counts = np.unique(values, return_counts=True)
        assert list(knots_of(distinct, counts, most, over)) == plain_knots(values.tolist(), most, over)


@pytest.mark.parametrize("distinct", [50, 2 * COUNTED])
def test_blocks_and_their_merging_do_not_change_the_knots(distinct):
    draw = np.random.default_rng(1)
    values = draw.choice(draw.normal(size=distinct), 150_000)
    values[::97] = np.nan
    origin = counted("here", "row", len(values))
    asked = Asked("x", "numbers", pa.float64(), knots=16, over="values")
    whole = BentLearner(asked)
    whole.look(column(values), origin)
    cuts = [0, 1, 70_000, 70_010, len(values)]
    parts = []
    for start, stop in pairwise(cuts):
        parts.append(BentLearner(asked))
        which = np.arange(start, stop)
        parts[-1].look(column(values[which]), origin.take(which))
    for later in parts[1:]:
        parts[0].merge(later)
    assert parts[0].settle() == whole.settle()
    assert whole.many == (distinct > COUNTED)


def test_a_column_with_too_few_values_stays_straight():
    table = table_of({"few": [0.5] * 60 + [1, 2, 3, 4], "many": np.arange(64) / 8, "label": list("ab") * 32})
    kinds = {line.column: type(line) for line in learn(table, Wishes(knots=8)).lines}
    assert kinds == {"few": Numeric, "many": Bent}  # quantiles of the rows are 0.5 but for the last


@pytest.mark.parametrize("knots", [1, 2, 65])
def test_too_few_or_too_many_knots_are_refused(knots):
    with pytest.raises(SettingError, match=f"knots must be 0, or from 3 to 64; got {knots}"):
        learn(table_of({"x": [1.5, 2, 3, 4], "label": list("abab")}), Wishes(knots=knots))


def bump(rows: int = 600) -> dict[str, list]:
    """A class in the middle of a column: no straight line finds it."""
    draw = np.random.default_rng(3)
    x = draw.normal(size=rows)
    z = [None if v < -1.5 else float(v) for v in draw.normal(size=rows)]
    return {"x": x.tolist(), "z": z, "label": np.where(np.abs(x) < 0.7, "in", "out").tolist()}


@pytest.mark.parametrize("config", [{"features": {"knots": 8}}, {"columns": {"x": {"kind": "bent"}}}])
def test_curves_do_what_a_line_cannot_and_the_file_keeps_them(tmp_path, config):
    model, evidence = train_with_evidence(table_of(bump()), model="perceptron", config=config)
    straight = rosenblatt.train(table_of(bump()), model="perceptron", config={"features": {"knots": 0}})
    assert any(isinstance(line, Bent) for line in model.plan.lines)
    assert all(isinstance(line, Numeric) for line in straight.plan.lines)
    assert model.card["test"]["accuracy"] > straight.card["test"]["accuracy"] + 0.1
    rosenblatt.save(model, tmp_path / "m.rosenblatt")
    loaded = rosenblatt.load(tmp_path / "m.rosenblatt")
    rows = {key: value for key, value in bump().items() if key != "label"}
    assert loaded.scores(pa.table(rows)).tolist() == model.scores(pa.table(rows)).tolist()
    write_report(model, evidence, tmp_path / "r.html")
    assert "knots" in (tmp_path / "r.html").read_text()


def test_an_explanation_tells_a_number_once_and_adds_up():
    model = rosenblatt.train(table_of(bump()), model="perceptron", config={"features": {"knots": 8}})
    for row in ({"x": 0.1, "z": 0.4}, {"x": 5.0, "z": None}):
        found = model.explain(row)
        told = dict(zip(found.names, found.values.tolist(), strict=True))
        assert told["x"] == row["x"]
        assert ("z" in told) == (row["z"] is not None)
        assert float(found.contributions.sum() + found.bias[0]) == pytest.approx(float(found.scores[0]))


@pytest.mark.parametrize("unit", ["text", "rows"])
def test_duckdb_and_onnx_compute_curves(unit):
    columns = bump()
    model, _ = linear_model(table_of(columns), Wishes(knots=8, unit=unit))
    assert sum(isinstance(line, Bent) for line in model.plan.lines) == 2
    x = [*columns["x"], -1e9, 1e9, 0.0]
    z = [*columns["z"], 1e9, None, -1e9]
    rows = pa.table({"x": x, "z": z})
    expected = model.scores(rows)
    same_scores(scores_in(in_duckdb(model, rows), model), expected)
    inputs = np.column_stack([np.array(values, dtype=float) for values in (x, z)])
    scores, labels = in_onnxruntime(model, inputs)
    same_scores(scores, expected)
    assert labels == model.predict(rows)
