"""The bench of the lab as a person uses it: points, time, choices and the link; numbers against the Python API."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rosenblatt import Perceptron
from rosenblatt.traces import trace
from rosenblatt.traces.numerals import vector

pytest_plugins = ["lab_browser"]

FIVE = np.array([[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]]), np.array([0, 1, 1, 1, 0])
START = [-1, 0, 0]
PRESETS = [
    *("The notes' five points", "Apples", "AND", "OR", "XOR", "Wide margin", "Thin margin", "Noise"),
    *("Three classes", "Contradicting duplicates"),
]


def weights_text(weights: np.ndarray) -> str:
    return "; ".join(vector(line) for line in np.atleast_2d(weights).tolist())


def final_weights(person, **choices) -> None:
    """The end of the run on the page has the weights of the Python API on the points that the table shows.

    A trace goes on for all its passes; the page stops where the weights come round, which the engine proves.
    """
    X, y = person.points()
    run = trace(X, y, **({"passes": 300} | choices))
    person.end()
    last = int(person.count.rpartition(" ")[2])
    assert person.fact("w after") == weights_text(run[last - 1].after)
    mistakes = sum(not step.correct for step in run.steps[:last])
    assert person.count == f"mistake {mistakes} · pass {run[last - 1].number} · example {last}"
    assert last == len(run) or "for ever" in person.ended


# --- Data


def test_it_opens_with_the_five_points_and_shows_exactly_the_table_of_the_notes(visit):
    person = visit()
    X, y = person.points()
    assert (X.tolist(), y.tolist()) == (FIVE[0].tolist(), FIVE[1].tolist())
    assert person.count == "mistake 3 · pass 2 · example 7"
    person.page.locator(".rp-steps").scroll_into_view_if_needed()
    person.page.locator(".rp-steps tr[aria-current]").wait_for()
    lines = [text.split("\t") for text in person.page.locator(".rp-steps tbody tr").all_inner_texts()[:6]]
    assert lines == [
        ["1", "[-1, 0, 0]", "-1·1 + 0·1 + 0·1 = -1", "yes", "none"],
        ["2", "[-1, 0, 0]", "-1·1 + 0·3 + 0·2 = -1", "no", "+[1, 3, 2]"],
        ["3", "[0, 3, 2]", "0·1 + 3·2 + 2·4 = 14", "yes", "none"],
        ["4", "[0, 3, 2]", "0·1 + 3·3 + 2·4 = 17", "yes", "none"],
        ["5", "[0, 3, 2]", "0·1 + 3·2 + 2·3 = 12", "no", "-[1, 2, 3]"],
        ["6", "[-1, 1, -1]", "-1·1 + 1·1 + -1·1 = -1", "yes", "none"],
    ]
    final_weights(person, start=START)


def test_a_click_adds_a_point_of_the_chosen_class_and_a_drag_moves_it(visit):
    person = visit()
    person.click_plane(4, 3)
    X, y = person.points()
    assert (X[-1].tolist(), y[-1]) == ([4, 3], 1)
    person.page.locator(".palette label").nth(0).click()
    person.click_plane(0.5, 2)
    X, y = person.points()
    assert (X[-1].tolist(), y[-1]) == ([0.5, 2], 0)
    person.mouse.move(*person.spot(4, 3))
    person.mouse.down()
    person.mouse.move(*person.spot(4.5, 2.5), steps=4)
    person.mouse.move(*person.spot(4.5, 1.5), steps=4)
    person.mouse.up()
    person.settle()
    X, _ = person.points()
    assert X[5].tolist() == [4.5, 1.5]
    assert len(X) == 7  # the click that ends a drag adds nothing
    final_weights(person, start=START)


def test_points_by_keyboard_alone(visit):
    person = visit()
    plane = person.page.locator(".plane")
    plane.focus()
    for key in ["n", "n", "ArrowRight", "ArrowRight", "Shift+ArrowUp"]:
        person.keyboard.press(key)
    person.settle()
    spans = person.page.evaluate("['x', 'y'].map(a => window.lab.plane.frame[a].span)")
    right, up = (2.0 ** math.ceil(math.log2(span / 100)) for span in spans)  # about a hundredth of what is seen
    X, _ = person.points()
    assert X[1].tolist() == [3 + 2 * right, 2 + 10 * up]
    assert person.spoken.startswith("Point 2 of 5, class +1, at (")
    person.keyboard.press("1")
    person.settle()
    assert person.points()[1].tolist() == [0, 0, 1, 1, 0]
    person.keyboard.press("Delete")
    person.keyboard.press("Enter")
    person.settle()
    X, y = person.points()
    assert len(X) == 5
    assert y[-1] == 1
    assert person.spoken.startswith("Point 5 of 5")
    final_weights(person, start=START)


def test_coordinates_and_classes_can_be_typed_and_wrong_ones_are_told_where_they_are(visit):
    person = visit()
    person.type("x1 of row 1", "0.25")
    person.page.get_by_label("Class of row 5").select_option("1")
    person.settle()
    form = person.page.locator("form", has=person.page.get_by_label("Class of the new point"))
    form.locator("input").nth(0).fill("-1")
    form.locator("input").nth(1).fill("2,5")  # as half of Europe writes it
    form.get_by_label("Class of the new point").select_option("0")
    form.get_by_role("button", name="Add").click()
    person.settle()
    person.press("Remove row 3")
    person.settle()
    X, y = person.points()
    assert X.tolist() == [[0.25, 1], [3, 2], [3, 4], [2, 3], [-1, 2.5]]
    assert y.tolist() == [0, 1, 1, 1, 0]
    final_weights(person, start=START)
    person.type("x2 of row 2", "two")
    assert "x2 must be a number; got “two”." in person.page.locator("#tables .problem").inner_text()
    assert person.points()[0].tolist() == X.tolist()


@pytest.mark.parametrize("title", PRESETS)
def test_presets_run_as_in_python(visit, title):
    person = visit()
    person.preset(title)
    data = person.page.evaluate("window.lab.state.question()")
    choices = data["settings"]
    run = trace(data["points"], data["labels"], start=choices["start"], passes=choices["passes"])
    person.end()
    last = int(person.count.rpartition(" ")[2])
    assert person.fact("w after") == weights_text(run[last - 1].after)
    assert last == len(run) or "for ever" in person.ended
    assert person.ended


def test_a_seed_reproduces_drawn_points_and_another_gives_others(visit):
    person = visit()
    person.preset("Noise")
    first = person.page.evaluate("window.lab.state.data.points")
    for seed, same in (("7", False), ("0", True)):
        person.type("seed", seed)
        person.until(lambda: person.page.evaluate("window.lab.state.data.points") == first, same)


def test_a_file_is_read_and_two_of_its_columns_are_shown(visit, tmp_path):
    file = tmp_path / "plants.csv"
    rows = [(1.5, 2, "x", 7, "fern"), (2.5, 1, "y", 8, "moss"), (0.5, 4, "x", 9, "fern"), (3.5, 0, "z", 1, "moss")]
    file.write_text("height,width,note,age,kind\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    person = visit()
    person.press("Load a file…")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_label("a CSV file").set_input_files(str(file))
    dialog.get_by_label("up").select_option("age")
    dialog.get_by_label("class").select_option("kind")
    dialog.get_by_role("button", name="Show these points").click()
    dialog.wait_for(state="hidden")
    X, y = person.points()
    assert X.tolist() == [[row[0], row[3]] for row in rows]
    assert y.tolist() == [0, 1, 0, 1]
    assert person.page.locator(".palette label").all_inner_texts() == ["fern", "moss"]
    final_weights(person)


def test_built_in_sets_are_there(visit):
    from sklearn.datasets import load_iris

    person = visit()
    person.press("Load a file…")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_label("or a built-in set").select_option("iris")
    dialog.get_by_role("button", name="Show these points").click()
    dialog.wait_for(state="hidden")
    person.ready()
    shown = person.page.evaluate("window.lab.state.data")
    assert np.array_equal(shown["points"], np.round(load_iris().data[:, :2] * 64) / 64)
    assert "Rounded to multiples of 1/64" in person.page.locator(".plane-box .note").inner_text()
    assert len(shown["classes"]) == 3
    person.end()
    assert person.page.locator(".layer-regions path").count() >= 1


@pytest.mark.parametrize(
    ("text", "column", "told"),
    [
        ('a,b,kind\n1,2,x\n"3,4,y\n', None, "csv"),
        ("a,b,kind\n1,2,x\n3,4,x\n", None, "class"),
        ("a,b,kind\n1,2,x\n3,abc,y\n", None, "number"),
        ("a,b,kind\n" + "".join(f"{i},{i % 7},{'xy'[i % 2]}\n" for i in range(2001)), None, "2,000"),
        ("", None, ""),
    ],
    ids=["broken", "one class", "not numbers", "too many", "empty"],
)
def test_a_bad_file_is_told_where_it_happened_and_changes_nothing(visit, tmp_path, text, column, told):
    file = tmp_path / "bad.csv"
    file.write_text(text)
    person = visit(expected=(422,))
    before = person.page.evaluate("window.lab.state.question()")
    person.press("Load a file…")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_label("a CSV file").set_input_files(str(file))
    shown = dialog.get_by_role("button", name="Show these points")
    problem = dialog.locator(".problem")
    shown.or_(problem).first.wait_for()
    if shown.count():
        shown.click()
    problem.first.wait_for()
    assert told in problem.first.inner_text()
    assert dialog.is_visible()
    assert person.page.evaluate("window.lab.state.question()") == before


def test_one_class_left_is_told_on_the_plane_and_goes_away_with_the_next_point(visit):
    person = visit(expected=(422,))
    for row in (1, 4):
        person.press(f"Remove row {row}")
        person.settle()
    assert "one class" in person.page.locator(".plane-box .problem").inner_text()
    assert person.page.get_by_role("button", name="Play", exact=True).is_disabled()
    person.press("Undo")
    person.settle()
    assert person.page.locator(".plane-box .problem").count() == 0
    assert person.page.get_by_role("button", name="Play", exact=True).is_enabled()


# --- The link and undo


def test_a_link_reproduces_everything(visit):
    person = visit()
    person.click_plane(4, 1)
    person.choose("a score of 0 is", "+")
    person.type("rate α", "0.5")
    person.check("averaged")
    person.jump(7)
    address = person.address()
    assert "token" not in address
    facts = {name: person.fact(name) for name in ("score", "w before", "update", "w after")}
    other = visit("#" + address.split("#")[1])
    assert {name: other.fact(name) for name in facts} == facts
    assert other.count == person.count
    assert other.page.get_by_label("averaged").is_checked()
    assert other.page.locator(".plane line.rp-new").evaluate_all(
        "lines => lines.map(l => l.outerHTML)"
    ) == person.page.locator(".plane line.rp-new").evaluate_all("lines => lines.map(l => l.outerHTML)")
    assert other.address().split("#")[1] == address.split("#")[1]


@pytest.mark.parametrize(
    "broken",
    [
        lambda link: link[:-3],
        lambda link: link.replace("points=1,1,0", "points=1,2,0"),
        lambda link: "v=9&points=1,1,0~2,2,1",
        lambda link: "v=1&points=1,1,0~2,x,1",
        lambda link: "v=1&points=1,1,0~2,2,7",
        lambda link: "v=1&points=1,1,0~2,2,1&alpha=Infinity",
        lambda link: "v=1&points=1,1,0~2,2,1&alpha=-1",
        lambda link: "v=1&points=1,1,0~2,2,0",
        lambda link: "v=1&points=1,1,0~2,2,1&start=1,2",
        lambda link: "v=1&points=" + "~".join(f"{i},0,{i % 2}" for i in range(2001)),
        lambda link: "v=1&classes=%E0%A4%A&points=1,1,0~2,2,1",
        lambda link: "nonsense",
    ],
)
def test_a_corrupted_link_is_told_and_leaves_what_was_there(visit, broken):
    person = visit(expected=(422,))
    person.click_plane(4, 1)
    link = person.address().split("#")[1]
    before = person.page.evaluate("window.lab.state.question()")
    person.page.evaluate("hash => { location.hash = hash; }", broken(link))
    banner = person.page.locator("#page-problem")
    banner.wait_for()
    assert len(banner.inner_text()) > 20
    assert person.page.evaluate("window.lab.state.question()") == before
    assert person.address().split("#")[1] == link  # and the address is right again


def test_a_corrupted_link_at_the_first_visit_gives_the_five_points(visit):
    person = visit("#v=1&sum=abc&points=1,1,0~2,2,1")
    assert "lost or changed" in person.page.locator("#page-problem").inner_text()
    assert len(person.points()[0]) == 5


def test_undo_and_redo_by_button_and_by_key(visit):
    person = visit()
    states = [person.points()[0].tolist()]
    person.click_plane(4, 1)
    states.append(person.points()[0].tolist())
    person.press("Remove row 1")
    person.settle()
    states.append(person.points()[0].tolist())
    person.type("margin τ", "2")
    person.press("Undo")
    person.settle()
    assert person.page.get_by_label("margin τ", exact=True).input_value() == "0"
    person.page.locator(".plane").focus()
    for wanted in (states[1], states[0]):
        person.keyboard.press("Control+z")
        person.settle()
        assert person.points()[0].tolist() == wanted
    assert person.page.get_by_role("button", name="Undo").is_disabled()
    person.keyboard.press("Control+y")
    person.keyboard.press("Control+Shift+z")
    person.settle()
    assert person.points()[0].tolist() == states[2]
    final_weights(person, start=START)


# --- Time


def test_every_way_through_time(visit):
    person = visit()
    run = trace(*FIVE, start=START, passes=300)
    updates = [step.step for step in run if not step.correct]

    def at(step: int) -> None:
        assert person.count.endswith(f"· example {step}")
        assert person.fact("w after") == weights_text(run[step - 1].after if step else run.start)

    person.press("To the start")
    at(0)
    assert person.said == "The run starts with the weights that were given."
    for way, steps in {
        "Next example": [1, 2, 3],
        "Next mistake": [5, updates[2], updates[3]],
        "Previous mistake": [updates[2], 5, 2],
        "Next pass": [5, 10, 15],
        "Previous pass": [10, 5, 0],
    }.items():
        for step in steps:
            person.press(way)
            at(step)
    for number in (302, 446, 1):
        person.jump(number)
        at(updates[number - 1])
    slider = person.page.get_by_label("Example", exact=True)
    box = slider.bounding_box()
    person.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert abs(person.page.evaluate("window.lab.state.step") - 580) <= 3
    slider.focus()
    person.keyboard.press("Home")
    for key, step in [("ArrowRight", 1), ("Shift+ArrowRight", 2), ("PageDown", 5), ("ArrowLeft", 4), ("End", 1160)]:
        person.keyboard.press(key)
        at(step)
    assert person.page.locator(".scrub path.tick").count() == 2  # the mistakes of the two classes


def played(person, milliseconds: int) -> str:
    """Where it is after so long a time of playing, by the page's own clock: the way to the browser may be slow."""
    return person.page.evaluate(
        """async (time) => {
          const button = (name) => document.querySelector(`#bench button[aria-label="${name}"]`);
          button("Play").click();
          await new Promise((later) => setTimeout(later, time));
          button("Pause").click();
          return document.querySelector(".count").textContent;
        }""",
        milliseconds,
    )


