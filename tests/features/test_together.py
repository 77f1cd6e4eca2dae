"""Very many columns looked at and encoded together give to the bit what they give one by one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt.data import fractions
from rosenblatt.data.table import Table, counted
from rosenblatt.errors import DataError
from rosenblatt.features import learn_and_encode, plan, together
from rosenblatt.features.facts import FEW_ROWS
from rosenblatt.loops.exact_sum import exact_units, exact_units_by_row

ROWS = 40


def columns(draw):
    """Columns of many sorts, plain ones beside each other and beside others."""
    made = {f"plain{j}": draw.normal(size=ROWS) * 10.0 ** draw.integers(-200, 200) for j in range(30)}
    made |= {
        "two": np.where(draw.random(ROWS) < 0.5, 0.5, 2.5),
        "one": np.full(ROWS, 0.25),
        "ids": np.arange(ROWS) * 1.0,
    }
    made |= {"few": np.round(draw.normal(size=ROWS)), "large": draw.integers(2**60, 2**62, ROWS).astype(float)}
    made |= {"whole": draw.integers(0, 9, ROWS), "gaps": np.where(draw.random(ROWS) < 0.2, np.nan, draw.random(ROWS))}
    made |= {"late": np.r_[np.zeros(ROWS - 1), 0.5], "names": draw.choice(["a", "b", "c"], ROWS)}
    made |= {f"more{j}": draw.random(ROWS) for j in range(20)}
    return made


def table_of(made):
    found = pa.table({name: pa.array(values) for name, values in made.items()})
    return Table(found, None, None, counted("t", "row", len(found)))


@pytest.mark.parametrize("cells", [7 * ROWS, 1_024 * ROWS])
def test_plans_and_rows_are_those_of_columns_one_by_one(monkeypatch, cells):
    table = table_of(columns(np.random.default_rng(3)))
    alone = learn_and_encode(table)
    for module in (together, plan):
        monkeypatch.setattr(module, "MANY", 4)
    monkeypatch.setattr(fractions, "CELLS", cells)
    monkeypatch.setattr(fractions, "FEWEST", 2)
    found = learn_and_encode(table)
    assert found[0].to_dict() == alone[0].to_dict()
    assert found[1].rows.values.tobytes() == alone[1].rows.values.tobytes()
    later = table.take(np.arange(ROWS)[::-1])
    assert found[0].encode(later).rows.values.tobytes() == alone[1].rows.values[::-1].tobytes()


def test_columns_that_lie_one_after_the_other_are_one_matrix_without_a_copy():
    rows = np.random.default_rng(5).random((20, ROWS))
    found = fractions.Fractions(table_of({f"c{j}": row for j, row in enumerate(rows)}).columns)
    (names, matrix), *_ = found.matrices([f"c{j}" for j in range(20)])
    assert names == [f"c{j}" for j in range(20)]
    assert np.shares_memory(matrix, rows)
    assert (matrix == rows).all()
    (_, some), *_ = found.matrices(["c7", "c2", "c3"])
    assert (some == rows[[7, 2, 3]]).all()


def test_numbers_whose_sum_overflows_are_looked_at_one_by_one(monkeypatch):
    table = table_of({f"c{j}": np.array([1e308, 1.5e308, -1.0, 0.5] * 10) * (1 + j / 64) for j in range(9)})
    alone = learn_and_encode(table)[0].to_dict()
    for module in (together, plan):
        monkeypatch.setattr(module, "MANY", 4)
    assert learn_and_encode(table)[0].to_dict() == alone


def test_a_value_that_is_not_finite_is_refused_by_its_place_or_encoded_as_missing_as_ever(monkeypatch):
    made = {f"c{j}": np.random.default_rng(j).random(FEW_ROWS) for j in range(9)}
    table = table_of(made)
    for module in (together, plan):
        monkeypatch.setattr(module, "MANY", 4)
    learned = learn_and_encode(table)[0]
    made["c5"] = made["c5"].copy()
    made["c5"][3] = np.nan
    assert np.isfinite(learned.encode(table_of(made)).rows.values).all()
    made["c5"][3] = np.inf
    with pytest.raises(DataError, match="row 4, column 'c5': an infinite value"):
        learned.encode(table_of(made))


def test_sums_of_rows_are_exact():
    draw = np.random.default_rng(4)
    rows = draw.normal(size=(9, 50)) * 10.0 ** draw.integers(-300, 300, (9, 50))
    assert exact_units_by_row(rows) == [exact_units(row) for row in rows]
