"""The lab for everybody: readable in light and dark, by keyboard, on a phone, and with many points."""

from __future__ import annotations

import numpy as np
import pytest

from lab_browser import PHONE, barriers
from rosenblatt.traces import trace
from rosenblatt.traces.numerals import vector

pytest_plugins = ["lab_browser"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_barrier_for_anybody(visit, axe, scheme):
    person = visit(color_scheme=scheme)
    person.preset("Three classes")
    person.page.get_by_label("jump to mistake").fill("3")
    person.page.get_by_label("jump to mistake").press("Enter")
    for box in ("averaged", "voted", "pocket"):
        person.page.get_by_label(box, exact=True).check()
    for summary in person.page.locator("#bench summary, #views summary").all():
        summary.click()
    person.wait("window.lab.state.proof")
    person.press("Load a file…")
    assert barriers(person.page, axe) == []
    person.keyboard.press("Escape")
    assert barriers(person.page, axe) == []


def test_a_page_without_its_key_says_where_it_is(visit, lab_server):
    person = visit()
    context = person.page.context.browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{lab_server.port}/")
    assert "the link that the terminal printed" in page.locator("#page-problem").inner_text()
    context.close()


def test_every_target_has_24_pixels_and_a_name(visit):
    person = visit()
    small = person.page.evaluate(
        """() => [...document.querySelectorAll('a, button, select, input, summary')]
          .filter((e) => e.closest('header, #bench, #views'))
          .filter((e) => e.offsetParent && !e.closest('.palette'))
          .map((e) => [e, (e.closest('label') ?? e).getBoundingClientRect()])
          .filter(([, box]) => box.width < 24 || box.height < 24)
          .map(([e]) => e.outerHTML.slice(0, 80))"""
    )
    assert small == []


def test_a_phone_shows_one_column_and_nothing_beside_the_page(visit):
    person = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    assert person.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    stage, side = (person.page.locator(f"#{name}").bounding_box() for name in ("stage", "side"))
    assert side["y"] >= stage["y"] + stage["height"]
    person.page.locator(".plane").scroll_into_view_if_needed()
    person.page.touchscreen.tap(*person.spot(4, 3))
    person.settle()
    assert len(person.points()[0]) == 6
    for view in ("#views", "#tables"):
        person.page.locator(view).scroll_into_view_if_needed()
    assert person.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_bench_makes_sense_to_who_only_scrolls(visit):
    person = visit()
    for section in ("#bench", "#views"):
        assert len(person.page.locator(f"{section} > h2").inner_text()) > 10
        assert len(person.page.locator(f"{section} > .lead").inner_text()) > 150
    headings = person.page.locator("#bench h3, #views h3").all_inner_texts()
    assert len(headings) == len(set(headings)) >= 9


@pytest.mark.parametrize("view", [None, PHONE], ids=["laptop", "phone"])
def test_a_link_to_a_part_lands_there_although_parts_load_on_the_way(visit, view):
    person = visit(**({} if view is None else {"viewport": view}))
    person.page.get_by_role("link", name="Mail", exact=True).click()
    person.wait("document.querySelector('#mail textarea')")
    person.page.wait_for_timeout(1500)
    top = person.page.locator("#mail").evaluate("(part) => part.getBoundingClientRect().top")
    assert -40 < top < 260  # below the head of the page, which stays


def test_the_list_of_parts_stays_where_it_is_whatever_part_is_read(visit):
    """A link that moves while the page scrolls is missed by a finger."""
    person = visit(viewport=PHONE)
    found = person.page.evaluate(
        """() => {
          const links = [...document.querySelectorAll("nav a")];
          return links.map((current) => {
            for (const link of links) link.removeAttribute("aria-current");
            current.setAttribute("aria-current", "true");
            return links.map((link) => link.getBoundingClientRect()).map((box) => [box.x, box.y, box.width]);
          });
        }"""
    )
    assert len(found) == 8
    assert all(places == found[0] for places in found)


def test_a_whole_update_by_keyboard_alone(visit):
    """From the top of the page with Tab, Enter and arrows: load AND, go to the third mistake, read it."""
    person = visit()
    person.page.locator("body").focus()
    seen = []
    for _ in range(60):
        person.keyboard.press("Tab")
        name = person.page.evaluate(
            "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()"
        )
        seen.append(name)
        if name == "Points":
            person.keyboard.press("ArrowDown")
            person.keyboard.press("ArrowDown")
            person.settle()
            person.ready()
        if name == "Next mistake":
            for _ in range(3):
                person.keyboard.press("Enter")
            break
    assert {"Points", "Load a file…", "Example", "Play", "Next mistake"} <= set(seen)
    assert "mistake 3 of 18" in person.count
    assert person.spoken == person.said


# --- Many points. How quick this is, benchmarks/lab.py measures.


def test_2000_points_and_5000_updates_are_shown_where_the_slider_stands(visit):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2000, 2)).round(3)
    y = (X @ [1, 0.6] + rng.normal(0, 0.5, 2000) > 0).astype(int)
    person = visit()
    person.page.evaluate("([X, y]) => window.lab.state.setPoints(X, y, { passes: 20 })", [X.tolist(), y.tolist()])
    person.settle()
    run = trace(X, y, passes=20)
    wrong = [step for step in run if not step.correct]
    assert len(wrong) >= 5000
    for step in (wrong[0], wrong[2500], wrong[-1]):
        person.page.evaluate(
            """(step) => {
              const slider = document.querySelector('.scrub input');
              slider.value = step;
              slider.dispatchEvent(new Event('input'));
            }""",
            step.step,
        )
        person.until(lambda: person.fact("w after"), vector(step.after.tolist()))