def test_it_plays_pauses_and_ends(visit):
    person = visit()
    person.preset("AND")
    person.unfold(person.page.get_by_label("Pace")).select_option("very fast")
    person.page.get_by_label("Play by").select_option("examples")
    person.press("Play")
    person.page.get_by_text("example 36").wait_for()
    person.page.get_by_role("button", name="Play", exact=True).wait_for()
    assert person.fact("w after") == "[-4, 3, 2]"
    person.page.get_by_label("Pace").select_option("slow")
    assert "example 0" in played(person, 0)


def test_less_motion_where_the_system_asks_for_it(visit):
    person = visit(reduced_motion="reduce")
    person.preset("AND")
    person.unfold(person.page.get_by_label("Pace")).select_option("very fast")
    assert "example 0" in played(person, 700)  # a second for each step, whatever the pace


def test_an_update_in_words_in_numbers_and_as_arrows(visit):
    person = visit()
    run = trace(*FIVE, start=START, passes=300)
    updates = [step for step in run if not step.correct]
    person.press("To the start")
    for number in (2, 302, 446):
        person.jump(number)
        step = updates[number - 1]
        assert person.fact("score") == step.arithmetic
        assert person.fact("update") == step.update
        assert person.fact("w before") == vector(step.before.tolist())
        assert person.fact("w after") == vector(step.after.tolist())
        names = ["−1", "+1"]
        now = float(step.after @ step.features)
        right = "right" if now * (1 if step.true else -1) > 0 else "tied" if now == 0 else "still wrong"
        assert person.fact("its score now") == f"{now:g} {right}"
        place = ", ".join(f"{value:g}" for value in step.features[1:])
        verb = "Add" if step.true else "Subtract"
        score = float(step.scores[0])
        assert person.said == (
            f"Point {step.row + 1} at ({place}) is {names[step.true]}, but its score is {score:g}. {verb} its features."
        )
        assert person.spoken == person.said
        arrows = person.page.locator(".arrows svg").get_attribute("aria-label")
        texts = [", ".join(f"{value:g}" for value in w[1:]) for w in (step.before, step.after)]
        assert arrows == f"w: before ({texts[0]}), after ({texts[1]})"
    assert person.page.locator(".plane line.rp-old").count() == 1


