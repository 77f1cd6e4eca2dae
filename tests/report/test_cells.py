"""Results in a notebook: the terminal's facts as small HTML, escaped, in the notebook's colours; and a short repr."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
from click.testing import CliRunner

from rosenblatt import NaiveBayes, Perceptron, compare, prove, review, save, trace, train
from rosenblatt.cli import commands

BAD = '<img src=x onerror=alert(1)>"&\x1b[31m'
POINTS, LABELS = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "no", "no", "yes"]


def text_of(shown) -> str:
    """What a person reads in the cell, with single spaces."""
    page = re.sub(r"<style>.*?</style>", "", shown._repr_html_())
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def has(shown, line: str) -> bool:
    return " ".join(line.split()) in text_of(shown)


@pytest.fixture(scope="module")
def models():
    return train("mail", model="perceptron", passes=2), train("mail", model="naive-bayes")


@pytest.fixture(scope="module")
def hostile():
    """Models whose column, classes and values all try to be markup, and their rows."""
    rows = [
        {BAD: f"{word}{BAD}", "n": n * n % 31 / 8, "label": f"{word}{BAD}"}
        for n, word in enumerate(("one", "two") * 25)
    ]
    names = dict(category=[BAD])
    return train(rows, model="perceptron", passes=2, **names), train(rows, model="naive-bayes", **names), rows


@pytest.fixture(scope="module")
def results(models):
    """A result of each kind that shows itself, by its kind."""
    first, second = models
    tree = NaiveBayes().fit([["sunny", "hot"], ["rain", "mild"], ["rain", "hot"]], ["stay", "go", "stay"])
    return {
        "model": first,
        "explanation": first.explain(first.texts(["free prize"])),
        "of naive Bayes": second.explain(second.texts(["free prize"])),
        "odds": tree.explain(["rain", "mild"]),
        "separable": prove(POINTS, LABELS),
        "inseparable": prove(POINTS, [0, 1, 1, 0]),
        "comparison": compare(first, second, "mail"),
        "review": review("iris"),
    }


def test_a_cell_is_small_and_takes_its_colours_from_the_notebook(results):
    for name, shown in results.items():
        page = shown._repr_html_()
        assert len(page) < 10_000, name
        assert page.startswith('<div class="rosenblatt"><style>.rosenblatt{')
        style = page.partition("<style>")[2].partition("</style>")[0]
        assert set(re.findall(r"[;{]color:([^;}]*)", style)) == {"var(--soft)"}  # mixed with the colour of the text
        assert "background:#" not in style
        assert all(rule.strip().startswith(".rosenblatt") for rule in re.findall(r"(?:^|})([^{}]+){", style))


def test_a_repr_is_one_short_line(results):
    large = prove(np.vstack([np.eye(300), np.eye(300)]), [0] * 300 + [1] * 300)
    walked = trace(np.ones((1000, 3)), [0, 1] * 500)
    for shown in (*results.values(), large, walked, Perceptron().fit(POINTS, LABELS).explain([1, 1])):
        assert "\n" not in repr(shown)
        assert len(repr(shown)) < 130, repr(shown)
    assert repr(results["model"]) == "<Model: averaged perceptron, margin 0.5, 2 passes; 2 classes, 1,171 features>"


def test_a_model_says_what_inspect_prints(results, tmp_path):
    save(results["model"], tmp_path / "mail.rosenblatt")
    printed = CliRunner().invoke(commands, ["inspect", str(tmp_path / "mail.rosenblatt")]).output
    facts = re.findall(r"^(?:data|model|test|proof) .*$", printed, re.MULTILINE)[:4]
    assert len(facts) == 4
    for line in facts:
        assert has(results["model"], line), line


def test_an_explanation_says_what_is_printed(results):
    for name in ("explanation", "of naive Bayes", "odds"):
        shown = results[name]
        head, *lines = str(shown).partition("\n\n")[0].splitlines()
        assert has(shown, head)
        for line in lines:
            words = line.split()
            assert has(shown, line) if name != "odds" else has(shown, " ".join(words[1:])), line


def test_a_verdict_says_what_prove_prints_with_rows_counted_as_python_does(results):
    assert has(results["inseparable"], "Not separable (4 rows, 2 features, 2 classes). These 4 rows cancel")
    assert has(results["inseparable"], "1 × row 0 (0), 1 × row 1 (1), 1 × row 2 (1), 1 × row 3 (0).")
    assert has(results["separable"], "the best margin is 0.2425, held by rows 1, 2, 3.")
    same = prove([[1], [1], [2]], ["a", "b", "c"])
    assert has(same, "Rows 0 and 1 are identical but have different labels.")
    assert has(prove([[1], [1]], ["a", "b"]), "Rows 0 and 1 are identical but labelled a and b.")
    found = type(results["separable"]).from_json(results["separable"].to_json())  # which does not hold the rows
    assert has(found, "these weights have a margin of")
    assert not has(found, "best margin")


def test_a_comparison_and_a_review_say_what_is_printed(results):
    from rosenblatt.report.comparison import differ_sentence, gap_fact
    from rosenblatt.report.doubts import review_facts

    shown = results["comparison"]
    assert has(shown, differ_sentence(shown))
    assert has(shown, " · ".join(gap_fact(shown).parts))
    for fact in review_facts(results["review"]):
        assert has(results["review"], f"{fact.label} {' · '.join(fact.parts)}")


def test_nothing_of_the_data_becomes_markup(hostile):
    first, second, rows = hostile
    shown = [
        first,
        first.explain({BAD: f"one{BAD}", "n": 1}),
        second.explain({BAD: f"one{BAD}", "n": 1}),
        NaiveBayes().fit([[f"a{BAD}"], [f"b{BAD}"]], [f"x{BAD}", f"y{BAD}"]).explain([f"a{BAD}"]),
        prove([[0, 0], [0, 1], [1, 0], [1, 1]], [f"x{BAD}", BAD, BAD, f"x{BAD}"]),
        compare(first, first.with_threshold(1e9), rows),
        review([*rows, {BAD: f"one{BAD}", "n": 5, "label": f"two{BAD}"}]),
    ]
    for each in shown:
        page = each._repr_html_()
        assert "<img" not in page
        assert "\x1b" not in page
        assert "&lt;img" in page, repr(each)  # so that the test is about something
        assert set(re.findall(r"</?(\w+)", page)) <= {
            "b", "dd", "details", "div", "dl", "dt", "i", "p", "span", "strong", "style", "summary", "table", "caption",
            "thead", "tbody", "tr", "th", "td",
        }  # fmt: skip
        assert "\x1b" not in repr(each)
        assert "\n" not in repr(each)
