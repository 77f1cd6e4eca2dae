"""The lab for everybody: readable in light and dark, by keyboard, on a phone, and with many points."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lab_browser import PHONE, barriers
from rosenblatt.traces import trace
from rosenblatt.traces.numerals import vector

pytest_plugins = ["lab_browser"]
PARTS = ["bench", "views", "xor", "likelihood", "bayes", "digits", "mail", "labels", "lessons", "missions"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_for_anybody_on_any_tab(visit, axe, scheme):
    person = visit(color_scheme=scheme)
    person.preset("Three classes")
    person.jump(3)
    for box in ("averaged", "voted", "pocket"):
        person.check(box)
    person.wait("window.lab.state.proof")
    for part in PARTS:
        person.show(part)
        person.wait("!document.querySelector('main > section:not([hidden]) .waiting')")
        for summary in person.page.locator(f"#{part} details:not([open]) > summary").all():
            if summary.is_visible():
                summary.click()
        assert barriers(person.page, axe) == [], part
    person.show("bench")
    person.press("Load a file…")
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
          .filter((e) => e.offsetParent && !e.closest('.palette, .segments'))
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
    person.page.touchscreen.tap(*person.spot(4, 3))
    person.settle()
    assert len(person.points()[0]) == 6
    for part in PARTS:
        person.page.locator(f"#tab-{part}").tap()
        person.wait("!document.querySelector('main > section:not([hidden]) .waiting')")
        assert person.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], part


# --- The first screen


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (1920, 1080)])
def test_all_that_matters_is_in_view_when_the_page_opens(visit, width, height):
    person = visit(viewport={"width": width, "height": height})
    for wanted in (
        *(
            "#lead",
            ".plane",
            ".scrub",
            ".count",
            "#rail .card",
            ".palette",
            "#side .say",
            "#side .facts",
            "#side .chart",
        ),
        *('button[aria-label="Play"]', 'button[aria-label="Next mistake"]', "#header-tools"),
    ):
        box = person.page.locator(wanted).first.bounding_box()
        assert box["y"] >= 0, wanted
        assert box["y"] + box["height"] <= height, wanted
        assert box["x"] + box["width"] <= width, wanted
    lead = person.page.locator("#lead")
    assert lead.bounding_box()["height"] <= 2.1 * lead.evaluate("e => parseFloat(getComputedStyle(e).lineHeight)")
    assert person.page.evaluate("scrollY") == 0


def test_on_a_phone_a_point_that_is_picked_does_not_move_the_plane(visit):
    person = visit(viewport=PHONE, has_touch=True)
    place = person.page.locator(".plane").bounding_box()
    person.page.evaluate("window.lab.state.pick(0)")
    person.page.get_by_label("Remove the picked point").wait_for()
    assert person.page.locator(".plane").bounding_box() == place


def test_a_phone_has_the_plane_time_and_the_choices_in_view(visit):
    person = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    wanted = ("#lead", ".palette", ".plane", ".scrub", ".count", "#rail .card", "#header-tools")
    for name in (*wanted, 'button[aria-label="Play"]', 'button[aria-label="Next mistake"]'):
        box = person.page.locator(name).first.bounding_box()
        assert box["y"] >= 0, name
        assert box["y"] + box["height"] <= PHONE["height"], name
        assert box["x"] + box["width"] <= PHONE["width"], name
    for label in ("margin τ", "rate α", "bias, always 1", "averaged", "shuffled"):
        assert person.page.get_by_label(label, exact=True).first.is_visible(), label
    lead = person.page.locator("#lead")
    assert lead.bounding_box()["height"] <= 2.1 * lead.evaluate("e => parseFloat(getComputedStyle(e).lineHeight)")


def test_it_plays_three_mistakes_when_it_opens_and_then_stops(visit):
    person = visit("&moving")
    person.until(lambda: person.count, "mistake 3 · pass 2 · example 7")
    person.page.get_by_role("button", name="Play", exact=True).wait_for()
    person.page.wait_for_timeout(1100)  # longer than from one to the next
    assert person.count.startswith("mistake 3 ·")
    assert person.spoken == person.said


def test_whatever_a_person_does_ends_what_plays_by_itself(visit):
    person = visit("&moving")
    person.page.locator("h1").click()
    assert not person.page.evaluate("window.lab.time.playing")


def test_less_motion_shows_the_third_mistake_at_once(visit):
    person = visit("&moving", reduced_motion="reduce")
    assert person.count == "mistake 3 · pass 2 · example 7"
    assert not person.page.evaluate("window.lab.time.playing")


def test_the_ending_is_not_given_away(visit):
    """446 mistakes, 232 passes, 1,160 examples: none of it is on the first screen before it is reached."""
    person = visit()
    person.wait("window.lab.state.proof")
    shown = person.page.locator("#bench .screen").inner_text()
    assert not {"446", "232", "1160", "1,160"} & set(re.findall(r"[\d,]+", shown))
    slider = person.page.get_by_label("Example", exact=True)
    assert int(slider.get_attribute("max")) < 100
    clip = person.page.locator(".scrub svg").evaluate("e => e.style.clipPath")
    assert clip == "inset(0px 82.5% 0px -4px)"  # 7 of 40 steps were seen
    person.show("views")
    assert "7 examples" in person.page.locator("#views .card").first.inner_text()  # not 1,160
    person.show("bench")
    slider.press("End")
    assert person.count == "mistake 446 · pass 232 · example 1160"
    assert "446 mistakes" in person.ended
    slider.press("Home")
    assert person.ended == ""
    assert slider.get_attribute("max") == "1160"  # it is known now


# --- Tabs


def test_one_part_is_seen_at_a_time_and_the_link_keeps_which(visit):
    person = visit()
    for part in PARTS:
        person.show(part)
        seen = person.page.locator("main > section:not([hidden])").evaluate_all("all => all.map((e) => e.id)")
        assert seen == [part]
    person.show("xor")
    link = person.address().split("#")[1]
    assert link.endswith("&tab=xor")
    other = visit(f"#{link}")
    other.page.locator("#xor h2").wait_for()
    assert other.page.locator("#tab-xor").get_attribute("aria-selected") == "true"
    assert other.address().split("#")[1] == link
    visit("#likelihood").page.locator("#likelihood h2").wait_for()


def test_tabs_by_keyboard(visit):
    person = visit()
    person.page.locator("#tab-bench").focus()
    for key, wanted in [
        ("ArrowRight", "views"),
        ("ArrowRight", "xor"),
        ("End", "missions"),
        ("ArrowRight", "bench"),
        ("ArrowLeft", "missions"),
        ("Home", "bench"),
        ("ArrowRight", "views"),
    ]:
        person.keyboard.press(key)
        assert person.page.evaluate("document.activeElement.id") == f"tab-{wanted}"
    assert person.page.locator("#bench").is_visible()  # until it is opened
    person.keyboard.press("Enter")
    assert person.page.locator("#views").is_visible()
    assert (
        person.page.evaluate("[...document.querySelectorAll('[role=tab]')].filter((e) => e.tabIndex === 0).length") == 1
    )


def test_the_tabs_stay_where_they_are_whichever_is_open(visit):
    """A tab that moves when another is opened is missed by a finger."""
    person = visit(viewport={"width": 1024, "height": 768})
    found = []
    for part in PARTS:
        person.show(part)
        found.append(
            person.page.locator("[role=tab]").evaluate_all(
                "all => all.map((e) => e.getBoundingClientRect()).map((box) => [box.x, box.y, box.width])"
            )
        )
    assert all(places == found[0] for places in found)


def test_every_part_says_what_it_is(visit):
    person = visit()
    for part in PARTS[1:]:
        person.show(part)
        person.page.locator(f"#{part} > h2").wait_for()
        assert len(person.page.locator(f"#{part} > .lead").inner_text()) > 100
    headings = person.page.locator("#bench h3, #views h3").all_text_contents()
    assert len(headings) == len(set(headings)) >= 12


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
    assert person.count.startswith("mistake 3 ·")
    assert person.spoken == person.said


# --- Many points. How quick this is, benchmarks/lab.py measures.


def test_2000_points_and_5000_updates_are_shown_where_the_slider_stands(visit):
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(2000, 2)) * 64) / 64
    y = (X @ [1, 0.6] + rng.normal(0, 0.5, 2000) > 0).astype(int)
    person = visit()
    person.page.evaluate("([X, y]) => window.lab.state.setPoints(X, y, { passes: 20 })", [X.tolist(), y.tolist()])
    person.settle()
    run = trace(X, y, passes=20)
    wrong = [step for step in run if not step.correct]
    assert len(wrong) >= 5000
    person.end()
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
