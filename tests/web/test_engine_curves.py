"""Curves in the page: its own kernel perceptron has the list of updates of Python's, bit by bit."""

from __future__ import annotations

import json
import random
import warnings
from typing import Any

import numpy as np
import pytest

from engine_page import ADDRESS, open_engine, open_page
from rosenblatt import KernelPerceptron
from rosenblatt.reference.kernel import exponential

RUNS = 400
PLACES = [[0.1, -0.7], [1 / 3, 2.2], [-1.9, 0.3]]  # beside the points: what is said of any place of the plane
TELL = """async ([address, cases]) => {
  const { courseOf } = await import(`${address}latest.js`);
  const { run: answer } = await import(`${address}answer.js`);
  return JSON.stringify(cases.map(([body, places]) => {
    const [course, told] = [courseOf(body), answer(body)];
    const { run, rows } = course;
    const scores = (variant) => places.map((place) => course.scores(place, course.weights(variant)));
    return {
      steps: run.steps, rows: run.updated, rivals: run.rivals, perPass: run.perPass, stopped: run.stopped,
      mistakes: run.mistakes, cycle: run.cycle?.rows ?? null, scores: Array.from(run.scores), support: course.support(),
      final: scores("final"), averaged: scores("averaged"), bracket: told.bracket, radius: told.radius,
      votes: places.map((place) => course.votes(rows.beside(place))),
      classes: Object.fromEntries(["final", "averaged", "voted"].map((name) => [name, course.decide(places, name)])),
    };
  }));
}"""


@pytest.fixture(scope="module")
def page(browser):
    return open_page(browser)


@pytest.fixture(scope="module")
def ask(browser):
    return open_engine(browser)


def drawn(number: int) -> dict[str, Any]:
    """Points, labels and choices of every kind, on multiples of 1/64 as the plane has them."""
    rng = random.Random(number)
    n_classes, count, grain = rng.choice([2, 2, 3, 4]), rng.randint(5, rng.choice([8, 25])), rng.choice([1, 64])
    points = [[rng.randint(-3 * grain, 3 * grain) / grain for _ in range(2)] for _ in range(count)]
    labels = [*range(n_classes), *(rng.randrange(n_classes) for _ in range(count - n_classes))]
    settings = {
        "kernel": rng.choice(["rbf", "poly", "cosine"]),
        "degree": rng.choice([1, 2, 3, 5]),
        "gamma": rng.choice([1, 0.25, 2, 0.1, 7.3]),
        "coef0": rng.choice([0, 1, 0.5]),
        "margin": rng.choice([0, 0, 0.5, 2]),
        "ties": rng.choice(["mistake", "positive", "negative"]),
        "shuffle": rng.random() < 0.5,
        "seed": rng.randrange(2**32),
        "passes": rng.choice([1, 5, 20]),
    }
    return {"points": points, "labels": labels, "settings": settings}


def fitted(body: dict[str, Any], weights: str) -> KernelPerceptron:
    given = {**body["settings"]}
    seed, passes = given.pop("seed"), given.pop("passes")
    model = KernelPerceptron(**given, weights=weights, max_iter=passes, random_state=seed, n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # every row may be a support row here
        return model.fit(np.array(body["points"], np.float64), body["labels"])


def test_the_page_has_the_updates_of_the_kernel_perceptron(page):
    bodies = [drawn(number) for number in range(RUNS)]
    told = json.loads(page.evaluate(TELL, [ADDRESS, [[body, PLACES] for body in bodies]]))
    stops = set()
    for number, (body, found) in enumerate(zip(bodies, told, strict=True)):
        models = {name: fitted(body, name) for name in ("final", "averaged", "voted")}
        run = models["final"].run_
        listed = run.updates_list
        assert found["steps"] == listed.befores.tolist(), number
        assert found["rows"] == run.numbers[listed.which].tolist(), number
        assert found["rivals"] == listed.loses.tolist(), number
        assert found["perPass"] == [list(each) for each in run.per_pass], number
        assert (found["stopped"], found["mistakes"]) == (run.stopped, run.mistakes), number
        assert found["cycle"] == (None if run.cycle is None else run.cycle.rows.tolist()), number
        assert found["support"] == run.numbers.tolist(), number
        assert found["radius"] == run.radius
        low, high = run.margin_bracket
        assert found["bracket"] == pytest.approx([low, None if high == np.inf else high], rel=1e-9, abs=1e-12), number
        for name, model in models.items():
            answers = model.decision_function(PLACES).tolist()
            given = found["votes"] if name == "voted" else found[name]
            assert [line if len(line) > 1 else line[0] for line in given] == answers, (number, name)
            assert found["classes"][name] == model.predict(PLACES).tolist(), (number, name)
        stops.add(run.stopped)
    assert stops == {"separated", "clean pass", "cycle", "limit"}


def test_e_to_the_x_has_the_bits_of_the_reference(ask):
    rng = random.Random(0)
    values = [0.0, -708.0, -708.5, -1e9, *(-(10 ** rng.uniform(-12, 2.9)) for _ in range(2000))]
    assert ask("kernels.js", "exponential", [[x] for x in values]) == [exponential(x) for x in values]
