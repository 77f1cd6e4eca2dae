"""Texts with what each word and n-gram adds in its place: on a terminal, and on the page of a report."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rosenblatt import cli, save
from rosenblatt.features import TextSettings, Wishes
from rosenblatt.model.marked import Mark, Marked, marked, tiers, why
from rosenblatt.pipeline.evidence import worst_rows
from rosenblatt.report.html import page
from rosenblatt.report.marked import marked_lines
from sample_models import bayes_model, evidence_of, linear_model, table_of

GOOD = ["not bad at all", "a good film", "very good, not bad", "good fun for all", "this is very good fun"]
BAD = ["not good at all", "a bad film", "very bad, not good", "bad luck for all", "this is very bad luck"]
WITH_PAIRS = Wishes(text=["text"], words=TextSettings(ngrams=2))
TEXT = "not good, not good at all: a bad film <b>& not bad"


def films():
    return table_of({"text": GOOD + BAD, "label": ["good"] * len(GOOD) + ["bad"] * len(BAD)})


@pytest.fixture(params=["perceptron", "naive Bayes", "three classes"])
def model(request):
    table = films()
    if request.param == "naive Bayes":
        return bayes_model(table, Wishes(text=["text"], unit="none", words=TextSettings(ngrams=2)))
    if request.param == "three classes":
        columns = {"text": [*GOOD, *BAD, "so so"], "label": ["good"] * 5 + ["bad"] * 5 + ["fair"]}
        return linear_model(table_of(columns), WITH_PAIRS)[0]
    return linear_model(table, WITH_PAIRS)[0]


def test_the_parts_of_a_text_and_the_rest_add_up_to_the_score(model):
    row = model.texts([TEXT])
    found = model.explain(row)
    told = why(model.plan, row, found)
    assert told.text.total + told.rest == pytest.approx(told.score, rel=1e-12)
    assert told.score == found.scores[found.line()]
    by_name = {}
    for mark in told.text.marks:
        by_name[mark.name] = by_name.get(mark.name, 0.0) + mark.part
    line = found.line()
    expected = dict(zip(map(str, found.names), found.contributions[line].tolist(), strict=True))
    assert by_name == {name: pytest.approx(expected[name], rel=1e-12) for name in by_name}
    assert {"not good", "good"} <= set(by_name)


def test_each_occurrence_has_its_share_where_it_stands(model):
    row = model.texts([TEXT])
    (found,) = marked(model.plan, row, model.explain(row), 0)
    places = [mark for mark in found.marks if mark.name == "not good"]
    assert [TEXT[mark.start : mark.stop] for mark in places] == ["not good", "not good"]
    assert places[0].part == places[1].part


def test_marks_that_overlap_are_stacked_and_none_covers_another():
    marks = [
        Mark(0, 8, "not good", -1.0),
        Mark(0, 3, "not", -0.1),
        Mark(4, 8, "good", 0.2),
        Mark(4, 11, "good at", 0.3),
    ]
    found = tiers(marks)
    assert found[1] == found[2] == 0
    for i, one in enumerate(marks):
        for other, tier in zip(marks[:i], found[:i], strict=True):
            assert tier != found[i] or one.start >= other.stop or other.start >= one.stop


def test_a_terminal_has_signs_below_the_text():
    text = "not good at all"
    marks = (Mark(0, 8, "not good", -1.0), Mark(0, 3, "not", -0.1), Mark(4, 8, "good", 0.2), Mark(9, 15, "at all", 0.5))
    assert marked_lines(Marked("text", text, marks), 10) == [
        "  not good at all",
        "  --- ++++ ++++++",
        "  --------",
    ]
    assert marked_lines(Marked("text", text, marks), 1) == ["  not good at all", "  --------"]


def test_signs_stand_below_wide_characters_too():
    marks = (Mark(0, 2, "电影", 1.0), Mark(2, 3, "好", -1.0))
    assert marked_lines(Marked("text", "电影好", marks), 5) == ["  电影好", "  ++++--"]


def test_long_texts_are_cut_between_words_and_lines_without_a_mark_are_left_out():
    words = ["word"] * 60
    words[30] = "prize"
    text = " ".join(words)
    start = text.index("prize")
    lines = marked_lines(Marked("text", text, (Mark(start, start + 5, "prize", 1.0),)), 5)
    assert len(lines) == 2
    assert all(len(line) <= 80 for line in lines)
    assert lines[0][lines[1].index("+") :].startswith("prize")


def run(*arguments):
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    return end.value.code


def test_explain_shows_the_text_and_has_its_spans_as_json(tmp_path, capfd):
    model = linear_model(films(), WITH_PAIRS)[0]
    save(model, tmp_path / "m.rosenblatt")
    assert run("explain", str(tmp_path / "m.rosenblatt"), "--text", TEXT) == 0
    out = capfd.readouterr().out
    assert "in text, + for good and - against it" in out
    assert f"  {TEXT}\n" in out
    assert run("explain", str(tmp_path / "m.rosenblatt"), "--text", TEXT, "--json") == 0
    plain = json.loads(capfd.readouterr().out)
    spans = plain["spans"]["text"]["good"]
    parts = sum(span["part"] for span in spans)
    assert parts + plain["constant"]["good"] == pytest.approx(plain["scores"]["good"], rel=1e-9)
    assert all(TEXT[span["start"] : span["stop"]].lower().startswith(span["feature"].split()[0]) for span in spans)


def report(tmp_path):
    table = table_of({"text": ["not good 🎬 at all, not good <script>", "a bad film"], "label": ["good", "good"]})
    model = linear_model(films(), WITH_PAIRS)[0]
    scores = model.scores(table)
    worst = worst_rows(model, table, np.array([1, 1]), scores, model.decision.decide(scores), 2)
    assert worst
    assert all(row.why is not None for row in worst)
    evidence = evidence_of(model, films(), worst=worst)
    path = tmp_path / "report.html"
    path.write_text(page(model, evidence), encoding="utf8")
    return path, worst


def test_a_report_has_the_text_without_scripts_and_its_parts_in_words(tmp_path):
    path, worst = report(tmp_path)
    content = path.read_text(encoding="utf8")
    for row in worst:
        assert f"score {row.why.score:+.3g}".replace("-", "−")[:9] in content
    assert "&lt;script&gt;" in content
    assert "not good <script>" not in content


def test_a_report_marks_its_texts_by_the_module_of_the_lab(tmp_path, browser):
    path, worst = report(tmp_path)
    context = browser.new_context()
    shown = context.new_page()
    wrong = []
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    shown.goto(path.as_uri())
    text = shown.locator("[data-spans='0']")
    assert text.text_content() == worst[0].why.text.text
    titles = text.locator("[title]").evaluate_all("all => all.map(e => [e.textContent, e.title])")
    named = {title.rpartition(" ")[0] for _, both in titles for title in both.split(" · ")}
    assert named == {mark.name for mark in worst[0].why.text.marks}
    assert text.locator(".below").count() > 0
    # What overlaps stands on lines of its own.
    tops = text.locator(".over").first.evaluate("e => [...e.children].map(c => c.getBoundingClientRect().top)")
    bottom = text.locator(".over").first.evaluate("e => e.getBoundingClientRect().bottom")
    assert len(set(tops)) == len(tops)
    assert min(tops) > bottom
    context.close()
    assert not wrong
