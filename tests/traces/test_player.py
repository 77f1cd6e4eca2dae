"""The player in a real browser: it shows the weights of the trace, by keyboard alone, and readably for everybody."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from rosenblatt import web
from rosenblatt.traces import player, trace
from rosenblatt.traces.numerals import vector

POINTS, LABELS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [-1, 1, 1, 1, -1]
HOSTILE = '</script><script>document.title="taken"</script><!-- <img src=x onerror=alert(1)> & "quoted"'


@pytest.fixture
def show(browser, tmp_path):
    """Opens a trace; whatever the page complains about or asks of others fails the test at its end."""
    contexts, wrong = [], []

    def open_page(run, **choice):
        context = browser.new_context(**choice)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        file = tmp_path / "run.html"
        run.to_html(file)
        page.on("request", lambda request: None if request.url == file.as_uri() else wrong.append(request.url))
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    # Chromium reports the empty icon as a request; it holds its own data.
    assert [line for line in wrong if line != "data:,"] == []


def weights(page) -> str:
    return page.locator('[data-fact="w after"]').inner_text()


def test_keys_alone_reach_every_step_and_show_the_weights_of_the_trace(show):
    run = trace(POINTS, LABELS, start=[-1, 0, 0], passes=300)
    page = show(run)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "range"
    seen = [weights(page)]
    for key in ["ArrowRight"] * 5 + ["ArrowLeft"] * 3:
        page.keyboard.press(key)
        seen.append(weights(page))
    after = [vector(w.tolist()) for w in (run.start, *(step.after for step in run))]
    assert seen == [after[step] for step in (0, 1, 2, 3, 4, 5, 4, 3, 2)]
    page.keyboard.press("End")
    assert weights(page) == "[-31, 12, 2]"
    assert page.locator(".rp-ended").inner_text() == "Pass 232 got every row right: separated after 446 mistakes."
    assert "update 446 of 446 · pass 232" in page.locator(".rp-count").inner_text()
    updates = [step for step in run if not step.correct]
    for place in range(-1, -5, -1):
        page.keyboard.press("Shift+ArrowLeft")
        assert weights(page) == vector(updates[place].after.tolist())
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    assert page.locator(".rp-say").inner_text() == "Row 2 at (3, 2) is 1, but its score is -1. Add its features."
    assert page.locator("line.rp-new").count() == 2  # the boundary and the weight vector


def test_every_button_and_list_can_be_reached_and_pressed_by_keyboard(show):
    page = show(trace(POINTS, LABELS, start=[-1, 0, 0]))
    names = []
    for _ in range(12):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.type"))
        if names[-1] == "Next update":
            page.keyboard.press("Enter")
    wanted = ["Step", "To the start", "Previous update", "Back one step", "Play", "Forward one step", "Next update"]
    assert names[:11] == [*wanted, "To the end", "Pace", "checkbox", "All steps"]
    assert weights(page) == "[0, 3, 2]"


def test_it_plays_to_the_end_and_can_be_paused(show):
    page = show(trace(POINTS, LABELS, start=[-1, 0, 0]))
    page.get_by_label("Pace").select_option("very fast")
    page.get_by_label("Play", exact=True).click()
    page.get_by_text("step 5 of 5").wait_for()
    page.get_by_label("Play", exact=True).wait_for()  # and stops there
    page.get_by_label("Pace").select_option("slow")
    page.evaluate("for (const n of ['Play', 'Pause']) document.querySelector(`[aria-label=${n}]`).click()")  # at once
    assert "step 0 of 5" in page.locator(".rp-count").inner_text()
    assert page.locator(".rp-say").get_attribute("aria-live") == "polite"


@pytest.mark.parametrize(("n_classes", "n_features"), [(2, 5), (3, 2), (4, 30)])
def test_any_number_of_classes_and_features(show, n_classes, n_features):
    rng = np.random.default_rng(n_classes)
    X, y = rng.normal(size=(40, n_features)), np.arange(40) % n_classes
    run = trace(X, y, passes=8)
    page = show(run)
    for step in (1, 17, len(run)):
        page.evaluate(
            "s => { const e = document.querySelector('input[type=range]'); e.value = s; "
            "e.dispatchEvent(new Event('input')); }",
            step,
        )
        after = run[step - 1].after
        true, rival = run[step - 1].true, run[step - 1].rival
        whole = "; ".join(vector(line.tolist()) for line in np.atleast_2d(after))
        changed = [c for c in (true, rival) if c is not None]
        part = "; ".join(f"{c}: {vector(after[c].tolist())}" for c in changed) if n_classes > 2 else whole
        assert weights(page) == (whole if n_classes == 2 or after.size <= 24 else part)
    assert page.locator(".rp-group").count() == (0 if n_features == 2 else 1 if n_classes == 2 else n_classes)


def test_long_runs_draw_only_what_is_in_view(show):
    rng = np.random.default_rng(0)
    run = trace(rng.normal(size=(2000, 2)), rng.integers(0, 2, 2000), passes=50)
    assert len(run) == 100_000
    page = show(run)
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    assert weights(page) == vector(run.weights.tolist())
    assert page.evaluate("document.querySelectorAll('*').length") < 1000
    page.keyboard.press("ArrowLeft")
    assert weights(page) == vector(run[-2].after.tolist())
    shown = page.locator(".rp-steps tr[aria-current] td").first
    assert shown.inner_text() == "99999"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("n_features", [2, 4])
def test_no_serious_barrier_for_anybody(show, axe, scheme, n_features):
    rng = np.random.default_rng(1)
    run = trace(rng.integers(-4, 5, (30, n_features)), np.arange(30) % 3, passes=3)
    page = show(run, color_scheme=scheme)
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+ArrowRight")
    page.evaluate(axe)
    checked, found = page.evaluate(
        "async () => { const r = await axe.run(); return [r.passes.map(p => p.id), "
        "r.violations.map(v => [v.impact, v.id, v.nodes[0].html])]; }"
    )
    assert {"color-contrast", "label", "button-name", "scrollable-region-focusable"} <= set(checked)
    assert [one for one in found if one[0] in ("serious", "critical")] == []


def test_without_scripts_the_table_is_there(show):
    run = trace(POINTS, LABELS, start=[-1, 0, 0])
    page = show(run, java_script_enabled=False)
    cells = page.locator("table tr").all_inner_texts()
    assert [line.split("\t")[0] for line in cells] == ["step", "1", "2", "3", "4", "5", "6"]
    assert cells[5].split("\t")[1:] == ["[0, 3, 2]", "0·1 + 3·2 + 2·3 = 12", "no", "-[1, 2, 3]"]


def test_a_notebook_s_frame_plays(browser):
    page = browser.new_page()
    page.set_content(trace(POINTS, LABELS, start=[-1, 0, 0])._repr_html_())
    inside = page.frame_locator("iframe")
    inside.get_by_label("To the end").click()
    assert inside.locator('[data-fact="w after"]').inner_text() == "[-1, 1, -1]"
    page.close()


def test_the_modules_serve_other_pages_as_they_are(browser):
    """A page that can serve files imports player.js and mounts what to_json gives."""

    def serve(route):
        path = route.request.url.removeprefix("http://lab.test/")
        if path.endswith(".js"):
            route.fulfill(body=web.text_of(path), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><div id=here></div>", content_type="text/html")

    page = browser.new_page()
    page.route("**/*", serve)
    page.goto("http://lab.test/")
    run = trace([[-2, 3, 1], [0, 0, 0], [1, 0, 0]], [2, 0, 1], passes=2)
    shown = page.evaluate(
        "async data => { const { mount } = await import('http://lab.test/player/player.js');"
        "const player = mount(document.getElementById('here'), data); player.go(data.steps.length);"
        "return document.querySelector('[data-fact=\"w after\"]').textContent; }",
        json.loads(run.to_json()),
    )
    assert shown == "; ".join(vector(line) for line in run.weights.tolist())
    assert "traces of version 1" in page.evaluate(
        "async () => { const { mount } = await import('http://lab.test/player/player.js');"
        "try { mount(document.body, { version: 9 }) } catch (error) { return error.message } }"
    )
    page.close()


def test_names_in_the_data_cannot_become_markup(show):
    run = replace(trace([[0, 0], [1, 1]], ["a", "b"], names=[HOSTILE, "x"]), classes=(HOSTILE, "b"))
    page = show(run)
    assert page.title().startswith("A perceptron's run")
    assert page.locator("img").count() == 0
    assert HOSTILE in page.locator(".rp-legend").first.inner_text()
    assert page.locator("svg text", has_text="</script>").count() >= 1


def test_embedded_json_has_no_character_that_html_reads():
    text = web.embed({"name": HOSTILE, "line": "\u2028"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"name": HOSTILE, "line": "\u2028"}


def test_the_page_is_whole_and_a_notebook_gets_it_in_a_frame():
    page = trace(POINTS, LABELS).to_html()
    assert not re.search(r'(src|href)="(?!data:)', page)
    assert "import {" not in page
    frame = trace(POINTS, LABELS)._repr_html_()
    assert frame.startswith("<iframe")
    assert "&lt;!doctype html&gt;" in frame
    assert frame.count("<") == 2  # the frame alone: its page is all escaped


def test_traces_too_long_for_a_browser_are_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(player, "MOST_STEPS", 4)
    with pytest.raises(ValueError, match="at most 4 steps; this trace has 5"):
        trace(POINTS, LABELS).to_html()
    assert trace(POINTS, LABELS)._repr_html_().startswith("<p>the player holds at most 4 steps")
    monkeypatch.setattr(player, "MOST_STEPS", 10)
    monkeypatch.setattr(player, "MOST_NUMBERS", 14)
    with pytest.raises(ValueError, match="at most 14 numbers"):
        trace(POINTS, LABELS).to_html()
