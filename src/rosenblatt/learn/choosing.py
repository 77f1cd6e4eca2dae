"""Cornell's form of the perceptron: while some row is wrong, update on it. Here it is chosen which.

For every update all rows are looked at, by the loop that trains: the first row of an order that it updates on is the
first that is wrong. Which row is next follows from the weights alone, so weights that come back prove a cycle.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.learn.bounds import check_bounds
from rosenblatt.learn.cycle import Watch, prove_cycle
from rosenblatt.learn.losses import leads
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.rule import NONE
from rosenblatt.learn.rules.mistakes import Mistakes
from rosenblatt.learn.run import Run, begin
from rosenblatt.learn.settings import Settings

CHOSEN = ("first-wrong", "worst-first")


def learn_chosen(problem: Problem, settings: Settings, start: np.ndarray, order: str, most: int) -> Run:
    """The run that updates on the first or the worst of the wrong rows, up to so many times, until none is wrong.

    Its first pass is the updates, and its second the clean pass over all rows, if it came to that.
    """
    run = begin(problem, settings, start)
    check_bounds(problem, settings, run.weights, run.scale)
    by, weights = Mistakes.of(settings, run.scale), problem.layout(run.weights)
    watch, amounts = Watch(weights.copy()), problem.amounts * (1.0 if run.scale != 1 else settings.eta0)
    rows: list[int] = []
    rivals: list[int] = []
    while not run.stopped:
        row = _wrong(problem, amounts, by, weights, order == "worst-first")
        if row is None:
            run.stopped = "clean pass"
        elif len(rows) == most:
            run.stopped = "limit"
        else:
            one, place = np.array([row], problem.visited.dtype), np.empty(1, np.int64)
            made = by.visit(problem, one, amounts, weights, None, place)
            rows.append(row)
            rivals.append(int(made.rivals[0]))
            run.mistakes += made.mistakes
            length = watch.after_pass(weights)
            if length:
                back = np.array(rows[-length:]), np.array(rivals[-length:])
                found = prove_cycle(length, *back, problem)
                run.cycle = None if found is None else replace(found, unit="update")
                run.stopped = "" if found is None else "cycle"
    return _finished(run, problem, amounts, weights, np.array(rows, np.int64), np.array(rivals, np.int32))


def _wrong(problem: Problem, amounts: np.ndarray, by: Mistakes, weights: np.ndarray, worst: bool) -> int | None:
    """The first wrong row in the given order, or in that of how far rows are wrong; None where all are right."""
    order = problem.visited
    if worst:
        far = leads(problem.pass_scores(order, weights), problem.truth[order])
        order = order[np.argsort(far, kind="stable")]
    steps = by.visit(problem, order, amounts, weights.copy(), None, np.empty(len(order), np.int64)).steps
    return int(order[steps[0]]) if len(steps) else None


def _finished(
    run: Run, problem: Problem, amounts: np.ndarray, weights: np.ndarray, rows: np.ndarray, rivals: np.ndarray
) -> Run:
    count, size = len(rows), len(problem.visited)
    run.weights = problem.by_class(weights)
    run.lowest_lead = problem.lowest_lead(problem.visited, weights)
    run.updates, run.amount = count, float(problem.amounts[rows].sum())
    clean = run.stopped == "clean pass"
    sizes = (count, size) if clean else (count,)
    run.recorded = [Recording(np.arange(count), rows, rivals, amounts[rows], NONE, sizes)]
    run.per_pass = [(count, run.mistakes), (0, 0)][: len(sizes)]
    if clean and run.separated:
        run.stopped = "separated"
    run.passes, run.steps = len(sizes), sum(sizes)
    return run
