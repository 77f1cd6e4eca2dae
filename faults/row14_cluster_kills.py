"""Dask workers and schedulers that are killed at random moments of a job."""

from __future__ import annotations

import logging
import os
import random
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from faults.clusters import JOB, Processes, alive, content, noisy, waiting
from faults.outcome import Outcome, generator, one_line
from rosenblatt import train
from rosenblatt.distributed import local
from rosenblatt.errors import RosenblattError

NUMBER = 14
FAULT = "Dask worker and scheduler killed at random"
PROMISE = "the same bits, or a clean stop that resumes"
SHORT, FULL = 2, 50
FOUND = [
    "A lost scheduler left a traceback of Dask beside our one line (distributed/cluster.py).",
]
MOST = 3  # workers killed in one run


def run(cases: int, seed: int) -> Outcome:
    """Of three runs one loses workers that are replaced, one its scheduler, and one its only worker."""
    outcome, draw = Outcome(), generator(seed, NUMBER)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Dask's sockets and processes may end noisily
        Job(outcome, draw).run(cases)
    return outcome


class Heard(logging.Handler):
    """What Dask would print beside our one line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name}: {record.getMessage()}")


class Job:
    """One job, over and over, on clusters that something happens to."""

    def __init__(self, outcome: Outcome, draw: random.Random) -> None:
        self.outcome, self.draw = outcome, draw
        self.X, self.y = noisy(n_classes=3)
        self.wanted = content(train(self.X, label=self.y, **JOB))

    def run(self, cases: int) -> None:
        numbers = range(cases)
        with local(2) as site:
            length = self._timed(site)
            for number in numbers[::3]:
                self._lose_workers(site, number, length)
        for number in numbers[1::3]:
            with tempfile.TemporaryDirectory() as folder:
                self._lose_scheduler(Path(folder) / "kept", number, length)
        for number in numbers[2::3]:
            self._lose_the_only_worker(number, length)

    def _timed(self, site: Any) -> float:
        started = time.perf_counter()
        self._train(site, "undisturbed", must=True)
        return time.perf_counter() - started

    def _train(self, site: Any, what: str, must: bool, **more: Any) -> bool:
        """Whether the job ended; if so with the model that is wanted, otherwise with one line that says why."""
        try:
            model = train(self.X, label=self.y, site=site, **JOB, **more)
        except RosenblattError as error:
            self.outcome.case(not must and one_line(str(error)), f"{what}: stopped: {error}")
            return False
        self.outcome.case(content(model) == self.wanted, f"{what}: another model")
        return True

    def _lose_workers(self, site: Any, number: int, length: float) -> None:
        killed: list[int] = []

        def kill() -> None:
            killed.append(self.draw.choice(alive(site, killed)))
            with suppress(ProcessLookupError):
                os.kill(killed[-1], signal.SIGKILL)

        times = [self.draw.random() * length for _ in range(self.draw.randint(1, MOST))]
        with _at(times, kill):
            self._train(site, f"run {number}, {len(times)} workers lost", must=True)
        self._count("workers killed", len(killed))
        alive(site, killed)

    def _lose_scheduler(self, kept: Path, number: int, length: float) -> None:
        what = f"run {number}, scheduler lost"
        with Processes() as processes:
            address, process = processes.scheduler()
            heard = Heard()
            logging.getLogger("distributed").addHandler(heard)
            try:
                with waiting(address) as site, _at([self.draw.random() * length], process.kill):
                    done = self._train(site, what, must=False, checkpoint=kept, resume=True)
            except RosenblattError as error:  # it was lost before the job began
                self.outcome.case(one_line(str(error)), f"{what}: {error}")
                done = False
            finally:
                logging.getLogger("distributed").removeHandler(heard)
            self.outcome.case(not heard.lines, f"{what}: Dask said {heard.lines[:3]}")
            self._count("clean stops", not done)
            if not done:
                address, _ = processes.scheduler()
                with waiting(address) as site:
                    self._train(site, f"{what}, taken up", must=True, checkpoint=kept, resume=True)

    def _lose_the_only_worker(self, number: int, length: float) -> None:
        with Processes() as processes:
            address, _ = processes.scheduler()
            first = processes.running[-1]

            def replace() -> None:
                first.kill()
                processes.worker(address)

            with waiting(address) as site, _at([self.draw.random() * length], replace):
                self._train(site, f"run {number}, the only worker lost", must=True)
        self._count("workers killed", 1)

    def _count(self, name: str, more: float) -> None:
        self.outcome.measured[name] = self.outcome.measured.get(name, 0) + more


@contextmanager
def _at(seconds: list[float], act: Callable[[], object]) -> Iterator[None]:
    """Acts after so many seconds each, in the order of time, while the block runs; waits for the act under way."""
    stop = threading.Event()

    def wait_and_act() -> None:
        began = time.perf_counter()
        for moment in sorted(seconds):
            if stop.wait(max(0.0, began + moment - time.perf_counter())):
                return
            act()

    thread = threading.Thread(target=wait_and_act)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
