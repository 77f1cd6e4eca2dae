"""The lab under load: slow clients, many connections, many sessions, long calls. Honest requests come first.

The figures are those that the lab promises: an honest answer within a second, slow connections closed within 15.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time

import httpx
import numpy as np
import pytest

from faults.labs import FIVE, honest, trickle
from lab_server import Client, running_lab
from rosenblatt import trace
from rosenblatt.lab import connections, server, work
from rosenblatt.lab.columns import unpack

SOON = 1.0
CLOSED = 15.0


@pytest.fixture
def lab():
    with running_lab() as running:
        client = Client(running)
        client.call("run", FIVE)  # whatever has to be compiled is
        client.close()
        yield running


def opened(lab, count: int) -> list[socket.socket]:
    return [socket.create_connection(("127.0.0.1", lab.port), 5) for _ in range(count)]


def test_two_hundred_trickling_connections_stop_nobody_and_are_closed_within_15_seconds(lab):
    client = Client(lab)
    slow = opened(lab, 200)
    waits, closed = trickle(lab, client, slow, CLOSED + 5)
    for one in slow:
        one.close()
    client.close()
    assert len(closed) == 200
    assert max(closed) < CLOSED
    assert len(waits) > 5
    assert max(waits) < SOON


def test_past_the_limit_the_connection_that_waited_longest_makes_room(lab, monkeypatch):
    monkeypatch.setattr(connections, "most_connections", lambda: 40)
    silent = opened(lab, 120)
    client = Client(lab)  # a browser that comes now, or comes back to a connection that was closed and opens another
    try:
        assert max(honest(client) for _ in range(5)) < SOON
        silent[0].settimeout(5)
        with contextlib.suppress(ConnectionError):
            assert silent[0].recv(1) == b""  # closed long before its deadline
        time.sleep(0.2)
        assert len(lab.server.server_state.connections) <= 40
    finally:
        for one in silent:
            one.close()
    client.close()


def test_five_hundred_connections_that_say_nothing(lab):
    client = Client(lab)
    silent = opened(lab, 500)
    try:
        assert max(honest(client) for _ in range(5)) < SOON
    finally:
        for one in silent:
            one.close()
    client.close()


def is_closed(one: socket.socket, seconds: float) -> bool:
    """True when the server ends the connection within so many seconds."""
    one.settimeout(seconds)
    try:
        while one.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def test_idle_connections_are_closed(monkeypatch):
    monkeypatch.setattr(server, "IDLE", 1)
    with running_lab() as lab, socket.create_connection(("127.0.0.1", lab.port), 5) as one:
        one.sendall(f"GET /page/api.js HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\n\r\n".encode())
        assert one.recv(12) == b"HTTP/1.1 200"
        assert is_closed(one, 5)


def test_an_answer_that_nobody_reads_is_given_up(lab, monkeypatch):
    monkeypatch.setattr(connections, "ANSWER", 1.5)
    client = Client(lab)
    rng = np.random.default_rng(0)
    long = {"points": rng.normal(size=(500, 2)).tolist(), "labels": rng.integers(0, 2, 500).tolist()}
    body = client.http.build_request("POST", "/api/run", json=long)
    head = f"POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\n" + "".join(
        f"{name}: {body.headers[name]}\r\n"
        for name in ("X-Rosenblatt-Token", "X-Rosenblatt-Session", "Content-Length", "Content-Type")
    )
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect(("127.0.0.1", lab.port))
    one.sendall(head.encode() + b"\r\n" + body.content)
    deadline = time.monotonic() + CLOSED
    while lab.server.server_state.connections and time.monotonic() < deadline:
        time.sleep(0.1)
        for other in [*lab.server.server_state.connections]:  # the client's own connection is idle, not slow
            if other.cycle is None or (other.cycle.response_complete and not other.transport.get_write_buffer_size()):
                other.transport.close()
    assert not lab.server.server_state.connections
    one.close()
    client.close()


def test_two_hundred_sessions_never_see_each_others_data(lab):
    """All load their own table, then all ask for it: every answer is about the own one."""

    async def everybody() -> None:
        headers = {"X-Rosenblatt-Token": lab.token}
        limits = httpx.Limits(max_connections=100)
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{lab.port}", headers=headers, timeout=60, limits=limits
        ) as http:
            people = await asyncio.gather(*(join(http, number) for number in range(200)))
            assert len({person.session for person in people}) == 200
            for act in ("load", "run", "pick"):
                await asyncio.gather(*(getattr(person, act)() for person in people))

    async def join(http: httpx.AsyncClient, number: int) -> Person:
        found = await http.post("/api/session", json={})
        return Person(http, number, found.json()["session"])

    asyncio.run(everybody())


class Person:
    """Somebody with points that nobody else has."""

    def __init__(self, http: httpx.AsyncClient, number: int, session: str):
        self.http, self.number, self.session = http, number, session
        rng = np.random.default_rng(number)
        self.points = (rng.integers(-9, 10, (6, 2)) + number).astype(float)
        self.labels = [0, 1, *rng.integers(0, 2, 4).tolist()]
        self.expected = trace(self.points, self.labels, passes=4).weights.tolist()

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

    async def run(self) -> None:
        body = {"points": self.points.tolist(), "labels": self.labels, "settings": {"passes": 4}}
        found = await self.ask("run", json=body)
        weights = unpack(found["weights"])[-1].tolist()
        # A run may end at a cycle, where the trace goes on; then passes repeat.
        assert weights == self.expected or found["stopped"] == "cycle"


def test_one_session_with_long_calls_does_not_keep_others_waiting(lab):
    rng = np.random.default_rng(1)
    busy, other = Client(lab), Client(lab)
    busy.http.headers["Connection"] = "close"
    statuses = []

    def long(seed: int) -> None:
        points = (rng.normal(size=(2000, 2)) + seed).tolist()
        body = {"points": points, "labels": [0, 1] * 1000, "settings": {"passes": 10_000}}
        answer = busy.http.post("/api/run", json=body, timeout=60)
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=long, args=[seed]) for seed in range(3)]
    for each in threads:
        each.start()
    waits = []
    while any(each.is_alive() for each in threads):
        waits.append(honest(other))
    for each in threads:
        each.join()
    assert set(statuses) <= {200, 408}
    assert 200 in statuses
    assert sorted(waits)[len(waits) // 2] < SOON  # both share the processors, so the typical wait is what counts
    busy.close()
    other.close()


def test_too_many_calls_of_one_session_are_told_to_wait(lab, monkeypatch):
    from rosenblatt.lab.calls import CALLS

    begun, go_on = threading.Semaphore(0), threading.Event()

    def slow(session, body):
        begun.release()
        go_on.wait(15)
        return {}

    monkeypatch.setitem(CALLS, "presets", slow)
    one, other = Client(lab), Client(lab)
    statuses = []
    ask = lambda: statuses.append(one.ask("presets").status_code)  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(work.MOST_OF_ONE)]
    for each in threads:
        each.start()
    assert begun.acquire(timeout=10)
    deadline = time.monotonic() + 10
    while lab.work.waiting[one.session] < work.MOST_OF_ONE and time.monotonic() < deadline:
        time.sleep(0.01)
    assert one.ask("words").status_code == 429
    assert other.call("run", FIVE)["n_updates"] == 445  # somebody else is served
    go_on.set()
    for each in threads:
        each.join(20)
    assert statuses == [200] * work.MOST_OF_ONE
    assert one.call("run", FIVE)["n_updates"] == 445
    one.close()
    other.close()


def test_a_call_that_takes_too_long_is_given_up_and_the_session_goes_on(lab, monkeypatch):
    from rosenblatt.lab.calls import CALLS

    monkeypatch.setattr(work, "SECONDS", 0.3)
    over = threading.Event()
    monkeypatch.setitem(CALLS, "presets", lambda session, body: (over.wait(5) and {}) or {})
    client = Client(lab)
    answer = client.ask("presets")
    assert answer.status_code == 408
    assert "too long" in answer.json()["error"]
    over.set()
    monkeypatch.setattr(work, "SECONDS", 20)
    assert client.call("run", FIVE)["n_updates"] == 445
    client.close()
