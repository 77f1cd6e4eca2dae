"""The lab under load: slow clients, many connections, many sessions, long calls. Honest requests come first.

Nothing here looks at a clock. What is slow is slow by the order of events: it goes on only once others were answered.
How long an answer takes is measured by `benchmarks/lab.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Callable, Sequence

import httpx
import numpy as np
import pytest

from faults.labs import BOUND, FIVE, trickles
from lab_server import Client, running_lab
from rosenblatt import prove
from rosenblatt.lab.calls import CALLS
from rosenblatt.proofs import Separable
from rosenblatt.serve import connections, listening, work

NEVER = 3600.0  # seconds: a deadline that no test reaches, however busy the machine is
HANGS = 300.0  # seconds after which a test is given up, so that one that waits for ever ends


@pytest.fixture
def lab(monkeypatch):
    """A lab whose own deadlines are out of the way; a test that is about one of them sets it."""
    monkeypatch.setattr(connections, "ARRIVAL", NEVER)
    monkeypatch.setattr(connections, "ANSWER", NEVER)
    monkeypatch.setattr(work, "SECONDS", NEVER)
    with running_lab() as running:
        client = person(running)
        client.call("proof", FIVE)  # whatever has to be compiled is
        client.close()
        yield running


def person(lab) -> Client:
    """Somebody who waits for an answer as long as it takes."""
    client = Client(lab)
    client.http.timeout = httpx.Timeout(HANGS)
    return client


def answered(client: Client, times: int = 5) -> int:
    """How many of so many honest questions, each on a connection of its own, get their answer."""
    client.http.headers["Connection"] = "close"
    right = lambda: client.call("proof", FIVE)["bound"] == BOUND and client.http.get("/").status_code == 200  # noqa: E731
    return sum(right() for _ in range(times))


def until(holds: Callable[[], bool]) -> None:
    for _ in range(int(HANGS / 0.05)):
        if holds():
            return
        time.sleep(0.05)
    pytest.fail("this never came to be")


def opened(lab, count: int) -> list[socket.socket]:
    return [socket.create_connection(("127.0.0.1", lab.port), HANGS) for _ in range(count)]


class Trickle:
    """Requests that come byte by byte: their first lines, their headers or their bodies never end."""

    def __init__(self, lab, session: str, slow: Sequence[socket.socket]):
        self.rest = {}
        for one, (first, later) in zip(slow, itertools.cycle(trickles(lab, session)), strict=False):
            one.sendall(first)
            one.setblocking(False)
            self.rest[one] = later

    def go_on(self) -> bool:
        """One byte more from each; forgets those that the server has closed. True once that are all of them."""
        for one, later in list(self.rest.items()):
            with contextlib.suppress(BlockingIOError):
                try:
                    self.rest[one] = later[one.send(later[:1]) :]
                    closed = not one.recv(65536)
                except ConnectionError:
                    closed = True
                if closed:
                    del self.rest[one]
        return not self.rest


def test_two_hundred_trickling_connections_stop_nobody(lab):
    client = person(lab)
    slow = opened(lab, 200)
    trickle = Trickle(lab, client.session, slow)
    for _ in range(5):
        trickle.go_on()
        assert answered(client, 1) == 1
    assert len(trickle.rest) == 200  # all of them were there meanwhile
    for one in slow:
        one.close()
    client.close()


def test_two_hundred_trickling_connections_are_closed_at_their_deadline(lab, monkeypatch):
    client = person(lab)
    monkeypatch.setattr(connections, "ARRIVAL", 1.0)
    slow = opened(lab, 200)
    trickle = Trickle(lab, client.session, slow)
    until(trickle.go_on)  # each byte is in time for an idle connection, none for a request
    for one in slow:
        one.close()
    client.close()


def test_the_deadlines_are_those_that_the_documentation_promises():
    assert (connections.ARRIVAL, connections.IDLE) == (10.0, 10)
    assert work.SECONDS < connections.ANSWER  # a call that is given up still gets its answer


def test_past_the_limit_the_connection_that_waited_longest_makes_room(lab, monkeypatch):
    monkeypatch.setattr(connections, "most_connections", lambda: 40)
    silent = opened(lab, 120)
    client = person(lab)  # a browser that comes now, or comes back to a connection that was closed and opens another
    try:
        assert answered(client) == 5
        with contextlib.suppress(ConnectionError):
            assert silent[0].recv(1) == b""  # its deadline never comes: it was closed to make room
        until(lambda: len(lab.server.server_state.connections) <= 40)
    finally:
        for one in silent:
            one.close()
    client.close()


def test_five_hundred_connections_that_say_nothing(lab):
    client = person(lab)
    silent = opened(lab, 500)
    try:
        assert answered(client) == 5
        until(lambda: len(lab.server.server_state.connections) >= 500)  # they were there all the time
    finally:
        for one in silent:
            one.close()
    client.close()


def is_closed(one: socket.socket) -> bool:
    """True when the server ends the connection."""
    one.settimeout(HANGS)
    try:
        while one.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def test_idle_connections_are_closed(monkeypatch):
    monkeypatch.setattr(listening, "IDLE", 1)
    with running_lab() as lab, socket.create_connection(("127.0.0.1", lab.port), HANGS) as one:
        one.sendall(f"GET /lab.css HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\n\r\n".encode())
        assert one.recv(12) == b"HTTP/1.1 200"
        assert is_closed(one)


def test_an_answer_that_nobody_reads_is_given_up(lab, monkeypatch):
    client = person(lab)
    monkeypatch.setattr(connections, "ANSWER", 1.5)
    monkeypatch.setitem(CALLS, "open", lambda session, body: {"long": "x" * 20_000_000})
    body = client.http.build_request("POST", "/api/open", json={})
    head = f"POST /api/open HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\n" + "".join(
        f"{name}: {body.headers[name]}\r\n"
        for name in ("X-Rosenblatt-Token", "X-Rosenblatt-Session", "Content-Length", "Content-Type")
    )
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect(("127.0.0.1", lab.port))
    one.sendall(head.encode() + b"\r\n" + body.content)

    def all_closed() -> bool:
        for other in [*lab.server.server_state.connections]:  # the client's own connection is idle, not slow
            if other.cycle is None or (other.cycle.response_complete and not other.transport.get_write_buffer_size()):
                other.transport.close()
        return not lab.server.server_state.connections

    until(all_closed)
    one.close()
    client.close()


def test_two_hundred_sessions_never_see_each_others_data(lab):
    """All load their own table, then all ask for it: every answer is about the own one."""

    async def everybody() -> None:
        headers = {"X-Rosenblatt-Token": lab.token}
        limits = httpx.Limits(max_connections=100)
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{lab.port}", headers=headers, timeout=HANGS, limits=limits
        ) as http:
            people = await asyncio.gather(*(join(http, number) for number in range(200)))
            assert len({each.session for each in people}) == 200
            for act in ("load", "proof", "pick"):
                await asyncio.gather(*(getattr(each, act)() for each in people))

    async def join(http: httpx.AsyncClient, number: int) -> Someone:
        found = await http.post("/api/session", json={})
        return Someone(http, number, found.json()["session"])

    asyncio.run(everybody())


class Someone:
    """Somebody with points that nobody else has."""

    def __init__(self, http: httpx.AsyncClient, number: int, session: str):
        self.http, self.number, self.session = http, number, session
        rng = np.random.default_rng(number)
        self.points = (rng.integers(-9, 10, (6, 2)) + number).astype(float)
        self.labels = [0, 1, *rng.integers(0, 2, 4).tolist()]
        self.expected = prove(self.points, self.labels)

    async def ask(self, name: str, **given) -> dict:
        answer = await self.http.post(f"/api/{name}", headers={"X-Rosenblatt-Session": self.session}, **given)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def load(self) -> None:
        rows = "".join(f"{x},{y},{c}\n" for (x, y), c in zip(self.points, self.labels, strict=True))
        found = await self.ask("load", params={"name": f"{self.number}.csv"}, content=f"x,y,label\n{rows}".encode())
        assert found["name"] == f"{self.number}.csv"

    async def pick(self) -> None:
        found = await self.ask("pick", json={"x": "x", "y": "y", "label": "label"})
        assert (found["points"], found["labels"]) == (self.points.tolist(), self.labels)

    async def proof(self) -> None:
        found = await self.ask("proof", json={"points": self.points.tolist(), "labels": self.labels})
        assert found["kind"] == self.expected.kind
        if isinstance(self.expected, Separable):
            assert found["support"] == list(self.expected.support)


class Slow:
    """A call that does not end before it is told to, in place of one of the lab's own."""

    def __init__(self, monkeypatch, name: str = "open"):
        self.begun, self.go_on = threading.Semaphore(0), threading.Event()
        monkeypatch.setitem(CALLS, name, self)

    def __call__(self, session, body) -> dict:
        self.begun.release()
        self.go_on.wait(HANGS)
        return {}


