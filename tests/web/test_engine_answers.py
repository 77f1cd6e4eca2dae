"""What the page's own engine answers about the plane: numbers and words of the Python API."""

from __future__ import annotations

import numpy as np
import pytest

from engine_page import ADDRESS, open_engine, open_page
from rosenblatt import Perceptron, compare_orders, descend, prove, trace
from rosenblatt.reference import perceptron as reference
from rosenblatt.traces.table import head_of, lines_of, training_set

POINTS, LABELS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [0, 1, 1, 1, 0]
FIVE = {"points": POINTS, "labels": LABELS, "settings": {"start": [-1, 0, 0], "passes": 300}}
WINDOW = {"window": [-4, 4, -3, 3], "columns": 8, "rows": 12}  # centres are exact, so ties are ties
TIES = ("mistake", "positive", "negative")
VARIANTS = ["final", "averaged", "voted", "pocket"]


@pytest.fixture(scope="module")
def ask(browser):
    """Asks one call of the page."""
    engine = open_engine(browser)
    modules = {"run": "answer.js", "words": "answer.js", "regions": "regions.js", "surface": "regions.js"}
    modules |= {"losses": "losses.js", "lossCurve": "losses.js", "courseTable": "courses.js", "presets": "presets.js"}
    modules |= {"orders": "orders.js"}

    def call(name, body):
        return engine(modules[name], name, [[body]])[0]

    return call


