"""Every Python block of the README and the docs runs, and prints what the comments under its prints say."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from rosenblatt.cli import commands

REPOSITORY = Path(__file__).parent.parent
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("page", "number"), [(page, i) for page in PAGES for i in range(len(blocks(page)))])
def test_a_block_prints_what_it_says(page, number):
    code = blocks(page)[number]
    expected = [line[2:] for line in code.splitlines() if line.startswith("# ")]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, f"{page.name} block {number}", "exec"), {"__name__": "docs"})
    assert expected, "a block shows what it prints"
    assert printed.getvalue().splitlines() == expected


def test_the_readme_has_examples():
    assert blocks(PAGES[0])


def test_the_readme_shows_what_the_demo_prints():
    # The digits are whole numbers, so the run is the same everywhere.
    printed = CliRunner().invoke(commands, ["train"]).output
    assert f"```\n{printed}```" in PAGES[0].read_text(encoding="utf8")
