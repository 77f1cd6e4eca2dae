"""Real labs to be asked: in a thread of this process, or in a process of its own whose memory can be looked at."""

from __future__ import annotations

import itertools
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, NamedTuple, Protocol

import httpx

from rosenblatt.lab.server import Lab, open_lab

# The five points of the notes, and the most mistakes that are made on them.
FIVE = {"points": [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], "labels": [0, 1, 1, 1, 0]}
BOUND = "6370"

HONEST = 8.0  # seconds in which honest requests come between slow ones


class Address(Protocol):
    """Where a lab is and what lets one ask it."""

    @property
    def port(self) -> int: ...
    @property
    def token(self) -> str: ...


@contextmanager
def running_lab() -> Iterator[Lab]:
    """A lab in a thread, on a free port."""
    lab = open_lab(0)
    thread = threading.Thread(target=lab.serve, daemon=True)
    thread.start()
    try:
        yield lab
    finally:
        lab.stop()
        thread.join(10)
        assert not thread.is_alive(), "the lab did not stop"


class LabProcess(NamedTuple):
    """The command `rosenblatt lab`, or another that listens, running."""

    port: int
    token: str
    process: subprocess.Popen[str]

    def megabytes(self) -> float:
        """The largest resident size that the process has had."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            found = re.search(r"VmHWM:\s+(\d+) kB", file.read())
        assert found, "the system does not tell the size of a process"
        return int(found[1]) * 1024 / 1e6


@contextmanager
def lab_process() -> Iterator[LabProcess]:
    """A lab as people start it, stopped by Ctrl-C at the end."""
    with listening("lab", "--no-browser") as lab:
        yield lab
        lab.process.send_signal(signal.SIGINT)
        lab.process.wait(30)


@contextmanager
def listening(*words: str, said: IO[str] | None = None) -> Iterator[LabProcess]:
    """A command that listens on a free port; the token is empty where it has none.

    said    the file for what it writes to standard error
    """
    command = [sys.executable, "-m", "rosenblatt", *words, "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True, env=environment) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            address = re.search(r"http://127\.0\.0\.1:(\d+)(?:/\?token=([\w-]+))?", line)
            assert address, f"{words[0]} began with {line!r}"
            yield LabProcess(int(address[1]), address[2] or "", process)
        finally:
            process.kill()


class Client:
    """A page without a browser: asks as api.js does, in a session of its own."""

    def __init__(self, lab: Address):
        self.http = httpx.Client(
            base_url=f"http://127.0.0.1:{lab.port}", headers={"X-Rosenblatt-Token": lab.token}, timeout=30, verify=False
        )
        self.session = self.http.post("/api/session", json={}).json()["session"]
        self.http.headers["X-Rosenblatt-Session"] = self.session

    def call(self, name: str, body: Any = None, /, **query: str) -> dict[str, Any]:
        """The answer; an AssertionError with the server's line where it is an error."""
        answer = self.ask(name, body, **query)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def ask(self, name: str, body: Any = None, /, **query: str) -> httpx.Response:
        given: dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": {} if body is None else body}
        return self.http.post(f"/api/{name}", params=query, **given)

    def close(self) -> None:
        self.http.close()


def honest(client: Client) -> float:
    """Seconds until an honest page has its answer, on a new connection."""
    client.http.headers["Connection"] = "close"
    start = time.monotonic()
    assert client.call("proof", FIVE)["bound"] == BOUND
    assert client.http.get("/").status_code == 200
    return time.monotonic() - start


def trickles(lab: Address, session: str) -> list[tuple[bytes, bytes]]:
    """What comes at once and what comes late: the first line, the headers, the body."""
    host = f"Host: 127.0.0.1:{lab.port}\r\n"
    allowed = f"X-Rosenblatt-Token: {lab.token}\r\nX-Rosenblatt-Session: {session}\r\n"
    body = f"POST /api/proof HTTP/1.1\r\n{host}{allowed}Content-Length: 100000\r\n\r\n"
    return [
        (b"GET /", b"a" * 4000),
        (f"GET / HTTP/1.1\r\n{host}X-Long: ".encode(), b"a" * 4000),
        (body.encode(), b" " * 4000),
    ]


def trickle(
    lab: Address, client: Client, slow: Sequence[socket.socket], limit: float
) -> tuple[list[float], list[float]]:
    """Requests that come byte by byte: how long honest ones wait meanwhile, and when each slow one was closed."""
    begun = time.monotonic()
    waits, closed, rest = [], [], {}
    with selectors.DefaultSelector() as look:
        for one, (first, later) in zip(slow, itertools.cycle(trickles(lab, client.session)), strict=False):
            one.sendall(first)
            one.setblocking(False)
            rest[one] = later
            look.register(one, selectors.EVENT_READ)
        while rest and time.monotonic() - begun < limit:
            for one in rest:
                with suppress(OSError):
                    one.send(rest[one][:1])
                    rest[one] = rest[one][1:]
            if time.monotonic() - begun < HONEST:
                waits.append(honest(client))
            for key, _ in look.select(0.2):
                with suppress(BlockingIOError):
                    if _ended(key.fileobj):
                        closed.append(time.monotonic() - begun)
                        look.unregister(key.fileobj)
                        del rest[key.fileobj]
    return waits, closed


def _ended(one: Any) -> bool:
    try:
        return not one.recv(65536)
    except ConnectionError:
        return True
