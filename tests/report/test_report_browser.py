"""The report in a real browser: no error, no request, nothing wider than the screen, in light, dark and print."""

from __future__ import annotations

import pytest
from test_report_page import nasty_sample

from rosenblatt.data import read
from rosenblatt.report.html import write_report
from sample_models import evidence_of, linear_model


def digits():
    table = read("digits")
    model, run = linear_model(table)
    return model, evidence_of(model, table, image_shape=(8, 8), per_pass=run.per_pass)


@pytest.mark.parametrize("sample", [digits, nasty_sample])
def test_a_browser_shows_the_report_without_errors_or_requests(sample, watched, tmp_path):
    page, wrong, asked = watched
    path = tmp_path / "report.html"
    write_report(*sample(), path)
    for width, scheme in ((1280, "light"), (1280, "dark"), (400, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        cards = page.locator("section.card")
        assert cards.count() >= 8
        assert all(cards.nth(k).bounding_box()["height"] > 40 for k in range(cards.count()))
    assert page.locator("script, img, iframe, object, link").count() == 0
    assert wrong == []
    assert asked == [path.as_uri()] * 3


def test_dark_and_light_differ_and_print_is_light(watched, tmp_path):
    page, wrong, _ = watched
    path = tmp_path / "report.html"
    write_report(*digits(), path)
    page.goto(path.as_uri())
    ink = {}
    for medium, scheme in (("screen", "light"), ("screen", "dark"), ("print", "dark")):
        page.emulate_media(media=medium, color_scheme=scheme)
        ink[medium, scheme] = page.evaluate("getComputedStyle(document.body).color")
    assert ink["screen", "light"] == ink["print", "dark"] != ink["screen", "dark"]
    # Numbers folded on the screen are on paper.
    assert page.locator("details table").first.is_visible()
    page.emulate_media(media="screen")
    assert not page.locator("details table").first.is_visible()
    page.locator("summary").first.click()  # unfolds without any script
    assert page.locator("details table").first.is_visible()
    assert wrong == []
