"""Exports: SQL on a table that the database loaded itself, beside the model on the same file. Each failed before."""

from __future__ import annotations

import csv
import io
import json
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from pyarrow.csv import write_csv

from export_ways import model_of
from export_ways import table_of as rows_of
from rosenblatt.data import read
from rosenblatt.errors import SettingError
from rosenblatt.features import Wishes
from rosenblatt.model import Linear, Model
from rosenblatt.store.export_onnx import to_onnx
from rosenblatt.store.export_sql import to_sql
from sample_models import linear_model, table_of

NBSP, WIDE = "\u00a0", "\u2003"
# What is in the cells of one column, and as what the model is asked to take it.
KINDS = {
    "no-break spaces": (["red", f"red{NBSP}", f"{NBSP}green", "blue"], "category"),
    "wide spaces": (["red", f"{WIDE}red", "green\u3000", "blue"], "category"),
    "minus zero": (["-0.0", "1.5", "0.0", "2"], "category"),
    "1e20": (["1e20", "2", "100000000000000000000", "3.5"], "category"),
    "1e20 as numbers": (["1e20", "2e20", "300000000000000000000", "-3.5e19"], "numeric"),
    "tiny": (["1e-7", "0.0000001", "2.5", "3"], "category"),
    "codes": (["01", "2", "03", "4.0"], "category"),
    "codes beyond 2^53": ([str(2**53 + k) for k in range(4)], "category"),
    "signs": (["+1", "1", "-2", "3"], "category"),
    "True": (["True", "False"], "category"),
    "TRUE": (["TRUE", "false", "True"], "category"),
    "days": (["2024-01-31", "2024-02-01", "2023-12-24"], "category"),
    "moments": (["2024-01-31T10:00:00", "2024-01-31 11:30", "2024-02-01T10:00:00.500"], "category"),
    "moments on whole days": (["2024-01-31 00:00:00", "2024-02-01T00:00", "2024-02-02 12:00:00"], "category"),
    "moments with a zone": (["2024-01-31T10:00:00Z", "2024-01-31T10:00:00+02:00", "2024-02-01T00:00:00Z"], "category"),
    "times": (["12:00", "13:30", "09:15:00"], "category"),
    "days as numbers": (["2024-01-31", "2024-02-01", "2023-12-24"], "numeric"),
    "moments as numbers": (["2024-01-31T10:00:00", "2024-01-31 11:30:00", "2024-02-01T10:00:00"], "numeric"),
    "times as numbers": (["12:00:00", "13:30:00", "09:15:00"], "numeric"),
    "truth as numbers": (["True", "False"], "numeric"),
    "numbers with marks": (["1.5", "?", "NA", "-2", "7"], "numeric"),
    "numbers with no-break spaces": ([f"1.5{NBSP}", "2", "-3.25"], "numeric"),
}
# The same, trained from JSON lines whose values are texts; the rows to be predicted are a CSV file.
TEXTS = {
    "text 01": ["01", "02", "10", "x"],
    "text True": ["True", "False", "maybe"],
    "text 1.50": ["1.50", "2.25", "x"],
}


def written(folder, cells, rows=120, name="data.csv"):
    """A file with the cells in turn, a number, and a label that depends on both."""
    dice = np.random.default_rng(7)
    sizes = dice.integers(-9, 10, rows).tolist()
    turns = dice.integers(0, len(cells), rows).tolist()
    with (folder / name).open("w", newline="", encoding="utf8") as file:
        lines = csv.writer(file)
        lines.writerow(["cell", "size", "label"])
        for k, (turn, size) in enumerate(zip(turns, sizes, strict=True)):
            lines.writerow([cells[turn], size + 0.5, "yes" if turn * 7 % 3 * 4 + size + k % 2 > 4 else "no"])
    return folder / name


def loaded(path, model, columns="*"):
    """What the statement gives on a table that DuckDB made of the file."""
    with duckdb.connect() as database:
        database.execute("SET TimeZone = 'UTC'")
        database.execute(f"CREATE TABLE data AS SELECT {columns} FROM read_csv('{path}')")
        found = database.sql(to_sql(model)).arrow()
        return found if isinstance(found, pa.Table) else found.read_all()


