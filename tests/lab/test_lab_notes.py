"""The links of the page on the notes open the lab at the state that they tell of."""

from __future__ import annotations

import re

import pytest

from doc_pages import DOCS

pytest_plugins = ["lab_browser"]

LINKS = re.findall(
    r"\[In the lab\]\(http://127\.0\.0\.1:8000/(#\S+?)\)", (DOCS / "notes.md").read_text(encoding="utf8")
)


def test_every_section_has_a_link():
    sections = re.split(r"^## \d", (DOCS / "notes.md").read_text(encoding="utf8"), flags=re.MULTILINE)[1:]
    assert len(sections) == len(LINKS) == 9
    assert all(section.count("[In the lab](") == 1 for section in sections)


@pytest.mark.parametrize("link", [link for link in LINKS if link.startswith("#v=")])
def test_a_link_opens_the_bench_at_its_state(visit, link):
    person = visit(link).ready()
    assert not person.page.locator("#page-problem").is_visible()
    given = dict(part.split("=") for part in link[1:].split("&"))
    assert len(person.points()[0]) == len(given["points"].split("~"))
    assert person.page.evaluate("window.lab.state.step") == int(given.get("step", 0))


@pytest.mark.parametrize("link", [link for link in LINKS if not link.startswith("#v=")])
def test_a_link_leads_to_a_part(visit, link):
    visit(link).page.locator(f"{link} h2").first.wait_for()