def clouds(n_classes: int, count: int = 30, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return np.round(rng.normal(size=(count, 2)) * 64) / 64, np.concatenate(
        [np.arange(n_classes), rng.integers(0, n_classes, count - n_classes)]
    )


def body_of(X: np.ndarray, y: np.ndarray, **settings) -> dict:
    return {"points": X.tolist(), "labels": y.tolist(), "settings": settings}


def test_the_table_of_the_notes(ask):
    told = ask("words", {**FIVE, "from": 1, "to": 5})["steps"]
    assert [(each["arithmetic"], each["change"]) for each in told] == [
        ("-1·1 + 0·1 + 0·1 = -1", "none"),
        ("-1·1 + 0·3 + 0·2 = -1", "+[1, 3, 2]"),
        ("0·1 + 3·2 + 2·4 = 14", "none"),
        ("0·1 + 3·3 + 2·4 = 17", "none"),
        ("0·1 + 3·2 + 2·3 = 12", "-[1, 2, 3]"),
    ]
    assert told[1]["words"] == "Point 2 at (3, 2) is class 1, but its score is -1. Add its features."
    found = ask("run", {**FIVE, "classes": ["−1", "+1"]})
    assert found["weights"][:9] == [-1, 0, 0, 0, 3, 2, -1, 1, -1]
    assert found["updates"]["words"][0] == "Point 2 at (3, 2) is +1, but its score is -1. Add its features."
    assert (found["n_mistakes"], found["passes"], found["final"]["final"]) == (446, 232, [-31, 12, 2])
    assert found["words"] == "Pass 232 got every point right: separated after 446 mistakes."
    assert found["features"] == ["bias", "x1", "x2"]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_step_is_that_of_the_trace(n_classes, ask):
    X, y = clouds(n_classes)
    body = body_of(X, y, passes=5, margin=0.25, shuffle=True, seed=3)
    found, run = ask("run", body), trace(X, y, passes=5, margin=0.25, seed=3)
    steps = found["steps"]
    assert steps["row"] == [s.row for s in run]
    assert steps["pass"] == [s.number for s in run]
    assert steps["predicted"] == [s.predicted for s in run]
    assert steps["true"] == [s.true for s in run]
    assert steps["score"] == np.concatenate([s.scores for s in run]).tolist()
    learned = [s for s in run if not s.correct]
    assert [k for k, update in enumerate(steps["update"]) if update >= 0] == [s.step - 1 for s in learned]
    size = len(found["final"]["final"])
    assert found["weights"][size:] == np.concatenate([s.after.ravel() for s in learned]).tolist()
    assert found["margin_at_most"][1:] == [s.bracket[1] for s in learned]
    told = ask("words", {**body, "from": 1, "to": 40})["steps"]
    assert [each["arithmetic"] for each in told] == [s.arithmetic for s in run[:40]]
    if n_classes == 2:
        assert [each["change"] for each in told] == [s.update for s in run[:40]]
        assert [each["sums"] for each in told] == [[s.arithmetic] for s in run[:40]]


def test_averaged_and_pocket_weights_of_every_moment_are_those_of_the_reference(browser):
    bodies = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y = np.concatenate([[0, 1], rng.integers(0, 2, 5)])
        bodies.append(body_of(rng.integers(-3, 4, (7, 2)), y, passes=3, ties=TIES[seed % 3]))
    for body, found in zip(bodies, open_engine(browser)("answer.js", "run", [[each] for each in bodies]), strict=True):
        rows, signs = [[1, *x] for x in body["points"]], [2 * c - 1 for c in body["labels"]]
        ties, history, w = body["settings"]["ties"], [], [0, 0, 0]
        for _ in range(found["passes"]):
            history += reference.binary_pass(rows, signs, w, ties)
            w = history[-1][1]
        averaged, pocket = (np.reshape(found[name], (-1, 3)) for name in ("averaged", "pocket"))
        for u, step in enumerate(found["updates"]["step"]):
            assert averaged[u + 1] == pytest.approx(reference.averaged([w for _, w in history[:step]]))
            # The reference also offers the weights that the last update made, which had no chance to be right yet.
            assert pocket[u + 1].tolist() == list(reference.pocket([0, 0, 0], history[:step], rows, signs, ties))
        assert found["final"]["pocket"] == list(reference.pocket([0, 0, 0], history, rows, signs, ties))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("ties", TIES)
def test_regions_are_what_the_estimators_predict(n_classes, ties, ask):
    X, y = clouds(n_classes)
    body = body_of(X, y, passes=12, ties=ties, alpha=0.75, margin=0.5, shuffle=True, seed=7)
    areas = ask("regions", {**body, **WINDOW, "variants": VARIANTS})
    centres = np.array([[-3.5 + i, -2.75 + 0.5 * j] for j in range(12) for i in range(8)])
    for variant in VARIANTS:
        choice = {"weights": variant, "ties": ties, "margin": 0.5, "eta0": 0.75, "max_iter": 12, "tol": None}
        model = Perceptron(**choice, shuffle=True, random_state=7).fit(X, y)
        assert areas[variant] == model.predict(centres).tolist(), variant
        if variant == "voted":
            assert areas["right"]["voted"] == int(np.sum(model.predict(X) == y))


def test_regions_as_of_an_update(ask):
    window = {"window": [0, 4, 0, 5], "columns": 8, "rows": 10, "variants": ["final"], "update": 2}
    w = ask("run", FIVE)["weights"][6:9]
    x, y = np.meshgrid(4 * (np.arange(8) + 0.5) / 8, 5 * (np.arange(10) + 0.5) / 10)
    found = ask("regions", {**FIVE, **window})["final"]
    assert found == (w[0] + w[1] * x + w[2] * y > 0).astype(int).ravel().tolist()


@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("ties", TIES)
def test_votes_counted_along_rows_are_those_of_every_place(n_classes, ties, browser):
    """Also where scores tie: of 32 by 16 cells every centre is exact, and boundaries of whole weights meet many."""
    rng = np.random.default_rng(n_classes)
    X = rng.integers(-3, 4, (40, 2))
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, 40 - n_classes)])
    body = body_of(X, y, ties=ties, bias=n_classes != 3) | {"window": [-4, 4, -4, 4], "columns": 32, "rows": 16}
    script = """async ([address, body]) => {
      const { courseOf } = await import(`${address}latest.js`);
      const { votesAlong, votesAt } = await import(`${address}votes.js`);
      const { regions } = await import(`${address}regions.js`);
      const [course, told] = [courseOf(body), await regions({ ...body, variants: ['voted'] })];
      const [x, y] = [32, 16].map((count) => Array.from({ length: count }, (_, k) => -4 + (8 * (k + 0.5)) / count));
      const places = y.flatMap((b) => x.map((a) => [a, b]));
      const zero = (u) => places.some((place) => course.scores(place, course.rawAfter(u)).includes(0));
      const rows = y.flatMap((b) => votesAlong(course, x, b));
      return [
        [rows, course.decide(places, 'voted'), course.right('voted')],
        [votesAt(course, places), Array.from(told.voted), told.right.voted],
        course.run.steps.filter((_, u) => zero(u + 1)).length,
      ];
    }"""
    along, one_by_one, tied = open_page(browser).evaluate(script, [ADDRESS, body])
    assert along == one_by_one
    assert tied or n_classes > 2