def differing(path, model, columns="*"):
    """How many rows of the file have another class or score in DuckDB than the model gives them."""
    rows = str(path)
    scores, predicted = np.asarray(model.scores(rows)), np.array(model.predict(rows))
    try:
        found = loaded(path, model, columns)
    except duckdb.Error:
        return len(predicted)
    near = np.abs(found.column(3).to_numpy() - scores) <= 1e-9 * np.abs(scores).max()
    return int(np.sum(~near | (np.array(found.column(found.num_columns - 1).to_pylist()) != predicted)))


def test_found_07_duckdb_reads_a_file_as_the_model_does(tmp_path):
    wrong = {}
    for name, (cells, kind) in KINDS.items():
        path = written(tmp_path, cells)
        model, _ = linear_model(read(path), Wishes(**{kind: ["cell"]}))
        wrong[name] = differing(path, model)
    assert not any(wrong.values()), wrong


@pytest.mark.parametrize("name", ["times", "times as numbers"])
def test_times_of_utc_are_the_same_times(name, tmp_path):
    """As which DuckDB loads those of a Parquet file whose writer said so."""
    cells, kind = KINDS[name]
    path = written(tmp_path, cells)
    model, _ = linear_model(read(path), Wishes(**{kind: ["cell"]}))
    assert differing(path, model, "* REPLACE (CAST(cell AS TIME WITH TIME ZONE) AS cell)") == 0


def test_found_07_one_odd_row_changes_no_other(tmp_path):
    """A word makes the database load the whole column as text; every other row keeps its class and score."""
    wrong = {}
    for name, (cells, kind) in KINDS.items():
        odd = "?" if kind == "numeric" else "odd"
        path = written(tmp_path, [*cells, "?"] if kind == "numeric" else cells)
        model, _ = linear_model(read(path), Wishes(**{kind: ["cell"]}))
        wrong[name] = differing(written(tmp_path, [*cells, odd], name="odd.csv"), model)
    assert not any(wrong.values()), wrong


def test_found_07_texts_that_a_database_takes_for_something_else(tmp_path):
    wrong = {}
    for name, texts in TEXTS.items():
        with written(tmp_path, texts).open(encoding="utf8", newline="") as file:
            rows = list(csv.DictReader(file))
        lines = tmp_path / "data.jsonl"
        lines.write_text("".join(json.dumps({**row, "size": float(row["size"])}) + "\n" for row in rows))
        model, _ = linear_model(read(lines), Wishes(category=["cell"]))
        for cells in (texts, texts[:-1], texts[:1]):
            wrong[name, len(cells)] = differing(written(tmp_path, cells, name="again.csv"), model)
    assert not any(wrong.values()), wrong


def test_found_07_a_code_that_the_database_may_have_rounded_is_an_error(tmp_path):
    codes = [str(10**20 + k) for k in range(3)]
    path = written(tmp_path, codes)
    model, _ = linear_model(read(path), Wishes(category=["cell"]))
    with duckdb.connect() as database:
        database.execute(f"CREATE TABLE data AS SELECT * FROM read_csv('{path}', all_varchar = true)")
        found = [row[-1] for row in database.sql(to_sql(model)).fetchall()]
        assert found == model.predict(str(path))
        database.execute('ALTER TABLE data ALTER "cell" TYPE DOUBLE')
        with pytest.raises(duckdb.Error, match=r"1e.20 is beyond 2.53 and may be rounded"):
            database.sql(to_sql(model)).fetchall()


def test_found_07_columns_that_differ_in_case_alone_are_refused(tmp_path):
    table = table_of({"A": [1.0, 2.0, 3.5, 9.0], "a": [5.0, 1.0, 2.5, 2.0], "label": list("xyxy")})
    with pytest.raises(SettingError, match="columns 'A' and 'a': DuckDB takes no notice of case"):
        to_sql(linear_model(table)[0])
    table = table_of({"A": [1.0, 2.0, 3.5, 9.0], "a": [None] * 4, "label": list("xyxy")})
    with pytest.raises(SettingError, match="'A' and 'a'"):
        to_sql(linear_model(table)[0])


