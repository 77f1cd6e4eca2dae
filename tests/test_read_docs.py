"""Every example of the page about data runs, and prints what a reader would expect to see."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "data.md"


def test_the_examples_of_the_page(capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)  # the blocks build on each other, as the page does
    shown = capsys.readouterr().out
    assert len(blocks) == 10
    for expected in (
        "apples, row 4",
        "Columns are: height, weight.",
        "['spam', 'ham']",
        "[60, 60, 30]",
        "size      ordered, −1 … +1: small, medium, large  (declared by the data)",
        "[1. 1. 1. 1.]",
        "farm      dropped  (as asked)",
        "'capitals:FREE'",
        "'free lunch'",
        "('not tasty', 'tasty') [1 1 1 1]",
        "90 30 30",
    ):
        assert expected in shown
