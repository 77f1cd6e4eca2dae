"""What row 14 and the tests of clusters share: a job, and Dask's processes as somebody would start them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from rosenblatt.distributed import connected
from rosenblatt.store import to_bytes

JOB = {"model": "perceptron", "passes": 6, "shards": 5, "margin": 1.0}


def noisy(n: int = 400, n_classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows that no line separates."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 6)), 2) * (rng.random((n, 6)) < 0.7)
    return X, np.digitize(X[:, 0] + rng.normal(size=n) / 3, np.linspace(-0.5, 0.5, n_classes - 1))


def content(model: Any) -> bytes:
    """The model file."""
    return to_bytes(model)


def alive(site: Any, killed: Iterable[int] = ()) -> list[int]:
    """The two worker processes, once the killed ones are replaced."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        site.client.wait_for_workers(2, timeout=120)
        found = set(site.client.run(os.getpid, on_error="ignore").values()) - set(killed)
        if len(found) == 2:
            return sorted(found)
        time.sleep(0.05)
    raise AssertionError("the workers were not replaced")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Processes:
    """A scheduler and its workers; all are gone when the block ends."""

    def __init__(self) -> None:
        self.running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *error: object) -> None:
        for each in self.running:
            each.kill()
            each.wait()

    def scheduler(self) -> tuple[str, subprocess.Popen[bytes]]:
        """The address of a new scheduler with one worker, and its process."""
        address = f"tcp://127.0.0.1:{free_port()}"
        port = address.rpartition(":")[2]
        process = self._start("scheduler", "--port", port, "--no-dashboard", "--host", "127.0.0.1")
        self.worker(address)
        return address, process

    def worker(self, address: str) -> subprocess.Popen[bytes]:
        return self._start("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        self.running.append(
            subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        )
        return self.running[-1]


def waiting(address: str) -> Any:
    """Connected, once the scheduler listens."""
    host, port = address.removeprefix("tcp://").split(":")
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    return connected(address)
