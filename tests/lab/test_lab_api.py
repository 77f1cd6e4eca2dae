"""What the server of the lab answers: files, proofs, and one clear line for whatever cannot be used."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_server import Client, running_lab
from rosenblatt import prove
from rosenblatt.data import read
from rosenblatt.errors import RosenblattError
from rosenblatt.lab.bench import MOST_POINTS
from rosenblatt.lab.calls import CALLS, RAW_CALLS
from rosenblatt.lab.sessions import Session

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


def test_what_the_server_proves_is_what_the_library_proves(call):
    found, verdict = call("proof", FIVE), prove(POINTS, LABELS)
    assert (found["kind"], found["bound"]) == (verdict.kind, str(verdict.best.mistake_bound))
    corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    found, verdict = call("proof", {"points": corners, "labels": [0, 1, 1, 0]}), prove(corners, [0, 1, 1, 0])
    assert (found["rows"], found["multipliers"]) == (list(verdict.rows), [str(m) for m in verdict.multipliers])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"points": [[0, 0]] * 2001, "labels": [0] * 2001}, "at most 2,000 points; got 2,001"),
        ({"points": POINTS, "labels": [1] * 5}, "all points are of one class"),
        ({"points": [[0, 10**400], [1, 1]], "labels": [0, 1]}, "must be a number from -1e+09"),
        ({"points": [[0, 1], [1]], "labels": [0, 1]}, "point 2 must have 2 numbers"),
        ({"points": POINTS, "labels": list("01110")}, "a label must be a whole number"),
        ({**FIVE, "settings": {"bias": 1}}, "bias must be true or false; got 1"),
        ({**FIVE, "settings": [1]}, "settings must be an object"),
    ],
)
def test_bad_benches_are_one_clear_line(body, message, call):
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is what is tested
        call("proof", body)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


BAD_QUESTIONS = {
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
    "zip": (b"PK\x03\x04zzzz", "this looks like excel"),
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


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "a", "mistake", "final", "\ud800", "😀" * 50, "x1"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*FIVE, "start", "ties"]), inner),
    max_leaves=12,
)
NAMES = ["points", "labels", "settings", "classes", "features", "name", "x", "y", "label", "sample"]
CHOICES = ["ties", "bias", "alpha", "margin", "shuffle", "seed", "start", "passes"]
BENCH = ["proof", "open", "pick"]


def answer_or_line(ask) -> str:
    """The answer as JSON, or the message of an error that is meant for people; any other error comes out."""
    try:
        return json.dumps(ask(), allow_nan=False)
    except RosenblattError as error:
        return str(error)


@given(st.sampled_from(BENCH), st.dictionaries(st.sampled_from(NAMES), PLAIN, max_size=3), st.data())
@settings(max_examples=300)
def test_whatever_is_asked_there_is_an_answer_or_one_line(name, change, data):
    body = {**FIVE, "name": "xor", **change}
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
        assert client.call("proof", FIVE)["bound"] == "6370"
        assert client.ask("proof", {**FIVE, "labels": [1] * 5}).status_code == 422
        answer = client.ask("load", b"a,b\n1\n", name="x.csv")
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("x.csv")
        client.close()
