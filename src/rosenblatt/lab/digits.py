"""Handwritten digits: ten weight images while one perceptron learns them, and what it makes of a digit it never saw.

The run is made once, on first use, and shared: it is the same for everybody. Weights are whole numbers, as pixels are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import Classes, learn_and_encode, split_rows
from rosenblatt.lab.columns import pack
from rosenblatt.lab.sessions import Session
from rosenblatt.learn.decide import Decision, score_rows
from rosenblatt.learn.explain import explain
from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.learn.run import learn
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.rows import Dense, span, take
from rosenblatt.traces.replay import Replay

SIDE = 8
INK = 16  # the darkest pixel
PARTS = (0.8, 0.0, 0.2)
EARLY = (1, 2, 3, 5, 10, 20, 50, 100, 200)  # updates of the first pass after which the images are looked at
PASSES = 200  # a limit; the run separates its rows long before
EVERY_PASS = 10  # later on the images change little from one pass to the next
SEED = 0

_lock = Lock()


@dataclass(frozen=True)
class Moment:
    """The weights at one time of the run, and how many rows they get right."""

    updates: int
    steps: int
    passes: int  # begun
    whole: bool  # at the end of a pass
    weights: np.ndarray  # (10, 65), the bias last
    right: int  # of the test rows
    predicted: np.ndarray  # of each test row


@dataclass(frozen=True)
class Digits:
    """The run over the training rows, and the rows kept for the test."""

    moments: tuple[Moment, ...]
    classes: tuple[str, ...]
    n_train: int
    test: Dense
    truth: np.ndarray  # of the test rows
    stopped: str
    names: list[str]


def digits() -> Digits:
    """The run, made by whoever asks first; others wait for it."""
    with _lock:
        return _learned()


@cache
def _learned() -> Digits:
    table = read("digits")
    classes = Classes.learn(table)
    truth = classes.encode(table).astype(np.int32)
    split = split_rows(table, truth, seed=SEED, parts=PARTS)
    plan, matrix = learn_and_encode(table)
    assert isinstance(matrix.rows, Dense)
    rows, test = take(matrix.rows, split.train), take(matrix.rows, split.test)
    assert isinstance(test, Dense)
    problem = make_problem(rows, truth[split.train], len(classes.names))
    settings = Settings(weights="final", record=True, max_iter=PASSES, tol=None, seed=SEED)
    replay = Replay(learn(problem, settings), problem)
    moments = tuple(_moment(replay, step, problem, test, truth[split.test]) for step in _steps(replay, problem))
    stopped = replay.run.stopped
    return Digits(moments, classes.names, len(problem.truth), test, truth[split.test], stopped, plan.names)


def _steps(replay: Replay, problem: Problem) -> list[int]:
    """The steps to look at: the start, some updates of the first pass, and ends of passes."""
    early = [int(replay.steps[update - 1]) + 1 for update in EARLY if update <= len(replay.steps)]
    last = replay.run.passes
    ends = [n * len(problem.truth) for n in range(1, last + 1) if n <= EVERY_PASS or n % 5 == 0 or n == last]
    return sorted({0, *(step for step in early if step < len(problem.truth)), *ends})


def _moment(replay: Replay, step: int, problem: Problem, test: Dense, truth: np.ndarray) -> Moment:
    weights = replay.weights_after(step).astype(np.float64)
    predicted = Decision().decide(score_rows(test, weights))
    updates = int(np.searchsorted(replay.steps, step))
    passes = -(-step // len(problem.truth))
    whole = step % len(problem.truth) == 0
    return Moment(updates, step, passes, whole, weights, int(np.sum(predicted == truth)), predicted)


def show_digits(_session: Session, _body: dict[str, Any]) -> dict[str, Any]:
    """The weight images of every moment, and the test digits as small images."""
    found = digits()
    wrong = [np.flatnonzero(moment.predicted != found.truth).tolist() for moment in found.moments]
    last = found.moments[-1]
    return {
        "classes": found.classes,
        "side": SIDE,
        "ink": INK,
        "train": found.n_train,
        "test": len(found.truth),
        "stopped": found.stopped,
        "moments": [
            {
                "name": _name(moment),
                "updates": moment.updates,
                "right": moment.right,
                "accuracy": f"{100 * moment.right / len(found.truth):.1f}%",
                "largest": int(np.abs(moment.weights[:, :-1]).max()),
                "bias": moment.weights[:, -1].astype(int).tolist(),
                "strongest": [_strongest(line) for line in moment.weights[:, :-1]],
            }
            for moment in found.moments
        ],
        "weights": pack([moment.weights[:, :-1] for moment in found.moments], "int32"),
        "wrong": wrong,
        "images": pack(found.test.values, "uint8"),
        "truth": found.truth.tolist(),
        "words": (
            f"{last.updates} mistakes in {last.passes} passes over {found.n_train} digits"
            f"{', the last of them clean' if found.stopped == 'separated' else ''}. "
            f"Of {len(found.truth)} digits kept apart it gets {last.right} right."
        ),
    }


def _name(moment: Moment) -> str:
    if not moment.updates:
        return "before the first digit"
    shown = f"mistake {moment.updates}"
    return f"{shown}, {'after' if moment.whole else 'in'} pass {moment.passes}"


def _strongest(line: np.ndarray) -> dict[str, str]:
    """The pixels that speak most for and against a class, in words: the images' table."""
    order = np.argsort(-line, kind="stable")
    top, bottom = [j for j in order[:3] if line[j] > 0], [j for j in order[::-1][:3] if line[j] < 0]
    return {"for": _pixels(top, line), "against": _pixels(bottom, line)}


def _pixels(which: list[Any], line: np.ndarray) -> str:
    shown = (f"row {j // SIDE + 1}, column {j % SIDE + 1}: {int(line[j]):+d}" for j in map(int, which))
    return "; ".join(shown) or "none"


def read_digit(_session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """One digit of the test part at every moment: its ten scores, what each pixel adds to each, and what is said."""
    found = digits()
    row = body.get("row")
    if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < len(found.truth):
        raise DataError(
            f"there are digits 1 to {len(found.truth)} to choose from; got {row + 1 if type(row) is int else row!r}."
        )
    image = span(found.test, row, row + 1)
    true = int(found.truth[row])
    moments, adds = [], []
    for moment in found.moments:
        says = int(moment.predicted[row])
        given = score_rows(image, moment.weights)
        shown = explain(image, moment.weights, given, found.names, found.classes, found.classes[says])
        scores = shown.scores.astype(int).tolist()
        adds.append(shown.contributions)
        moments.append(
            {
                "scores": scores,
                "predicted": says,
                "right": says == true,
                "bias": shown.bias.astype(int).tolist(),
                "words": _verdict(found, scores, says, true),
            }
        )
    return {"row": row, "true": true, "moments": moments, "adds": pack(adds, "int32")}


def _verdict(found: Digits, scores: list[int], says: int, true: int) -> str:
    best = f"{found.classes[says]} has the highest score, {scores[says]}"
    level = scores.count(scores[says])
    if level > 1:
        best = f"{level} classes have the highest score, {scores[says]}; the first is {found.classes[says]}"
    if says == true:
        rest = max(score for c, score in enumerate(scores) if c != true)
        return f"{best}, {scores[says] - rest} ahead of the next: right."
    return f"{best}, and the digit is a {found.classes[true]}, with {scores[true]}: wrong."
