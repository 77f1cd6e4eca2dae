"""What the suite of faults found, one small case each: they failed before their cause was mended."""

from __future__ import annotations

import csv as plain_csv
import gzip
import io
import json
import subprocess
import sys
import warnings
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rosenblatt
from faults.mutation import with_text
from lab_server import Client, running_lab
from rosenblatt import Perceptron
from rosenblatt.data import columnar, csv, csvtext, jsontext, read, source, svmlight
from rosenblatt.data.memory import parse_size
from rosenblatt.data.table import Table, counted
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Classes, Plan, Wishes, learn_and_encode
from rosenblatt.features.numeric import Numeric, Vector
from rosenblatt.harmless import csv_lines
from rosenblatt.learn.bounds import length
from rosenblatt.model import Linear, Model
from rosenblatt.proofs import from_json
from rosenblatt.proofs.certificate import checksum
from rosenblatt.serve.guard import problem
from rosenblatt.store.checkpoints import Checkpoints, remove
from rosenblatt.store.contents import to_contents

X, Y = np.array([[1.0, 2.0], [3.0, 1.0], [-1.0, -1.0], [-2.0, 0.5]]), [1, 1, 0, 0]


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    return path


# Numbers


@pytest.mark.parametrize("settings", [{"eta0": 1e300}, {"eta0": 1e290, "weights": "averaged"}])
def test_a_rate_that_could_overflow_is_refused(settings):
    with pytest.raises(SettingError, match=r"eta0=1e\+\d+ is so large that scores could overflow"):
        Perceptron(**settings).fit(X, Y)
    assert np.isfinite(Perceptron(eta0=1e200).fit(X, Y).coef_).all()


def test_a_margin_that_no_run_can_reach_is_refused():
    with pytest.raises(SettingError, match=r"margin=1e\+300 is too large for steps of eta0=1e-300"):
        Perceptron(margin=1e300, eta0=1e-300).fit(X, Y)


