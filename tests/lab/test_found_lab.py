"""Falsehoods that people saw on the lab's page and in the player, each as the fact that should have stood there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest

pytest_plugins = ["lab_browser"]

PARTS = {"xor": "XOR", "bayes": "Naive Bayes", "mail": "Mail"}
VIEWS = ("Mistakes against the bound", "Can a line separate them?", "The score as a surface", "One dimension up")


def go_to(person, name: str):
    """A part further down, with its first answer on it."""
    person.page.get_by_role("tab", name=PARTS[name], exact=True).click()
    section = person.page.locator(f"#{name}")
    section.locator(".part > .card").first.wait_for()
    return section


def card(person, title: str):
    person.show("views")
    return person.page.locator(".card", has=person.page.get_by_role("heading", name=title, exact=True))


def proved(person) -> None:
    person.wait("window.lab.state.proof && !window.lab.state.following")


class Held:
    """Answers of one call that the test lets through when it wants; whose    who calls, the state or the lab."""

    def __init__(self, page, name: str, whose: str = "lab.state"):
        self.page = page
        page.evaluate(
            """([name, whose]) => {
              const caller = { "lab.state": window.lab.state, lab: window.lab }[whose];
              const { call } = caller;
              window.held = { open: true, waiting: [] };
              caller.call = async (asked, ...rest) => {
                if (asked === name && !held.open) await new Promise((go) => held.waiting.push(go));
                return call(asked, ...rest);
              };
            }""",
            [name, whose],
        )

    def hold(self) -> None:
        self.page.evaluate("void (held.open = false)")

    def let_go(self) -> None:
        self.page.evaluate("held.open = true; for (const go of held.waiting.splice(0)) go()")


# The plane


def test_found_29_the_class_just_added_is_the_one_marked_in_the_palette(visit):
    person = visit()
    person.press("+ class")
    chosen = person.page.locator(".palette label:has(input:checked)").inner_text().strip()
    person.click_plane(1, 4)
    classes = person.page.evaluate("window.lab.state.data.classes")
    _, labels = person.points()
    assert chosen == classes[labels[-1]]


def drawn(person, x: float, y: float) -> list[str]:
    """The class numbers whose marks are in view around a place, each on at least 100 square pixels."""
    return person.page.evaluate(
        """([x, y]) => {
          const [cx, cy] = window.lab.plane.frame.at([x, y]);
          const sheet = window.lab.plane.sheets[1];
          const paths = [...sheet.querySelectorAll('path[data-class]')];
          const seen = {};
          for (let dx = -24; dx <= 24; dx++) for (let dy = -24; dy <= 24; dy++) {
            const spot = sheet.createSVGPoint();
            [spot.x, spot.y] = [cx + dx, cy + dy];
            const top = paths.filter((path) => path.isPointInFill(spot)).at(-1);
            if (top) seen[top.dataset.class] = (seen[top.dataset.class] ?? 0) + 1;
          }
          return Object.keys(seen).filter((name) => seen[name] >= 100).sort();
        }""",
        [x, y],
    )


def test_found_29_every_class_at_a_place_is_seen_on_the_plane(visit):
    person = visit()
    for title in ("Apples", "Contradicting duplicates"):
        person.preset(title)
        data = person.page.evaluate("window.lab.state.data")
        there: dict[tuple[float, float], set[str]] = {}
        for point, label in zip(data["points"], data["labels"], strict=True):
            there.setdefault(tuple(point), set()).add(str(label))
        assert any(len(classes) > 1 for classes in there.values())
        assert {place: drawn(person, *place) for place in there} == {p: sorted(c) for p, c in there.items()}


def test_found_29_a_place_with_several_points_says_how_many(visit):
    person = visit()
    person.preset("Apples")
    data = person.page.evaluate("window.lab.state.data")
    places = [tuple(point) for point in data["points"]]
    shown = person.page.locator(".plane .rp-here").all_text_contents()
    numbers = [sum(map(int, re.findall(r"\d+", text))) for text in shown]
    assert sorted(numbers) == sorted(places.count(place) for place in set(places) if places.count(place) > 1)


def test_found_29_every_class_at_a_place_is_seen_in_the_player(browser, tmp_path):
    from rosenblatt.traces import trace

    page = browser.new_page()
    file = tmp_path / "run.html"
    trace([[1, 1], [2, 2], [2, 2]], ["a", "a", "b"]).to_html(file)
    page.goto(file.as_uri())
    boxes = page.locator(".rp-stage .rp-points").evaluate_all(
        "all => all.map(p => p.getBBox()).filter(b => b.width).map(b => [b.x + b.width, b.width])"
    )
    (right_a, _), (right_b, wide) = boxes
    assert wide > 0
    assert right_a > right_b + 1, "the mark below is larger than the one on top of it"
    page.close()


# Verdicts


def test_found_29_no_words_about_points_that_are_gone_stay_after_clear(visit):
    person = visit(expected=(422,))
    for title in VIEWS:  # pictures are drawn when they are seen
        card(person, title).scroll_into_view_if_needed()
    proved(person)
    person.wait("document.querySelectorAll('#views .space path').length > 20")
    person.show("bench")
    person.press("Clear")
    person.settle()
    person.wait("window.lab.state.course === null")
    assert [person.fact(name) for name in ("verdict", "bound (R/γ*)²", "margin γ*")] == [""] * 3
    text = person.page.locator("#side").text_content() + person.page.locator("#views").text_content()
    assert "6370" not in text, "the bound of the five points"
    assert "0.06389" not in text, "their margin"
    assert "[-1, 1, -1]" not in text, "their weights"
    assert person.page.locator("#views .space path, #views .chart > *").count() == 0


def test_found_29_verdict_and_run_are_of_the_same_points_while_they_change(visit):
    """AND is separable, XOR is not. The proof is asked for while the run of the newest points is still awaited."""
    person = visit()
    run = Held(person.page, "run")
    person.preset("AND")
    proved(person)
    assert person.fact("verdict") == "separable"
    person.page.evaluate("window.lab.state.setLabel(0, 1)")  # a run arrives; its proof is asked a moment later
    person.wait("!window.lab.state.following")
    run.hold()
    person.page.evaluate("for (const [i, c] of [[0, 0], [1, 1], [2, 1], [3, 0]]) window.lab.state.setLabel(i, c)")
    person.page.wait_for_timeout(600)
    assert person.fact("verdict") == "asking…", "nothing is known of the points that are on the plane"
    assert person.page.locator("#bench").get_attribute("aria-busy") == "true"
    run.let_go()
    person.ready()
    proved(person)
    assert person.fact("verdict") == "inseparable"
    assert person.page.locator("#bench").get_attribute("aria-busy") == "false"
    person.end()
    assert "for ever" in person.ended


def test_found_29_a_verdict_goes_as_soon_as_a_point_is_dragged(visit):
    person = visit()
    run = Held(person.page, "run")
    proved(person)
    run.hold()
    person.mouse.move(*person.spot(3, 4))
    person.mouse.down()
    person.mouse.move(*person.spot(1, 1.4), steps=4)
    said = person.fact("verdict"), person.page.locator("#views .say").text_content()
    person.mouse.up()
    run.let_go()
    person.ready()
    assert said == ("asking…", "Asking for a proof…")


def test_found_29_the_surface_tells_the_lowest_and_the_highest_score_in_view(visit):
    person = visit()
    person.preset("Apples")
    person.end()
    surface = card(person, VIEWS[2])
    surface.scroll_into_view_if_needed()
    surface.get_by_text("with the weights after update 17.").wait_for()
    box = np.array(person.page.evaluate("window.lab.plane.frame.box"))
    bias, *w = (float(value) for value in person.fact("w after").strip("[]").split(", "))
    scores = bias + box @ w  # a flat sheet is lowest and highest at corners
    told = re.search(r"Scores in view go from (\S+) to (\S+),", surface.inner_text())
    assert told, "the lowest and the highest"
    assert [float(value) for value in told.groups()] == pytest.approx([scores.min(), scores.max()], rel=1e-3)


def test_found_29_mistakes_are_not_said_to_go_on_in_a_run_that_ended(visit):
    """The origin without a bias always scores 0; where that counts as +1, a run can end that no boundary allows."""
    person = visit()
    person.page.evaluate(
        "window.lab.state.setPoints([[0, 0], [1, 1], [-1, -1]], [1, 1, 0], { bias: false, ties: 'positive' })"
    )
    person.settle()
    proved(person)
    assert person.fact("verdict").startswith("inseparable")
    person.end()
    assert "changed nothing" in person.ended
    assert "never end" not in card(person, VIEWS[0]).inner_text()


def test_found_29_points_without_a_verdict_are_not_said_to_have_no_margin(visit):
    person = visit()
    person.page.evaluate("void (window.lab.call = () => Promise.reject(new Error('no answer today')))")
    person.press("Next example")
    person.choose("a score of 0 is", "+")
    proved(person)
    assert (person.fact("verdict"), person.fact("bound (R/γ*)²")) == ("unknown", "")


def test_found_29_without_a_bias_only_lines_through_the_origin_are_spoken_of(visit):
    """(1, 1) and (3, 3) of different classes: no line through the origin, but every line between them."""
    person = visit()
    person.page.evaluate("window.lab.state.setPoints([[1, 1], [3, 3]], [0, 1], { bias: false })")
    person.settle()
    proved(person)
    person.end()
    told = [person.fact("verdict"), person.ended, card(person, VIEWS[0]).locator(".note").inner_text()]
    told += [card(person, VIEWS[1]).locator(".say").inner_text()]
    assert [text for text in told if "through the origin" not in text] == []
    person.check("bias, always 1")
    person.settle()
    proved(person)
    assert person.fact("verdict") == "separable"


def test_found_29_no_margin_is_said_to_be_0_or_more_that_is_not_proved(visit):
    person = visit()
    person.preset("XOR")
    proved(person)
    person.press("Next mistake")
    assert person.fact("verdict") == "inseparable"
    assert person.fact("margin γ*") == "at most 1"


def test_found_29_a_text_of_another_run_is_not_said_to_make_this_one(visit):
    person = visit()
    person.press("Python")
    text = person.page.get_by_label("The text that was copied")
    text.wait_for()
    person.preset("AND")
    assert not text.is_visible()


def test_found_29_points_of_a_lesson_are_not_called_the_person_s_own(visit):
    person = visit()
    person.show("lessons")
    person.page.locator("#lesson-list button").first.click()
    person.page.locator(".lesson").wait_for()
    person.settle()
    assert person.page.get_by_label("Points", exact=True).locator("option:checked").inner_text() == "other points"


def test_found_29_the_formula_of_the_bound_is_the_one_that_gives_its_numbers(visit):
    person = visit()
    person.type("rate α", "0.5")
    person.end()
    number = int(person.fact("mistakes so far"))
    w = np.array([float(value) for value in person.fact("w after").strip("[]").split(", ")])
    moved = np.linalg.norm(w - [-1, 0, 0])
    told = float(person.fact("margin γ*").rpartition(" ")[2])
    person.unfold(person.page.locator(".why .chart"))
    formula = person.page.locator(".why .chart text", has_text="γ*").text_content()
    assert {"updates": moved / number, "(α · updates)": moved / number / 0.5}[formula.partition(" / ")[2]] == (
        pytest.approx(told, rel=1e-3)
    )


# The player


def marks_of(page, where: str) -> dict[str, str]:
    """The colour beside each class name."""
    return page.locator(where).evaluate_all(
        "all => Object.fromEntries(all.map(e => [e.textContent.trim(), e.querySelector('path').getAttribute('fill')]))"
    )


@pytest.mark.parametrize("classes", [[0, 1, 2], [1, 2], [0, 2]])
def test_found_29_the_player_has_the_colours_of_the_lab(visit, browser, tmp_path, classes):
    person = visit()
    points = [[float(k), float(k * k)] for k in range(len(classes))]
    names = ["red", "green", "blue"]
    person.page.evaluate("([p, l, classes]) => window.lab.state.setPoints(p, l, { classes })", [points, classes, names])
    person.settle()
    lab = marks_of(person.page, ".palette label")
    with person.page.expect_download() as waiting:
        person.press("Player")
    waiting.value.save_as(tmp_path / "run.html")
    page = browser.new_page()
    page.goto((tmp_path / "run.html").as_uri())
    shown = marks_of(page, ".rp-legend")
    page.close()
    assert shown == {names[number]: lab[names[number]] for number in classes}


# XOR and naive Bayes


def test_found_29_what_the_last_unit_of_xor_says_is_what_comes_out(visit):
    person = visit()
    section = go_to(person, "xor")
    for place in range(4):
        section.locator('input[name="xor-input"]').nth(place).check()
        *_, last, out = section.locator(".network text.num").all_text_contents()
        assert last.split("→")[1].strip() == out
        assert f"the third says {out}" in section.locator('[data-fact="network"]').inner_text()
    section.get_by_text("All four inputs").click()
    table = section.locator("details", has_text="All four inputs").locator("tbody tr")
    for row in table.all_inner_texts():
        cells = [cell.strip() for cell in row.split("\t")]
        assert cells[3].split("→")[1].strip() == cells[4] == cells[5]
    assert "shaded: says 1; elsewhere it says 0" in section.inner_text()


def test_found_29_what_is_said_of_a_table_goes_when_its_counts_are_changed(visit):
    """One word was never seen in ham, until somebody says that it was."""
    person = visit()
    section = go_to(person, "bayes")
    about = section.locator(".card").first.locator(".note")
    first = about.inner_text()
    assert "One word was never seen in ham" in first
    section.get_by_label("More ham rows with minute").click()
    person.until(about.inner_text, "These are your own counts. “Reset counts” restores those of the table.")
    section.get_by_role("button", name="Reset counts").click()
    person.until(about.inner_text, first)


# Mail


def test_found_29_what_stands_above_the_words_of_a_mail_adds_up_to_its_score(visit):
    text = "Free money! Claim your free prize, FREE of charge. Please bring money."
    person = visit()
    section = go_to(person, "mail")
    wanted = person.page.evaluate("text => window.lab.call('mail_read', { text })", text)
    section.get_by_label("The message", exact=True).fill(text)
    section.get_by_text(wanted["sentence"]).wait_for()
    parts = [float(part) for part in section.locator(".marked rt").all_inner_texts() if part.strip()]
    assert len(parts) == len(wanted["words"])
    assert sum(parts) + float(wanted["bias"]) == pytest.approx(float(wanted["score"]), abs=0.005 * (len(parts) + 1))
    words = [word.lower() for word in section.locator(".marked .word").all_inner_texts()]
    assert words.count("free") == 3, "each place of the word is marked all the same"


def test_found_29_an_empty_box_has_no_verdict(visit):
    person = visit()
    section = go_to(person, "mail")
    fact = lambda name: section.locator(f'[data-fact="{name}"]').inner_text()  # noqa: E731
    assert "classified as" in fact("decision")
    section.get_by_label("The message", exact=True).fill("")
    section.get_by_text("the message is empty").wait_for()
    assert (fact("decision"), fact("flip"), section.locator(".marked").inner_text()) == ("", "", "")
    assert section.get_by_role("button", name="Leave them out").is_disabled()


def test_found_29_words_of_a_former_mail_are_not_left_out_of_a_new_one(visit):
    """The fewest words belong to the message that was read; one that is being typed keeps what was typed."""
    person = visit()
    section = go_to(person, "mail")
    reading = Held(person.page, "mail_read", "lab")
    reading.hold()
    box = section.get_by_label("The message", exact=True)
    box.fill("please bring the money")
    leave = section.get_by_role("button", name="Leave them out")
    assert leave.is_disabled()
    person.wait("held.waiting.length")
    reading.let_go()
    person.wait("!document.querySelector('#mail [aria-busy=true]')")
    assert box.input_value() == "please bring the money"


# Tests of the lab, and all others

CLOCKS = {
    "monotonic",
    "perf_counter",
    "process_time",
    "thread_time",
    "time",
    "time_ns",
    "monotonic_ns",
    "perf_counter_ns",
}
TESTS = Path(__file__).parents[1]


def called(node: ast.AST) -> set[str]:
    """The names of everything that is called within."""
    calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}


def names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def functions(files: list[Path]) -> list[tuple[str, ast.FunctionDef]]:
    trees = [(file.name, ast.parse(file.read_text(encoding="utf8"))) for file in files]
    return [(name, node) for name, tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def asserts_a_time(function: ast.FunctionDef, clocks: set[str]) -> bool:
    """Whether a claim of the function is about what a clock said, directly or by way of its variables."""
    if not called(function) & clocks:
        return False
    timed: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and (called(node.value) & clocks or names(node.value) & timed):
            timed |= {name for target in node.targets for name in names(target)}
    claims = [node.test for node in ast.walk(function) if isinstance(node, ast.Assert)]
    return any(called(claim) & clocks or names(claim) & timed for claim in claims)


def test_found_30_no_test_claims_that_something_was_quick():
    helpers = functions([TESTS.parent / "faults" / "labs.py"])
    timed = {function.name for _, function in helpers if called(function) & CLOCKS}
    tests = functions(sorted(TESTS.rglob("*.py")))
    assert {"honest", "trickle"} <= timed
    assert [f"{file}: {one.name}" for file, one in tests if asserts_a_time(one, CLOCKS | timed)] == []
