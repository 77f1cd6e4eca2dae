"""The lab in a lecture hall: one card at a time in large type, keys that act anywhere, and every card as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from rosenblatt.traces import trace

pytest_plugins = ["lab_browser"]

SVG = "{http://www.w3.org/2000/svg}"
CARDS = "main > section:not([hidden]) .card"


def place(person) -> list[int]:
    """Which card is shown, and of how many."""
    return [int(word) for word in person.page.locator(".hall-bar [role=status]").inner_text().split(" of ")]


def seen(person) -> int:
    return person.page.locator(f"{CARDS}:visible").count()


def test_one_card_at_a_time_in_large_type(visit):
    person = visit(reduced_motion="reduce")
    title = person.page.get_by_role("heading", name="This update")
    before, small = seen(person), title.bounding_box()["height"]
    person.keyboard.press("l")
    _, count = place(person)
    assert count >= before
    shown = []
    for number in range(1, count + 1):
        assert place(person) == [number, count]
        assert seen(person) == 1
        shown.append(person.page.locator(f"{CARDS}:visible").inner_text())
        if title.is_visible():
            assert title.bounding_box()["height"] > 1.3 * small
        person.keyboard.press("PageDown")
    assert len(set(shown)) == count
    assert place(person) == [1, count]
    person.keyboard.press("PageUp")
    assert place(person) == [count, count]
    person.keyboard.press("Escape")
    assert seen(person) == before
    assert person.page.locator(".hall-bar").count() == 0


def test_other_tabs_have_their_own_cards_and_the_buttons_do_what_the_keys_do(visit):
    person = visit(reduced_motion="reduce")
    person.press("Lecture view")
    bench = place(person)[1]
    person.show("views")
    assert place(person)[0] == 1
    assert place(person)[1] != bench
    person.press("Card ▶")
    assert place(person)[0] == 2
    assert seen(person) == 1
    person.press("Leave the lecture view")
    assert seen(person) > 1


def test_a_click_on_the_large_plane_adds_a_point_where_it_was_made(visit):
    person = visit(reduced_motion="reduce")
    person.keyboard.press("l")
    before = len(person.page.evaluate("window.lab.state.data.points"))
    person.click_plane(4, 1)
    points = person.page.evaluate("window.lab.state.data.points")
    assert len(points) == before + 1
    assert points[-1] == pytest.approx([4, 1], abs=0.05)


def test_letters_play_and_step_wherever_the_focus_is_but_not_in_fields(visit):
    person = visit(reduced_motion="reduce")
    run = trace([[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [0, 1, 1, 1, 0], start=[-1, 0, 0], passes=300)
    steps = [step.step for step in run if not step.correct]
    step = lambda: person.page.evaluate("window.lab.state.step")  # noqa: E731
    person.page.evaluate("window.lab.state.goTo(0)")
    person.keyboard.press("n")
    person.keyboard.press("n")
    assert step() == steps[1]
    person.keyboard.press("b")
    assert step() == steps[0]
    person.page.get_by_role("button", name="Copy link").focus()
    person.keyboard.press("p")
    person.wait("window.lab.time.playing")
    person.keyboard.press("p")
    assert not person.page.evaluate("window.lab.time.playing")
    here = step()
    field = person.unfold(person.page.get_by_label("margin τ", exact=True))
    field.focus()
    for key in "npbl":
        person.keyboard.press(key)
    assert step() == here
    assert person.page.locator(".hall-bar").count() == 0
    person.unfold(person.page.get_by_label("keys on the whole page", exact=False)).set_checked(False)
    person.page.get_by_role("button", name="Copy link").focus()
    for key in "nl":
        person.keyboard.press(key)
    assert step() == here
    assert person.page.locator(".hall-bar").count() == 0


@pytest.mark.parametrize("part", ["bench", "views", "xor", "bayes", "digits"])
def test_every_card_is_saved_as_svg_with_its_text(visit, tmp_path, part):
    person = visit(reduced_motion="reduce", expected=(408,))  # the first call on a busy machine
    person.show(part)
    person.wait("!document.querySelector('main > section:not([hidden]) .waiting')")
    person.keyboard.press("l")
    for _ in range(place(person)[1]):
        with person.page.expect_download() as saved:
            person.press("Save card as SVG")
        file = Path(saved.value.path())
        root = ET.fromstring(file.read_text(encoding="utf-8"))
        assert root.tag == f"{SVG}svg"
        words = "".join("".join(text.itertext()) for text in root.iter(f"{SVG}text")).lower()
        card = person.page.locator(f"{CARDS}:visible").first
        heading = card.locator("h3").first
        if heading.count():
            assert "".join(heading.inner_text().split()).lower() in "".join(words.split())
        pictures = card.locator("svg:visible").count()
        assert sum(1 for _ in root.iter(f"{SVG}svg")) - 1 == pictures
        assert "var(--" not in file.read_text(encoding="utf-8")
        person.press("Card ▶")
