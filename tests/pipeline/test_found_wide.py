"""A table of many columns: what `train` and `predict` do grows as the columns do, counted in calls, not in time."""

import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import train
from rosenblatt.data import door, read
from rosenblatt.data.csv import CsvForm
from rosenblatt.data.table import Table, tidy_strings
from rosenblatt.features.plan import learn
from rosenblatt.model import Evaluation
from rosenblatt.model.columns import count_columns

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


@pytest.mark.parametrize("values", [1, 81, 1 << 16])
def test_columns_are_tidied_the_same_in_pieces_of_any_size(values, monkeypatch):
    columns = {f"c{j}": [f" {i}.{j} " if (i + j) % 5 else "?" for i in range(40)] for j in range(7)}
    monkeypatch.setattr("rosenblatt.data.table.TOGETHER", values)
    after = tidy_strings(pa.table(columns))
    wanted = {name: [None if value == "?" else value.strip() for value in given] for name, given in columns.items()}
    assert after.to_pydict() == wanted


def test_tidied_columns_keep_their_order_types_and_notes(tmp_path):
    frame = wide_frame(8).assign(c2=[" red "] * 39 + ["?"])
    frame.to_parquet(tmp_path / "t.parquet")
    before = pq.read_table(tmp_path / "t.parquet")
    after = tidy_strings(before)
    assert after.column_names == before.column_names
    assert after.schema.metadata == before.schema.metadata
    assert after["c2"].to_pylist() == ["red"] * 39 + [None]
    assert after["c1"].equals(before["c1"])


def test_naive_bayes_codes_each_column_once_to_learn_from_it(tmp_path, monkeypatch):
    table = read(written(tmp_path, NARROW, "csv"))
    plan, times = learn(table), []
    names = [line.column for line in plan.lines if line.kind == "category"]

    def coded(column, where, made=door.coded):
        times.append(where)
        return made(column, where)

    monkeypatch.setattr(door, "coded", coded)
    count_columns(plan, table, np.arange(table.n_rows) % 2, 2)
    assert names
    assert [times.count(f"column {name!r}") for name in names] == [1] * len(names)


class Watched(np.ndarray):
    """An array that adds up the sizes of all arrays that are made of it."""

    made = 0

    def __array_finalize__(self, source):
        Watched.made += self.size if source is not None else 0


def many_classes(count):
    """Three rows of each of so many classes, each class with names of its own mixture."""
    draw = np.random.default_rng(17)
    frame = pd.DataFrame(
        {f"c{j}": np.array(["red", "green", "blue"])[draw.integers(0, 3, 3 * count)] for j in range(4)}
    )
    return frame.assign(label=[f"k{i % count}" for i in range(3 * count)])


def test_the_heaviest_values_of_each_class_take_work_in_step_with_the_classes(monkeypatch):
    found = []
    for count in (40, 80):
        model = train(many_classes(count), model="naive-bayes", k=1.0)
        weights = model.learner._weights
        model.learner.__dict__["_weights"] = weights._replace(lines=weights.lines.view(Watched))
        monkeypatch.setattr(Watched, "made", 0)
        assert len(model.heaviest(3)) == count
        found.append(Watched.made)
    assert found[1] <= 2.3 * found[0]


def test_the_heaviest_values_are_those_of_the_definition():
    model = train(many_classes(20), model="naive-bayes", k=1.0)
    lines, cells = model.learner._weights.lines[:-1], model.learner.counts.cells
    names = model.learner.cell_names(model.plan)
    for c, found in enumerate(model.heaviest(len(names)).values()):
        odds = lines[:, c] - np.delete(lines, c, axis=1).mean(axis=1)
        order = [j for j in np.argsort(-odds * cells[:, c], kind="stable") if odds[j] > 0 and cells[j, c]]
        assert [name for name, _ in found] == [names[j] for j in order]
        assert [value for _, value in found] == pytest.approx([odds[j] for j in order])


def test_the_most_frequent_mistakes_are_in_order_and_the_first_among_equals():
    truth, predicted = np.array([0, 0, 2, 2, 1, 1, 1, 0]), np.array([1, 1, 0, 0, 2, 1, 1, 0])
    found = Evaluation.of(("a", "b", "c"), truth, predicted).confusions(5)
    assert found == [("a", "b", 2), ("c", "a", 2), ("b", "c", 1)]


def test_a_name_of_a_wide_row_is_not_looked_for_among_all_names():
    """Rows for `predict` are read as text, every column of them."""

    class Names(list):
        def __contains__(self, name):
            raise AssertionError("as many comparisons as there are names, for each name")

    form = SimpleNamespace(names=Names(["a", "b"]), settings=SimpleNamespace(raw=True))
    assert CsvForm._none_seen(form) == {"a": "text", "b": "text"}
