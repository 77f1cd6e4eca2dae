"""Types and places that ended in a mistake of the program: each works, or is refused in one line."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
import uuid
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.sparse import csr_matrix

import rosenblatt
from faults.row17_coverage import CORPUS
from rosenblatt.data import read
from rosenblatt.data.table import SPARSE
from rosenblatt.errors import DataError, SettingError
from rosenblatt.estimators import estimator
from rosenblatt.store import load, save

N = 40
LABELS = ["a", "b"] * (N // 2)


def numbers() -> np.ndarray:
    return np.random.default_rng(0).normal(size=N) + np.array([0, 3] * (N // 2))


def written(path, column: pa.Array) -> str:
    """A file with a column of numbers, this column and labels, as its ending says."""
    table = pa.table({"x": numbers(), "c": column, "label": LABELS})
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    return str(path)


# Arrow's types

BYTES = [b"ab%02d" % (i % 5) for i in range(N)]
ENDS = pa.array([N // 2, N], pa.int32())
EXTENSIONS = {
    "uuid": lambda: pa.array([uuid.UUID(int=i % 5).bytes for i in range(N)], pa.uuid()),
    "json": lambda: pa.array(['{"a": 1}', '{"a": 2}'] * (N // 2), pa.json_()),
    "bool8": lambda: pa.ExtensionArray.from_storage(pa.bool8(), pa.array([0, 1] * (N // 2), pa.int8())),
}
COLUMNS = {
    "binary view": lambda: pa.array(BYTES, pa.binary_view()),
    "runs of text": lambda: pa.RunEndEncodedArray.from_arrays(ENDS, pa.array(["u", "v"])),
    "runs of numbers": lambda: pa.RunEndEncodedArray.from_arrays(ENDS, pa.array([1.5, 2.5])),
    "half floats": lambda: pa.array(np.arange(N, dtype=np.float16)),
    **EXTENSIONS,
}


@pytest.mark.parametrize("where", ["c.parquet", "c.arrow", "memory"])
@pytest.mark.parametrize("what", COLUMNS)
def test_ends_well_07_every_type_of_arrow_is_read_and_learned_from(tmp_path, what, where):
    if what in EXTENSIONS and not hasattr(pa, what if what != "json" else "json_"):
        pytest.skip(f"this version of pyarrow has no type for {what}")
    column = COLUMNS[what]()
    if where == "c.parquet" and what.startswith("runs"):
        pytest.skip("Arrow writes no runs to Parquet")
    if where == "memory":
        data = pa.table({"x": numbers(), "c": column, "label": LABELS})
    else:
        data = written(tmp_path / where, column)
    model = rosenblatt.train(data)
    assert len(model.predict(data)) == N


def test_ends_well_07_a_uuid_is_read_as_people_write_it(tmp_path):
    if not hasattr(pa, "uuid"):
        pytest.skip("this version of pyarrow has no type for UUIDs")
    given = [uuid.UUID(int=7 * i) for i in range(N)]
    column = pa.array([each.bytes for each in given], pa.uuid())
    found = read(written(tmp_path / "ids.parquet", column)).columns["c"]
    assert found.to_pylist() == [str(each) for each in given]


@pytest.mark.parametrize("kind", [pa.list_(pa.float64()), pa.list_(pa.float64(), 0)])
def test_ends_well_07_lists_without_numbers_are_refused_in_one_line(tmp_path, kind):
    path = written(tmp_path / "empty.arrow", pa.array([[]] * N, kind))
    with pytest.raises(DataError, match=r"column 'c': lists without any numbers\. Leave the column out"):
        rosenblatt.train(path)


@pytest.mark.parametrize(
    "row", [[None], [{"column": None, "value": 2.0}], [{"column": 1, "value": None}]], ids=["entry", "column", "value"]
)
def test_ends_well_07_a_missing_part_of_a_sparse_row_is_refused_with_its_place(tmp_path, row):
    rows = [[{"column": 1 + i % 2, "value": 1.0 + i}] for i in range(N)]
    rows[5] = row
    with pytest.raises(DataError, match=r"row 6, column 'c': an entry without its column or its value"):
        rosenblatt.train(written(tmp_path / "sparse.parquet", pa.array(rows, SPARSE)))
    rows[5] = None  # a row without entries is a row of zeros
    assert len(rosenblatt.train(written(tmp_path / "sparse.parquet", pa.array(rows, SPARSE))).classes.names) == 2


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (pa.timestamp("s"), 2**62),
        (pa.timestamp("us"), -(10**17)),
        (pa.timestamp("s", "Pacific/Kiritimati"), 253402300799),
        (pa.date32(), 2**31 - 1),
    ],
    ids=str,
)
def test_ends_well_07_a_date_beyond_the_calendar_is_refused_with_its_place(tmp_path, kind, value):
    days = pa.array([86_400 * i if kind != pa.date32() else i for i in range(N - 1)] + [value], kind)
    with pytest.raises(DataError, match=rf"row {N}, column 'c': a date before the year 1 or after 9999"):
        rosenblatt.train(written(tmp_path / "far.arrow", days))


def test_ends_well_07_a_duration_beyond_pythons_is_refused_with_its_place(tmp_path):
    values = pa.array([0, 86_400 * 10**9, *[1] * (N - 2)], pa.duration("s"))
    with pytest.raises(DataError, match=r"row 2, column 'c': a duration of more than 999,999,999 days\."):
        read(written(tmp_path / "d.arrow", values), label="label")


def test_ends_well_07_a_time_zone_that_nobody_knows_is_refused_by_name(tmp_path):
    values = pa.array(range(N), pa.timestamp("ms", "Mars/Olympus"))
    with pytest.raises(
        DataError, match=r"column 'c': the time zone 'Mars/Olympus' is not known here\. Write the times"
    ):
        read(written(tmp_path / "d.parquet", values), label="label")


@pytest.mark.parametrize("kind", [pa.string_view(), pa.binary_view()], ids=str)
def test_ends_well_07_views_of_missing_values_may_point_anywhere(tmp_path, kind):
    texts = [f"a text of more than twelve letters {i % 3}" for i in range(N)]
    valid, each, *data = pa.array([None if i % 4 == 1 else text for i, text in enumerate(texts)], kind).buffers()
    places = np.frombuffer(each, np.int32).reshape(-1, 4).copy()
    places[1::4] = (1 << 20, 0, 1 << 30, 1 << 30)  # length, beginning, buffer, place
    forged = pa.Array.from_buffers(kind, N, [valid, pa.py_buffer(places), *data])
    path = written(tmp_path / "d.arrow", forged)
    asked = f"from rosenblatt.data import read; print(read({path!r}, label='label').columns['c'].to_pylist())"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=False)
    found = [None if i % 4 == 1 else text for i, text in enumerate(texts)]
    held = found if kind == pa.string_view() else [text and text.encode() for text in found]
    assert (done.returncode, done.stdout) == (0, f"{held}\n"), done.stderr


def test_ends_well_07_rows_that_a_file_only_claims_take_no_memory(tmp_path):
    path = tmp_path / "d.arrow"
    path.write_bytes((CORPUS / "arrow" / "ea9294aa111c").read_bytes())
    with pytest.raises(DataError, match=r"it claims 2,199,023,255,555 rows, for which its columns hold 0 bytes\."):
        read(path, label="nothing")


def test_ends_well_07_the_last_day_of_the_calendar_is_a_date(tmp_path):
    far = pa.array([253402300799 - 86400 * 400 * (i % 7) for i in range(N)], pa.timestamp("s"))
    assert len(rosenblatt.train(written(tmp_path / "far.arrow", far)).classes.names) == 2


# Matrices of scipy

DAMAGES = {
    "a row start too few": lambda m: setattr(m, "indptr", m.indptr[:-1]),
    "columns that are fractions": lambda m: setattr(m, "indices", m.indices.astype(float)),
    "values in a table": lambda m: setattr(m, "data", m.data.reshape(-1, 1)),
    "more rows than row starts": lambda m: setattr(m, "_shape", (40, 3)),
    "values that are texts": lambda m: setattr(m, "data", np.array(["a"] * len(m.data), object)),
}


@pytest.mark.parametrize("call", ["fit", "predict", "partial_fit"])
@pytest.mark.parametrize("family", [rosenblatt.NaiveBayes, rosenblatt.Perceptron])
@pytest.mark.parametrize("damage", DAMAGES)
def test_ends_well_07_a_damaged_sparse_matrix_is_refused_in_one_line(damage, family, call):
    matrix = csr_matrix(np.array([[1.0, 0, 2], [0, 1, 0], [1, 1, 0], [0, 0, 3]]))
    damaged = matrix.copy()
    DAMAGES[damage](damaged)
    y = [0, 1, 0, 1]
    model = family().fit(matrix, y)
    with pytest.raises(DataError, match="the sparse matrix is damaged") as told:
        model.predict(damaged) if call == "predict" else getattr(family(), call)(damaged, y)
    assert "\n" not in str(told.value)


# Encodings


@pytest.mark.parametrize(
    "name", ["base64", "rot13", "hex", "zlib", "uu", "bz2", "quopri", "undefined", "klingon", "a\0b"]
)
def test_ends_well_07_only_encodings_of_text_are_taken(tmp_path, name):
    (tmp_path / "a.csv").write_text("x,label\n1,a\n2,b\n")
    with pytest.raises(SettingError, match="there is no text encoding named"):
        read(tmp_path / "a.csv", encoding=name)


@pytest.mark.parametrize(("name", "half"), [("utf-7", b"+2AA-"), ("unicode_escape", b"\\ud800")])
@pytest.mark.parametrize("place", ["early", "late", "folder"])
def test_ends_well_07_half_a_character_is_refused(tmp_path, name, half, place):
    for part in ("a", "b"):
        (tmp_path / "texts" / part).mkdir(parents=True)
        (tmp_path / "texts" / part / "1.txt").write_bytes(b"one " + half)
    rows = [b"%d,a" % i for i in range(60_000)]
    rows[0 if place == "early" else -1] = b"1," + half
    (tmp_path / "a.csv").write_bytes(b"x,label\n" + b"\n".join(rows))
    with pytest.raises(DataError, match=rf"{name}|surrogates not allowed"):
        read(tmp_path / ("texts" if place == "folder" else "a.csv"), encoding=name)


# Threads and processes


@pytest.mark.parametrize("family", ["perceptron", "naive_bayes"])
def test_ends_well_07_a_prediction_during_a_refit_is_that_of_one_model(family, monkeypatch):
    module = importlib.import_module(f"rosenblatt.estimators.{family}")
    model = rosenblatt.Perceptron(random_state=0) if family == "perceptron" else rosenblatt.NaiveBayes()
    draw = np.random.default_rng(0)
    narrow, wide = draw.normal(size=(40, 3)), draw.normal(size=(40, 50))
    two, five = (narrow[:, 0] > 0).astype(int), np.arange(40) % 5
    expected = model.fit(narrow, two).predict(narrow)
    learn, score = ("learn", "score_rows") if family == "perceptron" else ("count", "score")
    scoring = module if family == "perceptron" else importlib.import_module("rosenblatt.model.bayes")
    true_learn, true_score = getattr(module, learn), getattr(scoring, score)

    def asked_meanwhile(*given):
        assert (model.predict(narrow) == expected).all()  # as long as the new one is not learned
        return true_learn(*given)

    def refitted_meanwhile(*given):
        model.fit(wide, five)
        return true_score(*given)

    with monkeypatch.context() as patched:
        patched.setattr(module, learn, asked_meanwhile)
        model.fit(wide, five)
    assert model.n_features_in_ == 50
    model.fit(narrow, two)
    with monkeypatch.context() as patched:
        patched.setattr(scoring, score, refitted_meanwhile)
        assert (model.predict(narrow) == expected).all()
    assert model.n_features_in_ == 50


FORKED = """
import os, threading
import numpy as np
from numba.core.compiler_lock import global_compiler_lock
from rosenblatt import Perceptron
from rosenblatt.data.maps import MAPS
X = np.random.default_rng(0).normal(size=(60, 3))
y = X[:, 0] > 0
Perceptron().fit(X, y)
held, go_on = threading.Event(), threading.Event()

