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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_blocks_of_a_page_print_what_they_say(page):
    names: dict[str, object] = {"__name__": "docs"}
    for number, code in enumerate(blocks(page)):
        expected = [line[2:] for line in code.splitlines() if line.startswith("# ")]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"{page.name} block {number}", "exec"), names)
        assert [line.rstrip() for line in printed.getvalue().splitlines()] == expected
        assert expected or "assert" in code, f"block {number} of {page.name} shows nothing that could be wrong"


def test_the_readme_has_examples():
    assert blocks(PAGES[0])


def test_the_readme_shows_what_the_demo_prints(tmp_path, monkeypatch):
    # The digits are whole numbers, so the run is the same everywhere.
    monkeypatch.chdir(tmp_path)
    printed = CliRunner().invoke(commands, ["train"]).stdout
    assert f"```\n{printed}```" in PAGES[0].read_text(encoding="utf8")
