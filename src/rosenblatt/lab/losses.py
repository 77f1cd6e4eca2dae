"""The calls `losses`, `loss_curve` and `orders`: both losses along a run, points on their curves, and every order."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.lab.bench import Bench, read_bench
from rosenblatt.lab.columns import pack
from rosenblatt.lab.course import course_of
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import whole
from rosenblatt.learn.decide import leads, row_losses
from rosenblatt.learn.losses import losses_of
from rosenblatt.report.orders import SEEDS, compare_orders
from rosenblatt.traces.descent import Descent, descend

MOST_VISITS = 20_000  # rows that a descent looks at
MOST_POINTS = 200  # of which every order is tried
MOST_PASSES = 300


def losses(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """0/1 loss and perceptron loss at the start and after each pass, and of a descent over all points at once."""
    bench = read_bench(body)
    passed = [found for _, found in course_of(session, bench).history.passed]
    at_once = _descent(bench, len(passed) - 1)
    return {
        "zero_one": pack(np.array([found.zero_one for found in passed])),
        "perceptron": pack(np.array([found.perceptron for found in passed])),
        "batch_zero_one": pack(np.array([found.zero_one for found in at_once.losses])),
        "batch_perceptron": pack(np.array([found.perceptron for found in at_once.losses])),
        "batch_words": at_once.summary(),
    }


def _descent(bench: Bench, passes: int) -> Descent:
    steps = min(passes, max(1, MOST_VISITS // len(bench.points)))
    return descend(
        bench.points,
        bench.codes,
        steps=steps,
        start=bench.start,
        ties=bench.ties,
        bias=bench.bias,
        rate=bench.alpha,
    )


def loss_curve(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """For each point y·w·x after an update of the run (0 is the start), its loss, and both means."""
    course = course_of(session, read_bench(body))
    past, problem = course.history, course.problem
    update = whole("update", body.get("update"), 0, len(past.steps))
    every = np.arange(len(problem.truth), dtype=np.uint32)
    scores = problem.pass_scores(every, problem.layout(past.raw[update])) * course.run.scale
    means = losses_of(problem, past.raw[update], course.bench.ties, course.run.scale)
    return {
        "leads": pack(leads(scores, problem.truth)),
        "losses": pack(row_losses(scores, problem.truth)),
        **means._asdict(),
    }


def orders(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """The mistakes that a run from 0 makes in each order, beside the bound of the convergence theorem."""
    bench = read_bench(body)
    if len(bench.points) > MOST_POINTS:
        raise SettingError(f"every order is tried on at most {MOST_POINTS} points; got {len(bench.points):,}.")
    kept = session.get(f"orders {bench.key}")
    if isinstance(kept, dict):
        return kept
    found = compare_orders(bench.points, bench.codes, passes=min(bench.passes, MOST_PASSES), bias=bench.bias)
    stopped = {name: run.stopped for name, run in found.runs.items()}
    told = {"mistakes": found.mistakes, "stopped": stopped, "shuffled": list(found.shuffled), "seeds": SEEDS}
    return session.keep(f"orders {bench.key}", told | {"bound": found.bound}, 5_000)
