"""The page on the notes opens with a line for everything that the sources say; each names a test that there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from doc_pages import DOCS

TESTS = Path(__file__).parents[1]
PAGE = (DOCS / "notes.md").read_text(encoding="utf8")
LINES = re.findall(
    r"^\| \[(\w+)\]\(#[\w-]+\) \| (.+?) \| (.+?) \| (.+?) \| `(\w+)(?:::(\w+))?` \|$", PAGE, re.MULTILINE
)
# The sections of the specification of the notes, by the sign that they have in the table.
SECTIONS = {
    "1": "Linear classifiers",
    "ties": "A score of exactly 0: three conventions, one parameter",
    "2": "Binary perceptron",
    "3": "Multiclass perceptron",
    "4": "Losses",
    "5": "Separability, the two theorems, and what they give for free",
    "6": "Beyond the last weights",
    "7": "Features",
    "8": "Naive Bayes",
    "9": "The protocol",
    "10": "Slips in the sources",
}
SOURCES = {"B", "T", "M", "U", "C", "ours"}


def test_every_section_of_the_notes_has_lines():
    assert len(LINES) >= 60
    assert PAGE.count("\n| [") == len(LINES), "a line of the table has another form"
    assert {line[0] for line in LINES} == set(SECTIONS)
    assert {source for line in LINES for source in line[1].split(", ")} == SOURCES


def test_every_line_names_a_test_that_there_is():
    tests = {path.stem: path for path in TESTS.rglob("test_*.py")}
    missing = []
    for *_, what, _, file, name in LINES:
        names = {node.name for node in ast.walk(ast.parse(tests[file].read_text("utf8"))) if hasattr(node, "name")}
        missing += [what] if name and name not in names else []
    assert not missing