def test_a_sample_weight_that_could_overflow_is_named():
    with pytest.raises(DataError, match=r"row 2 has a sample weight so large \(1e\+300\)"):
        Perceptron().fit(X, Y, sample_weight=[1, 1, 1e300, 1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_start_weights_that_could_overflow_are_refused(dtype):
    with pytest.raises(DataError, match="the start weights are so large"):
        Perceptron().fit(X.astype(dtype), Y, coef_init=[[1e300, 0.0]])


def test_a_run_over_far_larger_rows_is_refused_and_the_model_stays():
    model = Perceptron(eta0=1e150).fit(X, Y)
    before = model.coef_.copy()
    with pytest.raises(ValueError, match="overflow"):
        model.partial_fit(X * 1e139, Y)
    assert np.array_equal(model.coef_, before)


def test_a_run_of_float32_keeps_the_bounds_of_float32():
    model = Perceptron().fit(X.astype(np.float32), Y)
    with pytest.raises(DataError, match="the run began with weights of float32"):
        model.partial_fit(X * 1e30, Y)


def test_tiny_weights_have_a_length():
    assert length(np.array([3e-320, 4e-320])) == pytest.approx(5e-320, rel=1e-2)
    assert length(np.array([3e200, -4e200])) == pytest.approx(5e200)
    assert length(np.zeros(3)) == 0
    plain, tiny = (
        Perceptron(tol=None, random_state=0).fit(X, Y, sample_weight=[amount] * 4) for amount in (1.0, 2.0**-600)
    )
    assert tiny.margin_bracket_ == pytest.approx(plain.margin_bracket_)
    assert plain.margin_bracket_[0] > 0


def test_rows_whose_scores_overflow_are_refused():
    model = Perceptron(eta0=1e200).fit(X, Y)
    with pytest.raises(DataError, match="row 1 holds values so large that its score overflows"):
        model.predict(np.array([[1.0, 1.0], [1e300, -1e300]]))


# Files


def test_json_lines_that_begin_with_null_do_not_end_the_process(tmp_path):
    # In a process of its own: Arrow would take this one along.
    for content in (b"null\n", b'\xef\xbb\xbf  null\n{"a": 1, "label": 2}\n', b'{"a": 1, "label": 2}\n\n null'):
        path = written(tmp_path, "x.jsonl", content)
        code = f"from rosenblatt.data import read; read({str(path)!r}, format='jsonl')"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 1
        assert "a JSON null where an object is needed" in done.stderr


def test_a_line_begins_where_a_block_ends(tmp_path, monkeypatch):
    for size in range(1, 30):  # the block ends at every place of the lines once
        monkeypatch.setattr(jsontext, "BLOCK", size)
        good = read(written(tmp_path, "x.jsonl", b'{"a": null}\n  {"a": null}\n\n{}'), labelled=False)
        assert good.n_rows == 3
        for content in (b"{}\nnull", b"{}\n  null", b"\xef\xbb\xbfnull", b"{}\n\n null\n{}"):
            with pytest.raises(DataError, match="a JSON null where an object is needed"):
                read(written(tmp_path, "x.jsonl", content), labelled=False)


def test_json_names_that_are_no_text_and_deep_json_are_refused(tmp_path):
    with pytest.raises(DataError, match="the name of a column or of a time zone is not UTF-8 text"):
        read(written(tmp_path, "x.jsonl", b'{"a\xf6": 1, "label": 2}\n'), labelled=False)
    deep = b'{"a": ' + b"[" * 5000 + b"1" + b"]" * 4999 + b"}\n"
    with pytest.raises(DataError, match="line 1: not JSON"):
        read(written(tmp_path, "deep.jsonl", deep), labelled=False)


def test_a_time_zone_that_is_no_text_is_refused(tmp_path):
    table = pa.table({"time": pa.array([0, 1], pa.timestamp("s", "UTC")), "label": [0, 1]})
    with pa.BufferOutputStream() as made:
        with pa.ipc.new_file(made, table.schema) as file:
            file.write_table(table)
        content = made.getvalue().to_pybytes().replace(b"UTC", b"U\x93C")
    with pytest.raises(DataError, match=r"of a time zone is not UTF-8 text \(byte 0x93\)"):
        read(written(tmp_path, "x.arrow", content))


def test_decimals_with_absurdly_many_places_are_refused():
    column = pa.array([1, 2], pa.int64()).cast(pa.decimal128(30, 2))
    absurd = pa.Array.from_buffers(pa.decimal128(30, 33_554_434), 2, column.buffers())
    with pytest.raises(DataError, match="column 'a': decimal numbers with 33554434 places, and at most 76 can be read"):
        read(pa.table({"a": absurd, "label": [0, 1]}))


def test_bytes_that_are_no_text_are_names_where_that_is_asked_for(tmp_path):
    pq.write_table(pa.table({"a": [b"\xff", b"a", b"\xff"], "label": [0, 1, 0]}), tmp_path / "x.parquet")
    table = read(tmp_path / "x.parquet")
    plan, _ = learn_and_encode(table, Wishes(category=["a"]))
    assert plan.lines[0].values == (r"\xff", "a")
    assert learn_and_encode(table, Wishes(text=["a"]))[1].names == ["xff"]


NESTED = [
    pa.array([{"x": 1}, {"x": 2}]), pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int64())),
    pa.array([[b"x"], [b"y"]]),
    pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["x", "y"])]),
]  # fmt: skip


@pytest.mark.parametrize("column", [*NESTED, pa.array([b"\xff", b"a"]), pa.array([b"\xff", b"a"], pa.binary(1))])
@pytest.mark.parametrize("drop", [(), ("a",)])
def test_a_table_of_which_nothing_can_be_encoded_is_refused(column, drop):
    rows = pa.array(np.arange(40) % 2)
    with pytest.raises(DataError, match="no column is left to learn from"):
        rosenblatt.train(pa.table({"a": column.take(rows), "label": rows}), wishes=Wishes(drop=drop))


