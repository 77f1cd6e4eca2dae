"""The search for places that write, on which row 2 of docs/faults.md rests, finds what it looks for."""

from __future__ import annotations

import ast

import pytest

from faults.write_sites import watched, write_sites, writes
from rosenblatt.writing import write_whole


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("open(path, 'w')", True), ("open(path, mode='ab')", True), ("path.open('r+b', 0)", True),
        ("os.open(path, os.O_WRONLY | os.O_CREAT)", True), ("path.write_bytes(b'')", True),
        ("tempfile.mkstemp(dir=folder)", True), ("os.replace(one, other)", True), ("np.memmap(path)", True),
        ("open(path)", False), ("path.open('rb')", False), ("os.open(os.devnull, os.O_WRONLY)", False),
        ("'text'.replace('w', 'a')", False), ("open(path, 'r', encoding='ascii')", False),
    ],
)  # fmt: skip
def test_a_call_that_writes_is_told_from_others(code, found):
    (call,) = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call))
    assert writes(call) is found


def test_sites_are_found_and_their_entries_seen(tmp_path):
    sites, entered = write_sites(), []
    assert {"store/__init__.py:save", "data/rowfile.py:RowsWriter._write", "cli/predict.py:_stream"} <= sites
    with watched(sites, entered.append):
        write_whole(tmp_path / "one", b"1")
    assert entered == ["writing.py:write_whole", "writing.py:writing_whole", "writing.py:writing_whole"]
