"""The lab's losses and orders, by their calls and on the page, against the Python API."""

from __future__ import annotations

import numpy as np
import pytest
from test_lab_views import FIVE, START, part, twin

from rosenblatt import compare_orders, descend, trace
from rosenblatt.errors import RosenblattError
from rosenblatt.lab.calls import CALLS
from rosenblatt.lab.columns import unpack
from rosenblatt.lab.sessions import Session

pytest_plugins = ["lab_browser"]

BODY = {"points": FIVE[0].tolist(), "labels": FIVE[1].tolist(), "settings": {"start": START, "passes": 300}}


def unpacked(told):
    return {name: unpack(value) if isinstance(value, dict) else value for name, value in told.items()}


@pytest.mark.parametrize("settings", [{}, {"ties": "positive", "alpha": 0.5}, {"bias": False, "start": [1, 0]}])
def test_the_calls_tell_the_losses_of_a_trace(settings):
    body = BODY | {"settings": BODY["settings"] | settings}
    given = body["settings"]
    choice = {name: given[name] for name in ("start", "ties", "bias") if name in given}
    choice["rate"] = given.get("alpha", 1)
    run = trace(*FIVE, passes=300, **choice)
    told = unpacked(CALLS["losses"](Session("test"), body))
    stop = len(told["zero_one"])  # a cycle is shown to go on in a trace
    assert np.column_stack([told["zero_one"], told["perceptron"]]) == pytest.approx(np.array(run.losses[:stop]))
    at_once = descend(*FIVE, steps=stop - 1, **choice)
    assert told["batch_perceptron"] == pytest.approx([losses.perceptron for losses in at_once.losses])
    curve = unpacked(CALLS["loss_curve"](Session("test"), body | {"update": 1}))
    first = next(step for step in run if not step.correct)
    scores = run.X @ first.after
    assert curve["leads"] == pytest.approx(np.where(FIVE[1] == 1, scores, -scores))
    assert (curve["zero_one"], curve["perceptron"]) == pytest.approx(run.losses_after(first.step))


def test_the_call_tells_every_order_and_refuses_many_points():
    told = CALLS["orders"](Session("test"), BODY)
    found = compare_orders(*FIVE, passes=300)
    assert (told["mistakes"], told["bound"]) == (found.mistakes, 6370)
    many = {"points": [[k, k % 7] for k in range(201)], "labels": [k % 2 for k in range(201)]}
    with pytest.raises(RosenblattError, match="at most 200 points; got 201"):
        CALLS["orders"](Session("test"), many)


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


@pytest.mark.parametrize("course", ["berkeley", "ucla", "cornell"])
def test_the_call_writes_the_run_as_a_course_does(course):
    start = [0, 0, -1] if course == "cornell" else START  # there the bias is last
    run = trace(*FIVE, start=start, passes=300, course=course)
    told = CALLS["course_table"](Session("test"), BODY | {"course": course})
    lines = [line.split("  ") for line in str(run).splitlines()]
    first = next(k for k, line in enumerate(lines) if line[0].strip() == told["head"][0])
    for shown, line in zip(told["lines"][:50], lines[first + 1 :], strict=False):
        assert [cell for cell in shown if cell] == [cell.strip() for cell in line if cell.strip()]
    assert told["why"] == run.why()
    assert (len(told["set"]) == 6) == (course == "berkeley")


def test_the_page_writes_the_run_as_a_course_does(visit):
    person = visit()
    card = part(person, "As a course writes it")
    card.scroll_into_view_if_needed()
    person.until(lambda: "-1·1 + 0·3 + 0·2 = -1" in card.inner_text(), True)
    person.page.get_by_label("course", exact=True).select_option("cornell")
    person.until(lambda: "A last pass got every row right" in card.inner_text(), True)
    assert "[0, 0, -1]" in card.inner_text()