def boundary(person, selector: str) -> np.ndarray:
    """The ends of a line of the plane, in features."""
    ends = person.page.locator(selector).first.evaluate(
        "l => [[l.x1, l.y1], [l.x2, l.y2]].map(p => window.lab.plane.frame.under(p.map(v => v.baseVal.value)))"
    )
    return np.array(ends)


def test_the_boundary_and_its_ghost_lie_where_the_score_is_0(visit):
    person = visit()
    step = trace(*FIVE, start=START, passes=2)[6]
    for selector, w in ((".plane line.rp-new", step.after), (".plane line.rp-old", step.before)):
        ends = boundary(person, selector)
        assert w[0] + ends @ w[1:] == pytest.approx(0, abs=1e-6)


# --- Choices


@pytest.mark.parametrize(
    ("act", "choices"),
    [
        (lambda p: p.choose("a score of 0 is", "+"), {"ties": "positive"}),
        (lambda p: p.choose("a score of 0 is", "−"), {"ties": "negative"}),
        (lambda p: p.type("rate α", "0.5"), {"rate": 0.5}),
        (lambda p: p.type("margin τ", "3"), {"margin": 3.0}),
        (lambda p: p.type("start weights", "[2, −1, 0.5]"), {"start": [2, -1, 0.5]}),
        (lambda p: p.type("start weights", ""), {"start": None}),
        (lambda p: p.type("passes at most", "4"), {"passes": 4}),
        (lambda p: p.choose("order", "shuffled"), {"seed": 0}),
        (lambda p: (p.choose("order", "shuffled"), p.type("shuffle seed", "5")), {"seed": 5}),
    ],
    ids=["positive", "negative", "rate", "margin", "start", "from 0", "passes", "shuffle", "shuffle seed"],
)
def test_choices_change_the_run_as_in_python(visit, act, choices):
    person = visit()
    act(person)
    run = trace(*FIVE, **({"start": START, "passes": 300} | choices))
    person.end()
    assert person.fact("w after") == weights_text(run.weights)
    assert person.count.endswith(f"pass {run.n_passes} · example {len(run)}")


