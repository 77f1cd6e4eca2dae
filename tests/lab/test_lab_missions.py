"""Every mission, played on the page: by somebody who solves it, and by somebody who does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from rosenblatt.course.codes import Result, make_code, read_code
from rosenblatt.course.grading import grade

if TYPE_CHECKING:
    from lab_browser import Person  # the plugin; pytest must be the first to load it

pytest_plugins = ["lab_browser"]

NAMES = ["line", "order", "forever", "slow", "column", "averaged", "support", "curve", "smooth", "fool", "digit"]


class Player:
    """A person with a mission open."""

    def __init__(self, person: Person):
        self.person, self.page = person, person.page
        self.card = self.page.locator(".mission")

    def open(self, name: str) -> Player:
        self.person.show("missions")
        self.page.locator("#mission-list button").nth(NAMES.index(name)).click()
        self.card.locator("h3", has_text=f"Mission {NAMES.index(name) + 1} of {len(NAMES)}").wait_for()
        self.person.settle()
        return self

    def type(self, **fields: str) -> None:
        for label, value in fields.items():
            self.card.get_by_label(label, exact=True).fill(value)

    def move(self, row: int, x: str, y: str) -> None:
        for j, value in enumerate((x, y)):
            self.person.type(f"x{j + 1} of row {row}", value)

    def remove(self, row: int) -> None:
        self.person.unfold(self.page.get_by_label(f"Remove row {row}", exact=True)).click()
        self.person.settle()

    def check(self) -> str:
        self.card.get_by_role("button", name="Check", exact=True).click()
        self.card.locator(".feedback p").first.wait_for()
        return self.card.locator(".feedback").inner_text()

    def stars(self, name: str) -> str:
        button = self.page.locator("#mission-list button").nth(NAMES.index(name))
        return button.locator(".mark").get_attribute("aria-label")


def typed(**fields: str) -> Callable[[Player], None]:
    return lambda player: player.type(**fields)


def shuffled(seed: str) -> Callable[[Player], None]:
    def play(player: Player) -> None:
        player.person.choose("order", "shuffled")
        player.person.type("shuffle seed", seed)

    return play


def points(**places: tuple[str, str]) -> Callable[[Player], None]:
    def play(player: Player) -> None:
        for row, (x, y) in places.items():
            player.move(int(row[1:]), x, y)

    return play


def without(*rows: int) -> Callable[[Player], None]:
    def play(player: Player) -> None:
        for row in sorted(rows, reverse=True):
            player.remove(row)

    return play


def clicked(x: float, y: float) -> Callable[[Player], None]:
    return lambda player: player.person.click_plane(x, y)


def chosen(number: int) -> Callable[[Player], None]:
    return lambda player: player.card.locator(".labelled").nth(number - 1).click()


def chosen_gamma(value: str) -> Callable[[Player], None]:
    return lambda player: player.person.type("sharpness γ", value)


CORNERS = ("x3 of (0, 0)", "x3 of (0, 1)", "x3 of (1, 0)", "x3 of (1, 1)")


def column(*values: str) -> Callable[[Player], None]:
    return typed(**dict(zip(CORNERS, values, strict=True)))


NARROW = {"r1": ("1", "1"), "r2": ("2", "3"), "r3": ("0", "0"), "r4": ("3", "2"), "r5": ("2", "4")}
# For each mission what somebody does who fails, what is said then, and what solves it.
PLAYS = {
    "line": (typed(bias="0", w1="1", w2="1"), "3 of 6 points are right", typed(bias="-5,5", w1="1", w2="1")),
    "order": (shuffled("2"), "276 mistakes", shuffled("0")),
    "forever": (points(r4=("4", "4")), "A line still separates", points(r4=("1.5", "1.5"))),
    "slow": (points(r5=("3", "3")), "Make the gap narrower", points(**NARROW)),
    "column": (column("0", "0", "0", "0"), "Still no flat surface", column("0", "0", "0", "1")),
    "averaged": (lambda _: None, "averaged 10, final 10", clicked(-3, -3)),
    "support": (without(1, 2, 3, 6, 7, 8, 9), "something that mattered is gone", without(1, 2, 3, 4, 7, 8, 9)),
    "curve": (chosen_gamma("4"), "30 support points of 60; at most 18", chosen_gamma("1")),
    "smooth": (typed(k="1"), "it is spam", typed(k="0.01")),
    "fool": (
        typed(**{"up to three words": "hello dear friend"}),
        "classified as spam",
        typed(**{"up to three words": "bring please march"}),
    ),
    "digit": (chosen(3), "that label is right", chosen(8)),
}


@pytest.fixture(scope="module")
def on_file(browser, lab_file):
    """One page of the exported lab for all missions, one after the other."""
    from lab_browser import LAPTOP, Person

    context = browser.new_context(viewport=LAPTOP, reduced_motion="reduce")
    page, wrong = context.new_page(), []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{lab_file.as_uri()}?&still")
    yield Player(Person(page).ready())
    context.close()
    assert wrong == []


def test_there_is_a_play_for_every_mission(on_file):
    on_file.person.show("missions")
    on_file.page.locator("#mission-list li").first.wait_for()
    assert on_file.page.evaluate("window.lab.call('missions').then((all) => all.map((one) => one.name))") == NAMES
    assert list(PLAYS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_mission_is_failed_and_then_solved(on_file, name):
    fails, told, solves = PLAYS[name]
    on_file.open(name)
    assert on_file.stars(name) == "0 of 3 stars"
    fails(on_file)
    said = on_file.check()
    assert said.startswith("Not yet.")
    assert told in said
    assert on_file.stars(name) == "0 of 3 stars"
    on_file.open(name)  # from its beginning
    solves(on_file)
    assert on_file.check().startswith("✓ Solved.")
    assert "What you learned." in on_file.card.inner_text()
    assert on_file.stars(name) == "3 of 3 stars"


def test_a_verdict_goes_with_what_it_was_about(on_file):
    on_file.open("curve")
    assert on_file.page.evaluate("window.lab.state.step === window.lab.state.course.length")  # where all rings are
    chosen_gamma("4")(on_file)
    assert on_file.check().startswith("Not yet.")
    chosen_gamma("2")(on_file)
    on_file.person.until(on_file.card.locator(".feedback").inner_text, "")


def test_stars_stay_when_a_hint_is_read_later(on_file):
    on_file.open("column")
    column("", "", "", "1")(on_file)  # a box left empty counts as 0
    assert on_file.check().startswith("✓ Solved.")
    on_file.card.get_by_role("button", name="Hint (1 of 2)", exact=True).click()
    assert on_file.check().startswith("✓ Solved. ★★★")
    assert on_file.stars("column") == "3 of 3 stars"


def test_nothing_typed_is_one_line(on_file):
    on_file.open("line")
    assert "Type a number for bias" in on_file.check()
    on_file.open("smooth")
    assert "Type a number for k" in on_file.check()
    on_file.open("digit")
    assert "Choose one of the digits" in on_file.check()


def test_leaving_puts_the_points_back(visit):
    player = Player(visit(reduced_motion="reduce"))
    before = player.page.evaluate("window.lab.state.data")
    player.open("forever")
    assert player.page.evaluate("window.lab.state.data") != before
    player.card.get_by_role("button", name="Leave the mission").click()
    player.person.until(lambda: player.page.evaluate("window.lab.state.data"), before)
    assert player.card.count() == 0


def test_hints_cost_stars_and_progress_outlives_the_page(visit, tmp_path):
    """A code of the page is the one that Python makes, and `grade` reads it."""
    player = Player(visit(reduced_motion="reduce")).open("column")
    player.card.get_by_role("button", name="Hint (1 of 2, a star less)").click()
    assert "Lift one corner" in player.card.inner_text()
    column("0", "0", "0", "1")(player)
    assert player.check().startswith("✓ Solved.")
    assert player.stars("column") == "2 of 3 stars"
    assert player.page.locator("[data-fact=code]").text_content() == "Type your name: your code will stand here."
    player.card.get_by_role("button", name="Next mission ▶").click()
    player.card.locator("h4", has_text="Averaged beats final").wait_for()
    player.person.show("missions")
    player.page.get_by_label("Your name").fill("Zoë L. O'Neil (2)")
    code = player.page.locator("[data-fact=code]")
    wanted = make_code(Result("Zoë L. O'Neil (2)", {"column": 2}))
    player.person.until(code.inner_text, wanted)
    player.page.reload()
    player.person.ready()
    player.person.show("missions")
    player.person.until(lambda: player.stars("column"), "2 of 3 stars")
    player.person.until(code.inner_text, wanted)
    assert read_code(wanted).stars == {"column": 2}
    (tmp_path / "code.txt").write_text(wanted, encoding="utf-8")
    assert grade([tmp_path], student="Zoë L. O'Neil (2)", missions=1).score == 2


def test_missions_work_where_the_browser_keeps_nothing(visit):
    player = Player(visit(reduced_motion="reduce"))
    player.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
    )
    player.page.reload()
    player.person.ready()
    player.open("line")
    typed(bias="-5.5", w1="1", w2="1")(player)
    assert player.check().startswith("✓ Solved.")
    assert player.stars("line") == "3 of 3 stars"


def test_a_mission_takes_the_place_of_a_lesson(visit):
    player = Player(visit(reduced_motion="reduce"))
    player.page.locator("#to-lessons").click()
    player.page.locator(".lesson h3", has_text="Lesson 1 of").wait_for()
    player.open("line")
    assert player.page.locator(".lesson").count() == 1
    player.person.show("lessons")
    player.page.locator("#lesson-list button").nth(1).click()
    player.page.locator(".lesson h3", has_text="Lesson 2 of").wait_for()
    assert player.page.locator(".lesson").count() == 1
