"""Every tab from the server and from the exported file on a disk: used by click, by key and by touch."""

from __future__ import annotations

import numpy as np
import pytest

from lab_browser import BOTH_WAYS, PHONE
from rosenblatt import prove
from rosenblatt.traces import trace
from rosenblatt.traces.numerals import vector

pytest_plugins = ["lab_browser"]

FIVE = np.array([[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]]), np.array([0, 1, 1, 1, 0])
TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def opened(person, part: str):
    """A tab with its first answer on it."""
    person.show(part)
    section = person.page.locator(f"#{part}")
    section.locator(".part > .card").first.wait_for()
    return section


@BOTH_WAYS
def test_the_plane_by_click(visit):
    person = visit()
    person.click_plane(4, 1)
    person.choose("a score of 0 is", "+")
    person.check("averaged")
    person.press("Next mistake")
    X, y = person.points()
    run = trace(X, y, start=[-1, 0, 0], ties="positive", passes=300)
    person.end()
    assert person.fact("w after") == vector(run.weights.tolist())
    assert f"{run.n_mistakes} mistakes" in person.ended


@BOTH_WAYS
def test_the_plane_by_key(visit):
    person = visit()
    slider = person.page.get_by_label("margin τ, slider")
    slider.focus()
    for _ in range(3):
        person.keyboard.press("ArrowRight")
        person.settle()
    person.page.get_by_label("Example", exact=True).focus()
    person.keyboard.press("End")
    run = trace(*FIVE, start=[-1, 0, 0], margin=1, passes=300)
    assert person.fact("w after") == vector(run.weights.tolist())
    person.page.get_by_role("button", name="Undo").press("Enter")  # the three moves of the slider
    for _ in range(2):
        person.page.get_by_role("button", name="Undo").press("Enter")
    person.settle()
    assert person.page.get_by_label("margin τ", exact=True).input_value() == "0"


@BOTH_WAYS
def test_the_plane_by_touch(visit):
    person = visit(**TOUCH)
    person.page.touchscreen.tap(*person.spot(4, 3))
    person.settle()
    assert person.points()[0][-1].tolist() == [4, 3]
    before = person.page.evaluate("window.lab.state.moment().updates")
    person.page.get_by_role("button", name="Next mistake").tap()
    assert person.count.startswith(f"mistake {before + 1} ·")


@BOTH_WAYS
def test_proof_and_views_by_click_and_key(visit):
    person = visit()
    person.show("views")
    person.wait("window.lab.state.proof")
    card = person.page.locator(".card", has=person.page.get_by_role("heading", name="Can a line separate them?"))
    assert card.locator(".say").inner_text().startswith("Separable:")
    assert prove(*FIVE).kind == "separable"
    person.press("Try every order from 0")
    person.page.get_by_text("worst-first").wait_for()
    picture = person.page.locator(".space").first
    picture.scroll_into_view_if_needed()
    picture.focus()
    before = picture.get_attribute("data-turned")
    person.keyboard.press("ArrowLeft")
    assert picture.get_attribute("data-turned") != before


@BOTH_WAYS
@pytest.mark.parametrize("part", ["likelihood", "bayes", "digits"])
def test_a_slider_of_each_part_by_key(visit, part):
    person = visit()
    section = opened(person, part)
    slider = section.locator("input[type=range]").first
    slider.focus()
    person.keyboard.press("Home")
    first = section.inner_text()
    person.keyboard.press("End")
    person.until(lambda: section.inner_text() != first, True)


@BOTH_WAYS
def test_xor_by_touch(visit):
    person = visit(**TOUCH)
    person.page.locator("#tab-xor").tap()
    section = opened(person, "xor")
    fact = section.locator('[data-fact="network"]')
    first = fact.inner_text()
    assert "the third says 1" in first
    section.locator('input[name="xor-input"]').first.tap()
    person.until(lambda: "the third says 0" in fact.inner_text(), True)


@BOTH_WAYS
def test_mail_by_typing(visit):
    person = visit()
    section = opened(person, "mail")
    section.get_by_label("The message", exact=True).fill("Claim your free prize, free money")
    words = section.locator(".marked .word")
    person.until(lambda: [word.lower() for word in words.all_inner_texts()].count("free"), 2)


@BOTH_WAYS
def test_a_lesson_by_key(visit):
    person = visit(reduced_motion="reduce")
    person.show("lessons")
    person.page.locator("#lesson-list button").nth(1).press("Enter")
    lesson = person.page.locator(".lesson")
    lesson.locator("h4").wait_for()
    for _ in range(2):
        person.keyboard.press("ArrowRight")
        person.settle()
    lesson.locator(".question input").fill("-1")
    person.keyboard.press("Enter")
    lesson.get_by_text("✓ Right.").wait_for()
    person.page.get_by_label("Leave the lesson").press("Enter")
    person.wait("!document.querySelector('.lesson')")
    assert person.page.locator("#lessons").is_visible()


@BOTH_WAYS
def test_what_is_taken_away(visit, tmp_path):
    person = visit()
    with person.page.expect_download() as waiting:
        person.press("Player")
    waiting.value.save_as(tmp_path / "run.html")
    page = person.page.context.new_page()
    page.goto((tmp_path / "run.html").as_uri())
    page.get_by_label("To the end").click()
    assert page.locator('[data-fact="w after"]').inner_text() == "[-31, 12, 2]"


@pytest.mark.parametrize("visit", ["file"], indirect=True)
def test_what_needs_python_says_so(visit, tmp_path):
    person = visit()
    file = tmp_path / "a.csv"
    file.write_text("a,b,kind\n1,2,x\n3,4,y\n")
    person.press("Load a file…")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_label("a CSV file").set_input_files(str(file))
    dialog.locator(".problem", has_text="rosenblatt lab").wait_for()


@pytest.mark.parametrize("visit", ["file"], indirect=True)
def test_a_copied_link_of_the_file_opens_the_same_picture(visit):
    person = visit()
    person.click_plane(4, 1)
    person.show("xor")
    link = person.address().split("#")[1]
    other = visit(f"#{link}")
    assert other.points()[0].tolist() == person.points()[0].tolist()
    other.page.locator("#xor h2").wait_for()