def compiling():
    with global_compiler_lock, MAPS.lock:
        held.set()
        go_on.wait(0.5)

thread = threading.Thread(target=compiling)
thread.start()
held.wait()
child = os.fork()
if not child:
    free = global_compiler_lock._lock.acquire(timeout=20) and MAPS.lock.acquire(timeout=20)
    if not free:
        os._exit(3)
    global_compiler_lock.release(), MAPS.lock.release()
    Perceptron(weights="voted").fit(X.astype(np.float32), np.arange(60) % 3).predict(X)  # new types: to be compiled
    os._exit(0)
thread.join()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_ends_well_07_a_process_that_was_forked_while_a_thread_fitted_can_fit(tmp_path):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr) == ("0\n", "")


# Thresholds


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("thresholds") / "t.parquet"
    return rosenblatt.train(written(path, pa.array(np.arange(N) * 0.5)))


@pytest.mark.parametrize("threshold", [float("nan"), "1", None, 1j])
def test_ends_well_07_a_threshold_that_is_no_number_is_refused_before_it_is_saved(model, threshold):
    with pytest.raises(SettingError, match="threshold must be a number, or inf or -inf"):
        model.with_threshold(threshold)


@pytest.mark.parametrize("threshold", [float("inf"), float("-inf")])
def test_ends_well_07_an_infinite_threshold_is_saved_as_it_is_and_has_no_estimator(model, threshold, tmp_path):
    moved = model.with_threshold(threshold)
    save(moved, tmp_path / "m.rosenblatt")
    assert load(tmp_path / "m.rosenblatt").decision.threshold == threshold
    with pytest.raises(SettingError, match="an infinite threshold predicts one class only"):
        estimator(moved)


