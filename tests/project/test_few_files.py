"""Whoever follows a row of a CSV file to its prediction goes through few files of ours."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import rosenblatt

SOURCE = str(Path(rosenblatt.__file__).parent)
OF_A_FUNCTION = 1  # the flag of code that is no module and no class body


def files_of(call) -> set[str]:
    """The files of ours whose functions run."""
    seen = set()

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_flags & OF_A_FUNCTION and code.co_filename.startswith(SOURCE):
            seen.add(code.co_filename.removeprefix(SOURCE + "/"))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return seen


def test_a_row_goes_from_its_file_to_its_prediction_through_at_most_30_files(tmp_path):
    lines = [f"{i % 7},{'red' if i % 3 else 'green'},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(200)]
    (tmp_path / "apples.csv").write_text("size,colour,label\n" + "".join(lines))
    (tmp_path / "row.csv").write_text("size,colour\n6,red\n")
    straight = {"features": {"knots": 0}}
    model = rosenblatt.train(str(tmp_path / "apples.csv"), model="perceptron", passes=5, config=straight)
    said = []
    files = files_of(lambda: said.extend(model.predict(str(tmp_path / "row.csv"))))
    assert said == ["yes"]
    assert {"data/csv.py", "features/numeric.py", "features/category.py", "learn/decide.py"} <= files
    assert len(files) <= 30, sorted(files)
