"""Numbers with decimal commas, or with thousands apart: found when a whole column has them, and kept by the model."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from exported import in_duckdb, same_scores, scores_in
from rosenblatt import load, save, train
from rosenblatt.data import read
from rosenblatt.data.values import WRITTEN, pointed, year_first
from rosenblatt.errors import DataError, SettingError

RNG = np.random.default_rng(4)
AMOUNTS = np.round(RNG.uniform(-400, 6000, 90), 2)
SHARES = np.round(RNG.uniform(0, 10, 90), 1)
LABELS = np.where(AMOUNTS > 2500 + 100 * SHARES, "yes", "no")
QUICK = {"model": "perceptron", "passes": 3}
STRAIGHT = {"config": {"features": {"knots": 0}}}


def american(value: float) -> str:
    return f"{value:,.2f}"


def german(value: float) -> str:
    return american(value).translate(str.maketrans(",.", ".,"))


def file(tmp_path, write, delimiter=";", name="t.csv"):
    rows = zip(map(write, AMOUNTS), map(write, SHARES), LABELS, strict=True)
    quote = '"{}"' if delimiter == "," else "{}"
    lines = [delimiter.join(map(quote.format, row)) for row in rows]
    path = tmp_path / name
    path.write_text("\n".join([delimiter.join(["amount", "share", "label"]), *lines, ""]))
    return path


@pytest.mark.parametrize(
    ("text", "reads", "wanted"),
    [
        ("1.234,5", "decimal comma", "1234.5"), ("-3,25", "decimal comma", "-3.25"), ("1.234", "decimal comma", "1234"),
        ("1.5", "decimal comma", "1.5"), ("12 345,6", "decimal comma", "12345.6"), ("1'234", "decimal comma", "1234"),
        ("1,234.5", "thousands", "1234.5"), ("+1,234,567", "thousands", "+1234567"), ("1,23", "thousands", "1,23"),
        ("12,34,56", "decimal comma", "12,34,56"), ("1.2.3", "decimal comma", "1.2.3"), ("x", "thousands", "x"),
    ],
)  # fmt: skip
def test_one_number_in_each_writing(text, reads, wanted):
    assert pointed(text, reads) == wanted


@pytest.mark.parametrize(
    ("values", "delimiter", "reads"),
    [
        (["1,5", "2"], ";", "decimal comma"), (["1,5", "2"], ",", "decimal comma"),
        (["1,234", "2"], ",", "thousands"), (["1,234", "2"], ";", "decimal comma"),  # either; the delimiter tells
        (["1,234", "2,5"], ",", "decimal comma"), (["1,234.5", "2"], ";", "thousands"),
        (["1 234", "2"], "\t", "thousands"), (["1,5", "x"], ";", None), (["1.5", "2"], ";", None),
        (["1,5", "2.5"], ";", None), (["1,5", "2.555"], ";", "decimal comma"),
        (["$1,234.50", "-$3"], ",", "thousands"), (["95%", "7 %"], ",", "thousands"), (["£12", "€1"], ",", None),
        (["1.234,50 €", "-3 €"], ";", "decimal comma"), (["16,1 %", "7 %"], ";", "decimal comma"),
        (["$", "5"], ",", None), (["5 kg", "7 kg"], ",", None), (["$%", "%5"], ",", None),
        (["$-3", "4"], ",", "thousands"),
        (["1,2,3", "4"], ";", None), (["2024,5", ""], ";", "decimal comma"),
    ],
)  # fmt: skip
def test_the_whole_column_tells_how_it_is_written(tmp_path, values, delimiter, reads):
    path = tmp_path / "t.csv"
    quote = "" if delimiter == "\t" else '"'
    rows = [f"{quote}{value}{quote}{delimiter}{label}" for value, label in zip(values * 3, "xy" * 3, strict=True)]
    path.write_text("\n".join([f"amount{delimiter}label", *rows, ""]))
    declared = read(path, delimiter=delimiter).declared
    assert (declared["amount"].reads if "amount" in declared else None) == reads


@pytest.mark.parametrize(("write", "delimiter"), [(german, ";"), (german, "\t"), (german, ","), (american, ",")])
def test_a_model_is_that_of_the_same_numbers_with_points(tmp_path, write, delimiter):
    plain = train(file(tmp_path, str, name="plain.csv"), **QUICK)
    path = file(tmp_path, write, delimiter)
    model = train(path, **QUICK)
    np.testing.assert_array_equal(model.learner.weights, plain.learner.weights)
    np.testing.assert_array_equal(model.scores(path), plain.scores(tmp_path / "plain.csv"))
    assert model.plan.lines[0].reads == ("thousands" if write is american else "decimal comma")


@pytest.mark.parametrize("sign", ["{} €", "€{}", "{}%"])
@pytest.mark.parametrize("write", [german, american])
def test_signs_beside_numbers_change_nothing_and_a_database_reads_them(tmp_path, write, sign):
    plain = train(file(tmp_path, str, name="plain.csv"), **QUICK)
    path = file(tmp_path, lambda amount: sign.format(write(amount)), ";")
    model = train(path, **QUICK)
    np.testing.assert_array_equal(model.learner.weights, plain.learner.weights)
    texts = pa.table({name: [sign.format(write(v)) for v in (1234.5, -3.25, 12.0)] for name in ("amount", "share")})
    expected = model.scores(pa.table({name: [1234.5, -3.25, 12.0] for name in ("amount", "share")}))
    np.testing.assert_array_equal(model.scores(texts), expected)
    same_scores(scores_in(in_duckdb(model, texts), model), expected)


def test_a_point_between_thousands_is_told_by_another_column_with_decimal_commas(tmp_path):
    rows = [f"{k * 37 % 90 + 1}.{k * 7 % 900 + 100};{k},5;{'xy'[k % 2]}" for k in range(40)] + ["986;1,5;x"]
    (tmp_path / "t.csv").write_text("\n".join(["count;price;label", *rows, ""]))
    assert {name: said.reads for name, said in read(tmp_path / "t.csv").declared.items()} == {
        "count": "decimal comma", "price": "decimal comma",
    }  # fmt: skip
    (tmp_path / "t.csv").write_text((tmp_path / "t.csv").read_text().replace(",5;", ".5;"))
    assert not read(tmp_path / "t.csv").declared


def test_words_among_numbers_are_told(tmp_path):
    rows = [f"{'unknown' if k % 12 == 5 else k * 3},{'n/a' if k % 9 == 2 else k / 7},{'xy'[k % 2]}" for k in range(120)]
    (tmp_path / "t.csv").write_text("\n".join(["age,size,label", *rows, ""]))
    table = read(tmp_path / "t.csv")
    assert table.notes == (
        "age: 10 of the first 119 values are no numbers, such as 'unknown', so all are read as names; "
        "leave those cells empty",
    )
    assert table.columns["size"].type == pa.float64()  # n/a is a missing number


@pytest.mark.parametrize("how", [{"memory": 100_000}, {"shards": 2}])
def test_on_disk_and_in_shards_it_is_the_same(tmp_path, how):
    path = file(tmp_path, german)
    model = train(path, **QUICK, **STRAIGHT, **how)
    assert [line.to_dict() for line in model.plan.lines] == [
        line.to_dict() for line in train(path, **QUICK, **STRAIGHT).plan.lines
    ]


def test_a_later_row_reads_as_the_model_was_trained_also_by_itself_and_from_numbers(tmp_path):
    model = train(file(tmp_path, german), **QUICK)
    save(model, tmp_path / "m.rosenblatt")
    later = tmp_path / "later.csv"
    later.write_text("amount;share\n1.234;3\n-1,5;2,5\n")
    wanted = model.scores({"amount": [1234.0, -1.5], "share": [3.0, 2.5]})
    np.testing.assert_array_equal(load(tmp_path / "m.rosenblatt").scores(later), wanted)
    table = pa.table({"amount": [1234.0, -1.5], "share": ["3", "2,5"]})
    pa.parquet.write_table(table, tmp_path / "later.parquet")
    np.testing.assert_array_equal(model.scores(tmp_path / "later.parquet"), wanted)


def test_in_a_database_both_texts_and_numbers_are_read(tmp_path):
    model = train(file(tmp_path, german), **QUICK)
    texts = pa.table({"amount": ["1.234,5", "-3,25", "12"], "share": ["2,5", "", "7"]})
    numbers = pa.table({"amount": [1234.5, -3.25, 12.0], "share": [2.5, None, 7.0]})
    found = [scores_in(in_duckdb(model, rows), model) for rows in (texts, numbers)]
    same_scores(found[0], found[1])
    same_scores(found[0], model.scores(numbers))


def test_one_cell_that_is_no_number_is_named(tmp_path):
    path = file(tmp_path, german)
    path.write_text(path.read_text().replace(german(AMOUNTS[7]), "4,662,80"))
    with pytest.raises(DataError, match=r"row 8, column 'amount': '4,662,80' is no number with a decimal comma\. Mend"):
        train(path, **QUICK)


def test_the_config_says_how_numbers_are_written_and_can_change_it(tmp_path):
    path = file(tmp_path, german)
    config = tmp_path / "c.toml"
    config.write_text('[columns]\namount = {kind = "numeric", reads = "decimal comma"}\nshare = {kind = "category"}\n')
    changed = train(path, config=config, **QUICK)
    assert [(line.kind, line.reads) for line in changed.plan.lines] == [
        ("numeric", "decimal comma"),
        ("category", "text"),
    ]
    config.write_text('[columns]\nshare = {kind = "category", reads = "thousands"}\n')
    with pytest.raises(
        (DataError, SettingError), match=r"columns\.share\.reads: 'thousands' is for numeric, bent, bins"
    ):
        train(path, config=config, **QUICK)


def test_every_writing_is_a_reading_that_a_model_may_keep():
    from rosenblatt.data.values import READINGS

    assert set(WRITTEN) < set(READINGS)


def test_such_columns_bend_as_others_do(tmp_path):
    model = train(file(tmp_path, german), config={"features": {"knots": 5}}, **QUICK)
    assert [(line.kind, line.reads) for line in model.plan.lines] == [("bent", "decimal comma")] * 2
    plain = train(file(tmp_path, str, name="plain.csv"), config={"features": {"knots": 5}}, **QUICK)
    np.testing.assert_array_equal(model.learner.weights, plain.learner.weights)
    rows = pa.table({"amount": ["1.234,5", "-3,25"], "share": ["2,5", "7"]})
    same_scores(
        scores_in(in_duckdb(model, rows), model), model.scores({"amount": [1234.5, -3.25], "share": [2.5, 7.0]})
    )


# --- Dates that do not begin with the year

DAYS = [datetime(2023, 1, 1) + timedelta(days=5 * k, hours=k % 24) for k in range(90)]
WEEKEND = ["yes" if day.weekday() > 3 else "no" for day in DAYS]


def dated(tmp_path, form, name="d.csv"):
    path = tmp_path / name
    lines = [f"{day.strftime(form)};{label}" for day, label in zip(DAYS, WEEKEND, strict=True)]
    path.write_text("\n".join(["when;label", *lines, ""]))
    return path


@pytest.mark.parametrize(
    ("text", "reads", "wanted"),
    [
        ("31.05.2024", "day first", "2024-05-31 00:00:00"), ("1/2/2024", "day first", "2024-02-01 00:00:00"),
        ("1/2/2024 9:05", "month first", "2024-01-02 09:05:00"), ("2024-05-31", "day first", "2024-05-31"),
        ("05-31-2024 23:59:58", "month first", "2024-05-31 23:59:58"), ("31.5.24", "day first", "31.5.24"),
    ],
)  # fmt: skip
def test_one_date_in_each_order(text, reads, wanted):
    assert year_first(text, reads) == wanted


@pytest.mark.parametrize(
    ("values", "reads", "unclear"),
    [
        (["31.05.2024", "01.02.2024"], "day first", ""), (["05/31/2024", "1/2/2024"], "month first", ""),
        (["04.05.2024", "05.04.2024"], "day first", ""),
        (["04/05/2024", "05/04/2024"], None,
         """'04/05/2024' may have the day or the month first (a config says it, reads = "day first")"""),
        (["31/05/2024", "05/31/2024"], None, "some have the day first, '31/05/2024', and some the month, '05/31/2024'"),
        (["2024-05-31", "31.05.2024"], None,
         "2 of the first 5 values have another form, '31.05.2024' beside '2024-05-31'"),
        (["31.05.2024", "soon"], None, ""), (["2024-05-31", "2024-06-01"], None, ""),
    ],
)  # fmt: skip
def test_the_whole_column_tells_the_order_of_day_and_month_or_a_note_says_that_it_does_not(
    tmp_path, values, reads, unclear
):
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["when,label", *(f"{v},{c}" for v, c in zip(values * 3, "xy" * 3, strict=True)), ""]))
    table = read(path)
    assert (table.declared["when"].reads if "when" in table.declared else None) == reads
    said = f"when: {unclear}, so the dates are read as names; write all as 2024-05-31"
    assert (said in table.notes) == bool(unclear), table.notes


@pytest.mark.parametrize("form", ["%d.%m.%Y", "%m/%d/%Y", "%d.%m.%Y %H:%M", "%m/%d/%Y %H:%M:%S"])
@pytest.mark.parametrize("how", [{}, {"memory": 100_000}])
def test_a_model_of_dates_is_that_of_the_same_dates_year_first(tmp_path, form, how):
    iso = "%Y-%m-%d" + ("" if "H" not in form else form[form.index(" ") :])
    plain = train(dated(tmp_path, iso, "iso.csv"), **QUICK)
    path = dated(tmp_path, form)
    model = train(path, **QUICK, **STRAIGHT, **how)
    assert model.plan.lines[0].kind == plain.plan.lines[0].kind == "date"
    np.testing.assert_array_equal(model.learner.weights, plain.learner.weights)
    np.testing.assert_array_equal(model.scores(path), plain.scores(tmp_path / "iso.csv"))
    stamps = pa.table({"when": pa.array(DAYS, pa.timestamp("us"))})
    texts = pa.table({"when": [day.strftime(form) for day in DAYS]})
    if "S" in form:
        np.testing.assert_array_equal(model.scores(stamps), model.scores(path))
    same_scores(scores_in(in_duckdb(model, texts), model), model.scores(path))


def test_a_date_that_is_none_is_named(tmp_path):
    path = dated(tmp_path, "%d.%m.%Y")
    model = train(path, **QUICK)
    path.write_text("when\n31.02.2024\n")
    with pytest.raises(DataError, match=r"row 1, column 'when': '2024-02-31 00:00:00' is no date such as 31\.05\.2024"):
        model.predict(path)