@pytest.mark.parametrize("column", [*NESTED, pa.array([[1.0], [2.0]])])
@pytest.mark.parametrize("wish", ["text", "category", "numeric"])
def test_columns_of_lists_are_no_text_categories_or_numbers(column, wish):
    table = read(pa.table({"a": column, "label": [0, 1]}))
    with pytest.raises(SettingError, match=f"{wish}: column 'a' holds lists or tables of values"):
        learn_and_encode(table, Wishes(**{wish: ["a"]}))


def test_a_folder_of_mbox_files_without_a_message_is_refused(tmp_path):
    written(tmp_path, "ham.mbox", b"")
    written(tmp_path, "spam.mbox", b"no message\n")
    with pytest.raises(DataError, match=r"no message begins here\. An mbox message begins with a line 'From …'\."):
        read(tmp_path)


def test_a_size_beyond_all_numbers_is_refused():
    with pytest.raises(SettingError, match=r"memory is a size such as 512MB, 1GB or 1GiB; got '9{40}'"):
        parse_size("9" * 400)


def test_names_with_line_ends_stay_on_the_line(tmp_path):
    with pytest.raises(DataError) as error:
        read(written(tmp_path, "x.csv", b'"two\nlines",b\n1,2\n3,4\n'))
    assert "\n" not in str(error.value)
    assert r"'two\nlines', b" in str(error.value)


def test_zstd_streams_know_lines(tmp_path):
    for name, content in (("x.mbox.zst", b"From a\nSubject: s\n\nhello\n"), ("x.jsonl.zst", b'{"a": 1}\n[1]\n')):
        with pa.CompressedOutputStream(str(tmp_path / name), "zstd") as stream:
            stream.write(content)
    assert read(tmp_path / "x.mbox.zst", labelled=False).n_rows == 1
    with pytest.raises(DataError, match="line 2: a JSON list where an object is needed"):
        read(tmp_path / "x.jsonl.zst", labelled=False)


def test_lines_without_end_are_refused_before_they_fill_memory(tmp_path, monkeypatch):
    zeros = gzip.compress(bytes(100_000))
    monkeypatch.setattr(source, "LONGEST_ROW", 10_000)
    monkeypatch.setattr(svmlight, "BLOCK", 1_000)
    with pytest.raises(DataError, match="it has a row of more than"):
        read(written(tmp_path, "x.svm.gz", zeros), format="svmlight")
    with pytest.raises(DataError, match="it has a row of more than"):
        read(written(tmp_path, "x.jsonl.gz", zeros), format="jsonl")
    monkeypatch.setattr(csv, "LONGEST", 10_000)
    monkeypatch.setattr(csv, "PIECE", 1_000)
    with pytest.raises(DataError, match="its first lines are longer than"):
        read(written(tmp_path, "x.csv.gz", zeros), format="csv")
    monkeypatch.setattr(csvtext, "SIZE", 1_000)
    path = written(tmp_path, "y.csv.gz", gzip.compress(b"a,b\n1,2\n3," + b"x" * 100_000))
    with pytest.raises(DataError, match="it has a row of more than"):
        list(read(path, format="csv", labelled=False, batches=10))


def test_compressed_columns_are_looked_at_before_they_are_unpacked(tmp_path, monkeypatch):
    with pytest.raises(DataError, match="what is compressed in it is no parquet file"):
        read(written(tmp_path, "x.gz", gzip.compress(bytes(1000))), format="parquet")
    monkeypatch.setattr(columnar, "MOST_UNPACKED", 1000)
    with pytest.raises(DataError, match="it unpacks to more than"):
        read(written(tmp_path, "y.gz", gzip.compress(b"PAR1" + bytes(100_000))), format="parquet")


# Models, certificates and the lab


