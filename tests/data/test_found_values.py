"""The same value means the same everywhere: what was found wrong in use of version 0.1, points 2 to 4, 9 and 10."""

from __future__ import annotations

import csv
import io
import json
import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import rosenblatt
from rosenblatt.cli import commands
from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import Wishes


def run(*arguments, ok=True):
    """What a command prints on standard output; or, where it ends in an error, its one line."""
    if ok:
        done = CliRunner().invoke(commands, list(map(str, arguments)), catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout
    with pytest.raises(DataError) as error:
        CliRunner().invoke(commands, list(map(str, arguments)), catch_exceptions=False)
    return str(error.value)


def predicted(model, data):
    return [row["prediction"] for row in csv.DictReader(io.StringIO(run("predict", model, data)))]


@pytest.fixture(scope="module")
def coded(tmp_path_factory):
    """A model of codes 1 to 4 as names: 1 and 3 go with a, 2 and 4 with b."""
    folder = tmp_path_factory.mktemp("coded")
    rng = np.random.default_rng(0)
    codes = rng.integers(1, 5, 400)
    lines = [f"{code},{z:.4f},{'a' if code % 2 else 'b'}" for code, z in zip(codes, rng.normal(size=400), strict=True)]
    (folder / "train.csv").write_text("code,z,label\n" + "\n".join(lines) + "\n")
    run("train", folder / "train.csv", "--category", "code", "--model", "perceptron", "--out", folder / "m", "--quiet")
    return folder


def written(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def test_found_02_a_row_is_predicted_the_same_whatever_is_beside_it(coded):
    for spelling in ("2", "02", "2.0", " 2 ", "+2", "2e0"):
        for beside in ("", "unknown,0\n", "2.5,0\n", "true,0\n", "2020-01-01,0\n"):
            path = written(coded, "one.csv", f"code,z\n{spelling},0\n{beside}")
            assert predicted(coded / "m", path)[0] == "b", f"{spelling!r} beside {beside!r}"


def test_found_02_an_unseen_name_far_below_is_predicted_as_one_at_the_top(coded):
    many = f"1,0.{'0' * 200}\n" * 22_000  # more than 4 MB, the first block of version 0.1
    path = written(coded, "many.csv", f"code,z\n{many}unknown,0\n")
    found = predicted(coded / "m", path)
    assert found[-1:] == predicted(coded / "m", written(coded, "one.csv", "code,z\nunknown,0\n"))
    assert set(found[:-1]) == {"a"}


def test_found_02_codes_with_zeros_are_the_same_from_json_and_csv(tmp_path):
    rng = np.random.default_rng(1)
    codes = [f"{code:02d}" for code in rng.integers(1, 13, 300)]
    labels = ["a" if int(code) % 2 else "b" for code in codes]
    rows = [{"code": code, "z": k, "label": label} for k, (code, label) in enumerate(zip(codes, labels, strict=True))]
    train = written(tmp_path, "t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    same = written(
        tmp_path, "t.csv", "code,z,label\n" + "".join(f"{row['code']},{row['z']},{row['label']}\n" for row in rows)
    )
    model = rosenblatt.train(train, model="perceptron", wishes=Wishes(category=["code"], numeric=["z"]))
    assert model.evaluate(train).accuracy == model.evaluate(same).accuracy == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "\nx,label\n1,a\n2,b\n",
        "\n\n  \nx,label\n1,a\n2,b\n",
        '"x\n(cm)",label\n1,a\n2,b\n',
        '"x\r\n(cm)",label\r\n1,a\r\n2,b\r\n',
        '\ufeff\n"the ""x""\nof it",label\n1,a\n2,b\n',
    ],
)
@pytest.mark.parametrize("batches", [None, 1])
def test_found_03_a_header_after_blank_lines_or_with_line_ends_is_the_header(tmp_path, text, batches):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    tables = [read(path)] if batches is None else list(read(path, batches=1))
    assert all(table.label == "label" for table in tables)
    assert [value for table in tables for value in table.labels.to_pylist()] == ["a", "b"]
    assert [value for table in tables for value in table.columns[0].to_pylist()] == [1, 2]


CELLS = (
    "",
    "a",
    "b c",
    "1",
    "2.5",
    "x,y",
    'say "hi"',
    "two\nlines",
    "two\r\nlines",
    "ä",
    "?",
    "NA",
    " pad ",
    "0x1F",
    "é\n",
)


def test_found_03_thousands_of_files_read_as_by_the_standard_library(tmp_path):
    draw = random.Random(3)
    path = tmp_path / "t.csv"
    for _ in range(2000):
        width = draw.randint(2, 4)
        names = [draw.choice(["id", "the name", "line\nend", "c,d", 'q"q', "ü"]) + str(j) for j in range(width)]
        rows = [[draw.choice(CELLS) for _ in names] for _ in range(draw.randint(1, 6))]
        stream = io.StringIO()
        end = draw.choice(["\n", "\r\n"])
        stream.write(draw.choice(["", "", end, end * 2]))
        quoting = draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        csv.writer(stream, lineterminator=end, quoting=quoting).writerows([names, *rows])
        mark = draw.choice(["", "\ufeff"])
        path.write_bytes((mark + stream.getvalue()).encode())
        found = read(path, labelled=False, header=True, raw=True) if RAW else read(path, labelled=False, strings=names)
        plain = [[cell.strip() for cell in row] for row in rows]
        wanted = [[None if cell in ("", "?") else cell for cell in row] for row in plain]
        assert found.names == [name.strip() for name in names], repr(stream.getvalue())
        assert [list(row.values()) for row in found.columns.to_pylist()] == wanted, repr(stream.getvalue())


