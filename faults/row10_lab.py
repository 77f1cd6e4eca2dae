"""The lab under load and under attack: wrong requests, slow clients, many connections, many sessions."""

from __future__ import annotations

import contextlib
import json
import random
import selectors
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from faults.labs import FIVE, Client, LabProcess, honest, lab_process, trickle
from faults.outcome import Outcome, generator
from rosenblatt.lab.calls import CALLS
from rosenblatt.lab.sessions import Session
from rosenblatt.serve.bodies import MOST_BYTES

NUMBER = 10
FAULT = (
    "the lab: oversize bodies, wrong Host and Origin, no token, slow clients, 500 connections, "
    "200 sessions with points of their own, 8 of them asking at a time"
)
PROMISE = "right status; honest requests under 1 s; slow clients closed within 15 s; no cross-talk; memory bounded"
SHORT, FULL = 4, 100  # hundredths of the counts
FOUND = [
    "A line that quotes half a character (a lone surrogate) could not be sent, so that the connection broke off "
    "(serve/guard.py).",
]
SLOW, SILENT, SESSIONS, OVERSIZE = 200, 500, 200, 50
SOON, CLOSED = 1.0, 15.0  # seconds
AT_A_TIME = 8
ASKED = b'{"name": "xor"}'
MEGABYTES = 1_000.0


def run(cases: int, seed: int) -> Outcome:
    outcome, part, draw = Outcome(), cases / FULL, generator(seed, NUMBER)
    with lab_process() as lab:
        client = Client(lab)
        client.call("proof", FIVE)
        _statuses(lab, client, outcome)
        for number in range(max(2, int(part * OVERSIZE))):
            _oversize(lab, client, number, outcome)
        waits = _slow(lab, client, max(6, int(part * SLOW)), whole=cases >= FULL, outcome=outcome)
        waits += _silent(lab, client, int(part * SILENT), outcome)
        waits += _sessions(lab, client, int(part * SESSIONS), draw, outcome)
        longest = max(waits)
        if cases >= FULL:  # the short version is a test, and no test depends on how fast the machine is
            outcome.case(longest < SOON, f"an honest request took {longest:.2f} s")
        outcome.largest("honest request, s", longest)
        size = lab.megabytes()
        outcome.case(size < MEGABYTES, f"the lab took {size:.0f} MB")
        outcome.largest("the lab, MB", size)
        client.close()
    return outcome


def _plain(lab: LabProcess, head: str, body: bytes = b"") -> int:
    """The status of a request written by hand; 0 if the connection was closed without an answer."""
    with socket.create_connection(("127.0.0.1", lab.port), 10) as one:
        with contextlib.suppress(ConnectionError):
            one.sendall(head.encode("latin-1") + b"\r\n" + body)
        with contextlib.suppress(ConnectionError):
            answer = one.recv(65536)
            return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0
    return 0


def _statuses(lab: LabProcess, client: Client, outcome: Outcome) -> None:
    here = f"127.0.0.1:{lab.port}"
    token, session = f"X-Rosenblatt-Token: {lab.token}\r\n", f"X-Rosenblatt-Session: {client.session}\r\n"
    host, end = f"Host: {here}\r\n", "Connection: close\r\n"
    post, length = "POST /api/open HTTP/1.1\r\n", f"Content-Length: {len(ASKED)}\r\n"
    honest = [post, host, token, session, length, end]

    def changed(old: str, new: str) -> str:
        return "".join(new if line == old else line for line in honest)

    wanted: list[tuple[str, bytes, tuple[int, ...]]] = [
        ("".join(honest), ASKED, (200,)),
        (changed(host, ""), ASKED, (400, 403)),
        (changed(host, host + host), ASKED, (400, 403)),
        *((changed(host, f"Host: {name}\r\n"), ASKED, (403,)) for name in (
            f"evil.example:{lab.port}", "127.0.0.1", "127.0.0.1:1", f"{here}.evil.example", f"0.0.0.0:{lab.port}")),
        *((changed(token, f"{token}Origin: {origin}\r\n"), ASKED, (403,)) for origin in (
            "http://evil.example", "null", f"https://{here}", f"http://localhost:{lab.port}", "http://127.0.0.1:1")),
        (changed(token, f"{token}Origin: http://{here}\r\n"), ASKED, (200,)),
        (changed(token, f"{token}Sec-Fetch-Site: cross-site\r\n"), ASKED, (403,)),
        (changed(token, ""), ASKED, (401,)),
        (changed(token, token + token), ASKED, (401,)),
        (changed(token, "X-Rosenblatt-Token: \r\n"), ASKED, (401,)),
        (changed(token, f"X-Rosenblatt-Token: {'x' * len(lab.token)}\r\n"), ASKED, (401,)),
        (changed(token, "X-Rosenblatt-Token: \xff\xfe\r\n"), ASKED, (400, 401)),
        (changed(session, ""), ASKED, (410,)),
        (changed(session, "X-Rosenblatt-Session: x\r\n"), ASKED, (410,)),
        (changed(post, "POST /api/nothing HTTP/1.1\r\n"), ASKED, (404,)),
        (changed(post, "GET /api/open HTTP/1.1\r\n"), ASKED, (405,)),
        (changed(post, "GET /web/../lab/app.py HTTP/1.1\r\n"), ASKED, (404,)),
        (changed(post, "GET /web/%2e%2e/lab/app.py HTTP/1.1\r\n"), ASKED, (404,)),
        (changed(post, "NONSENSE\r\n"), ASKED, (400,)),
        ("".join(honest), b"[]".ljust(len(ASKED)), (400,)),
        ("".join(honest), b"\xff\xfe".ljust(len(ASKED)), (400,)),
        (changed(length, "Content-Length: -1\r\n"), ASKED, (400,)),
        (changed(length, "Content-Length: x\r\n"), ASKED, (400,)),
        (changed(length, length + "Content-Length: 3\r\n"), ASKED + b" ", (400,)),
        (changed(length, "Transfer-Encoding: chunked\r\n"), b"zz\r\n", (400,)),
        (changed(session, session + "X-Long: " + "a" * 200_000 + "\r\n"), ASKED, (400, 431, 0)),
    ]  # fmt: skip
    for head, body, right in wanted:
        found = _plain(lab, head, body)
        outcome.case(found in right, f"status {found} instead of {right} for {head[:400]!r} {body!r}")