def test_the_surface_is_the_score_over_the_plane(ask):
    found = ask("surface", {**FIVE, "window": [0, 4, 0, 4], "cells": 4, "update": 1})
    assert found["normals"] == [[0, 3, 2]]
    assert found["without"][0][1][2] == found["with"][0][1][2] == 3 * 2 + 2 * 1
    end = ask("surface", {**FIVE, "window": [0, 4, 0, 4], "cells": 4})
    assert (end["with"][0][0][0], end["without"][0][0][0]) == (-31, 0)
    across, up = (np.array(end["planes"][0][name]) for name in ("across", "up"))
    for direction in (across, up):
        assert direction @ np.array([-31, 12, 2]) == pytest.approx(0, abs=1e-12)
        assert np.linalg.norm(direction) == pytest.approx(1)
    assert across @ up == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("settings", [{}, {"ties": "positive", "alpha": 0.5}, {"bias": False, "start": [1, 0]}])
def test_losses_are_those_of_a_trace_and_of_a_descent(settings, ask):
    given = {"start": [-1, 0, 0], "passes": 300} | settings
    body = FIVE | {"settings": given}
    choice = {name: given[name] for name in ("start", "ties", "bias") if name in given} | {
        "rate": given.get("alpha", 1)
    }
    run, told = trace(POINTS, LABELS, passes=300, **choice), ask("losses", body)
    stop = len(told["zero_one"])  # a cycle is shown to go on in a trace
    assert [*zip(told["zero_one"], told["perceptron"], strict=True)] == [tuple(each) for each in run.losses[:stop]]
    at_once = descend(POINTS, LABELS, steps=stop - 1, **choice)
    assert told["batch_words"] == at_once.summary()
    assert told["batch_zero_one"] == [each.zero_one for each in at_once.losses]
    assert told["batch_perceptron"] == pytest.approx([each.perceptron for each in at_once.losses])
    curve = ask("lossCurve", body | {"update": 1})
    first = next(step for step in run if not step.correct)
    scores = run.X @ first.after
    assert curve["leads"] == np.where(np.array(LABELS) == 1, scores, -scores).tolist()
    assert (curve["zero_one"], curve["perceptron"]) == tuple(run.losses_after(first.step))


def test_every_order_is_counted_as_in_python(ask):
    for X, y in ((POINTS, LABELS), *(clouds(k, 12, seed=k) for k in (2, 3))):
        body = {"points": np.array(X).tolist(), "labels": np.array(y).tolist(), "settings": {"passes": 300}}
        told, found = ask("orders", body), compare_orders(X, y, passes=300)
        assert (told["mistakes"], tuple(told["shuffled"])) == (found.mistakes, found.shuffled)
        assert told["stopped"] == {name: run.stopped for name, run in found.runs.items()}
        assert told["bound"] == found.bound
    assert ask("orders", FIVE)["bound"] == 6370
    many = {"points": [[k, k % 7] for k in range(201)], "labels": [k % 2 for k in range(201)]}
    assert "at most 200 points; got 201" in ask("orders", many)["problem"]


@pytest.mark.parametrize("course", ["berkeley", "ucla", "cornell"])
@pytest.mark.parametrize("bias", [True, False])
def test_a_run_is_written_as_a_course_writes_it(course, bias, ask):
    for number, (X, y) in enumerate([(POINTS, LABELS), clouds(2, 9), clouds(2, 25), clouds(3, 9)]):
        if course != "berkeley" and len(set(np.array(y).tolist())) > 2:
            continue
        rate = 0.75 if course == "ucla" else 1.0
        run = trace(X, y, passes=10, course=course, bias=bias, rate=rate)
        body = body_of(np.array(X), np.array(y), passes=10, bias=bias, alpha=rate)
        told = ask("courseTable", body | {"course": course, "classes": ["0", "1", "2"][: len(set(y))]})
        assert told["head"] == list(head_of(run))
        lines = [list(line) for line in lines_of(run)]
        assert told["lines"] == (lines if len(lines) <= 201 else lines[:200]), number
        assert told["left_out"] == (0 if len(lines) <= 201 else len(lines) - 201)
        assert told["why"] == run.why()
        if told["set"]:
            assert told["set"] == [list(line) for line in training_set(run)]
        assert bool(told["set"]) == (course == "berkeley" and len(X) <= 20)


