"""What the server of the lab answers: files, proofs, texts, and one clear line for whatever cannot be used."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_server import Client, running_lab
from rosenblatt import prove
from rosenblatt.data import read
from rosenblatt.errors import RosenblattError
from rosenblatt.lab.bench import MOST_POINTS, read_bench
from rosenblatt.lab.calls import CALLS, RAW_CALLS
from rosenblatt.lab.course import make_course
from rosenblatt.lab.sessions import Session
from rosenblatt.traces import Trace

POINTS, LABELS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [0, 1, 1, 1, 0]
FIVE = {"points": POINTS, "labels": LABELS, "settings": {"start": [-1, 0, 0], "passes": 300}}


@pytest.fixture
def call():
    """Asks in a session of its own, without a server."""
    session = Session("test")

    def ask(name, body=None, /, **query):
        if isinstance(body, bytes):
            return RAW_CALLS[name](session, body, query)
        return CALLS[name](session, {} if body is None else body)

    return ask


def tenths(n_classes: int, count: int = 30, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Points on a grid of tenths, as people click them: no sum of theirs is exact."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, 2)).round(1), np.concatenate(
        [np.arange(n_classes), rng.integers(0, n_classes, count - n_classes)]
    )


RUNS = {
    "the notes": {},
    "ties positive": {"ties": "positive"},
    "ties negative, no bias": {"ties": "negative", "bias": False},
    "rate": {"alpha": 0.3},
    "margin and rate": {"alpha": 0.7, "margin": 0.5},
    "shuffled": {"shuffle": True, "seed": 7},
    "start": {"start": "given", "margin": 1},
    "start, rate, shuffled, no bias": {"start": "given", "alpha": 0.3, "shuffle": True, "seed": 1, "bias": False},
}


def test_what_the_server_proves_is_what_the_library_proves(call):
    found, verdict = call("proof", FIVE), prove(POINTS, LABELS)
    assert (found["kind"], found["bound"]) == (verdict.kind, verdict.best.mistake_bound)
    corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    found, verdict = call("proof", {"points": corners, "labels": [0, 1, 1, 0]}), prove(corners, [0, 1, 1, 0])
    assert (found["rows"], found["multipliers"]) == (list(verdict.rows), list(verdict.multipliers))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"points": [[0, 0]] * 2001, "labels": [0] * 2001}, "at most 2,000 points; got 2,001"),
        ({"points": POINTS, "labels": [1] * 5}, "all points are of one class"),
        ({"points": [[0, 10**400], [1, 1]], "labels": [0, 1]}, "must be a number from -1e+09"),
        ({"points": [[0, 1], [1]], "labels": [0, 1]}, "point 2 must have 2 numbers"),
        ({"points": POINTS, "labels": list("01110")}, "a label must be a whole number"),
        ({**FIVE, "settings": {"bias": 1}}, "bias must be true or false; got 1"),
        ({**FIVE, "settings": {"start": [0, 0]}}, "start must have 3 weights, the bias first"),
    ],
)
def test_bad_benches_are_one_clear_line(body, message, call):
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is what is tested
        call("proof", body)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


BAD_QUESTIONS = {
    "form": ("takeaway", {"form": "exe"}, "form must be one of"),
    "weights": ("takeaway", {"form": "python", "weights": "best"}, "weights must be one of"),
    "built-in": ("open", {"name": "/etc/passwd"}, "name must be one of"),
    "nothing loaded": ("pick", {"x": "a", "y": "b", "label": "c"}, "Load it again"),
}


@pytest.mark.parametrize("case", BAD_QUESTIONS)
def test_bad_questions_are_one_clear_line(case, call):
    name, change, message = BAD_QUESTIONS[case]
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is what is tested
        call(name, {**FIVE, **change})
    assert message in str(error.value)


def test_a_table_in_memory_becomes_points(call):
    found = call("load", b"height,width,colour,class\n1.5,2,red,b\n3,4,blue,a\n-1,0.25,red,b\n", name="things.csv")
    assert (found["name"], found["rows"], found["label"]) == ("things.csv", 3, "class")
    assert [(c["name"], c["numeric"], c["distinct"]) for c in found["columns"]] == [
        ("height", True, 3),
        ("width", True, 3),
        ("colour", False, 2),
        ("class", False, 2),
    ]
    picked = call("pick", {"x": "width", "y": "height", "label": "class"})
    assert picked["points"] == [[2, 1.5], [4, 3], [0.25, -1]]
    assert (picked["labels"], picked["classes"]) == ([1, 0, 1], ["a", "b"])
    assert picked["features"] == ["width", "height"]
    other = call("pick", {"x": "width", "y": "height", "label": "colour"})
    assert other["classes"] == ["blue", "red"]
    assert call("load", b"a\tb\tlabel\n1\t2\tx\n3\t4\ty\n")["rows"] == 2


def test_built_in_sets_are_those_of_the_engine(call):
    call("open", {"name": "iris"})
    picked = call("pick", {"x": "petal length (cm)", "y": "petal width (cm)", "label": "label"})
    table = read("iris")
    assert [p[0] for p in picked["points"]] == table.columns["petal length (cm)"].to_pylist()
    assert [picked["classes"][c] for c in picked["labels"]] == table.labels.to_pylist()
    digits = call("open", {"name": "digits"})
    assert len([c for c in digits["columns"] if c["numeric"]]) == 65
    many = call("pick", {"x": "pixel 3,4", "y": "pixel 4,4", "label": "label"})
    assert many["note"] == "10 classes; the 5 largest are shown, all others as one."
    assert many["classes"][-1] == "others"
    assert max(many["labels"]) == 5
    for name in ("notes", "apples", "and", "or", "xor", "wine", "breast-cancer"):
        assert call("open", {"name": name})["label"] == "label"


def test_more_rows_than_the_bench_takes_are_sampled_only_if_asked(call):
    text = "a,b,label\n" + "".join(f"{i},{i % 7},{'xy'[i % 2]}\n" for i in range(5000))
    assert call("load", text.encode())["rows"] == 5000
    wanted = {"x": "a", "y": "b", "label": "label"}
    with pytest.raises(ValueError, match=r"has 5,000 rows; the lab shows at most 2,000\. Ask for a sample"):
        call("pick", wanted)
    one, same, other = (call("pick", {**wanted, "sample": seed}) for seed in (4, 4, 5))
    assert one == same
    assert one["rows"] != other["rows"]
    assert len(set(one["rows"])) == MOST_POINTS
    assert [p[0] for p in one["points"]] == one["rows"] == sorted(one["rows"])


BAD_FILES = {
    "empty": (b"", "the file is empty"),
    "no rows": (b"a,b,label\n", "no rows"),
    "one row": (b"a,b,c\n1,2\n", "bad.csv, line 2: 2 values where the first line has 3"),
    "quotes": (b'a,b,label\n1,"2,x\n', "quote"),
    "latin-1": (b"a,b,label\n1,2,caf\xe9\n3,4,b\n", "not utf-8 text"),
    "a comment": (b"# a\n", "no rows"),
    "zip": (b"PK\x03\x04zzzz", "zip archive"),
    "gzip": (b"\x1f\x8b\x08\x00zzzz", "compressed"),
    "parquet": (b"PAR1zzzzzz", "looks like parquet"),
    "twice": (b"a,a,label\n1,2,x\n", "columns 1 and 2 are both named 'a'"),
    "many columns": (b",".join(b"c%d" % i for i in range(501)) + b"\n", "501 columns; the lab takes at most 500"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_files_that_do_not_parse_say_where_and_leave_the_former_table(case, call):
    call("load", b"a,b,label\n1,2,x\n3,4,y\n", name="good.csv")
    content, message = BAD_FILES[case]
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is what is tested
        call("load", content, name="bad.csv")
    assert message in str(error.value)
    assert str(error.value).startswith("bad.csv")
    assert "\n" not in str(error.value)
    assert call("pick", {"x": "a", "y": "b", "label": "label"})["points"] == [[1, 2], [3, 4]]


BAD_PICKS = {
    "no column": ({"x": "z"}, "there is no column 'z'"),
    "no label": ({"label": "z"}, "there is no column 'z' to be the class"),
    "not numeric": ({"y": "colour"}, "column 'colour' holds 'red', which is no number. Columns of numbers: a, b"),
    "one class": ({"label": "same"}, "all 3 rows have the label 'k'"),
    "missing": ({"x": "gap"}, "bad.csv, row 2: no value in column 'gap'"),
    "huge": ({"x": "huge"}, "bad.csv, row 3: 1e+300, more than the lab can draw, in column 'huge'"),
    "no name": ({"x": None}, "x must be a text; got None"),
    "sample": ({"sample": "no"}, "sample must be a whole number"),
}


@pytest.mark.parametrize("case", BAD_PICKS)
def test_columns_that_cannot_be_drawn_say_why(case, call):
    text = b"a,b,colour,same,gap,huge,label\n1,2,red,k,1,1,x\n3,4,blue,k,,2,y\n5,6,red,k,3,1e300,x\n"
    call("load", text, name="bad.csv")
    change, message = BAD_PICKS[case]
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is what is tested
        call("pick", {"x": "a", "y": "b", "label": "label", **change})
    assert message in str(error.value)


# A process each, so only some.
COMMANDS = {("margin and rate", 2), ("shuffled", 3), ("start, rate, shuffled, no bias", 3)}
HOSTILE = "'''\"\nimport os; os._exit(9) # </script> $(exit 9) `exit 9`"


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("case", RUNS)
def test_copied_python_and_commands_make_the_same_run(case, n_classes, call, tmp_path):
    X, y = tenths(n_classes, 12)
    given = {"passes": 6, **RUNS[case]}
    width = 2 + given.get("bias", True)
    if given.get("start"):
        start = np.linspace(-1, 1, width * (1 if n_classes == 2 else n_classes)).reshape(-1, width)
        given["start"] = (start[0] if n_classes == 2 else start).tolist()
    body = {"points": X.tolist(), "labels": y.tolist(), "settings": given, "classes": [HOSTILE] * n_classes}
    run = make_course(read_bench(body))
    bias = given.get("bias", True)
    for variant in ("final", "averaged", "pocket"):
        names: dict = {}
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(call("takeaway", {**body, "form": "python", "weights": variant})["text"], names)
        model = names["model"]
        coef = run.history.shown(np.asarray(run.weights(variant))).reshape(-1, width)
        assert np.array_equal(coef[:, int(bias) :], model.coef_), variant
        assert not bias or np.array_equal(coef[:, 0], model.intercept_)
        assert printed.getvalue().startswith(run.run.stopped)
        assert names["classes"] == [HOSTILE] * n_classes
    told = Trace.from_json(call("takeaway", {**body, "form": "json"})["text"])
    final = run.history.weights[-1].ravel().tolist()
    assert told.weights.ravel().tolist() == final
    assert (len(told), told.n_passes) == (len(run.history.rows), run.run.passes)
    if (case, n_classes) in COMMANDS:
        again = run_command(call("takeaway", {**body, "form": "command"})["text"], tmp_path)
        assert again.weights.ravel().tolist() == final
        assert [s.row for s in again] == run.history.rows.tolist()


def run_command(text: str, folder: Path) -> Trace:
    """The trace that the copied command makes in an empty folder."""
    program = folder / "rosenblatt"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m rosenblatt "$@"\n')
    program.chmod(0o755)
    done = subprocess.run(
        ["sh", "-e", "-c", text.rstrip("\n") + " --to json"],
        cwd=folder,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Trace.from_json(done.stdout)


def test_the_copied_command_of_the_five_points(call, tmp_path):
    text = call("takeaway", {**FIVE, "form": "command"})["text"]
    assert text == (
        "cat > points.csv <<'END'\nx1,x2,label\n1,1,0\n3,2,1\n2,4,1\n3,4,1\n2,3,0\nEND\n"
        "rosenblatt trace points.csv --label label --passes 232 --ties mistake --start=-1,0,0\n"
    )
    assert run_command(text, tmp_path).weights.tolist() == [-31, 12, 2]


def test_the_player_holds_the_run_and_nothing_that_was_typed_can_run(call):
    page = call("takeaway", {**FIVE, "form": "player", "classes": [HOSTILE, "+1"]})
    assert page["name"] == "run.html"
    data = page["text"].split('id="data">')[1].split("</script>")[0]
    plain = json.loads(data)
    assert plain["classes"] == [HOSTILE, "+1"]
    assert len(plain["steps"]["row"]) == 1160
    assert HOSTILE not in page["text"]


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "a", "mistake", "final", "\ud800", "😀" * 50, "x1"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*FIVE, "start", "ties"]), inner),
    max_leaves=12,
)
NAMES = ["points", "labels", "settings", "classes", "features", "form", "weights", "name", "x", "y", "label", "sample"]
CHOICES = ["ties", "bias", "alpha", "margin", "shuffle", "seed", "start", "passes"]
BENCH = ["proof", "open", "pick", "takeaway"]


def answer_or_line(ask) -> str:
    """The answer as JSON, or the message of an error that is meant for people; any other error comes out."""
    try:
        return json.dumps(ask(), allow_nan=False)
    except RosenblattError as error:
        return str(error)


@given(st.sampled_from(BENCH), st.dictionaries(st.sampled_from(NAMES), PLAIN, max_size=3), st.data())
@settings(max_examples=300)
def test_whatever_is_asked_there_is_an_answer_or_one_line(name, change, data):
    body = {**FIVE, "form": "python", "name": "xor", **change}
    if isinstance(body["settings"], dict):
        key = data.draw(st.sampled_from(CHOICES))
        body["settings"] = {**body["settings"], key: data.draw(PLAIN)}
    session = Session("fuzz")
    CALLS["open"](session, {"name": "notes"})
    assert "\n" not in answer_or_line(lambda: CALLS[name](session, json.loads(json.dumps(body))))


@given(st.binary(max_size=200) | st.text(alphabet='ab1.,"\n\r\t;é', max_size=200).map(str.encode))
@settings(max_examples=200)
def test_whatever_is_loaded_there_is_a_table_or_one_line(content):
    session = Session("fuzz")

    def load_and_pick():
        found = RAW_CALLS["load"](session, content, {"name": "f.csv"})
        columns = [column["name"] for column in found["columns"]]
        return [found, CALLS["pick"](session, {"x": columns[0], "y": columns[-1], "label": columns[-1]})]

    assert "\n" not in answer_or_line(load_and_pick)


def test_the_same_over_the_wire():
    with running_lab() as lab:
        client = Client(lab)
        assert client.call("proof", FIVE)["bound"] == 6370
        assert client.ask("proof", {**FIVE, "labels": [1] * 5}).status_code == 422
        answer = client.ask("load", b"a,b\n1\n", name="x.csv")
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("x.csv")
        client.close()
