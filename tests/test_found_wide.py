"""A table of many columns: what `train` and `predict` do grows as the columns do, counted in calls, not in time."""

import sys

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from rosenblatt import train
from rosenblatt.data import read
from rosenblatt.data.table import Table, tidy_strings

ROWS = 40
NARROW, WIDE = 200, 800


def wide_frame(columns):
    """Numbers, names and 0/1 side by side; the first number decides the label."""
    draw = np.random.default_rng(28)
    numbers = draw.integers(0, 1000, (ROWS, columns)) / 10
    made = {f"c{j}": numbers[:, j] if j % 4 else numbers[:, j].astype(int) % 3 for j in range(columns)}
    for j in range(2, columns, 4):
        made[f"c{j}"] = np.array(["red", "green", "blue"])[numbers[:, j].astype(int) % 3]
    return pd.DataFrame(made | {"label": np.where(numbers[:, 1] > 50, "high", "low")})


def written(folder, columns, form):
    """What the job is given: the frame itself, or a file of it."""
    frame = wide_frame(columns)
    path = folder / f"{columns}.{form}"
    if form == "csv":
        frame.to_csv(path, index=False)
    elif form == "parquet":
        frame.to_parquet(path)
    return frame if form == "pandas" else path


def job(source):
    model = train(source, model="perceptron", passes=3)
    assert len(model.predict(source)) == ROWS


@pytest.fixture
def asked(monkeypatch):
    """Counts who asks a table for its names, however it keeps them."""
    kept, times = Table.__dict__["names"], []

    def names(table):
        times.append(1)
        return kept.__get__(table, Table)

    monkeypatch.setattr(Table, "names", property(names))
    return times


@pytest.mark.parametrize("form", ["csv", "parquet", "pandas"])
def test_found_28_the_names_are_asked_for_as_often_for_many_columns_as_for_few(tmp_path, asked, form):
    found = []
    for columns in (NARROW, WIDE):
        asked.clear()
        job(written(tmp_path, columns, form))
        found.append(len(asked))
    assert found[1] < 2 * found[0]


def test_found_28_a_table_makes_the_list_of_its_names_once(tmp_path):
    table = read(written(tmp_path, NARROW, "csv"))
    assert table.names is table.names
    assert table.names == list(table.columns.column_names)


@pytest.mark.parametrize("form", ["csv", "parquet", "pandas"])
def test_calls_grow_as_the_columns_do(tmp_path, form):
    job(written(tmp_path, 8, form))  # what is loaded and compiled on first use is no part of the growth
    found = []
    for columns in (NARROW, WIDE):
        source, calls = written(tmp_path, columns, form), [0]

        def note(frame, event, given, calls=calls):
            calls[0] += event in ("call", "c_call")

        sys.setprofile(note)
        try:
            job(source)
        finally:
            sys.setprofile(None)
        found.append(calls[0])
    assert found[1] <= 4.3 * found[0]


def test_tidied_columns_keep_their_order_types_and_notes(tmp_path):
    frame = wide_frame(8).assign(c2=[" red "] * 39 + ["?"])
    frame.to_parquet(tmp_path / "t.parquet")
    before = pq.read_table(tmp_path / "t.parquet")
    after = tidy_strings(before)
    assert after.column_names == before.column_names
    assert after.schema.metadata == before.schema.metadata
    assert after["c2"].to_pylist() == ["red"] * 39 + [None]
    assert after["c1"].equals(before["c1"])
