"""One fitted model in eight threads, two processes that write one model file, and a fork after use."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import rosenblatt
from faults.apart import apart
from faults.outcome import Outcome
from rosenblatt import NaiveBayes, Perceptron
from rosenblatt.store import to_bytes

NUMBER = 11
FAULT = "8 threads calling one fitted model; two processes writing one model path; fork after use"
PROMISE = "the same answers as alone; one file wins whole"
SHORT, FULL = 400, 100_000
FOUND: list[str] = []
THREADS = 8


def run(cases: int, seed: int) -> Outcome:
    outcome = Outcome()
    calls = _calls(seed)
    alone = [call() for call in calls]
    outcome.add(_threads(calls, alone, cases))
    outcome.add(_forks(calls, alone, max(1, cases // 1000)))
    outcome.add(_writers(max(2, cases // 1000)))
    return outcome


def _calls(seed: int) -> list[Any]:
    draw = np.random.default_rng([seed, NUMBER])
    X, y = draw.normal(size=(300, 20)), draw.integers(0, 3, 300)
    models = [
        Perceptron(weights=weights, max_iter=3, random_state=0).fit(X, y) for weights in ("averaged", "voted", "pocket")
    ]
    bayes = NaiveBayes().fit(X > 0, y)
    mail = rosenblatt.train("mail", model="perceptron", passes=3)
    texts = ["claim your free prize now", "the meeting is moved to friday"]
    rows = sparse.csr_array(np.where(draw.random((300, 20)) < 0.3, X, 0))
    return [
        *(lambda model=model: model.decision_function(X) for model in models),
        lambda: models[0].decision_function(rows),
        lambda: bayes.predict_log_proba(X > 0),
        lambda: mail.scores(texts),
        lambda: models[0].predict(X[:1]),
    ]


def _threads(calls: list[Any], alone: list[np.ndarray], count: int) -> Outcome:
    outcomes = [Outcome() for _ in range(THREADS)]

    def work(number: int) -> None:
        for i in range(count // THREADS + 1):
            which = (number + i) % len(calls)
            outcomes[number].case(np.array_equal(calls[which](), alone[which]), f"thread {number}, call {which}, {i}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    total = Outcome()
    for each in outcomes:
        total.add(each)
    return total


def _forks(calls: list[Any], alone: list[np.ndarray], count: int) -> Outcome:
    """A child of a process that has used everything answers as its parent."""
    outcome = Outcome()

    def compare() -> None:
        for call, answer in zip(calls, alone, strict=True):
            if not np.array_equal(call(), answer):
                raise AssertionError("another answer after a fork")

    for number in range(count):
        found = apart(compare)
        outcome.case(found.ending == "done", f"fork {number}: {found.ending} {found.said}")
    return outcome


def _writers(rounds: int) -> Outcome:
    """Two processes save their model under one name over and over; a reader meets one of them, whole, each time."""
    outcome = Outcome()
    models = [rosenblatt.train("iris", model="perceptron", passes=passes) for passes in (1, 2)]
    allowed = {to_bytes(model) for model in models}
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.rosenblatt"
        rosenblatt.save(models[0], path)
        stop = context.Event()
        writers = [context.Process(target=_write, args=(model, path, stop)) for model in models]
        for writer in writers:
            writer.start()
        for number in range(20 * rounds):
            outcome.case(to_bytes(rosenblatt.load(path)) in allowed, f"reading {number}: neither of the two models")
        stop.set()
        for writer in writers:
            writer.join()
        outcome.case(os.listdir(folder) == [path.name], f"left behind: {os.listdir(folder)}")
    return outcome


def _write(model: Any, path: Path, stop: Any) -> None:
    while not stop.is_set():
        rosenblatt.save(model, path)
