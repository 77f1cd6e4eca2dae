"""The run in the report: it plays in a browser by keyboard, one script and no other runs, and without scripts there is
its table."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from test_report_page import NASTY, parsed

from rosenblatt.model.kept_rows import KeptRows
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.report import run as section
from rosenblatt.report.html import page, write_report
from rosenblatt.traces.numerals import numeral, vector
from rosenblatt.traces.updates import trace_updates
from sample_models import table_of


def sample(source="notes", **choice):
    return train_with_evidence(source, model="perceptron", **{"weights": "final", "record": True, **choice})


def nasty():
    """Two columns, classes and a file whose names are made to break out of the page."""
    make, name = np.random.default_rng(4), NASTY.replace("\ud800", "")
    rows = make.normal(size=(60, 2)).round(2)
    columns = {f"a {name}": rows[:, 0].tolist(), f"b {name}": rows[:, 1].tolist()}
    labels = np.where(rows.sum(axis=1) > 0, f"class {name}", "other").tolist()
    return sample(table_of({**columns, "label": labels}, source=f"file {name}.csv"), passes=3)


def scripts(html):
    return re.findall(r"<script([^>]*)>(.*?)</script>", html, re.DOTALL)


def policy_of(html):
    return next(value for value in parsed(html).attributes["content"] if value.startswith("default-src"))


def test_the_policy_allows_the_one_script_by_its_hash_and_nothing_inline():
    html = page(*sample())
    kinds = [attributes for attributes, _ in scripts(html)]
    assert kinds == [' type="application/json" id="data"', ' type="module"']
    digest = base64.b64encode(hashlib.sha256(scripts(html)[1][1].encode()).digest()).decode()
    (allowed,) = (part.strip() for part in policy_of(html).split(";") if part.strip().startswith("script-src"))
    assert allowed == f"script-src 'sha256-{digest}'"
    assert "default-src 'none'" in policy_of(html)
    assert not re.search(r"https?:(?!//www\.w3\.org/)|src=|href=|url\((?!#)|@import", html)


def test_a_report_without_a_record_has_no_script():
    for family in ("perceptron", "naive-bayes"):
        model, evidence = train_with_evidence("mail", model=family)
        html = page(model, evidence)
        assert "<script" not in html
        assert "script-src" not in html
        assert section.TITLE not in html
        assert ".rosenblatt-player" not in html


def test_the_section_says_what_it_shows_and_what_it_leaves_out():
    model, evidence = sample("iris", weights="averaged", passes=4)
    training = model.record.training
    words = " ".join(parsed(page(model, evidence)).words)
    updates, rows = len(training.recording.steps), len(training.numbers)
    assert f"{updates} updates in 4 passes over 120 rows; the model decides by the average of the weights." in words
    assert f"the {4 * 120 - updates} steps at which a row was right and nothing changed" in words
    assert f"the {120 - rows} rows that no update was made on" in words
    data = json.loads(scripts(page(model, evidence))[0][1])
    assert data["features"] == ["bias", *model.plan.names]
    assert data["origins"] == list(model.record.origins)
    assert data["steps"]["step"] == (training.recording.steps + 1).tolist()


@pytest.mark.parametrize("limit", ["MOST_UPDATES", "MOST_NUMBERS"])
def test_a_run_too_large_to_play_is_left_out_with_its_reason_and_no_script(limit, monkeypatch):
    model, evidence = sample()
    monkeypatch.setattr(section, limit, 5)
    html = page(model, evidence)
    assert "<script" not in html
    assert "script-src" not in html
    words = " ".join(parsed(html).words)
    assert "so this run is left out" in words
    assert "rosenblatt trace MODEL --last 200 --to html --out run.html" in words


def test_a_run_with_too_many_weights_at_all_steps_is_left_out_too(monkeypatch):
    model, evidence = sample()
    monkeypatch.setattr("rosenblatt.traces.updates.MOST_NUMBERS", 30)
    html = page(model, evidence)
    assert "<script" not in html
    assert "This run is left out: the run has " in html


@pytest.mark.parametrize("rule", ["pa1", "arow"])
def test_a_run_by_another_rule_is_left_out_with_its_reason(rule):
    html = page(*sample(weights="averaged", rule=rule, passes=2))
    assert "<script" not in html
    assert f"This run is left out: a trace shows the rule of the notes; got rule=&#x27;{rule}&#x27;" in html


def test_a_record_of_an_older_file_gives_a_report_without_the_run():
    model, evidence = sample()
    assert isinstance(model.record, KeptRows)
    old = replace(model, record=replace(model.record, training=None))
    assert "<script" not in page(old, evidence)


def test_names_of_the_data_stay_names_in_the_player_s_data():
    html = page(*nasty())
    assert [attributes for attributes, _ in scripts(html)] == [' type="application/json" id="data"', ' type="module"']
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", html)
    data = json.loads(scripts(html)[0][1])
    assert not re.search("[\x00-\x1f\x7f\u202e]", json.dumps(data, ensure_ascii=False))
    assert any("<script>" in name for name in data["classes"])


@pytest.mark.parametrize("choice", [("notes", {}), ("iris", {"weights": "averaged", "passes": 4}), ("mail", {})])
def test_the_player_in_the_report_steps_by_keyboard(choice, watched, tmp_path):
    page_, wrong, asked = watched
    model, evidence = sample(choice[0], **choice[1])
    run = trace_updates(model)
    path = tmp_path / "report.html"
    write_report(model, evidence, path)
    page_.set_viewport_size({"width": 1280, "height": 900})
    page_.goto(path.as_uri())
    for _ in range(40):
        page_.keyboard.press("Tab")
        if page_.evaluate("document.activeElement.type") == "range":
            break
    assert page_.evaluate("document.activeElement.getAttribute('aria-label')") == "Step"
    place = 0
    for key, move in [("ArrowRight", 1)] * 5 + [("ArrowLeft", -1)] * 3 + [("End", len(run)), ("Home", -len(run))]:
        page_.keyboard.press(key)
        place = max(0, min(len(run), place + move))
        shown = page_.locator(".rp-count").inner_text()
        step = run[place - 1] if place else None
        number, passed = (step.step, step.number) if step else (0, 0)
        assert shown == f"step {number} of {run.n_steps} · update {place} of {len(run)} · pass {passed}"
        if choice[0] == "notes":
            after = run.start if step is None else step.after
            assert page_.locator('[data-fact="w after"]').inner_text() == vector(after.tolist())
        if step:
            assert page_.locator(".rp-say").inner_text().startswith(run.origins[step.row])
    for width in (1280, 400):
        page_.set_viewport_size({"width": width, "height": 900})
        assert page_.evaluate("document.documentElement.scrollWidth") <= width
    assert wrong == []
    assert asked == [path.as_uri()]


@pytest.mark.parametrize(
    ("source", "words"), [("mail", "is right, but within the margin of"), ("iris", "within the margin of")]
)
def test_an_update_within_the_margin_is_told_from_a_mistake(source, words, watched, tmp_path):
    page_, wrong, _ = watched
    model, evidence = sample(source, margin=2.0, passes=4)
    run = trace_updates(model)
    leads = [
        step.scores[0] * (1 if step.true else -1)
        if source == "mail"
        else step.scores[step.true] - step.scores[step.rival]
        for step in run
    ]
    path = tmp_path / "report.html"
    write_report(model, evidence, path)
    page_.goto(path.as_uri())
    page_.locator("#player input[type=range]").focus()
    for lead in leads[:40]:
        page_.keyboard.press("ArrowRight")
        said = page_.locator(".rp-say").inner_text()
        assert (f"{words} {numeral(run.margin)}" in said) == (lead > 0)
        assert lead <= run.margin
    assert min(leads[:40]) <= 0 < max(leads[:40])
    assert wrong == []


def test_a_script_that_came_with_the_data_does_not_run(watched, tmp_path):
    """First as the data come, escaped; then as if escaping had failed: the policy is the second wall."""
    page_, wrong, _ = watched
    path = tmp_path / "report.html"
    write_report(*nasty(), path)
    page_.goto(path.as_uri())
    assert page_.locator(".rp-count").inner_text().startswith("step 0 of ")
    assert page_.locator("img").count() == 0
    assert wrong == []
    html = path.read_text(encoding="utf8")
    attack = "<script>document.title='taken'</script><img src='data:,' onerror=\"document.title='taken'\">"
    attack += (
        "<script type='module'>document.title='taken'</script><script src='data:text/javascript,taken()'></script>"
    )
    path.write_text(html.replace("<main>", f"<main>{attack}", 1), encoding="utf8")
    page_.goto(path.as_uri())
    page_.locator("#player input[type=range]").press("ArrowRight")
    assert page_.locator(".rp-count").inner_text().startswith("step 1 of ")
    assert page_.title() != "taken"
    assert len(wrong) >= 4
    assert all("Content Security Policy" in line for line in wrong)


def test_without_scripts_and_on_paper_the_table_is_there(browser, tmp_path):
    model, evidence = sample()
    run = trace_updates(model)
    path = tmp_path / "report.html"
    write_report(model, evidence, path)
    context = browser.new_context(java_script_enabled=False)
    page_ = context.new_page()
    page_.goto(path.as_uri())
    table = page_.locator("section.replay details table")
    assert page_.locator(".rosenblatt-player").count() == 0
    assert not table.is_visible()
    page_.locator("section.replay summary").click()
    assert table.is_visible()
    cells = table.locator("tr").all_inner_texts()
    assert cells[0].split("\t") == ["step", "weights", "score", "row", "update"]
    first = run[0]
    assert cells[1].split("\t")[:3] == [str(first.step), vector(first.before.tolist()), first.arithmetic]
    assert len(cells) == 1 + min(len(run), section.MOST_LINES) + (len(run) > section.MOST_LINES) + 1
    page_.locator("section.replay summary").click()
    page_.emulate_media(media="print")
    assert table.is_visible()  # unfolded on paper
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("source", ["notes", "mail"])
def test_no_serious_barrier_in_a_report_that_plays(source, scheme, watched, axe, tmp_path):
    page_, wrong, _ = watched
    path = tmp_path / "report.html"
    write_report(*sample(source), path)
    page_.emulate_media(color_scheme=scheme)
    page_.goto(path.as_uri())
    page_.locator("#player input[type=range]").press("ArrowRight")
    page_.evaluate(axe)
    checked, found = page_.evaluate(
        "async () => { const r = await axe.run(); return [r.passes.map(p => p.id), "
        "r.violations.map(v => [v.impact, v.id, v.nodes[0].html])]; }"
    )
    assert {"color-contrast", "label", "button-name", "scrollable-region-focusable"} <= set(checked)
    assert [one for one in found if one[0] in ("serious", "critical")] == []
    assert wrong == []


def test_paper_is_light_and_has_no_player(watched, tmp_path):
    page_, wrong, _ = watched
    path = tmp_path / "report.html"
    write_report(*sample(), path)
    page_.goto(path.as_uri())
    ink = {}
    for medium, scheme in (("screen", "light"), ("screen", "dark"), ("print", "dark")):
        page_.emulate_media(media=medium, color_scheme=scheme)
        ink[medium, scheme] = page_.evaluate("getComputedStyle(document.body).color")
    assert ink["screen", "light"] == ink["print", "dark"] != ink["screen", "dark"]
    assert not page_.locator(".rosenblatt-player").is_visible()
    assert wrong == []