def test_presets_are_what_they_say_and_a_seed_gives_them_again(ask):
    first, again, other = (ask("presets", {"seed": seed})["presets"] for seed in (1, 1, 2))
    assert first == again
    curved = {"circles", "moons", "spirals"}
    drawn = {"wide", "thin", "noise", "three"} | curved
    assert {a["name"] for a, b in zip(first, other, strict=True) if a["points"] != b["points"]} == drawn
    assert [p["name"] for p in first] == [
        "notes", "apples", "and", "or", "xor", "wide", "thin", "noise", "three", "circles", "moons", "spirals",
        "duplicates",
    ]  # fmt: skip
    for seed in range(6):
        found = {}
        for preset in ask("presets", {"seed": seed})["presets"]:
            body = {name: preset[name] for name in ("points", "labels", "classes", "features")}
            told = ask("run", {**body, "settings": {**preset["settings"], "start": preset["start"]}})
            assert told["rounded"] is None
            assert told["separated"] or preset["name"] not in curved  # its own curve does it
            found[preset["name"]] = prove(preset["points"], preset["labels"])
        separable = {name for name, verdict in found.items() if verdict.kind == "separable"}
        assert separable == {"notes", "and", "or", "wide", "thin", "three"}
        assert found["wide"].best.gap > 2 > 0.5 > found["thin"].best.gap > 0.12
        assert found["duplicates"].found_by == "equal rows"


def test_what_was_rounded_is_told(ask):
    points = [[0.3, 1], [2, -1.01], [1, 1 / 64]]
    body = {"points": points, "labels": [0, 1, 1], "settings": {"alpha": 0.001, "margin": 0.3, "start": [0.1, 0, 1]}}
    told = ask("run", body)["rounded"]
    assert told["points"] == [[0, [19 / 64, 1]], [1, [2, -65 / 64]]]
    assert told["settings"] == {"alpha": 1 / 64, "margin": 19 / 64, "start": [6 / 64, 0, 1]}
    assert told["words"] == (
        "Rounded to multiples of 1/64, so that every sum is exact: 2 points, the rate, the margin, the start weights."
    )
    assert ask("run", FIVE)["rounded"] is None


def test_classes_may_have_gaps(ask):
    body = {"points": POINTS, "labels": [0 if c == 0 else 4 for c in LABELS], "classes": ["a", "b", "c", "d", "e"]}
    found = ask("run", body)
    assert (found["classes"], found["vectors"]) == ([0, 4], 1)
    assert set(found["steps"]["true"]) == {0, 4}
    assert set(found["updates"]["rival"]) <= {0, 4}
    assert "is e" in found["updates"]["words"][0]
    areas = ask("regions", {**body, "window": [0, 4, 0, 4], "columns": 5, "rows": 5, "variants": ["voted", "final"]})
    assert set(areas["final"]) <= {0, 4}


def test_a_long_run_ends_at_the_limit_and_says_so(ask):
    rng = np.random.default_rng(0)
    X, y = np.round(rng.normal(size=(2000, 2)) * 64) / 64, rng.integers(0, 2, 2000)
    found = ask("run", body_of(X, y, passes=10_000))
    assert 10_000 <= found["n_updates"] <= 15_000
    assert found["n_steps"] <= 100_000
    assert "100,000 steps and about 10,000 updates" in found["limited"]
    short = ask("run", body_of(X, y, passes=2))
    assert (short["limited"], short["passes"], short["stopped"]) == (None, 2, "limit")


def test_new_names_are_used_although_the_run_is_remembered(ask):
    assert "is class 1" in ask("run", FIVE)["updates"]["words"][0]
    assert "is yes" in ask("run", {**FIVE, "classes": ["no", "yes"]})["updates"]["words"][0]


@pytest.mark.parametrize(
    ("ties", "label", "said"),
    [("mistake", 1, "counts as a mistake"), ("positive", 0, "counts as yes"), ("negative", 1, "counts as no")],
)
def test_a_score_of_0_is_called_what_the_choice_of_ties_makes_it(ties, label, said, ask):
    body = {"points": [[1, 2], [3, 1]], "labels": [label, 1 - label], "classes": ["no", "yes"]}
    assert said in ask("run", {**body, "settings": {"ties": ties}})["updates"]["words"][0]
