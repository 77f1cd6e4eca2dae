"""A person at the lab: a real server and a real browser, and whatever the page asks for is watched. A pytest plugin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

LAPTOP = {"width": 1380, "height": 900}
PHONE = {"width": 390, "height": 844}
LOOKS = 8000  # at the page, a few of its own moments apart, before something is said never to come true


class Person:
    """The page through what is seen on it: texts, fields and buttons, by their names."""

    def __init__(self, page: Any):
        self.page = page
        self.keyboard = page.keyboard
        self.mouse = page.mouse

    def ready(self) -> Person:
        """Waits for a run on the page."""
        self.wait("window.lab?.state.course && !window.lab.state.following")
        return self

    def wait(self, condition: str) -> None:
        """Until the condition holds. Playwright's own way evaluates strings in the page, which its policy forbids."""
        self.until(lambda: self.page.evaluate(f"Boolean({condition})"), True, condition)

    def until(self, read: Callable[[], Any], wanted: Any, what: str = "what is read") -> None:
        """Until what is read on the page is as wanted: pictures follow a moment after what they show."""
        for _ in range(LOOKS):
            if (found := read()) == wanted:
                return
            self.page.wait_for_timeout(15)
        pytest.fail(f"{what} is {found} and never became {wanted}")

    def fact(self, name: str) -> str:
        """A cell of a table of the bench, also of one that is not unfolded."""
        return self.page.locator(f'#bench [data-fact="{name}"]').text_content().strip()

    @property
    def said(self) -> str:
        return self.page.locator("#bench .say").first.inner_text().strip()

    @property
    def ended(self) -> str:
        """Why the run stopped, which is told at its end."""
        return self.page.locator("#bench .ended").text_content().strip()

    @property
    def spoken(self) -> str:
        return self.page.locator("#live").inner_text().strip()

    @property
    def count(self) -> str:
        return self.page.locator(".count").inner_text()

    def unfold(self, found: Any) -> Any:
        """The same element, in view: its tab and what it is folded into are opened, as by a person who looks for it."""
        found.evaluate(
            "e => { window.lab.tabs.showThatOf(e);"
            "for (let d = e; (d = d.closest('details:not([open])')); ) d.open = true; }"
        )
        return found

    def press(self, name: str) -> None:
        button = self.page.get_by_role("button", name=name, exact=True)
        if not button.count():
            self.unfold(self.page.get_by_role("button", name=name, exact=True, include_hidden=True))
        button.click()

    def choose(self, name: str, value: str) -> None:
        """One of the few values of a choice, by the names on the page."""
        self.unfold(self.page.locator(".segments", has_text=name)).get_by_text(value, exact=True).click()
        self.settle()

    def check(self, name: str, on: bool = True) -> None:
        self.unfold(self.page.get_by_label(name, exact=True)).set_checked(on)
        self.settle()

    def jump(self, mistake: int) -> None:
        field = self.unfold(self.page.get_by_label("jump to mistake"))
        field.fill(str(mistake))
        field.press("Enter")

    def type(self, name: str, value: str) -> None:
        field = self.unfold(self.page.get_by_label(name, exact=True))
        field.fill(value)
        field.press("Enter")
        field.blur()
        self.settle()

    def settle(self) -> None:
        """Until every question of the page is answered."""
        self.page.wait_for_timeout(40)
        self.wait("!window.lab.state.following && !window.lab.state.trying")

    def show(self, part: str) -> None:
        """Opens the tab of a part of the page: bench, views, xor, …"""
        if not self.page.locator(f"#{part}").is_visible():
            self.page.locator(f"#tab-{part}").click()

    def preset(self, title: str) -> None:
        self.page.get_by_label("Points", exact=True).select_option(label=title)
        self.settle()
        self.ready()

    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """What the table of points shows; its lines in view are all of them for the sets used here."""
        lines = self.page.locator(".points tbody tr[data-row]").evaluate_all(
            "rows => rows.map(r => [...r.querySelectorAll('input')].map(i => Number(i.value))"
            ".concat(Number(r.querySelector('select').value)))"
        )
        table = np.array(lines)
        return table[:, :2], table[:, 2].astype(int)

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """Where on the screen a place of the plane is: asked of the picture, as an eye does with the grid."""
        place = self.page.evaluate(
            "([x, y]) => { const { plane } = window.lab; const [a, b] = plane.frame.at([x, y]);"
            "const p = new DOMPoint(a, b).matrixTransform(plane.sheets[0].getScreenCTM()); return [p.x, p.y]; }",
            [x, y],
        )
        return place[0], place[1]

    def click_plane(self, x: float, y: float) -> None:
        self.unfold(self.page.locator(".plane")).scroll_into_view_if_needed()
        self.mouse.click(*self.spot(x, y))
        self.settle()

    def end(self) -> None:
        self.unfold(self.page.get_by_label("Example", exact=True)).press("End")

    def address(self) -> str:
        """The address once it has caught up with the bench."""
        self.wait("location.hash === window.lab.fragment()")
        return self.page.url


@pytest.fixture(scope="module")
def lab_server():
    from lab_server import running_lab

    with running_lab() as lab:
        yield lab


@pytest.fixture(scope="module")
def lab_file(tmp_path_factory):
    """The lab in one file, as `rosenblatt lab --export` writes it."""
    from rosenblatt.lab.export import export_lab

    file = tmp_path_factory.mktemp("export") / "lab.html"
    export_lab(file)
    return file


# For tests of what the page does by itself: from the server, and from a file on the disk.
BOTH_WAYS = pytest.mark.parametrize("visit", ["server", "file"], indirect=True)


@pytest.fixture
def visit(request, browser):
    """Opens the lab; what the page complains about, or asks of anybody else, fails the test at its end.

    A refusal that a test provokes is reported by the browser as a failed request: `expected` says which statuses.
    """
    if getattr(request, "param", "server") == "file":
        address = f"{request.getfixturevalue('lab_file').as_uri()}?"
        own = (address.removesuffix("?"), "data:", "blob:null/")
    else:
        lab = request.getfixturevalue("lab_server")
        address = lab.address
        own = (f"http://127.0.0.1:{lab.port}/", "data:", f"blob:http://127.0.0.1:{lab.port}/")
    contexts, wrong = [], []

    def open_page(fragment: str = "", *, expected: tuple[int, ...] = (), wait: bool = True, **choice: Any) -> Person:
        context = browser.new_context(**({"viewport": LAPTOP, "accept_downloads": True} | choice))
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()

        def hear(message: Any) -> None:
            refused = any(f"status of {status}" in message.text for status in expected)
            if message.type in ("error", "warning") and not refused:
                wrong.append(message.text)

        page.on("console", hear)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(own) else wrong.append(request.url))
        still = "" if fragment.startswith("&moving") else "&still"  # otherwise it plays three mistakes
        page.goto(f"{address}{still}{fragment.removeprefix('&moving')}")
        person = Person(page)
        return person.ready() if wait else person

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def barriers(page: Any, axe: str) -> list[Any]:
    """What axe-core finds. It runs outside the page's own policy, as a reader's tool does."""
    page.evaluate(axe)
    return page.evaluate(
        "async () => (await axe.run()).violations.map(v => [v.impact, v.id, v.nodes.slice(0, 3).map(n => n.html)])"
    )
