"""What this project set out to reach, held against what a run found."""

from __future__ import annotations

import math
import statistics

from benchmarks.peers.figures import NEAR, ratio, seconds, share
from benchmarks.peers.results import Goal, Result, Results, TaskResult

PREDICT_RATIO = 2.0
ONE_ROW = 50e-6
KERNEL_FIT, KERNEL_PREDICT = 12.0, 8.0  # times SVC's, where only curves are compared
LINEAR = 1.2  # the largest exponent that still counts as linear, with the noise of times
SCIKIT_LINEAR = ("sklearn Perceptron", "sklearn SGD averaged", "sklearn LinearSVC")


def judge(results: Results) -> list[Goal]:
    """Each goal that tasks and growth say something about; sections bring their own.

    Like is held against like. What `train` makes by itself is to be as accurate as the best line or count of anybody,
    and faster than those of its own family that come near; where it is told to count or to draw curves, it is held
    against those who do the same. Trees have no goal: nothing here is like them.
    """
    goals: list[Goal] = []
    for task in results.tasks:
        for ours in (each for each in task.results if each.ours and each.accuracy is not None):
            plain = ours is task.ours and ours.family != "curve"
            rivals = [peer for peer in task.peers if peer.family in ("line", "bayes")] if plain else task.like(ours)
            if not rivals:
                continue
            goals.append(_accuracy(task, ours, rivals))
            if ours is task.ours and not plain:
                goals += _curves(task, ours)
            elif task.like(ours):
                goals.append(_fastest(task, ours))
            if plain:
                goals += _vowpal(task, ours) if task.kind == "text" else []
                goals += _predicting(task, ours) if task.kind == "sparse" else []
    for grown in results.growth:
        if grown.contestant.startswith("rosenblatt"):
            what = f"growth with {grown.along}: {grown.contestant.removeprefix('rosenblatt ')}"
            goals.append(Goal(what, "linear or less", f"exponent {grown.exponent:.2f}", grown.exponent <= LINEAR))
    return goals


def _named(task: TaskResult, ours: Result) -> str:
    told = ours.contestant.removeprefix("rosenblatt").strip()
    return task.name if ours is task.ours else f"{task.name}, {told}"


def _accuracy(task: TaskResult, ours: Result, rivals: list[Result]) -> Goal:
    best = max(rivals, key=lambda peer: peer.accuracy or 0.0)
    assert best.accuracy is not None
    assert ours.accuracy is not None
    allowed, wanted, got = NEAR, "within 0.3 points", share(ours.accuracy)
    if len(best.splits) == len(ours.splits) > 1:
        apart = [mine - theirs for mine, theirs in zip(ours.splits, best.splits, strict=True)]
        error = statistics.stdev(apart) / math.sqrt(len(apart))
        allowed, wanted = max(NEAR, error), "within 0.3 points or one standard error"
        got = f"{got}, {100 * statistics.fmean(apart):+.2f} ± {100 * error:.2f} over {len(apart)} splits"
    met = ours.accuracy >= best.accuracy - allowed
    return Goal(f"{_named(task, ours)}: accuracy", f"{wanted} of {best.contestant}, {share(best.accuracy)}", got, met)


def _fastest(task: TaskResult, ours: Result) -> Goal:
    assert ours.accuracy is not None
    what = f"{_named(task, ours)}: fit"
    near = [peer for peer in task.like(ours) if (peer.accuracy or 0) >= ours.accuracy - NEAR and peer.fit]
    if not near:
        return Goal(what, "faster than like peers within 0.3 points", "no peer comes near", True)
    rival = min(near, key=lambda peer: peer.fit or 0.0)
    return Goal(
        what, f"faster than {rival.contestant}, {seconds(rival.fit)}",
        f"{seconds(ours.fit)}, {ratio(rival.fit, ours.fit)}", (ours.fit or 0) < (rival.fit or 0),
    )  # fmt: skip


def _vowpal(task: TaskResult, ours: Result) -> list[Goal]:
    wanted = "faster than Vowpal Wabbit from ready-made input"
    return [
        Goal(f"{task.name}: strings to model", wanted, ratio(peer.fit, ours.fit), peer.fit > ours.fit)
        for peer in task.peers
        if peer.contestant == "Vowpal Wabbit" and peer.fit and ours.fit
    ]


def _curves(task: TaskResult, ours: Result) -> list[Goal]:
    """How much faster than SVC."""
    peer = next((each for each in task.peers if each.contestant == "sklearn SVC"), None)
    if peer is None or not (peer.fit and ours.fit and peer.predict and ours.predict):
        return []
    return [
        Goal(f"{task.name}: fit", f"{KERNEL_FIT:g}× SVC", ratio(peer.fit, ours.fit), peer.fit >= KERNEL_FIT * ours.fit),
        Goal(f"{task.name}: predicting a batch", f"{KERNEL_PREDICT:g}× SVC", ratio(peer.predict, ours.predict),
             peer.predict >= KERNEL_PREDICT * ours.predict),
    ]  # fmt: skip


def _predicting(task: TaskResult, ours: Result) -> list[Goal]:
    goals = []
    times = [peer.predict for peer in task.peers if peer.contestant in SCIKIT_LINEAR and peer.predict]
    if times and ours.predict:
        goals.append(
            Goal(f"{task.name}: predicting a batch", f"{PREDICT_RATIO:g}× sklearn's fastest linear model",
                 ratio(min(times), ours.predict), min(times) >= PREDICT_RATIO * ours.predict)
        )  # fmt: skip
    if ours.one_row:
        goals.append(
            Goal(f"{task.name}: predicting one row", "under 50 µs", seconds(ours.one_row), ours.one_row < ONE_ROW)
        )
    return goals
