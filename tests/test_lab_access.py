"""The lab for everybody: readable in light and dark, by keyboard, on a phone, and quick."""

from __future__ import annotations

from time import monotonic

import numpy as np
import pytest

from lab_browser import PHONE, barriers

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
    person.wait("document.querySelector('#mail textarea')", 20)
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
    assert len(found) == 7
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


# --- Quick. The limits are those that the project promises; measured here they are reached several times over.


def many_points() -> tuple[list[list[float]], list[int]]:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2000, 2)).round(3)
    y = (X @ [1, 0.6] + rng.normal(0, 0.5, 2000) > 0).astype(int)
    return X.tolist(), y.tolist()


def put_many(person) -> None:
    X, y = many_points()
    person.page.evaluate("([X, y]) => window.lab.state.setPoints(X, y, { passes: 20 })", [X, y])
    person.settle()


def test_a_step_with_2000_points_is_on_screen_within_100_ms(visit):
    person = visit()
    put_many(person)
    times = person.page.evaluate(
        """async () => {
          const ways = ["Next example", "Next mistake", "Previous mistake", "Next pass", "Next mistake"];
          const found = [];
          for (const name of ways) {
            const from = performance.now();
            document.querySelector(`[aria-label="${name}"]`).click();
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            found.push(performance.now() - from);
          }
          return found;
        }"""
    )
    assert sorted(times)[len(times) // 2] < 100, times


def test_scrubbing_5000_updates_drops_no_second(visit):
    person = visit()
    put_many(person)
    updates = person.page.evaluate("window.lab.state.course.updates")
    assert updates >= 5000
    longest = person.page.evaluate(
        """async () => {
          const slider = document.querySelector('.scrub input');
          let [longest, last] = [0, performance.now()];
          const steps = window.lab.state.course.updateSteps;
          for (let u = 0; u < steps.length; u += 25) {
            slider.value = steps[u];
            slider.dispatchEvent(new Event('input'));
            await new Promise(requestAnimationFrame);
            longest = Math.max(longest, performance.now() - last);
            last = performance.now();
          }
          return longest;
        }"""
    )
    assert longest < 1000


def test_first_paint_within_a_second(visit):
    person = visit()
    paints = []
    for _ in range(3):  # the machine may be busy with other tests: the best of three
        person.page.reload()
        person.ready()
        paints.append(
            person.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 9e9")
        )
    assert min(paints) < 1000, paints


def test_a_run_is_on_screen_soon_after_the_page_opens(visit):
    person = visit(wait=False)
    begin = monotonic()
    person.ready()
    assert monotonic() - begin < 5
