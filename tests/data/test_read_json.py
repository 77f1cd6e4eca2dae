"""One array of JSON is read as its objects on lines are, to the type, the row and the bit."""

from __future__ import annotations

import gzip
import json

import pytest
from click.testing import CliRunner

from rosenblatt import save, train
from rosenblatt.cli import commands
from rosenblatt.data import jsontext, read
from rosenblatt.data.source import Source
from rosenblatt.errors import DataError
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.store import to_bytes

ROWS = [
    {"a": 1, "b": 2.5, "day": "2024-05-31", "note": 'he said "[{]}," \\ and\nleft – ü', "label": "x"},
    {"a": None, "b": -1e3, "day": "2024-06-01", "note": "", "label": "y"},
    {"a": 123456789012345678, "b": 0, "day": None, "note": "\U0001f600", "label": "x"},
    {"label": "y", "a": 4, "b": 1e-7, "day": "2023-01-01", "note": "?"},
]
FORMS = {
    "one line": json.dumps(ROWS),
    "pretty": json.dumps(ROWS, indent=2, ensure_ascii=False),
    "a line each": "[\r\n" + ",\r\n".join(json.dumps(row) for row in ROWS) + "\r\n]\r\n",
    "a mark": "\ufeff" + json.dumps(ROWS, separators=(",", ":")),
}


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def written(path, text):
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def same(left, right):
    assert left.columns.schema == right.columns.schema
    assert left.columns.to_pydict() == right.columns.to_pydict()
    assert left.labels.to_pylist() == right.labels.to_pylist()
    assert left.origin.numbers.tolist() == right.origin.numbers.tolist()