@pytest.mark.parametrize(("old", "new"), [("sepal length (cm)", "\ud800"), ("numbers", "\ud83d")])
def test_half_a_character_in_a_model_is_refused(old, new, tmp_path):
    plain, tensors = to_contents(rosenblatt.train("iris", model="perceptron", passes=2))
    content = with_text(json.dumps(plain).replace(old, json.dumps(new)[1:-1]), tensors)
    with pytest.raises(DataError, match="its description is no plain JSON"):
        rosenblatt.load(written(tmp_path, "x.rosenblatt", content))
    whole = with_text(json.dumps(plain).replace(old, r"\ud83d\ude00"), tensors)  # both halves of one
    assert "😀" in json.dumps(
        to_contents(rosenblatt.load(written(tmp_path, "y.rosenblatt", whole)))[0], ensure_ascii=False
    )


def test_a_number_too_large_in_a_model_or_a_certificate_is_refused(tmp_path):
    plain, tensors = to_contents(rosenblatt.train("iris", model="perceptron", passes=2))
    content = with_text(json.dumps({**plain, "card": {"x": 0.125}}).replace("0.125", "1e999"), tensors)
    with pytest.raises(DataError, match="its description is no plain JSON"):
        rosenblatt.load(written(tmp_path, "x.rosenblatt", content))
    paper = json.loads(rosenblatt.prove([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]).to_json())
    paper.pop("checksum")
    text = json.dumps({**paper, "margin": 0.125, "checksum": checksum(paper)}).replace("0.125", "1e999")
    with pytest.raises(DataError, match="it holds 1e999, which is too large"):
        from_json(text)


def test_weights_past_float32_are_saved_without_a_warning():
    model = rosenblatt.train("iris", model="perceptron", passes=2)
    large = replace(model.learner, weights=np.asarray(model.learner.weights, np.float64) * 1e100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, tensors = to_contents(replace(model, learner=large))
    assert np.array_equal(tensors["weights"], large.weights)


def test_a_refusal_may_quote_anything():
    with running_lab() as lab:
        client = Client(lab)
        answer = client.ask("open", b'{"name": "\\ud800\\n"}')
        assert answer.status_code == 422
        assert "\n" not in json.loads(answer.content)["error"]
        client.close()
    assert len(json.loads(problem(422, "long " * 10_000).body)["error"]) == 1000


@pytest.mark.parametrize("line", [
    Numeric("x", "", 0.0, 1e-300, 0.0, False), Vector("x", "", ("x1",), np.zeros(1), np.full(1, 1e-300)),
])  # fmt: skip
def test_a_value_far_outside_what_was_learned_overflows_without_a_warning(line):
    value = [1e10] if isinstance(line, Numeric) else [[1e10]]
    model = Model(Plan((line,), "none"), Classes(("a", "b")), Linear(np.array([1.0, 0.0])), {})
    table = Table(pa.table({"x": value}), None, None, counted("rows", "row", 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DataError, match="infinity in row 0, column 0"):
            model.predict(table)


# Kills


def test_what_a_killed_process_left_in_the_folder_of_a_checkpoint_goes_with_the_job(tmp_path):
    folder = tmp_path / "kept"
    first = Checkpoints(folder, {"a": 1}, resume=True)
    first.close()
    for name in (".job.json.8phott3s", ".final-run-0.run.50dz1igl"):
        (folder / name).write_text("half of it")
    second = Checkpoints(folder, {"a": 1}, resume=True)
    assert second.resumed
    second.finish()
    remove(folder)
    assert not folder.exists()


# Output


def test_a_carriage_return_in_a_cell_stays_in_its_line_of_csv():
    rows = [["score", "a\rb"], [1.5, "=cmd"], ["x\ny", "-1"]]
    assert csv_lines(rows) == '"score","a\rb"\n1.5,\'=cmd\n"x\ny",-1\n'
    assert len(list(plain_csv.reader(io.StringIO(csv_lines(rows), newline="")))) == 3
