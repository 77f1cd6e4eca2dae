"""The page's own engine finds what the Python engine finds, bit by bit: the plane keeps multiples of 1/64."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from engine_page import ADDRESS, open_engine, open_page
from rosenblatt import trace
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import Run, learn
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.votes import ballots
from rosenblatt.loops.order import hash_order, key_of, pass_order, row_hashes
from rosenblatt.loops.rows import dense_rows
from rosenblatt.traces.numerals import numeral

RUNS = 1200
CHOSEN = 120  # runs that update on a chosen row
TIES = ("mistake", "positive", "negative")
PLACES = [
    [0.1, -0.7],
    [1 / 3, 2.2],
    [-1.9, 0.3],
]  # where votes are counted beside the points: no sum of theirs is exact
# What the engine knows of a run, told in one string for all runs: weights bias first, as it has them.
TELL = """async ([address, cases]) => {
  const { courseOf } = await import(`${address}latest.js`);
  const { marginBracket } = await import(`${address}run.js`);
  const { votesAt } = await import(`${address}votes.js`);
  const { ending } = await import(`${address}words.js`);
  return JSON.stringify(cases.map(([body, places]) => {
    const course = courseOf(body);
    const { run, bench } = course;
    const list = (variant) => Array.from(course.shown(course.weights(variant)));
    return {
      steps: run.steps, rows: run.updated, rivals: run.rivals, perPass: run.perPass, passes: run.passes,
      mistakes: run.mistakes, stopped: run.stopped, why: ending(course), cycle: run.cycle, rounded: bench.rounded,
      bracket: marginBracket(run), radius: run.radius, final: list("final"), averaged: list("averaged"),
      pocket: list("pocket"), survived: Array.from(course.chapter.survived),
      votes: votesAt(course, [...bench.points, ...places]), right: course.right("pocket"),
    };
  }));
}"""


@pytest.fixture(scope="module")
def page(browser):
    return open_page(browser)


@pytest.fixture(scope="module")
def ask(browser):
    return open_engine(browser)


def tell(page: Any, cases: list[Any]) -> list[Any]:
    return list(json.loads(page.evaluate(TELL, [ADDRESS, cases])))


def drawn(number: int) -> dict[str, Any]:
    """Points, labels and choices of every kind: whole numbers, where scores often tie, and any multiples of 1/64."""
    rng = random.Random(number)
    n_classes, width = rng.choice([2, 2, 2, 3, 4, 6]), rng.choice([1, 2, 2, 2, 3, 8])
    count, size, grain = rng.randint(n_classes, rng.choice([6, 15, 40])), rng.choice([1, 3, 8]), rng.choice([1, 64])
    points = [[rng.randint(-size * grain, size * grain) / grain for _ in range(width)] for _ in range(count)]
    labels = [*range(n_classes), *(rng.randrange(n_classes) for _ in range(count - n_classes))]
    if rng.random() < 0.4:  # by a line, so that many of them can be separated
        lines = [[rng.uniform(-1, 1) for _ in range(width)] for _ in range(n_classes)]
        found = [int(np.argmax([np.dot(line, point) for line in lines])) for point in points]
        labels = found if len(set(found)) == n_classes else labels
    bias = rng.random() < 0.7
    start = None
    if rng.random() < 0.4:
        lines = [[rng.randint(-200, 200) / 64 for _ in range(width + bias)] for _ in range(n_classes)]
        start = lines[0] if n_classes == 2 else lines
    settings = {
        "ties": rng.choice(TIES),
        "bias": bias,
        "alpha": rng.choice([1, 1, 0.5, 0.25, 2, 1 / 64, 19 / 64, 3.515625]),
        "margin": rng.choice([0, 0, 1, 0.5, 5 / 64, 7]),
        "shuffle": rng.random() < 0.5,
        "seed": rng.choice([0, 1, 2**32 - 1, rng.randrange(2**32)]),
        "start": start,
        "passes": rng.choice([1, 2, 5, 20, 60]),
    }
    return {"points": points, "labels": labels, "settings": settings}


def settings_of(body: dict[str, Any], weights: str) -> Settings:
    given = body["settings"]
    return Settings(
        weights=weights,
        margin=given["margin"],
        ties=given["ties"],
        eta0=given["alpha"],
        max_iter=given["passes"],
        tol=None,
        shuffle=given["shuffle"],
        seed=given["seed"],
        record=True,
    )


def shown(weights: np.ndarray, bias: bool) -> list[float]:
    """As the page has them: the bias first, or none."""
    return (np.roll(weights, 1, -1) if bias else weights[..., :-1]).ravel().tolist()


def expected(body: dict[str, Any]) -> dict[str, Any]:
    """The same from the Python engine."""
    given, bias = body["settings"], body["settings"]["bias"]
    points, labels = np.array(body["points"], np.float64), np.array(body["labels"], np.int32)
    n_classes = int(labels.max()) + 1
    problem = make_problem(dense_rows(points, float(bias)), labels, n_classes)
    start = None
    if given["start"] is not None:
        start = np.array(given["start"], np.float64)
        start = np.roll(start, -1, -1) if bias else np.insert(start, start.shape[-1], 0.0, -1)
    runs = {name: learn(problem, settings_of(body, name), start) for name in ("averaged", "pocket", "voted")}
    run: Run = runs["averaged"]
    places = np.array([*body["points"], *([PLACES, []][points.shape[1] != 2])], np.float64)
    votes = ballots(dense_rows(places, float(bias)), runs["voted"].own.chapters, n_classes, given["ties"])
    high = run.margin_bracket[1]
    return {
        "steps": run.recording.steps.tolist(),
        "rows": run.recording.rows.tolist(),
        "rivals": run.recording.rivals.tolist(),
        "perPass": [list(each) for each in run.per_pass],
        "passes": run.passes,
        "mistakes": run.mistakes,
        "stopped": run.stopped,
        "cycle": None
        if run.cycle is None
        else {
            "passes": run.cycle.passes,
            "rows": run.cycle.rows.tolist(),
            "updates": run.cycle.updates.tolist(),
            "unit": "pass",
        },
        "bracket": [run.margin_bracket[0], high if np.isfinite(high) else None],
        "radius": run.radius,
        "final": shown(run.weights_of("final"), bias),
        "averaged": shown(run.weights_of("averaged"), bias),
        "pocket": shown(runs["pocket"].weights_of("pocket"), bias),
        "survived": runs["voted"].own.chapters[0].survived.tolist(),
        "votes": votes.reshape(len(places), -1).tolist(),
        "rounded": None,
    }


def test_runs_have_the_bits_of_the_python_engine(page):
    bodies = [drawn(number) for number in range(RUNS)]
    found = tell(page, [[body, PLACES if len(body["points"][0]) == 2 else []] for body in bodies])
    stops = set()
    for number, (body, told) in enumerate(zip(bodies, found, strict=True)):
        wanted = expected(body)
        wrong = {name: (told[name], value) for name, value in wanted.items() if told[name] != value}
        assert not wrong, f"run {number}: {body['settings']}"
        stops.add(told["stopped"])
    assert stops == {"separated", "clean pass", "cycle", "limit"}


def test_runs_on_chosen_rows_are_those_of_the_trace(page):
    bodies = []
    for number in range(CHOSEN):
        body = drawn(10_000 + number)
        given = body["settings"]
        del given["shuffle"]
        given |= {"order": random.Random(number).choice(["first wrong", "worst first"]), "passes": 10}
        bodies.append(body)
    for number, (body, told) in enumerate(zip(bodies, tell(page, [[body, []] for body in bodies]), strict=True)):
        given = body["settings"]
        choice = {name: given[name] for name in ("start", "passes", "ties", "bias", "margin")}
        order = given["order"].replace(" ", "-")
        run = trace(body["points"], body["labels"], rate=given["alpha"], order=order, **choice)
        updates = [step for step in run if not step.correct]
        assert told["rows"] == [step.row for step in updates], number
        assert told["rivals"] == [step.rival for step in updates], number
        assert told["final"] == run.weights.ravel().tolist(), number
        assert told["stopped"] == run.stopped, number
        assert told["why"] == run.why().replace("row", "point"), number
        cycle = run.cycle
        assert (told["cycle"] or {}).get("rows") == (None if cycle is None else cycle.rows.tolist()), number


def test_the_shuffled_order_is_that_of_the_engine(ask):
    cases = [(seed, n) for seed in (0, 5, 2**32 - 1) for n in (1, 2, 255, 256, 257, 2000)]
    found = ask("order.js", "firstOrder", [[seed, n] for seed, n in cases])
    for (seed, n), told in zip(cases, found, strict=True):
        rows = np.arange(n, dtype=np.uint32)
        assert list(told) == hash_order(row_hashes(seed, rows)).tolist()


def test_every_pass_over_many_rows_has_its_own_order(page):
    script = """async ([address, cases]) => {
      const { orders } = await import(`${address}order.js`);
      return JSON.stringify(cases.map(([n, seed, number]) => Array.from(orders(n, seed)(number))));
    }"""
    cases = [(n, seed, number) for n in (3, 256, 700, 2000) for seed in (0, 77) for number in (0, 1, 9)]
    found = json.loads(page.evaluate(script, [ADDRESS, cases]))
    for (n, seed, number), told in zip(cases, found, strict=True):
        first = hash_order(row_hashes(seed, np.arange(n, dtype=np.uint32)))
        order = np.empty_like(first)
        pass_order(first, key_of(seed), number, 0, order)
        assert told == order.tolist()


def test_the_lab_s_own_limits_end_a_run(page):
    """A run without an end on as many points as the lab takes; the Python engine with as many passes finds the same."""
    rng = random.Random(3)
    points = [[rng.randint(-256, 256) / 64, rng.randint(-256, 256) / 64] for _ in range(2000)]
    labels = [int(x + y / 2 + rng.uniform(-3, 3) > 0.3) for x, y in points]
    body = {"points": points, "labels": labels, "settings": drawn(0)["settings"] | {"bias": True, "start": None}}
    body["settings"] |= {"passes": 10_000, "alpha": 1, "margin": 0, "shuffle": True, "ties": "mistake"}
    told = tell(page, [[body, []]])[0]
    assert told["stopped"] == "limit"
    assert told["passes"] % 2 == 0
    assert len(told["steps"]) >= 10_000 > sum(each[0] for each in told["perPass"][:-2])
    body["settings"]["passes"] = told["passes"]
    wanted = expected(body)
    assert (told["final"], told["averaged"], told["pocket"]) == tuple(
        wanted[name] for name in ("final", "averaged", "pocket")
    )


def test_numerals_are_those_of_the_traces(ask):
    rng = random.Random(8)
    values = [rng.randint(-(2**20), 2**20) / 64 for _ in range(2000)]
    values += [rng.randint(-(2**24), 2**24) / 2 ** rng.randint(0, 30) for _ in range(2000)]
    values += [rng.gauss(0, 1) * 10 ** rng.randint(-9, 12) for _ in range(1000)]
    values += [0, 1.015625, -1.046875, 999999.5, 0.0000123455, 9999995.0, 1e15 + 0.5, 1 / 3]
    assert ask("numerals.js", "numeral", [[value] for value in values]) == [numeral(value) for value in values]
