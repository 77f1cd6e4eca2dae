"""The views of the lab: bound, bracket, proof and pictures in space, each with its table, against the Python API."""

from __future__ import annotations

import numpy as np
import pytest

from rosenblatt import prove
from rosenblatt.traces import trace

pytest_plugins = ["lab_browser"]

FIVE = np.array([[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]]), np.array([0, 1, 1, 1, 0])
START = [-1, 0, 0]


def proved(person) -> None:
    person.wait("window.lab.state.proof")


def part(person, name: str):
    person.show("views")
    return person.page.locator(".card", has=person.page.get_by_role("heading", name=name, exact=True))


def twin(person, name: str, table: str) -> list[list[str]]:
    """The numbers of a picture as its table shows them, opened as a person opens it."""
    card = part(person, name)
    box = card.locator("details", has_text=table)
    if box.get_attribute("open") is None:
        box.locator("summary").click()
    box.locator("tbody tr").first.wait_for()
    return [line.split("\t") for line in box.locator("tbody tr").all_inner_texts()]


def short(value: float) -> str:
    return f"{float(f'{value:.4g}'):.10g}"


def test_the_bracket_closes_as_in_the_trace(visit):
    person = visit()
    proved(person)
    run = trace(*FIVE, start=START, passes=300)
    updates = [step for step in run if not step.correct]
    for number in (1, 302, 446):
        person.jump(number)
        high = updates[number - 1].bracket[1]
        low = 0.0
        if number == 446:
            w = run.weights
            z = np.column_stack([np.ones(5), FIVE[0]]) * np.where(FIVE[1] == 1, 1, -1)[:, None]
            low = float((z @ w).min() / np.linalg.norm(w))
        assert person.fact("margin γ*") == (
            f"between {short(low)} and {short(high)}" if low else f"at most {short(high)}"
        )
        assert person.fact("mistakes so far") == str(number)
    person.unfold(person.page.locator(".why .twin"))
    lines = [line.split("\t") for line in person.page.locator(".why .twin tbody tr").all_inner_texts()]
    shown = {int(updates): float(bound) for updates, bound in lines}
    assert len(shown) == 40
    for number, bound in shown.items():
        assert bound == pytest.approx(updates[number - 1].bracket[1], rel=1e-3)
    dot, line = (person.page.locator(f".why .{name}").bounding_box() for name in ("dot", "limit"))
    assert dot["y"] < line["y"] + 8  # the bound stays above the best margin


def test_mistakes_stay_below_the_bound_of_the_theorem(visit):
    person = visit()
    proved(person)
    verdict = prove(*FIVE)
    assert person.fact("bound (R/γ*)²").startswith("6370 with γ* = 0.06389, R = 5.099")
    assert person.fact("verdict") == verdict.kind == "separable"
    card = part(person, "Mistakes against the bound")
    assert "(R/γ*)² = 6370" in card.inner_text()
    lines = twin(person, "Mistakes against the bound", "This curve as a table")
    run = trace(*FIVE, start=START, passes=300)
    sofar = np.cumsum([not step.correct for step in run])
    assert [[int(step), int(count)] for step, count in lines] == [
        [int(step), int(sofar[int(step) - 1])] for step, _ in lines
    ]
    top = card.locator("line.limit").bounding_box()["y"]
    curve = card.locator("polyline").bounding_box()["y"]
    assert top < curve


def test_a_separator_is_shown_with_its_margin_and_separates(visit):
    person = visit()
    proved(person)
    card = part(person, "Can a line separate them?")
    assert card.locator(".say").inner_text().startswith("Separable:")
    lines = twin(person, "Can a line separate them?", "The proof in numbers")
    w = np.array([float(line[-1]) for line in lines])
    signed = np.column_stack([np.ones(5), FIVE[0]]) * np.where(FIVE[1] == 1, 1, -1)[:, None]
    assert (signed @ w / np.linalg.norm(w)).min() == pytest.approx(1 / np.sqrt(245), rel=1e-4)  # the best there is
    assert card.locator("line.rp-new").count() == 1


@pytest.mark.parametrize("title", ["XOR", "Contradicting duplicates", "Noise"])
def test_rows_that_cancel_are_marked_and_the_cycle_is_named(visit, title):
    person = visit()
    person.preset(title)
    proved(person)
    data = person.page.evaluate("window.lab.state.data")
    X, y = np.array(data["points"]), np.array(data["labels"])
    assert prove(X, y).kind == "inseparable"
    card = part(person, "Can a line separate them?")
    assert card.locator(".say").inner_text().startswith("Not separable")
    lines = twin(person, "Can a line separate them?", "The proof in numbers")
    rows = np.array([int(line[0]) - 1 for line in lines])
    amounts = np.array([float(line[-1]) for line in lines])
    signed = np.column_stack([np.ones(len(X)), X]) * np.where(y == 1, 1, -1)[:, None]
    assert (amounts > 0).all()
    assert amounts @ signed[rows] == pytest.approx(0, abs=1e-9 * amounts.sum())
    assert person.page.locator(".plane .halo").count() == card.locator(".halo").count() == len(rows)
    spokes = card.locator("line.spoke").evaluate_all("all => all.map(l => [l.x2.baseVal.value, l.y2.baseVal.value])")
    assert len(spokes) == len(rows)
    assert np.ptp(np.array(spokes), axis=0) == pytest.approx([0, 0])  # all meet in one place
    assert "Circled: rows that cancel" in person.page.locator(".plane-box .note").text_content()
    card.get_by_label("mark these rows on the plane").uncheck()
    assert person.page.locator(".plane .halo").count() == 0
    assert "Circled" not in person.page.locator(".plane-box .note").text_content()
    assert not person.page.get_by_label("rows that cancel").is_checked()  # the same switch, beside the plane
    cycle = person.page.evaluate("window.lab.state.course.answer.cycle")
    if title == "XOR":
        assert cycle["rows"] == [0, 1, 2, 3]
        assert "back where they were one pass ago" in card.inner_text()
        assert person.fact("bound (R/γ*)²") == "none: there is no margin"
    assert bool(cycle) == ("for ever" in card.inner_text())


