"""Traces written to JSON and read again: the same run, or one line that names what was changed."""

from __future__ import annotations

import json
import os
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.traces import Trace, trace
from rosenblatt.writing import write_whole

POINTS, LABELS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [-1, 1, 1, 1, -1]


@given(st.integers(2, 4), st.sampled_from(["mistake", "positive", "negative"]), st.booleans(), st.integers(0, 999))
def test_what_was_written_is_read_again(n_classes, ties, bias, seed):
    rng = np.random.default_rng(seed)
    run = trace(rng.normal(size=(9, 2)), np.arange(9) % n_classes, ties=ties, bias=bias, passes=4)
    again = Trace.from_json(run.to_json())
    assert again.to_json() == run.to_json()
    assert again.to_csv().replace("\n", "") == run.to_csv().replace("\n", "")


@given(st.integers(0, 24), st.sampled_from(["row", "rival", "scores", "after", "true", "predicted", "pass"]))
def test_any_changed_entry_of_a_step_is_named(place, field):
    plain = json.loads(trace(POINTS, LABELS, passes=5).to_json())
    step = plain["steps"][place]
    old = step[field]
    step[field] = [value + 1 for value in old] if isinstance(old, list) else 1 if old is None else old + 1
    with pytest.raises(ValueError, match=f"step {place + 1}: the rule gives|damaged|holds 25 steps"):
        Trace.from_json(json.dumps(plain))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "the trace has version 2; this release reads version 1"),
        ({"kind": "novel"}, "this is no trace"),
        ({"rows": [[1, 2]]}, "the trace.rows must be of shape"),
        ({"truth": [0, 1, 2, 1, 0]}, "the trace.truth must be below 2"),
        ({"rows": [["a", "b", "c"]] * 5}, "must be a number; got 'a'"),
        ({"ties": "both"}, "the trace is damaged: ties must be one of"),
        ({"rate": -1}, "the trace is damaged: rate must be above 0"),
        ({"seed": "one"}, "the trace is damaged: the trace.seed must be a whole number"),
        ({"steps": []}, "the trace holds 0 steps"),
        ({"start": None}, "the trace.start must be a list; got None"),
    ],
)
def test_damaged_files_end_in_one_line(change, message):
    plain = json.loads(trace(POINTS, LABELS).to_json()) | change
    with pytest.raises(ValueError, match=message) as error:
        Trace.from_json(json.dumps(plain))
    assert "\n" not in str(error.value)


def test_what_is_no_json_is_no_trace():
    with pytest.raises(ValueError, match="this is no trace"):
        Trace.from_json("step,weights")


def test_a_file_is_replaced_whole_through_links_and_a_pipe_is_written_to(tmp_path):
    file, link, pipe = tmp_path / "run.csv", tmp_path / "link", tmp_path / "pipe"
    file.write_text("old")
    link.symlink_to(file)
    write_whole(link, "new")
    assert (file.read_text(), link.is_symlink()) == ("new", True)
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "through")
    reader.join(timeout=10)
    assert got == ["through"]
    assert pipe.is_fifo()
    with pytest.raises(ValueError, match="this is a folder"):
        write_whole(tmp_path, "text")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe", "run.csv"]
    assert not [path for path in tmp_path.parent.iterdir() if path.name.startswith(f".{tmp_path.name}")]