# Versions

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["dev.txt", "bench.txt"])
def test_ends_well_09_every_locked_version_has_its_hashes_and_names_no_host(name):
    text = (REPOSITORY / "requirements" / name).read_text()
    blocks = re.split(r"\n(?=\S)", re.sub(r"(?m)^#.*\n", "", text).strip())
    assert all(re.fullmatch(r"[\w.-]+==\S+( \\\n    --hash=sha256:[0-9a-f]{64})+", block) for block in blocks)
    assert "://" not in text


def test_ends_well_09_locked_files_are_installed_first_and_the_project_brings_nothing_more():
    installs = [line for line in (REPOSITORY / "Makefile").read_text().splitlines() if "$(PIP) " in line]
    assert all("--no-deps" in line for line in installs)
    assert "--require-hashes" in installs[-2]
    assert installs[-1].strip().endswith("--editable .")


def test_ends_well_09_the_oldest_versions_are_those_that_the_project_allows():
    program = [sys.executable, str(REPOSITORY / "requirements" / "oldest.py")]
    found = subprocess.run(program, capture_output=True, text=True, timeout=60, check=True).stdout.split()
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    assert [each.replace("==", ">=") for each in found][: len(project["dependencies"])] == project["dependencies"]
    assert not {"ruff", "mypy"} & {each.partition("==")[0] for each in found}
