"""Whatever the page's own engine is asked, it answers, or says in one line what it should have been."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine_page import open_engine

POINTS, LABELS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [0, 1, 1, 1, 0]
FIVE = {"points": POINTS, "labels": LABELS, "settings": {"start": [-1, 0, 0], "passes": 300}}
MODULES = {
    "run": ("answer.js", "run"),
    "words": ("answer.js", "words"),
    "presets": ("presets.js", "presets"),
    "proof": ("proof.js", "proof"),
    "losses": ("losses.js", "losses"),
    "loss_curve": ("losses.js", "lossCurve"),
    "orders": ("orders.js", "orders"),
    "course_table": ("courses.js", "courseTable"),
    "regions": ("regions.js", "regions"),
    "surface": ("regions.js", "surface"),
}
FUZZED = 150  # questions to each call


@pytest.fixture(scope="module")
def ask(browser):
    engine = open_engine(browser)
    return lambda name, bodies: engine(*MODULES[name], [[body] for body in bodies])


BAD = {
    "too many points": ({"points": [[0, 0]] * 2001, "labels": [0] * 2001}, "at most 2,000 points; got 2,001"),
    "no points": ({"points": [], "labels": []}, "points must have 2 to 2,000 entries"),
    "points missing": ({"labels": [0, 1]}, "points must be a list; got None"),
    "one class": ({"points": POINTS, "labels": [1] * 5}, "all points are of one class"),
    "words": ({"points": [[0, "a"], [1, 1]], "labels": [0, 1]}, "a coordinate of point 1 must be a number; got 'a'"),
    "true": ({"points": [[0, True], [1, 1]], "labels": [0, 1]}, "must be a number; got True"),
    "null": ({"points": [[0, None], [1, 1]], "labels": [0, 1]}, "must be a number; got None"),
    "far away": ({"points": [[1, 2e9], [0, 0]]}, "must be a number from -1e+09 to 1e+09; got 2000000000"),
    "ragged": ({"points": [[0, 1], [1]], "labels": [0, 1]}, "point 2 must have 2 numbers, as the first has"),
    "flat": ({"points": [1, 2], "labels": [0, 1]}, "a point must be a list of 1 to 8 numbers"),
    "wide": ({"points": [[0] * 9, [1] * 9], "labels": [0, 1]}, "a point must be a list of 1 to 8 numbers"),
    "labels": ({"points": POINTS, "labels": [0, 1]}, "there are 5 points but 2 labels; give one for each"),
    "label": ({"points": POINTS, "labels": [0, 1, 1, 1, 6]}, "a label must be a whole number from 0 to 5; got 6"),
    "label text": ({"points": POINTS, "labels": list("01110")}, "a label must be a whole number"),
    "settings": ({**FIVE, "settings": [1]}, "settings must be an object"),
    "unknown": ({**FIVE, "settings": {"speed": 1}}, "there is no setting 'speed'"),
    "ties": ({**FIVE, "settings": {"ties": "up"}}, "ties must be one of 'mistake', 'positive', 'negative'; got 'up'"),
    "order": ({**FIVE, "settings": {"order": "last"}}, "order must be one of 'given', 'shuffled', 'first wrong'"),
    "alpha 0": ({**FIVE, "settings": {"alpha": 0}}, "alpha must be at least 0.000001; got 0"),
    "alpha": ({**FIVE, "settings": {"alpha": "1"}}, "alpha must be a number; got '1'"),
    "margin": ({**FIVE, "settings": {"margin": -1}}, "margin must be a number from 0"),
    "passes": ({**FIVE, "settings": {"passes": 0}}, "passes must be a whole number from 1 to 10,000; got 0"),
    "half a pass": ({**FIVE, "settings": {"passes": 1.5}}, "passes must be a whole number from 1 to 10,000; got 1.5"),
    "seed": ({**FIVE, "settings": {"seed": -1}}, "seed must be a whole number from 0 to 4,294,967,295; got -1"),
    "bias": ({**FIVE, "settings": {"bias": 1}}, "bias must be true or false; got 1"),
    "start": ({**FIVE, "settings": {"start": [0, 0]}}, "start must have 3 weights, the bias first if there is one"),
    "start of one": ({**FIVE, "labels": [0, 1, 2, 1, 0]}, "start must be a list; got -1"),
    "start text": ({**FIVE, "settings": {"start": ["a", 0, 0]}}, "a start weight must be a number"),
    "class names": ({**FIVE, "classes": ["x" * 81]}, "classes may have 80 characters; got 81"),
    "feature names": ({**FIVE, "features": ["a", "b", "c"]}, "features must have 0 to 2 entries"),
}


@pytest.mark.parametrize("name", ["run", "proof"])
def test_bad_benches_are_one_clear_line(name, ask):
    for (_, line), told in zip(BAD.values(), ask(name, [body for body, _ in BAD.values()]), strict=True):
        assert told["status"] == 400
        assert line in told["problem"]
        assert "\n" not in told["problem"]
        assert len(told["problem"]) < 200


PLANE = {"window": [0, 1, 0, 1]}
BAD_QUESTIONS = {
    "no window": ("regions", {}, "window must be a list"),
    "window": ("regions", {"window": [1, 0, 0, 1]}, "left < right"),
    "cells": ("regions", PLANE | {"columns": 161}, "columns must be a whole number from 2 to 160"),
    "variant": ("regions", PLANE | {"variants": ["best"]}, "variants must be one of"),
    "update": ("regions", PLANE | {"update": 447}, "update must be a whole number from 0 to 446"),
    "three": ("surface", {"points": [[1, 2, 3], [4, 5, 6]], "labels": [0, 1], "settings": {}}, "have 3 numbers"),
    "from": ("words", {"from": 0, "to": 3}, "from must be a whole number from 1"),
    "to": ("words", {"from": 1, "to": 1161}, "to must be a whole number from 1 to 1,160"),
    "many": ("words", {"from": 1, "to": 501}, "at most 500 steps"),
    "a curve": ("loss_curve", {"update": 447}, "update must be a whole number from 0 to 446"),
    "a course": ("course_table", {"course": "oxford"}, "course must be one of 'berkeley', 'ucla', 'cornell'"),
    "a seed": ("presets", {"seed": 0.5}, "seed must be a whole number"),
}


@pytest.mark.parametrize("case", BAD_QUESTIONS)
def test_bad_questions_are_one_clear_line(case, ask):
    name, change, line = BAD_QUESTIONS[case]
    assert line in ask(name, [{**FIVE, **change}])[0]["problem"]


NAMES = ("points", "labels", "settings", "classes", "features", "window", "columns", "rows", "variants", "update")
NAMES += ("from", "to", "seed", "cells", "course")
CHOICES = ("ties", "bias", "alpha", "margin", "shuffle", "order", "seed", "start", "passes")
PLAIN = (None, True, False, 0, -1, 3, 1e9, -1e308, 0.1, 1e-7, "", "a", "mistake", "final", "ucla", "\ud800", "😀" * 50)


def anything(draw: random.Random, depth: int = 0) -> Any:
    if depth > 3 or draw.random() < 0.5:
        return draw.choice(PLAIN)
    inside = [anything(draw, depth + 1) for _ in range(draw.randrange(5))]
    return inside if draw.random() < 0.7 else dict(zip(CHOICES, inside, strict=False))


@pytest.mark.parametrize("name", MODULES)
def test_whatever_is_asked_there_is_an_answer_or_one_line(name, ask):
    """Any other error than a Problem comes out of the browser, and fails here."""
    draw = random.Random(name)
    bodies = []
    for _ in range(FUZZED):
        settings = {**FIVE["settings"], draw.choice(CHOICES): anything(draw)}
        body = {**FIVE, "settings": settings, "window": [0, 4, 0, 5], "from": 1, "to": 3, "update": 1, "course": "ucla"}
        bodies.append(body | {key: anything(draw) for key in draw.sample(NAMES, draw.randrange(3))})
    for body, told in zip(bodies, ask(name, bodies), strict=True):
        assert told, body
        assert "\n" not in told.get("problem", "")
    assert len({json.dumps(told) for told in ask(name, bodies)}) > 1