def test_without_a_bias_every_boundary_goes_through_the_origin(visit):
    person = visit()
    person.check("bias, always 1", False)
    run = trace(*FIVE, bias=False, passes=300)
    person.end()
    shown = person.page.evaluate("Array.from(window.lab.state.moment().after)")
    assert shown == run[person.page.evaluate("window.lab.state.course.length") - 1].after.tolist()
    (x1, y1), (x2, y2) = boundary(person, ".plane line.rp-new")
    assert x1 * y2 - x2 * y1 == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "value"),
    [("rate α", "-1"), ("rate α", "fast"), ("margin τ", "-0.5"), ("passes at most", "0"), ("start weights", "1, 2")],
)
def test_a_choice_that_is_refused_goes_back_with_the_reason(visit, name, value):
    person = visit(expected=(422,))
    before = person.page.get_by_label(name, exact=True).input_value()
    person.type(name, value)
    problem = person.page.locator("#rail .problem")
    problem.wait_for()
    assert len(problem.inner_text()) > 20
    assert person.page.get_by_label(name, exact=True).input_value() == before
    assert person.page.evaluate("window.lab.state.choices.start") == START


def test_final_averaged_voted_and_pocket_are_drawn_together(visit):
    person = visit()
    person.preset("Noise")
    person.end()
    for kind in ("averaged", "voted", "pocket"):
        person.check(kind)
    person.page.locator(".plane path.other.voted").wait_for()
    data = person.page.evaluate("window.lab.state.question()")
    X, y = np.array(data["points"]), np.array(data["labels"])
    passes = person.page.evaluate("window.lab.state.course.passes")
    for kind in ("final", "averaged", "voted", "pocket"):
        model = Perceptron(weights=kind, shuffle=False, tol=None, max_iter=passes).fit(X, y)
        right = int((model.predict(X) == y).sum())
        assert person.page.locator(f'[data-right="{kind}"]').inner_text() == f"{right} of {len(X)}"
        if kind in ("averaged", "pocket"):
            ends = boundary(person, f".plane line.other.{kind}")
            score = ends @ model.coef_[0] + model.intercept_[0]
            assert score == pytest.approx(0, abs=1e-6 * np.abs(model.coef_).max())
        if kind == "voted":
            places = person.page.locator(".plane path.other.voted").evaluate(
                "p => p.getAttribute('d').slice(1).split(/[ML]/)"
                ".map(t => window.lab.plane.frame.under(t.split(' ').map(Number)))"
            )
            assert len(places) > 10
            near = 0.03 * np.ptp(X, axis=0).max()
            around = [[dx, dy] for dx in (-near, 0, near) for dy in (-near, 0, near)]
            for place in places[:: max(1, len(places) // 12)]:
                assert len(set(model.predict(np.array(place) + around))) == 2  # both classes beside the line
    person.check("final", False)
    assert person.page.locator(".plane line.rp-new").count() == 0


def test_three_classes_have_three_regions_that_agree_with_python(visit):
    person = visit()
    person.preset("Three classes")
    person.end()
    assert person.page.locator(".plane .rp-region").count() == 3
    data = person.page.evaluate("window.lab.state.question()")
    run = trace(data["points"], data["labels"], passes=data["settings"]["passes"])
    assert person.fact("w after") == weights_text(run.weights)
    places = [[x, y] for x in (-2, 0, 2.2) for y in (-2, 0.3, 1.9)]
    scores = np.column_stack([np.ones(9), places]) @ run.weights.T
    inside = person.page.evaluate(
        "places => places.map(p => { const q = window.lab.plane.sheets[0].createSVGPoint();"
        "[q.x, q.y] = window.lab.plane.frame.at(p);"
        "return [...document.querySelectorAll('.plane .rp-region')].findIndex(r => r.isPointInFill(q)); })",
        places,
    )
    assert inside == scores.argmax(axis=1).tolist()


def test_more_classes_can_be_added(visit):
    person = visit()
    person.press("+ class")
    person.click_plane(1, 4)
    X, y = person.points()
    assert y.tolist() == [0, 1, 1, 1, 0, 2]
    person.type("start weights", "")
    run = trace(X, y, passes=300)
    person.end()
    assert person.fact("w after") == weights_text(run.weights)