@pytest.mark.parametrize("classes", [2, 3])
def test_found_07_names_that_the_statement_uses_itself_may_be_columns(classes):
    names = ["Score", "predicted", "score c", "score b", "predicted 2", "x", "t", "r", "s1", "x1", "length"]
    dice = np.random.default_rng(3)
    label = dice.choice(["a", "b", "c"][:classes], 60).tolist()
    columns = {name: dice.normal(size=60).tolist() for name in names}
    model, _ = linear_model(table_of({**columns, "label": label}), Wishes(unit="rows"))
    rows = pa.table(columns)
    with duckdb.connect() as database:
        database.register("data", rows)
        database.execute(f"CREATE TABLE found AS {to_sql(model)}")
        found = database.sql("SELECT * FROM found")
        assert len({name.lower() for name in found.columns}) == len(found.columns)
        assert found.columns[: len(names)] == names
        assert found.columns[-1] == "predicted 3"
        assert [row[-1] for row in found.fetchall()] == model.predict(rows)


def in_onnx(model, inputs):
    pytest.importorskip("onnx", reason="the extra onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    session = runtime.InferenceSession(to_onnx(model), providers=["CPUExecutionProvider"])
    return session.run(["label"], {"X": np.asarray(inputs, np.float64)})[0].tolist()


@pytest.mark.parametrize("classes", [2, 3])
def test_found_07_sql_and_onnx_name_the_same_class_wherever_the_lead_is_above_rounding(classes):
    """Weights and values in tenths tie often, and sums in another order may fall on either side of a tie.

    Elsewhere, and that is where the lead exceeds 1e-9 times the sum of |w x|, all three name the same class.
    """
    dice = np.random.default_rng(classes)
    columns = {f"c{j}": (dice.integers(-3, 4, 2000) / 10).tolist() for j in range(3)}
    names = ["a", "b", "c"][:classes]
    wishes = Wishes(numeric=list(columns), scale=False, unit="none")
    model, _ = linear_model(table_of({**columns, "label": dice.choice(names, 2000).tolist()}), wishes)
    weights = dice.integers(1, 4, np.shape(model.learner.weights)) / 10
    model = Model(model.plan, model.classes, Linear(weights), model.card)
    rows = pa.table(columns)
    X = np.column_stack([*columns.values(), np.ones(2000)])
    lines = np.atleast_2d(weights) if classes > 2 else np.array([np.zeros(4), weights])
    scores, sizes = X @ lines.T, (np.abs(X)[:, None, :] * np.abs(lines)).sum(axis=(1, 2))
    ordered = np.sort(scores, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > 1e-9 * sizes
    assert 20 < (~clear).sum() < 1000, "tenths do tie"
    expected = np.array(model.predict(rows))
    with duckdb.connect() as database:
        database.register("data", rows)
        found = np.array([row[-1] for row in database.sql(to_sql(model)).fetchall()])
    for other in (found, np.array(in_onnx(model, X[:, :-1]))):
        assert (other == expected)[clear].all()
    assert "1e-9" in " ".join((Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf8").split())


def test_found_07_onnx_refuses_codes_that_doubles_cannot_tell_apart():
    codes = [2**53, 2**53 + 1] * 4 + [5, 6]
    table = table_of({"code": codes, "x": [k + 0.5 for k in range(10)], "label": list("abababcdab")})
    with pytest.raises(SettingError, match=r"none of these is 9007199254740993, a value of 'code'"):
        to_onnx(linear_model(table, Wishes(category=["code"]))[0])


@pytest.fixture(scope="module")
def postgres():
    """Runs psql on a PostgreSQL server of its own, which listens to nothing but a socket in a temporary folder."""
    places = [shutil.which("initdb"), *map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb"))]
    tools = next((Path(place).parent for place in places if place), None)
    psql = shutil.which("psql")
    if tools is None or psql is None or not (tools / "pg_ctl").exists():
        pytest.skip("PostgreSQL is not installed")
    as_user = []
    if os.geteuid() == 0:  # the server does not run as root
        if not shutil.which("runuser") or "postgres" not in {user.pw_name for user in pwd.getpwall()}:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        if as_user:
            shutil.chown(folder, "postgres")
        ask = ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "-D", f"{folder}/data"]
        made = subprocess.run([*as_user, tools / "initdb", *ask], capture_output=True, check=False, cwd="/")
        start = [tools / "pg_ctl", "-D", f"{folder}/data", "-w", "-l", f"{folder}/log", "start"]
        options = ["-o", f"-c listen_addresses='' -k {folder}"]
        begun = subprocess.run([*as_user, *start, *options], capture_output=True, check=False, cwd="/")
        if made.returncode or begun.returncode:
            pytest.skip(f"PostgreSQL does not start here: {(made.stderr or begun.stderr).decode()[:200]}")

        def ask_sql(text):
            command = [psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "postgres", "--csv"]
            done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
            assert not done.returncode, done.stderr.decode()[:2000]
            return list(csv.reader(done.stdout.decode().splitlines()))

        yield ask_sql
        stop = [tools / "pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop"]
        subprocess.run([*as_user, *stop], capture_output=True, check=False, cwd="/")


@pytest.mark.parametrize("as_text", [True, False])
def test_found_07_postgresql_reads_a_file_as_the_model_does(postgres, as_text, tmp_path):
    """Every kind of column, loaded as text, and with the types that DuckDB finds in the file."""
    for name, (cells, kind) in KINDS.items():
        path = written(tmp_path, cells, rows=60)
        model, _ = linear_model(read(path), Wishes(**{kind: ["cell"]}))
        types = dict(
            duckdb.sql(
                f"SELECT name, type FROM (DESCRIBE SELECT * FROM read_csv('{path}')) AS d(name, type, a, b, c, e)"
            ).fetchall()
        )
        of = {"DOUBLE": "double precision", "VARCHAR": "text"}
        columns = ", ".join(
            f'"{column}" {"text" if as_text and column == "cell" else of.get(type_, type_)}'
            for column, type_ in types.items()
        )
        found = postgres(
            f"DROP TABLE IF EXISTS data; CREATE TABLE data ({columns});\n"
            f"COPY data FROM STDIN (FORMAT csv, HEADER);\n{path.read_text(encoding='utf8')}\\.\n{to_sql(model)}"
        )
        rows = str(path)
        assert [row[-1] for row in found[1:]] == model.predict(rows), name
        assert [float(row[3]) for row in found[1:]] == pytest.approx(model.scores(rows).tolist(), rel=1e-9, abs=1e-9), (
            name
        )


@pytest.mark.parametrize("way", ["units", "naive Bayes", "straight"])
def test_postgresql_gives_the_scores_and_probabilities_of_every_way_to_make_them(postgres, way):
    model, rows = model_of(way, 3), rows_of(60, 3, 4).drop_columns(["label"])
    types = {"id": "bigint", "age": "bigint", "width": "double precision", "flag": "boolean", "day": "date"}
    columns = ", ".join(f'"{name}" {types.get(name, "text")}' for name in rows.column_names)
    text = io.BytesIO()
    write_csv(rows, text)
    found = postgres(
        f"DROP TABLE IF EXISTS data; CREATE TABLE data ({columns});\n"
        f"COPY data FROM STDIN (FORMAT csv, HEADER);\n{text.getvalue().decode()}\\.\n{to_sql(model)}"
    )
    told = [dict(zip(found[0], row, strict=True)) for row in sorted(found[1:], key=lambda row: int(row[0]))]
    names = model.classes.names
    scores = [[float(row[f"score {name}"]) for name in names] for row in told]
    assert np.array(scores) == pytest.approx(model.scores(rows), rel=1e-9, abs=1e-9)
    shares = [[float(row[f"probability {name}"]) for name in names] for row in told]
    assert np.array(shares) == pytest.approx(model.predict_proba(rows), abs=1e-12)
    assert [row["predicted"] for row in told] == model.predict(rows)
