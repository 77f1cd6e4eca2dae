"""Every block of the README and the docs prints what it shows, links lead somewhere, the reference is current."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import api_page
import cli_page
from doc_pages import DOCS, PAGES, README, Block, blocks, fits, name, run_console, run_page

GOLDEN = Path(__file__).parents[1] / "golden"
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("ROSENBLATT_DEBUG", raising=False)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_blocks_of_a_page_print_what_they_show(page):
    run_page(page)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_looks_like_a_command_with_its_output_is_run(page):
    """Only a block that says it is a console runs; the others would go stale unseen."""
    fences = re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(encoding="utf8"), re.MULTILINE | re.DOTALL)
    assert not [text[:60] for kind, text in fences if kind != "console" and text.startswith("$ ")]


def test_the_first_pages_have_examples_to_run():
    for page in (README, DOCS / "quick_start.md", *sorted((DOCS / "guides").glob("*.md"))):
        kinds = {block.kind for block in blocks(page)}
        assert kinds == {"python", "console"}, name(page)


def test_the_quick_start_shows_all_that_the_demo_prints():
    # The digits are whole numbers, so the run is the same everywhere; tests/cli/test_cli.py has the golden file.
    printed = (GOLDEN / "train-digits.txt").read_text(encoding="utf8")
    assert f"```console\n$ rosenblatt train\n{printed}```" in (DOCS / "quick_start.md").read_text(encoding="utf8")


def test_a_shown_output_that_is_not_printed_is_noticed():
    assert fits(["a", "…", "d"], "a\nb\nc\nd\n")
    assert fits(["a", "…", "d"], "a\nd\n")
    assert not fits(["a", "d"], "a\nb\nd\n")
    assert not fits(["a", "…"], "b\na\n")
    assert fits(["a b …"], "a b c\n")
    assert not fits(["a b …"], "a c\n")
    with pytest.raises(AssertionError, match="somewhere: rosenblatt --version prints"):
        run_console(Block("console", "$ rosenblatt --version\nrosenblatt, version 9\n", "somewhere"))
    with pytest.raises(AssertionError, match="ends with"):
        run_console(Block("console", "$ rosenblatt train nowhere.csv\n", "somewhere"))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_between_pages_lead_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf8"), flags=re.MULTILINE | re.DOTALL)
    for target in LINK.findall(text):
        file, _, place = target.partition("#")
        if "://" in file:
            continue
        found = (page.parent / file).resolve() if file else page
        assert found.exists(), f"{name(page)} links to {target}, which is not there"
        if place:
            assert place in places(found), f"{name(page)} links to {target}; its places are {sorted(places(found))}"


def places(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_can_be_found_from_the_index():
    linked = {target.partition("#")[0] for target in LINK.findall((DOCS / "index.md").read_text(encoding="utf8"))}
    missing = {page.relative_to(DOCS).as_posix() for page in PAGES if page.is_relative_to(DOCS)} - linked - {"index.md"}
    assert not missing, f"docs/index.md does not lead to {sorted(missing)}"


def test_the_navigation_of_the_site_names_every_page_and_no_other():
    settings = runpy.run_path(str(DOCS / "site" / "conf.py"))
    named = [page for pages in settings["NAVIGATION"].values() for page in pages]
    assert len(named) == len(set(named))
    for page in named:
        assert list(README.parent.glob(f"{page}.md")), f"docs/site/conf.py names {page}, which is not there"
    pages = {name(page).removesuffix(".md") for page in PAGES}
    assert pages <= {settings["HOME"], *named}, "docs/site/conf.py leaves a page out"


NO_NUMBERS = {
    "",
    "versions",
    "class",
    "feature",
    "true",
    "predicted",
    "row",
    "where",
    "source",
    "label",
    "wrote",
    "next",
    "choice",
    "kind",
    "why",
    "first values",
    "what becomes of it",
}


@pytest.mark.parametrize(("data", "model"), [("iris", "perceptron"), ("wine", "naive-bayes"), ("digits", "perceptron")])
def test_every_number_of_a_report_is_defined(data, model):
    """The names beside numbers: heads of the tables and terms of the lists on the page."""
    from rosenblatt.pipeline import train_with_evidence
    from rosenblatt.report.html import page

    shown = page(*train_with_evidence(data, model=model, passes=4 if model == "perceptron" else None, curves=True))
    named = re.compile(r"<h2>Confusion matrix</h2>.*?</table>|<h2>Curves</h2>.*?</section>", re.DOTALL)
    rest = named.sub("", shown)  # their heads are classes and columns
    heads = re.findall(r'<th[^>]*scope="col"[^>]*>([^<]*)</th>|<dt>([^<]*)</dt>', rest)
    names = {(head or term).strip() for head, term in heads} - NO_NUMBERS
    assert {"accuracy", "precision", "recall", "F1", "rows", "split"} <= names
    section = (DOCS / "report.md").read_text(encoding="utf8").partition("## How each number is defined")[2]
    defined = " ".join(line.partition(" | ")[0] for line in section.splitlines() if line.startswith("| "))
    assert not [name for name in sorted(names) if name not in defined], f"docs/report.md defines {defined}"


@pytest.mark.parametrize("made", [api_page, cli_page], ids=lambda made: made.PAGE.name)
def test_a_reference_is_what_docstrings_and_options_say(made):
    assert made.PAGE.read_text(encoding="utf8") == made.make_page(), f"python tests/{made.__name__}.py"
