"""What this project set out to reach, held against what a run found."""

from __future__ import annotations

from benchmarks.peers.figures import NEAR, ratio, seconds, share
from benchmarks.peers.results import Goal, Result, Results, TaskResult

TEXT_RATIO, PREDICT_RATIO = 15.0, 2.0
ONE_ROW, COLD = 50e-6, 1.0
LINEAR = 1.2  # the largest exponent that still counts as linear, with the noise of times
SCIKIT_LINEAR = ("sklearn Perceptron", "sklearn SGD averaged", "sklearn LinearSVC")


def judge(results: Results) -> list[Goal]:
    """Each goal that the run says something about."""
    goals: list[Goal] = []
    for task in results.tasks:
        ours = task.ours
        if ours is None or not task.peers:
            continue
        goals += [_accuracy(task, ours), _fastest(task, ours)]
        if task.kind == "text":
            goals += _text(task, ours)
        if task.kind == "sparse":
            goals += _predicting(task, ours)
    for timing in results.timings:
        if timing.name == "cold start" and "rosenblatt" in timing.seconds:
            took = timing.seconds["rosenblatt"]
            goals.append(Goal("cold start: import, load, predict", f"under {COLD:g} s", seconds(took), took < COLD))
    for grown in results.growth:
        if grown.contestant.startswith("rosenblatt"):
            what = f"growth with {grown.along}: {grown.contestant.removeprefix('rosenblatt ')}"
            goals.append(Goal(what, "linear or less", f"exponent {grown.exponent:.2f}", grown.exponent <= LINEAR))
    return goals


def _accuracy(task: TaskResult, ours: Result) -> Goal:
    best = task.best_peer
    assert best is not None
    assert best.accuracy is not None
    assert ours.accuracy is not None
    return Goal(
        f"{task.name}: accuracy", f"within 0.3 points of {best.contestant}, {share(best.accuracy)}",
        share(ours.accuracy), ours.accuracy >= best.accuracy - NEAR,
    )  # fmt: skip


def _fastest(task: TaskResult, ours: Result) -> Goal:
    assert ours.accuracy is not None
    near = [peer for peer in task.peers if (peer.accuracy or 0) >= ours.accuracy - NEAR and peer.fit]
    if not near:
        return Goal(f"{task.name}: fit", "faster than peers within 0.3 points", "no peer comes near", True)
    rival = min(near, key=lambda peer: peer.fit or 0.0)
    return Goal(
        f"{task.name}: fit", f"faster than {rival.contestant}, {seconds(rival.fit)}",
        f"{seconds(ours.fit)}, {ratio(rival.fit, ours.fit)}", (ours.fit or 0) < (rival.fit or 0),
    )  # fmt: skip


def _text(task: TaskResult, ours: Result) -> list[Goal]:
    goals = []
    for peer in task.peers:
        if peer.contestant == "sklearn tf-idf LinearSVC" and peer.fit and ours.fit:
            goals.append(
                Goal(f"{task.name}: strings to model", f"{TEXT_RATIO:g}× {peer.contestant}",
                     ratio(peer.fit, ours.fit), peer.fit >= TEXT_RATIO * ours.fit)
            )  # fmt: skip
        if peer.contestant == "Vowpal Wabbit" and peer.fit and ours.fit:
            goals.append(
                Goal(f"{task.name}: strings to model", "faster than Vowpal Wabbit from ready-made input",
                     ratio(peer.fit, ours.fit), peer.fit > ours.fit)
            )  # fmt: skip
    return goals


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