@pytest.mark.parametrize("name", ["x.json", "x", "x.json.gz"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("block", [1, 7, 50, 1 << 24])
def test_an_array_is_read_as_its_objects_on_lines_are(tmp_path, monkeypatch, form, name, block):
    lines = read(written(tmp_path / "x.jsonl", lines_of(ROWS)))
    monkeypatch.setattr(jsontext, "BLOCK", block)
    pack = gzip.compress if name.endswith("gz") else bytes
    path = written(tmp_path / name, pack(FORMS[form].encode()))
    if block > 50:  # a smaller block tells the types of the first row alone
        same(read(path), lines)
    texts = b"".join(jsontext.texts(Source.at(path))).splitlines()
    assert [json.loads(text) for text in texts] == ROWS
    monkeypatch.undo()
    parts = list(read(path, batches=3))
    assert [part.n_rows for part in parts] == [3, 1]
    assert parts[1].origin.of(0) == f"{path}, row 4"


def test_numbers_are_taken_as_they_are_written(tmp_path):
    written(tmp_path / "x.json", '[{"a": 1.0, "b": 1e2, "c": ' + 5000 * "9" + ', "label": 1}]')
    written(tmp_path / "x.jsonl", '{"a": 1.0, "b": 1e2, "c": ' + 5000 * "9" + ', "label": 1}\n')
    same(read(tmp_path / "x.json"), read(tmp_path / "x.jsonl"))


BAD = {
    "cut off in an object": ('[\n{"a": 1, "label": 2},\n{"a": 1,', "row 2, in line 3: the file ends within the array"),
    "cut off in a string": ('[{"a": "x', "row 1, in line 1: the file ends within the array"),
    "cut off in a word": ('[{"a": tr', "row 1, in line 1: the file ends within the array"),
    "cut off after an object": ('[{"a": 1}\n', "row 2, in line 2: the file ends within the array"),
    "cut off after a comma": ('[{"a": 1},', "row 2, in line 1: the file ends within the array"),
    "cut off at once": ("[", "row 1, in line 1: the file ends within the array"),
    "nothing in it": ("[ ]", "the file has no rows. Give a file with rows."),
    "a number": ('[{"a": 1}, 2]', "row 2: a JSON int where an object is needed. Write one array of objects, as in [{"),
    "a null": ('[{"a": 1}, null]', "row 2: a JSON null where an object is needed"),
    "lists": ("[[1, 2], [3, 4]]", "row 1: a JSON list where an object is needed"),
    "a comma too many": ('[{"a": 1},]', "row 2, in line 1: not JSON (Expecting value). Write one array of objects"),
    "a comma too few": ('[{"a": 1}\n{"a": 2}]', "row 2, in line 2: '{' where ',' is needed"),
    "a quote too few": ('[{"a": "x}, {"b": 2}]', "row 1, in line 1: not JSON (Expecting ',' delimiter)"),
    "single quotes": ("[{'a': 1}]", "row 1, in line 1: not JSON (Expecting property name enclosed in double quotes)"),
    "two arrays": ('[{"a": 1}]\n[{"a": 2}]', "row 2, in line 2: text follows the end of the array"),
    "depth": ('[{"a": ' + "[" * 100_000 + "]" * 100_000 + "}]", "row 1, in line 1: not JSON (nested too deeply)"),
    "mixed": (
        '[{"a": null, "label": 1}, {"a": 1, "label": 2}, {"a": "x", "label": 1}]',
        "row 3: 'a' is a string here and a number in row 2. Every row must have the same fields",
    ),
    "no text": (b'[{"a": "\xff", "label": 1}]', "Invalid UTF8 sequence"),
}


@pytest.mark.parametrize("block", [3, 1 << 24])
@pytest.mark.parametrize("case", BAD)
def test_a_bad_array_ends_in_one_line_that_names_the_row(tmp_path, monkeypatch, case, block):
    content, says = BAD[case]
    path = written(tmp_path / "bad.json", content)
    monkeypatch.setattr(jsontext, "BLOCK", block)
    if case == "depth":
        monkeypatch.setattr(jsontext, "BLOCK", 1 << 24)
    with pytest.raises(DataError) as error:
        read(path, labelled=False)
    message = str(error.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    assert says in message
    with pytest.raises(DataError):
        list(read(path, batches=2, labelled=False))


def test_a_row_without_an_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(jsontext, "LONGEST_ROW", 1000)
    monkeypatch.setattr(jsontext, "BLOCK", 100)
    path = written(tmp_path / "x.json", '[{"a": "' + "b" * 5000 + '"}]')
    with pytest.raises(DataError, match=r"x\.json, row 1: longer than 0 MB"):
        read(path, labelled=False)


def test_nested_values_are_refused_by_training_as_those_of_lines_are(tmp_path):
    rows = [{"a": {"b": k}, "c": k, "label": "xy"[k % 2]} for k in range(40)]
    said = []
    for name, text in (("x.json", json.dumps(rows)), ("x.jsonl", lines_of(rows))):
        with pytest.raises(ValueError, match="'a'") as error:
            train(written(tmp_path / name, text), model="perceptron", passes=2)
        said.append(str(error.value).replace(name, "x"))
    assert said[0] == said[1]


def test_models_of_an_array_and_of_lines_are_the_same_in_memory_and_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    rows = [
        {"n": k * 37 % 101, "text": f"word{k % 7} and word{k % 3} here", "label": "late" if k % 7 > 3 else "early"}
        for k in range(600)
    ]
    array = written(tmp_path / "x.json", json.dumps(rows, indent=1))
    lines = written(tmp_path / "x.jsonl", lines_of(rows))
    settings = {"model": "perceptron", "passes": 3}
    model, _ = train_with_evidence(array, **settings)
    on_disk, evidence = train_with_evidence(array, memory="61kB", **settings)
    assert evidence.disk is not None
    assert to_bytes(on_disk) == to_bytes(model)
    other, _ = train_with_evidence(lines, **settings)
    assert model.predict(lines) == other.predict(lines) == model.predict(array)
    save(model, tmp_path / "m")
    answers = [
        CliRunner().invoke(commands, ["predict", str(tmp_path / "m"), "-", "--scores"], input=path.read_bytes()).output
        for path in (array, lines)
    ]
    assert answers[0] == answers[1]
    assert len(answers[0].splitlines()) == 601