def asking(client: Client, times: int) -> tuple[list[threading.Thread], list[int]]:
    """So many questions at once, each in a thread, and the list that their statuses come into."""
    statuses: list[int] = []
    threads = [threading.Thread(target=lambda: statuses.append(client.ask("open").status_code)) for _ in range(times)]
    for each in threads:
        each.start()
    return threads, statuses


def test_one_session_with_long_calls_does_not_keep_others_waiting(lab, monkeypatch):
    slow = Slow(monkeypatch)
    busy, other = person(lab), person(lab)
    threads, statuses = asking(busy, 2 * work.THREADS)
    try:
        assert slow.begun.acquire(timeout=HANGS)
        until(lambda: lab.work.waiting[busy.session] == 2 * work.THREADS)
        assert answered(other) == 5
        assert statuses == []  # others were served while all of these waited
        assert not slow.begun.acquire(blocking=False)  # and only one of them has a thread
    finally:
        slow.go_on.set()
    for each in threads:
        each.join(HANGS)
    assert statuses == [200] * len(threads)
    busy.close()
    other.close()


def test_too_many_calls_of_one_session_are_told_to_wait(lab, monkeypatch):
    slow = Slow(monkeypatch)
    one, other = person(lab), person(lab)
    threads, statuses = asking(one, work.MOST_OF_ONE)
    try:
        until(lambda: lab.work.waiting[one.session] == work.MOST_OF_ONE)
        assert one.ask("pick").status_code == 429
        assert answered(other, 1) == 1  # somebody else is served
    finally:
        slow.go_on.set()
    for each in threads:
        each.join(HANGS)
    assert statuses == [200] * work.MOST_OF_ONE
    assert answered(one, 1) == 1
    one.close()
    other.close()


def test_a_call_that_takes_too_long_is_given_up_and_the_session_goes_on(lab, monkeypatch):
    slow, client = Slow(monkeypatch), person(lab)
    monkeypatch.setattr(work, "SECONDS", 0.3)
    try:
        answer = client.ask("open")
    finally:
        slow.go_on.set()
    assert answer.status_code == 408
    assert "too long" in answer.json()["error"]
    monkeypatch.setattr(work, "SECONDS", NEVER)
    assert answered(client, 1) == 1
    client.close()