def turned(person, name: str) -> list[float]:
    return [float(angle) for angle in part(person, name).locator(".space").get_attribute("data-turned").split()]


@pytest.mark.parametrize("name", ["The score as a surface", "One dimension up"])
def test_pictures_in_space_turn_by_drag_keys_and_buttons(visit, name):
    person = visit()
    card = part(person, name)
    picture = card.locator(".space")
    picture.scroll_into_view_if_needed()
    card.locator(".sheet").first.wait_for(state="attached")
    before, outline = turned(person, name), card.locator(".sheet").first.get_attribute("d")
    box = picture.bounding_box()
    person.mouse.move(box["x"] + 300, box["y"] + 200)
    person.mouse.down()
    person.mouse.move(box["x"] + 400, box["y"] + 160, steps=5)
    person.mouse.up()
    dragged = turned(person, name)
    assert abs(dragged[0] - before[0]) > 20
    assert abs(dragged[1] - before[1]) > 5
    assert card.locator(".sheet").first.get_attribute("d") != outline
    picture.focus()
    for key, change in [("ArrowLeft", [-6, 0]), ("ArrowUp", [0, 6]), ("ArrowRight", [6, 0]), ("ArrowDown", [0, -6])]:
        at = turned(person, name)
        person.keyboard.press(key)
        assert np.subtract(turned(person, name), at) == pytest.approx(change, abs=1)
    assert person.spoken.startswith("Turned to")
    person.keyboard.press("Home")
    assert turned(person, name) == before
    card.get_by_role("button", name="Turn right").click()
    assert turned(person, name)[0] == before[0] + 18


def test_the_surface_has_the_scores_of_the_weights_without_and_with_bias(visit):
    person = visit()
    for number in (2, 302):
        person.jump(number)
        card = part(person, "The score as a surface")
        card.scroll_into_view_if_needed()  # the field is further up, and pictures out of sight are not drawn
        card.get_by_text(f"after update {number}.").wait_for()
        w = [step for step in trace(*FIVE, start=START, passes=300) if not step.correct][number - 1].after
        for _, corner, without, with_bias in twin(person, "The score as a surface", "This surface as a table"):
            place = np.array([float(value) for value in corner.strip("()").split(", ")])
            assert float(without) == pytest.approx(w[1:] @ place, rel=1e-4, abs=1e-4)
            assert float(with_bias) == pytest.approx(w[0] + w[1:] @ place, rel=1e-4, abs=1e-4)
        part(person, "One dimension up").scroll_into_view_if_needed()
        person.until(
            lambda: [float(line[1]) for line in twin(person, "One dimension up", "This plane as a table")],
            w.tolist(),
        )


def test_three_classes_have_a_sheet_each(visit):
    person = visit()
    person.preset("Three classes")
    person.end()
    card = part(person, "The score as a surface")
    card.scroll_into_view_if_needed()
    updates = person.page.evaluate("window.lab.state.moment().updates")
    card.get_by_text(f"with the weights after update {updates};").wait_for()
    fills = card.locator(".sheet.of").evaluate_all("all => [...new Set(all.map(f => f.getAttribute('fill')))]")
    assert len(fills) == 3
    data = person.page.evaluate("window.lab.state.question()")
    w = trace(data["points"], data["labels"], passes=data["settings"]["passes"]).weights
    lines = twin(person, "The score as a surface", "This surface as a table")
    assert len(lines) == 12
    for name, corner, _, with_bias in lines:
        place = np.array([1.0, *(float(value) for value in corner.strip("()").split(", "))])
        assert float(with_bias) == pytest.approx(w["abc".index(name[-1])] @ place, rel=1e-4, abs=1e-3)


def test_a_lesson_can_drive_the_bench(visit):
    """What lab.js promises to those who write lessons."""
    person = visit(expected=(422,))
    done = person.page.evaluate(
        """async () => {
          const { state } = window.lab;
          const before = state.bench();
          await state.setPoints([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1], { start: [0, 0, 0], step: 3 });
          const seen = [state.step, state.course.length];
          await state.setChoices({ ties: "positive" });
          state.goToMistake(2);
          seen.push(state.moment().updates);
          window.lab.highlight("update");
          seen.push(document.querySelector(".lit h3").textContent);
          window.lab.highlight(null);
          seen.push(document.querySelectorAll(".lit").length);
          const refused = await state.setPoints([[0, 0], [1, 1]], [1, 1]).catch((problem) => problem.message);
          seen.push(refused.includes("one class"), state.data.points.length);
          await state.restore(before);
          return [...seen, JSON.stringify(state.bench()) === JSON.stringify(before)];
        }"""
    )
    assert done == [3, 36, 2, "This update", 0, True, 4, True]