def _oversize(lab: LabProcess, client: Client, number: int, outcome: Outcome) -> None:
    """A body that is too large, with and without its length; the server answers before it has all of it."""
    head = (
        f"POST /api/load HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\nX-Rosenblatt-Token: {lab.token}\r\n"
        f"X-Rosenblatt-Session: {client.session}\r\n"
    )
    declared = 10 ** (7 + number % 12)
    found = _plain(lab, f"{head}Content-Length: {declared}\r\n", b"x" * 1000)
    outcome.case(found == 413, f"status {found} for a body of {declared} bytes")
    with socket.create_connection(("127.0.0.1", lab.port), 10) as one:
        one.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 4 * MOST_BYTES and not selectable(one):
                one.sendall(chunk)
                sent += 0x10000
        answer = b""
        with contextlib.suppress(ConnectionError):
            answer = one.recv(65536)
    outcome.case(answer.startswith(b"HTTP/1.1 413"), f"{answer[:40]!r} for a chunked body without an end")
    outcome.case(sent < 4 * MOST_BYTES, f"{sent} bytes of a body were taken")


def selectable(one: socket.socket) -> bool:
    """Whether there is something to read."""
    with selectors.DefaultSelector() as look:
        look.register(one, selectors.EVENT_READ)
        return bool(look.select(0))


def _slow(lab: LabProcess, client: Client, count: int, whole: bool, outcome: Outcome) -> list[float]:
    """Requests that come byte by byte: they keep nobody waiting, and are closed."""
    with _opened(lab, count) as slow:
        waits, closed = trickle(lab, client, slow, CLOSED + 5 if whole else 1.5)
        if whole:
            late = max(closed, default=0.0)
            outcome.case(len(closed) == count, f"{count - len(closed)} of {count} slow connections were left open")
            outcome.case(late < CLOSED, f"a slow connection was closed after {late:.1f} s")
            outcome.largest("slow connection closed after, s", late)
    outcome.cases += count
    return waits


def _silent(lab: LabProcess, client: Client, count: int, outcome: Outcome) -> list[float]:
    with _opened(lab, count):
        waits = [honest(client) for _ in range(5)]
    outcome.cases += count
    return waits


@contextlib.contextmanager
def _opened(lab: LabProcess, count: int) -> Iterator[list[socket.socket]]:
    opened = [socket.create_connection(("127.0.0.1", lab.port), 10) for _ in range(count)]
    try:
        yield opened
    finally:
        for one in opened:
            one.close()


def _sessions(lab: LabProcess, client: Client, count: int, draw: random.Random, outcome: Outcome) -> list[float]:
    """Everybody has points of their own, and asks for a proof about them; the answers are known before."""
    people = [_Person(lab, client, draw.randrange(10**6) + 10**6 * number) for number in range(count)]
    outcome.case(len({person.session for person in people}) == count, "two sessions have one id")
    waits = []
    with ThreadPoolExecutor(AT_A_TIME) as several:
        for act in ("load", "proof", "pick"):
            asked = [several.submit(person.ask, act) for person in people]
            while not all(each.done() for each in asked):
                waits.append(honest(client))
            for person, each in zip(people, asked, strict=True):
                problem = each.result()
                outcome.case(not problem, f"{act} of {person.number}: {problem}")
    return waits


class _Person:
    """Somebody with points that nobody else has, and a verdict about them."""

    def __init__(self, lab: LabProcess, client: Client, number: int):
        self.client, self.number = client, number
        self.session = client.http.post("/api/session", json={}).json()["session"]
        draw = random.Random(number)
        points = [[draw.randint(-9, 9) + number, draw.randint(-9, 9)] for _ in range(10)]
        labels = [0, 1, *(draw.randint(0, 1) for _ in range(8))]
        table = "x,y,label\n" + "".join(f"{x},{y},{c}\n" for (x, y), c in zip(points, labels, strict=True))
        body = {"points": points, "labels": labels}
        self.asks: dict[str, Any] = {
            "load": table.encode(),
            "proof": body,
            "pick": {"x": "x", "y": "y", "label": "label"},
        }
        self.known = json.loads(json.dumps(CALLS["proof"](Session("alone"), body)))
        self.points, self.labels = points, labels

    def ask(self, act: str) -> str:
        """What is wrong with the answer, if anything."""
        body = self.asks[act]
        given: dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": body}
        answer = self.client.http.post(
            f"/api/{act}", headers={"X-Rosenblatt-Session": self.session}, params={"name": "own.csv"}, **given
        )
        if answer.status_code != 200:
            return f"status {answer.status_code}: {answer.text[:200]}"
        if act == "proof" and answer.json() != self.known:
            return "another answer than alone"
        if act == "pick" and (answer.json()["points"], answer.json()["labels"]) != (self.points, self.labels):
            return "somebody else's points"
        return ""
