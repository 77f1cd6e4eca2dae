"""What the lab answers: the numbers of the Python API, and one clear line for whatever cannot be used."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_server import Client, running_lab
from rosenblatt import Perceptron, prove, trace
from rosenblatt.data import read
from rosenblatt.errors import RosenblattError
from rosenblatt.lab import regions as grids
from rosenblatt.lab.bench import MOST_POINTS
from rosenblatt.lab.calls import CALLS, RAW_CALLS
from rosenblatt.lab.columns import unpack
from rosenblatt.lab.course import MOST_STEPS, MOST_UPDATES
from rosenblatt.lab.sessions import Session
from rosenblatt.reference import perceptron as reference
from rosenblatt.traces import Trace

POINTS, LABELS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [0, 1, 1, 1, 0]
FIVE = {"points": POINTS, "labels": LABELS, "settings": {"start": [-1, 0, 0], "passes": 300}}


@pytest.fixture
def call():
    """Asks in a session of its own, without a server."""
    session = Session("test")

    def ask(name, body=None, /, **query):
        if isinstance(body, bytes):
            return RAW_CALLS[name](session, body, query)
        return CALLS[name](session, {} if body is None else body)

    return ask


def tenths(n_classes: int, count: int = 30, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Points on a grid of tenths, as people click them: no sum of theirs is exact."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, 2)).round(1), np.concatenate(
        [np.arange(n_classes), rng.integers(0, n_classes, count - n_classes)]
    )


RUNS = {
    "the notes": {},
    "ties positive": {"ties": "positive"},
    "ties negative, no bias": {"ties": "negative", "bias": False},
    "rate": {"alpha": 0.3},
    "margin and rate": {"alpha": 0.7, "margin": 0.5},
    "shuffled": {"shuffle": True, "seed": 7},
    "start": {"start": "given", "margin": 1},
    "start, rate, shuffled, no bias": {"start": "given", "alpha": 0.3, "shuffle": True, "seed": 1, "bias": False},
}


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("case", RUNS)
def test_a_run_has_the_bits_of_the_estimator(case, n_classes, call):
    X, y = tenths(n_classes)
    given = {"passes": 12, **RUNS[case]}
    bias = given.get("bias", True)
    first = {}
    if given.get("start"):
        width = 2 + bias
        start = np.linspace(-1, 1, width * (1 if n_classes == 2 else n_classes)).round(2).reshape(-1, width)
        given["start"] = (start[0] if n_classes == 2 else start).tolist()
        coef = start[:, 1:] if bias else start
        first = {"coef_init": coef[0] if n_classes == 2 else coef}
        if bias:
            first["intercept_init"] = start[0, 0] if n_classes == 2 else start[:, 0]
    body = {"points": X.tolist(), "labels": y.tolist(), "settings": given}
    found = call("run", body)
    window = [-3, 3, -3, 3]
    cells = {"window": window, "columns": 9, "rows": 7, "variants": ["final", "averaged", "voted", "pocket"]}
    areas = call("regions", {**body, **cells})
    centres = np.array([[-3 + 6 * (i + 0.5) / 9, -3 + 6 * (j + 0.5) / 7] for j in range(7) for i in range(9)])
    for variant in cells["variants"]:
        model = Perceptron(
            weights=variant,
            ties=given.get("ties", "mistake"),
            margin=given.get("margin", 0.0),
            eta0=given.get("alpha", 1.0),
            fit_intercept=bias,
            shuffle=given.get("shuffle", False),
            random_state=given.get("seed", 0),
            max_iter=12,
            tol=None,
            record=True,
        ).fit(X, y, **first)
        assert np.array_equal(unpack(areas[variant]), model.predict(centres)), variant
        if variant == "voted":
            assert areas["right"]["voted"] == int(np.sum(model.predict(X) == y))
            continue
        weights = np.array(found["final"][variant]).reshape(-1, 2 + bias)
        assert np.array_equal(weights[:, int(bias) :], model.coef_), variant
        assert not bias or np.array_equal(weights[:, 0], model.intercept_), variant
    assert unpack(found["updates"]["row"]).tolist() == model.mistakes_["row"].tolist()
    assert unpack(found["updates"]["step"]).tolist() == model.mistakes_["step"].tolist()
    assert unpack(found["updates"]["rival"]).tolist() == model.mistakes_["predicted"].tolist()
    assert (found["n_updates"], found["n_mistakes"], found["passes"]) == (
        model.n_updates_,
        model.n_mistakes_,
        model.n_iter_,
    )
    assert unpack(found["mistakes"])[-1] == model.n_mistakes_
    assert found["stopped"] == model.stopped_
    assert found["radius"] == model.radius_
    assert found["bracket"][0] == model.margin_bracket_[0]
    assert found["bracket"][1] == model.margin_bracket_[1] == pytest.approx(unpack(found["margin_at_most"])[-1])
    assert np.array_equal(unpack(found["weights"])[-1], found["final"]["final"])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_step_is_that_of_the_trace(n_classes, call):
    X, y = tenths(n_classes)
    choice = {"passes": 5, "margin": 0.2, "shuffle": True, "seed": 3}
    body = {"points": X.tolist(), "labels": y.tolist(), "settings": choice}
    found = call("run", body)
    run = trace(X, y, passes=5, margin=0.2, seed=3)
    steps = {name: unpack(column) for name, column in found["steps"].items()}
    assert steps["row"].tolist() == [s.row for s in run]
    assert steps["pass"].tolist() == [s.number for s in run]
    assert steps["predicted"].tolist() == [s.predicted for s in run]
    assert steps["true"].tolist() == [s.true for s in run]
    assert np.array_equal(steps["score"].reshape(len(run), -1), [s.scores for s in run])
    learned = [s for s in run if not s.correct]
    assert np.flatnonzero(steps["update"] >= 0).tolist() == [s.step - 1 for s in learned]
    assert np.array_equal(unpack(found["weights"])[1:], [s.after.ravel() for s in learned])
    assert found["updates"]["arithmetic"] == [s.arithmetic for s in learned]
    assert unpack(found["margin_at_most"])[1:].tolist() == [s.bracket[1] for s in learned]
    told = call("words", {**body, "from": 1, "to": 40})["steps"]
    assert [each["arithmetic"] for each in told] == [s.arithmetic for s in run[:40]]
    if n_classes == 2:
        assert [each["change"] for each in told] == [s.update for s in run[:40]]
        assert [each["sums"] for each in told] == [[s.arithmetic] for s in run[:40]]


def test_the_table_of_the_notes(call):
    told = call("words", {**FIVE, "from": 1, "to": 5})["steps"]
    assert [(each["arithmetic"], each["change"]) for each in told] == [
        ("-1·1 + 0·1 + 0·1 = -1", "none"),
        ("-1·1 + 0·3 + 0·2 = -1", "+[1, 3, 2]"),
        ("0·1 + 3·2 + 2·4 = 14", "none"),
        ("0·1 + 3·3 + 2·4 = 17", "none"),
        ("0·1 + 3·2 + 2·3 = 12", "-[1, 2, 3]"),
    ]
    assert told[1]["words"] == "Point 2 at (3, 2) is class 1, but its score is -1. Add its features."
    found = call("run", {**FIVE, "classes": ["−1", "+1"]})
    assert unpack(found["weights"])[:3].tolist() == [[-1, 0, 0], [0, 3, 2], [-1, 1, -1]]
    assert found["updates"]["words"][0] == "Point 2 at (3, 2) is +1, but its score is -1. Add its features."
    assert (found["n_mistakes"], found["passes"], found["final"]["final"]) == (446, 232, [-31, 12, 2])
    assert found["words"] == "Pass 232 got every point right: separated after 446 mistakes."
    assert found["features"] == ["bias", "x1", "x2"]


@given(st.integers(0, 10**6), st.sampled_from(["mistake", "positive", "negative"]))
@settings(max_examples=30)
def test_averaged_and_pocket_weights_of_every_moment_are_those_of_the_reference(seed, ties):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-3, 4, (7, 2)), np.concatenate([[0, 1], rng.integers(0, 2, 5)])
    body = {"points": X.tolist(), "labels": y.tolist(), "settings": {"passes": 3, "ties": ties}}
    found = CALLS["run"](Session("test"), body)
    rows, signs = [[1, *map(int, x)] for x in X], [2 * int(c) - 1 for c in y]
    history, w = [], [0, 0, 0]
    for _ in range(found["passes"]):
        history += reference.binary_pass(rows, signs, w, ties)
        w = history[-1][1]
    averaged, pocket = unpack(found["averaged"]), unpack(found["pocket"])
    for u, step in enumerate(unpack(found["updates"]["step"]).tolist()):
        assert averaged[u + 1] == pytest.approx(reference.averaged([w for _, w in history[:step]]))
        kept = reference.pocket([0, 0, 0], history[:step], rows, signs, ties)
        # The reference also offers the weights that the last update made, which had no chance to be right yet.
        assert pocket[u + 1].tolist() == list(kept)
    assert found["final"]["pocket"] == list(reference.pocket([0, 0, 0], history, rows, signs, ties))


def test_classes_may_have_gaps(call):
    body = {"points": POINTS, "labels": [0 if c == 0 else 4 for c in LABELS], "classes": ["a", "b", "c", "d", "e"]}
    found = call("run", body)
    assert (found["classes"], found["vectors"]) == ([0, 4], 1)
    assert set(unpack(found["steps"]["true"]).tolist()) == {0, 4}
    assert set(unpack(found["updates"]["rival"]).tolist()) <= {0, 4}
    assert "is e" in found["updates"]["words"][0]
    areas = call("regions", {**body, "window": [0, 4, 0, 4], "columns": 5, "rows": 5, "variants": ["voted", "final"]})
    assert set(unpack(areas["final"]).tolist()) <= {0, 4}


def test_new_names_are_used_although_the_run_is_remembered(call):
    assert "is class 1" in call("run", FIVE)["updates"]["words"][0]
    assert "is yes" in call("run", {**FIVE, "classes": ["no", "yes"]})["updates"]["words"][0]


def test_regions_as_of_an_update(call):
    found = call("run", FIVE)
    window = {"window": [0, 4, 0, 5], "columns": 8, "rows": 10, "variants": ["final"], "update": 2}
    area = unpack(call("regions", {**FIVE, **window})["final"])
    w = unpack(found["weights"])[2]
    x, y = np.meshgrid(4 * (np.arange(8) + 0.5) / 8, 5 * (np.arange(10) + 0.5) / 10)
    assert area.tolist() == (w[0] + w[1] * x + w[2] * y > 0).astype(int).ravel().tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_votes_counted_by_blocks_first_decide_as_all_of_them(n_classes, call, monkeypatch):
    X, y = tenths(n_classes, 60)
    body = {"points": X.tolist(), "labels": y.tolist(), "settings": {"passes": 10}}
    body |= {"window": [-3, 3, -3, 3], "columns": 42, "rows": 33, "variants": ["voted"]}
    exact = unpack(call("regions", body)["voted"])
    monkeypatch.setattr(grids, "MOST_BALLOTS", 0)
    fast = unpack(call("regions", body)["voted"])
    assert np.mean(exact == fast) > 0.995  # specks smaller than a block may be missed
    assert set(exact.tolist()) == set(fast.tolist()) != {0}
    monkeypatch.setattr(grids, "MOST_REFINED", 0)
    blocks = unpack(call("regions", body)["voted"]).reshape(33, 42)
    assert np.array_equal(blocks[::4, ::4], exact.reshape(33, 42)[::4, ::4])
    assert np.array_equal(blocks[:32, :40], np.kron(blocks[:32:4, :40:4], np.ones((4, 4), int)))


def test_the_surface_is_the_score_over_the_plane(call):
    found = call("surface", {**FIVE, "window": [0, 4, 0, 4], "cells": 4, "update": 1})
    assert found["normals"] == [[0, 3, 2]]
    assert found["without"][0][1][2] == found["with"][0][1][2] == 3 * 2 + 2 * 1
    end = call("surface", {**FIVE, "window": [0, 4, 0, 4], "cells": 4})
    assert end["with"][0][0][0] == -31
    assert end["without"][0][0][0] == 0
    across, up = (np.array(end["planes"][0][name]) for name in ("across", "up"))
    for direction in (across, up):
        assert direction @ np.array([-31, 12, 2]) == pytest.approx(0, abs=1e-12)
        assert np.linalg.norm(direction) == pytest.approx(1)
    assert across @ up == pytest.approx(0, abs=1e-12)


def test_the_best_margin_of_the_five_points_is_that_of_the_notes(call):
    found = call("proof", FIVE)
    low, high = found["best_margin"]
    assert found["kind"] == "separable"
    assert low <= high <= low * (1 + 1e-9)
    assert round(low, 4) == 0.0639
    assert found["bound"] == int((found["radius"] / found["margin"]) ** 2)
    assert found["bound_here"] >= 446
    rows = np.column_stack([np.ones(5), POINTS]) * np.where(np.array(LABELS) == 1, 1, -1)[:, None]
    weights = np.array(found["weights"])
    assert (rows @ weights).min() / np.linalg.norm(weights) == pytest.approx(low)
    assert "margin γ = 0.06389" in found["words"]


def test_what_cannot_be_separated_says_why(call):
    corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    found = call("proof", {"points": corners, "labels": [0, 1, 1, 0]})
    verdict = prove(corners, [0, 1, 1, 0])
    assert (found["kind"], found["rows"], found["multipliers"]) == ("inseparable", [0, 1, 2, 3], [1, 1, 1, 1])
    assert (found["rows"], found["multipliers"]) == (list(verdict.rows), list(verdict.multipliers))
    assert found["sum"] == [0, 0, 0]
    assert "sum to [0, 0, 0] exactly" in found["words"]
    twins = call("proof", {"points": [[1, 1], [0, 3], [1, 1]], "labels": [0, 0, 1]})
    assert twins["words"] == "Not separable: points 1 and 3 lie in the same place and are of different classes."
    origin = call("proof", {"points": [[0, 0], [1, 1]], "labels": [0, 1], "settings": {"bias": False}})
    assert "point 1 is the origin" in origin["words"]
    cycle = call("run", {"points": corners, "labels": [0, 1, 1, 0]})["cycle"]
    assert (cycle["passes"], cycle["rows"], cycle["updates"]) == (1, [0, 1, 2, 3], [1, 1, 1, 1])


@given(st.integers(0, 10**6), st.sampled_from([2, 3]), st.sampled_from([0, 0.5, 3]), st.sampled_from([0.5, 1, 2]))
@settings(max_examples=40)
def test_no_run_makes_more_updates_than_its_bound(seed, n_classes, margin, alpha):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (8, 2))
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, 8 - n_classes)])
    shape = (3,) if n_classes == 2 else (n_classes, 3)
    choice = {"margin": margin, "alpha": alpha, "start": rng.integers(-5, 6, shape).tolist(), "passes": 500}
    body = {"points": X.tolist(), "labels": y.tolist(), "settings": choice}
    session = Session("test")
    proof = CALLS["proof"](session, body)
    assert proof["kind"] == prove(X, y).kind
    if proof["kind"] == "separable":
        assert CALLS["run"](session, body)["n_updates"] <= proof["bound_here"]
        low, high = proof["best_margin"]
        assert prove(X, y).margin <= high * (1 + 1e-9)
        assert low <= high


def test_presets_are_what_they_say_and_a_seed_gives_them_again(call):
    first, again, other = (call("presets", {"seed": seed})["presets"] for seed in (1, 1, 2))
    assert first == again
    drawn = {"wide", "thin", "noise", "three"}
    assert {a["name"] for a, b in zip(first, other, strict=True) if a["points"] != b["points"]} == drawn
    assert [p["name"] for p in first] == [
        "notes", "apples", "and", "or", "xor", "wide", "thin", "noise", "three", "duplicates",
    ]  # fmt: skip
    for seed in range(6):
        kinds = {}
        for preset in call("presets", {"seed": seed})["presets"]:
            body = {name: preset[name] for name in ("points", "labels", "classes", "features")}
            kinds[preset["name"]] = call("proof", body)
            call("run", {**body, "settings": {**preset["settings"], "start": preset["start"]}})
        separable = {name for name, found in kinds.items() if found["kind"] == "separable"}
        assert separable == {"notes", "and", "or", "wide", "thin", "three"}
        assert kinds["wide"]["gap"] > 2 > 0.5 > kinds["thin"]["gap"] > 0.1
        assert kinds["duplicates"]["found_by"] == "equal rows"


def test_a_long_run_ends_at_the_limit_and_says_so(call):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(MOST_POINTS, 2)).round(2), rng.integers(0, 2, MOST_POINTS)
    body = {"points": X.tolist(), "labels": y.tolist(), "settings": {"passes": 10_000}}
    found = call("run", body)
    assert MOST_UPDATES <= found["n_updates"] <= MOST_UPDATES + 5_000
    assert found["n_steps"] <= MOST_STEPS
    assert "100,000 steps and about 10,000 updates" in found["limited"]
    short = call("run", {**body, "settings": {"passes": 2}})
    assert (short["limited"], short["passes"], short["stopped"]) == (None, 2, "limit")
    assert len(json.dumps(found)) < 12e6


BAD = {
    "too many points": ({"points": [[0, 0]] * 2001, "labels": [0] * 2001}, "at most 2,000 points; got 2,001"),
    "no points": ({"points": [], "labels": []}, "points must have 2 to 2,000 entries"),
    "points missing": ({"labels": [0, 1]}, "points must be a list; got None"),
    "one class": ({"points": POINTS, "labels": [1] * 5}, "all points are of one class"),
    "words": ({"points": [[0, "a"], [1, 1]], "labels": [0, 1]}, "a coordinate of point 1 must be a number; got 'a'"),
    "true": ({"points": [[0, True], [1, 1]], "labels": [0, 1]}, "must be a number; got True"),
    "null": ({"points": [[0, None], [1, 1]], "labels": [0, 1]}, "must be a number; got None"),
    "huge": ({"points": [[0, 1e308], [1, 1]], "labels": [0, 1]}, "must be a number from -1e+09 to 1e+09; got 1e+308"),
    "huge whole": ({"points": [[0, 10**400], [1, 1]], "labels": [0, 1]}, "must be a number from -1e+09"),
    "ragged": ({"points": [[0, 1], [1]], "labels": [0, 1]}, "point 2 must have 2 numbers"),
    "flat": ({"points": [1, 2], "labels": [0, 1]}, "a point must be a list of 1 to 8 numbers"),
    "wide": ({"points": [[0] * 9, [1] * 9], "labels": [0, 1]}, "a point must be a list of 1 to 8 numbers"),
    "labels": ({"points": POINTS, "labels": [0, 1]}, "5 points but 2 labels"),
    "label": ({"points": POINTS, "labels": [0, 1, 1, 1, 6]}, "a label must be a whole number from 0 to 5; got 6"),
    "label text": ({"points": POINTS, "labels": list("01110")}, "a label must be a whole number"),
    "settings": ({**FIVE, "settings": [1]}, "settings must be an object"),
    "unknown": ({**FIVE, "settings": {"speed": 1}}, "there is no setting 'speed'"),
    "ties": ({**FIVE, "settings": {"ties": "both"}}, "ties must be one of"),
    "alpha 0": ({**FIVE, "settings": {"alpha": 0}}, "alpha must be at least 0.000001"),
    "alpha": ({**FIVE, "settings": {"alpha": "1"}}, "alpha must be a number; got '1'"),
    "margin": ({**FIVE, "settings": {"margin": -1}}, "margin must be a number from 0"),
    "passes": ({**FIVE, "settings": {"passes": 0}}, "passes must be a whole number from 1 to 10,000; got 0"),
    "half a pass": ({**FIVE, "settings": {"passes": 1.5}}, "passes must be a whole number"),
    "seed": ({**FIVE, "settings": {"seed": -1}}, "seed must be a whole number from 0"),
    "bias": ({**FIVE, "settings": {"bias": 1}}, "bias must be true or false; got 1"),
    "start": ({**FIVE, "settings": {"start": [0, 0]}}, "start must have 3 weights, the bias first"),
    "start of one": ({**FIVE, "labels": [0, 1, 2, 1, 0]}, "start must be a list; got -1"),
    "start text": ({**FIVE, "settings": {"start": ["a", 0, 0]}}, "a start weight must be a number"),
    "class names": ({**FIVE, "classes": ["x" * 81]}, "classes may have 80 characters; got 81"),
    "feature names": ({**FIVE, "features": ["a", "b", "c"]}, "features must have 0 to 2 entries"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_benches_are_one_clear_line(case, call):
    body, message = BAD[case]
    for name in ("run", "proof"):
        with pytest.raises(ValueError) as error:  # noqa: PT011 the message is what is tested
            call(name, body)
        assert message in str(error.value)
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 200


BAD_QUESTIONS = {
    "no window": ("regions", {}, "window must be a list"),
    "window": ("regions", {"window": [1, 0, 0, 1]}, "left < right"),
    "cells": ("regions", {"window": [0, 1, 0, 1], "columns": 161}, "columns must be a whole number from 2 to 160"),
    "variant": ("regions", {"window": [0, 1, 0, 1], "variants": ["best"]}, "variants must be one of"),
    "update": ("regions", {"window": [0, 1, 0, 1], "update": 447}, "update must be a whole number from 0 to 446"),
    "three numbers": (
        "surface",
        {"points": [[1, 2, 3], [4, 5, 6]], "labels": [0, 1], "settings": {}},
        "have 3 numbers",
    ),
    "from": ("words", {"from": 0, "to": 3}, "from must be a whole number from 1"),
    "to": ("words", {"from": 1, "to": 1161}, "to must be a whole number from 1 to 1,160"),
    "many": ("words", {"from": 1, "to": 501}, "at most 500 steps"),
    "form": ("takeaway", {"form": "exe"}, "form must be one of"),
    "weights": ("takeaway", {"form": "python", "weights": "best"}, "weights must be one of"),
    "built-in": ("open", {"name": "/etc/passwd"}, "name must be one of"),
    "nothing loaded": ("pick", {"x": "a", "y": "b", "label": "c"}, "Load it again"),
}


@pytest.mark.parametrize("case", BAD_QUESTIONS)
def test_bad_questions_are_one_clear_line(case, call):
    name, change, message = BAD_QUESTIONS[case]
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is what is tested
        call(name, {**FIVE, **change})
    assert message in str(error.value)


def test_a_table_in_memory_becomes_points(call):
    found = call("load", b"height,width,colour,class\n1.5,2,red,b\n3,4,blue,a\n-1,0.25,red,b\n", name="things.csv")
    assert (found["name"], found["rows"], found["label"]) == ("things.csv", 3, "class")
    assert [(c["name"], c["numeric"], c["distinct"]) for c in found["columns"]] == [
        ("height", True, 3),
        ("width", True, 3),
        ("colour", False, 2),
        ("class", False, 2),
    ]
    picked = call("pick", {"x": "width", "y": "height", "label": "class"})
    assert picked["points"] == [[2, 1.5], [4, 3], [0.25, -1]]
    assert (picked["labels"], picked["classes"]) == ([1, 0, 1], ["a", "b"])
    assert picked["features"] == ["width", "height"]
    other = call("pick", {"x": "width", "y": "height", "label": "colour"})
    assert other["classes"] == ["blue", "red"]
    assert call("load", b"a\tb\tlabel\n1\t2\tx\n3\t4\ty\n")["rows"] == 2


def test_built_in_sets_are_those_of_the_engine(call):
    call("open", {"name": "iris"})
    picked = call("pick", {"x": "petal length (cm)", "y": "petal width (cm)", "label": "label"})
    table = read("iris")
    assert [p[0] for p in picked["points"]] == table.columns["petal length (cm)"].to_pylist()
    assert [picked["classes"][c] for c in picked["labels"]] == table.labels.to_pylist()
    digits = call("open", {"name": "digits"})
    assert len([c for c in digits["columns"] if c["numeric"]]) == 65
    many = call("pick", {"x": "pixel 3,4", "y": "pixel 4,4", "label": "label"})
    assert many["note"] == "10 classes; the 5 largest are shown, all others as one."
    assert many["classes"][-1] == "others"
    assert max(many["labels"]) == 5
    for name in ("notes", "apples", "and", "or", "xor", "wine", "breast-cancer"):
        assert call("open", {"name": name})["label"] == "label"


def test_more_rows_than_the_bench_takes_are_sampled_only_if_asked(call):
    text = "a,b,label\n" + "".join(f"{i},{i % 7},{'xy'[i % 2]}\n" for i in range(5000))
    assert call("load", text.encode())["rows"] == 5000
    wanted = {"x": "a", "y": "b", "label": "label"}
    with pytest.raises(ValueError, match=r"has 5,000 rows; the lab shows at most 2,000\. Ask for a sample"):
        call("pick", wanted)
    one, same, other = (call("pick", {**wanted, "sample": seed}) for seed in (4, 4, 5))
    assert one == same
    assert one["rows"] != other["rows"]
    assert len(set(one["rows"])) == MOST_POINTS
    assert [p[0] for p in one["points"]] == one["rows"] == sorted(one["rows"])


BAD_FILES = {
    "empty": (b"", "the file is empty"),
    "no rows": (b"a,b,label\n", "no rows"),
    "one row": (b"a,b,c\n1,2\n", "bad.csv, line 2: 2 values where the first line has 3"),
    "quotes": (b'a,b,label\n1,"2,x\n', "quote"),
    "latin-1": (b"a,b,label\n1,2,caf\xe9\n3,4,b\n", "not utf-8 text"),
    "a comment": (b"# a\n", "no rows"),
    "zip": (b"PK\x03\x04zzzz", "zip archive"),
    "gzip": (b"\x1f\x8b\x08\x00zzzz", "compressed"),
    "parquet": (b"PAR1zzzzzz", "looks like parquet"),
    "twice": (b"a,a,label\n1,2,x\n", "columns 1 and 2 are both named 'a'"),
    "many columns": (b",".join(b"c%d" % i for i in range(501)) + b"\n", "501 columns; the lab takes at most 500"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_files_that_do_not_parse_say_where_and_leave_the_former_table(case, call):
    call("load", b"a,b,label\n1,2,x\n3,4,y\n", name="good.csv")
    content, message = BAD_FILES[case]
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is what is tested
        call("load", content, name="bad.csv")
    assert message in str(error.value)
    assert str(error.value).startswith("bad.csv")
    assert "\n" not in str(error.value)
    assert call("pick", {"x": "a", "y": "b", "label": "label"})["points"] == [[1, 2], [3, 4]]


BAD_PICKS = {
    "no column": ({"x": "z"}, "there is no column 'z'"),
    "no label": ({"label": "z"}, "there is no column 'z' to be the class"),
    "not numeric": ({"y": "colour"}, "column 'colour' holds 'red', which is no number. Columns of numbers: a, b"),
    "one class": ({"label": "same"}, "all 3 rows have the label 'k'"),
    "missing": ({"x": "gap"}, "bad.csv, row 2: no value in column 'gap'"),
    "huge": ({"x": "huge"}, "bad.csv, row 3: 1e+300, more than the lab can draw, in column 'huge'"),
    "no name": ({"x": None}, "x must be a text; got None"),
    "sample": ({"sample": "no"}, "sample must be a whole number"),
}


@pytest.mark.parametrize("case", BAD_PICKS)
def test_columns_that_cannot_be_drawn_say_why(case, call):
    text = b"a,b,colour,same,gap,huge,label\n1,2,red,k,1,1,x\n3,4,blue,k,,2,y\n5,6,red,k,3,1e300,x\n"
    call("load", text, name="bad.csv")
    change, message = BAD_PICKS[case]
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is what is tested
        call("pick", {"x": "a", "y": "b", "label": "label", **change})
    assert message in str(error.value)


# A process each, so only some.
COMMANDS = {("margin and rate", 2), ("shuffled", 3), ("start, rate, shuffled, no bias", 3)}
HOSTILE = "'''\"\nimport os; os._exit(9) # </script> $(exit 9) `exit 9`"


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("case", RUNS)
def test_copied_python_and_commands_make_the_same_run(case, n_classes, call, tmp_path):
    X, y = tenths(n_classes, 12)
    given = {"passes": 6, **RUNS[case]}
    width = 2 + given.get("bias", True)
    if given.get("start"):
        start = np.linspace(-1, 1, width * (1 if n_classes == 2 else n_classes)).reshape(-1, width)
        given["start"] = (start[0] if n_classes == 2 else start).tolist()
    body = {"points": X.tolist(), "labels": y.tolist(), "settings": given, "classes": [HOSTILE] * n_classes}
    found = call("run", body)
    bias = given.get("bias", True)
    for variant in ("final", "averaged", "pocket"):
        names: dict = {}
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(call("takeaway", {**body, "form": "python", "weights": variant})["text"], names)
        model = names["model"]
        coef = np.array(found["final"][variant]).reshape(-1, width)
        assert np.array_equal(coef[:, int(bias) :], model.coef_), variant
        assert not bias or np.array_equal(coef[:, 0], model.intercept_)
        assert printed.getvalue().startswith(found["stopped"])
        assert names["classes"] == [HOSTILE] * n_classes
    told = Trace.from_json(call("takeaway", {**body, "form": "json"})["text"])
    assert told.weights.ravel().tolist() == found["final"]["final"]
    assert (len(told), told.n_passes) == (found["n_steps"], found["passes"])
    if (case, n_classes) in COMMANDS:
        again = run_command(call("takeaway", {**body, "form": "command"})["text"], tmp_path)
        assert again.weights.ravel().tolist() == found["final"]["final"]
        assert [s.row for s in again] == unpack(found["steps"]["row"]).tolist()


def run_command(text: str, folder: Path) -> Trace:
    """The trace that the copied command makes in an empty folder."""
    program = folder / "rosenblatt"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m rosenblatt "$@"\n')
    program.chmod(0o755)
    done = subprocess.run(
        ["sh", "-e", "-c", text.rstrip("\n") + " --to json"],
        cwd=folder,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Trace.from_json(done.stdout)


def test_the_copied_command_of_the_five_points(call, tmp_path):
    text = call("takeaway", {**FIVE, "form": "command"})["text"]
    assert text == (
        "cat > points.csv <<'END'\nx1,x2,label\n1,1,0\n3,2,1\n2,4,1\n3,4,1\n2,3,0\nEND\n"
        "rosenblatt trace points.csv --label label --passes 232 --ties mistake --start=-1,0,0\n"
    )
    assert run_command(text, tmp_path).weights.tolist() == [-31, 12, 2]


def test_the_player_holds_the_run_and_nothing_that_was_typed_can_run(call):
    page = call("takeaway", {**FIVE, "form": "player", "classes": [HOSTILE, "+1"]})
    assert page["name"] == "run.html"
    data = page["text"].split('id="data">')[1].split("</script>")[0]
    plain = json.loads(data)
    assert plain["classes"] == [HOSTILE, "+1"]
    assert len(plain["steps"]["row"]) == 1160
    assert HOSTILE not in page["text"]


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "a", "mistake", "final", "\ud800", "😀" * 50, "x1"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*FIVE, "start", "ties"]), inner),
    max_leaves=12,
)
NAMES = ["points", "labels", "settings", "classes", "features", "window", "columns", "rows", "variants", "update"]
NAMES += ["from", "to", "form", "weights", "seed", "name", "x", "y", "label", "sample", "cells"]
CHOICES = ["ties", "bias", "alpha", "margin", "shuffle", "seed", "start", "passes"]
BENCH = ["run", "words", "presets", "proof", "regions", "surface", "open", "pick", "takeaway"]


def answer_or_line(ask) -> str:
    """The answer as JSON, or the message of an error that is meant for people; any other error comes out."""
    try:
        return json.dumps(ask(), allow_nan=False)
    except RosenblattError as error:
        return str(error)


@given(st.sampled_from(BENCH), st.dictionaries(st.sampled_from(NAMES), PLAIN, max_size=3), st.data())
@settings(max_examples=300)
def test_whatever_is_asked_there_is_an_answer_or_one_line(name, change, data):
    body = {**FIVE, "window": [0, 4, 0, 5], "from": 1, "to": 3, "form": "python", "name": "xor", **change}
    if isinstance(body["settings"], dict):
        key = data.draw(st.sampled_from(CHOICES))
        body["settings"] = {**body["settings"], key: data.draw(PLAIN)}
    session = Session("fuzz")
    CALLS["open"](session, {"name": "notes"})
    assert "\n" not in answer_or_line(lambda: CALLS[name](session, json.loads(json.dumps(body))))


@given(st.binary(max_size=200) | st.text(alphabet='ab1.,"\n\r\t;é', max_size=200).map(str.encode))
@settings(max_examples=200)
def test_whatever_is_loaded_there_is_a_table_or_one_line(content):
    session = Session("fuzz")

    def load_and_pick():
        found = RAW_CALLS["load"](session, content, {"name": "f.csv"})
        columns = [column["name"] for column in found["columns"]]
        return [found, CALLS["pick"](session, {"x": columns[0], "y": columns[-1], "label": columns[-1]})]

    assert "\n" not in answer_or_line(load_and_pick)


def test_the_same_over_the_wire():
    with running_lab() as lab:
        client = Client(lab)
        found = client.call("run", FIVE)
        assert unpack(found["weights"])[-1].tolist() == [-31, 12, 2]
        assert np.isinf(unpack(found["margin_at_most"])[0])
        assert client.ask("run", {**FIVE, "labels": [1] * 5}).status_code == 422
        answer = client.ask("load", b"a,b\n1\n", name="x.csv")
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("x.csv")
        client.close()


@pytest.mark.parametrize(
    ("ties", "label", "said"),
    [("mistake", 1, "counts as a mistake"), ("positive", 0, "counts as yes"), ("negative", 1, "counts as no")],
)
def test_a_score_of_0_is_called_what_the_choice_of_ties_makes_it(ties, label, said, call):
    body = {"points": [[1, 2], [3, 1]], "labels": [label, 1 - label], "classes": ["no", "yes"]}
    found = call("run", {**body, "settings": {"ties": ties}})
    assert said in found["updates"]["words"][0]
