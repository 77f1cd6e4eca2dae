"""The lab's losses, orders and courses on the page, against the Python API."""

from __future__ import annotations

import pytest
from test_lab_views import FIVE, START, part, twin

from rosenblatt import trace

pytest_plugins = ["lab_browser"]


def test_the_page_shows_losses_and_orders(visit):
    person = visit()
    card = part(person, "The two losses")
    card.scroll_into_view_if_needed()
    lines = twin(person, "The two losses", "These losses as a table")
    run = trace(*FIVE, start=START, passes=300)
    assert [[float(cell) for cell in line[1:3]] for line in lines] == [
        [pytest.approx(loss, rel=1e-3) for loss in losses] for losses in run.losses[: len(lines)]
    ]
    person.page.keyboard.press("Escape")
    person.page.evaluate("window.lab.state.goTo(5)")
    person.until(lambda: "0/1 loss 0.6, perceptron loss 1 at this step." in card.inner_text(), True)
    assert card.locator("svg").last.locator("path").count() == 5
    person.press("Try every order from 0")
    orders = part(person, "Every order")
    orders.locator("tbody tr").last.wait_for()
    assert "worst-first\t217\tseparated" in orders.inner_text()


def test_the_page_writes_the_run_as_a_course_does(visit):
    person = visit()
    card = part(person, "As a course writes it")
    card.scroll_into_view_if_needed()
    person.until(lambda: "-1·1 + 0·3 + 0·2 = -1" in card.inner_text(), True)
    person.page.get_by_label("course", exact=True).select_option("cornell")
    person.until(lambda: "A last pass got every row right" in card.inner_text(), True)
    assert "[0, 0, -1]" in card.inner_text()