RAW = "raw" in read.__kwdefaults__  # a setting that version 0.1 does not have


def test_found_04_update_with_labels_of_truth_values_keeps_the_two_classes(tmp_path):
    rng = np.random.default_rng(2)
    x = rng.normal(size=200)
    lines = [f"{value:.3f},{value > 0}" for value in x]
    path = written(tmp_path, "t.csv", "x,label\n" + "\n".join(lines) + "\n")
    model = tmp_path / "m"
    run("train", path, "--model", "perceptron", "--out", model, "--quiet")
    run("update", model, path)
    assert rosenblatt.load(model).classes.names == ("false", "true")
    lower = written(tmp_path, "lower.csv", path.read_text().lower())
    run("update", model, lower)
    assert rosenblatt.load(model).classes.names == ("false", "true")
    assert rosenblatt.load(model).evaluate(path).accuracy == rosenblatt.load(model).evaluate(lower).accuracy


@pytest.mark.parametrize("old", ["true", "True", "TRUE"])
def test_found_04_relabel_takes_any_spelling_of_a_truth_value(tmp_path, old):
    path = written(tmp_path, "t.csv", "x,label\n1,True\n2,False\n")
    assert read(path, relabel={old: "yes"}).labels.to_pylist() == ["yes", "false"]


def test_found_04_labels_past_2_to_53_stay_apart(tmp_path):
    rng = np.random.default_rng(3)
    x = rng.normal(size=200)
    first, second = 2**53, 2**53 + 1
    rows = [f"{value:.3f},{first if value > 0 else second}" for value in x]
    path = written(tmp_path, "t.csv", "x,label\n" + "\n".join(rows) + "\n")
    model = rosenblatt.train(path, model="perceptron")
    assert model.classes.names == (str(first), str(second))
    assert model.evaluate(path).accuracy > 0.95
    far = written(
        tmp_path, "far.csv", path.read_text().replace(str(first), str(10**30)).replace(str(second), str(10**30 + 1))
    )
    assert rosenblatt.train(far, model="perceptron").classes.names == (str(10**30), str(10**30 + 1))


@pytest.fixture(scope="module")
def numeric(tmp_path_factory):
    folder = tmp_path_factory.mktemp("numeric")
    rng = np.random.default_rng(4)
    x = rng.normal(size=(300, 2)).round(3)
    rows = [f"{a},{b},{'p' if a + b > 0 else 'n'}" for a, b in x]
    path = written(folder, "t.csv", "u,v,label\n" + "\n".join(rows) + "\n")
    run("train", path, "--model", "perceptron", "--out", folder / "m", "--quiet")
    return folder


def test_found_09_what_is_no_number_is_refused_by_its_cell(numeric):
    model = rosenblatt.load(numeric / "m")
    for cell in ("0x10", "2020-01-01", "2020-01-01 10:00:00", "12:30:00", "true", "False", "1_000"):
        for above in ("1,2\n", ""):
            path = written(numeric, "odd.csv", f"u,v\n{above}{cell},3\n")
            message = run("predict", numeric / "m", path, ok=False)
            assert f"row {1 + bool(above)}, column 'u': {cell!r} is not a number" in message
        with pytest.raises(DataError, match="row 1, column 'u'"):
            model.predict({"u": cell, "v": 3})


@pytest.mark.parametrize("values", [[True, False], [pa.scalar(5, pa.date32()).as_py(), None]])
def test_found_09_dates_and_truth_values_of_parquet_are_no_numbers(numeric, values):
    pq.write_table(pa.table({"u": values, "v": [1.0, 2.0]}), numeric / "odd.parquet")
    message = run("predict", numeric / "m", numeric / "odd.parquet", ok=False)
    assert "row 1, column 'u'" in message
    assert "is not a number" in message


def test_found_09_hexadecimal_is_no_number_to_train_either(tmp_path):
    path = written(tmp_path, "t.csv", "x,label\n" + "0x10,a\n0x11,b\n" * 20)
    assert read(path).columns["x"].to_pylist()[:2] == ["0x10", "0x11"]


def test_found_10_a_column_of_numbers_without_a_value_is_predicted_everywhere(numeric):
    model = rosenblatt.load(numeric / "m")
    by_python = model.predict({"u": None, "v": 2})
    for missing in ("", "NA", "?", "nan"):
        path = written(numeric, "gone.csv", f"u,v\n{missing},2\n")
        both = written(numeric, "both.csv", f"u,v\n{missing},2\n1,2\n")
        assert predicted(numeric / "m", path) == model.predict(path) == by_python, repr(missing)
        assert predicted(numeric / "m", both)[:1] == by_python, repr(missing)
        for name, values in (
            ("null", pa.nulls(1)),
            ("float", pa.nulls(1, pa.float64())),
            ("text", pa.array([missing])),
        ):
            pq.write_table(pa.table({"u": values, "v": [2.0]}), numeric / f"{name}.parquet")
            assert predicted(numeric / "m", numeric / f"{name}.parquet") == by_python, name


def test_readings_of_old_plans_are_told_by_their_names():
    from rosenblatt.features import Plan

    rng = np.random.default_rng(5)
    rows = [{"x": int(rng.integers(1, 5)), "z": rng.random(), "label": "ab"[k % 2]} for k in range(60)]
    plan = rosenblatt.train(rows, model="perceptron", passes=1, wishes=Wishes(category=["x"])).plan
    plain = plan.to_dict()
    assert plain["lines"][0].pop("reads") == "number"
    assert Plan.from_dict(plain) == plan
