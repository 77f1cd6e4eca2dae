"""Columns of dates and times: parts by the calendar of the standard library, and what lies outside training."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest

import rosenblatt
from exported import in_duckdb, same_scores, scores_in
from rosenblatt.data.table import counted
from rosenblatt.errors import SettingError
from rosenblatt.features import Wishes, learn
from rosenblatt.features.moment import WEEKDAYS, Moment, numbers_in
from rosenblatt.features.unseen import Unseen
from sample_models import table_of


def moments(n=400, seed=1, days=900):
    draw = np.random.default_rng(seed)
    begin = datetime(2019, 11, 3, 5, 30)
    return [
        begin + timedelta(days=int(d), seconds=int(s))
        for d, s in zip(draw.integers(0, days, n), draw.integers(0, 86_400, n), strict=True)
    ]


def test_parts_are_those_of_the_calendar():
    given = [
        *moments(),
        datetime(1969, 12, 31, 23, 59, 59),
        datetime(2000, 2, 29),
        datetime(1900, 3, 1, 12),
        datetime(9900, 1, 1),
    ]
    found = numbers_in(np.array([(each - datetime(1970, 1, 1)).total_seconds() for each in given]))
    for i, each in enumerate(given):
        told = {name: values[i] for name, values in found.items()}
        assert told["day"] == (each.date() - date(1970, 1, 1)).days
        assert (told["year"], told["month"], told["day of month"]) == (each.year, each.month, each.day)
        assert told["weekday"] == each.weekday()
        assert told["hour"] == pytest.approx(each.hour + each.minute / 60 + each.second / 3600, abs=1e-6)


def dense(line, values, kind):
    block = line.encode(pa.chunked_array([pa.array(values, kind)]), counted("here", "row", len(values)))
    found = np.zeros((len(values), line.width))
    rows = np.repeat(np.arange(len(values)), np.diff(block.starts))
    found[rows, block.columns] = block.values
    return found


def test_each_part_shares_out_one_and_a_missing_value_has_its_own_feature():
    given = moments()
    table = table_of({"when": pa.array([*given, None], pa.timestamp("us")), "label": ["a", "b"] * 200 + ["a"]})
    (line,) = learn(table, Wishes(date=["when"])).lines
    assert isinstance(line, Moment)
    found = dense(line, [*given, None], pa.timestamp("us"))
    names = line.names()
    assert len(names) == line.width
    for i, each in enumerate(given):
        on = {name.removeprefix("when: ") for name, weight in zip(names, found[i], strict=True) if weight}
        assert WEEKDAYS[each.weekday()] in on
        assert found[i].sum() == pytest.approx(6)  # day, year, month, weekday, day of the month, hour
    assert [name for name, weight in zip(names, found[-1], strict=True) if weight] == ["when=(missing)"]


def test_only_what_differs_becomes_a_feature():
    days = [date(2024, 5, 1 + i % 20) for i in range(60)]
    (line,) = learn(table_of({"day": days, "label": list("ab") * 30}), Wishes(date=["day"])).lines
    assert line.parts == ("weekday", "day of month")
    assert not line.years
    (clock,) = learn(
        table_of({"at": pa.array([3600 * (i % 24) for i in range(48)], pa.time32("s")), "label": list("ab") * 24}),
        Wishes(date=["at"]),
    ).lines
    assert (clock.parts, clock.days) == (("hour",), ())


def test_midnight_lies_between_evening_and_morning():
    line = Moment("at", "", (), (), ("hour",), False, reads="time")
    late, early = dense(line, [23 * 3600, 3600], pa.time32("s"))
    assert late @ early > 0


def weekend(n=800):
    given = moments(n, seed=2)
    draw = np.random.default_rng(3)
    labels = ["rest" if each.weekday() >= 5 else "work" for each in given]
    return {"when": [each.isoformat(" ") for each in given], "x": draw.normal(size=n).tolist(), "label": labels}


@pytest.mark.parametrize("model", ["perceptron", "naive-bayes"])
def test_a_weekly_rhythm_is_learned_from_a_file_and_dates_after_training_are_counted(tmp_path, model):
    rows = weekend()
    lines = ["when,x,label", *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    trained = rosenblatt.train(str(tmp_path / "t.csv"), model=model, config={"columns": {"when": {"kind": "date"}}})
    if model == "perceptron":
        assert trained.card["test"]["accuracy"] > 0.95
    rosenblatt.save(trained, tmp_path / "m.rosenblatt")
    loaded = rosenblatt.load(tmp_path / "m.rosenblatt")
    (tmp_path / "new.csv").write_text("when,x\n2031-01-04 10:00:00,0\n2020-02-03 10:00:00,0\n")
    table = loaded.read(str(tmp_path / "new.csv"), labelled=False)
    assert len(loaded.predict(table)) == 2
    unseen = Unseen(loaded.plan)
    unseen.completed(table)
    assert unseen.notes() == [
        "note: 1 row has a value of 'when' before or after those of training, and counts as the nearest of them "
        "(first: row 1, '2031-01-04 10:00:00')"
    ]
    as_values = {"when": [datetime(2031, 1, 4, 10), datetime(2020, 2, 3, 10)], "x": [0.0, 0.0]}
    assert loaded.scores(pa.table(as_values)).tolist() == loaded.scores(table).tolist()


def test_zones_are_brought_to_one(tmp_path):
    given = [each.replace(tzinfo=UTC) for each in moments()]
    (line,) = learn(
        table_of({"when": pa.array(given, pa.timestamp("us", "UTC")), "label": list("ab") * 200}), Wishes(date=["when"])
    ).lines
    assert line.reads == "timestamp UTC"
    texts = pa.chunked_array([pa.array([given[0].isoformat()])])
    typed = pa.chunked_array([pa.array([given[0]], pa.timestamp("us", "UTC"))])
    origin = counted("here", "row", 1)
    assert line.values_of(texts, origin) == line.values_of(typed, origin)


def test_dates_need_no_wish_durations_are_left_out_and_a_wish_where_there_are_none_is_refused():
    table = table_of(
        {"when": [date(2024, 5, 1 + i) for i in range(20)], "x": ["a b", "c"] * 10, "label": list("ab") * 10}
    )
    with pytest.raises(SettingError, match="date: column 'x' does not read as dates or times"):
        learn(table, Wishes(date=["x"]))
    assert (learn(table).lines[0].kind, learn(table).lines[0].reason) == ("date", "dates or times")
    lasted = table_of(
        {"lasted": [timedelta(hours=i) for i in range(20)], "x": [1.5, 2.5] * 10, "label": list("ab") * 10}
    )
    assert learn(lasted).lines[0].kind == "dropped"
    assert learn(lasted).lines[0].reason == "a duration: give it as a number, of seconds or days"


@pytest.mark.parametrize("unit", ["none", "rows"])
@pytest.mark.parametrize("kind", ["timestamp", "timestamp UTC", "date", "time"])
def test_sql_scores_dates_and_times_as_the_model_does_also_from_text(kind, unit):
    given = [*moments(300), datetime(1931, 3, 1, 7, 15), datetime(2077, 12, 31, 23, 59, 59)]
    made = {"date": lambda m: m.date(), "time": lambda m: m.timetz(), "timestamp UTC": lambda m: m.replace(tzinfo=UTC)}
    values = [made.get(kind, lambda m: m)(each) for each in given]
    labels = ["b" if each.weekday() > 3 or each.hour > 15 else "a" for each in given]
    whole = pa.array([None if k % 11 == 5 else value for k, value in enumerate(values)])
    rows = pa.table({"when": whole, "label": labels})
    model = rosenblatt.train(rows.slice(0, 300), model="perceptron", passes=3, config={"features": {"unit": unit}})
    assert model.plan.lines[0].kind == "date"
    expected = model.scores(rows)
    same_scores(scores_in(in_duckdb(model, rows), model), expected)
    texts = pa.table({"when": [None if value is None else str(value) for value in whole.to_pylist()]})
    same_scores(scores_in(in_duckdb(model, texts), model), expected)
