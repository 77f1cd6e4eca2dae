"""A served model: questions of every kind, right and wrong, whole and in pieces, beside each other; and its end."""

from __future__ import annotations

import contextlib
import json
import random
import signal
import socket
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import rosenblatt
from faults.labs import LabProcess, listening
from faults.outcome import Outcome, generator
from faults.questions import Subject, bad_body, good_body, odd_head, subjects

NUMBER = 23
FAULT = (
    "`serve`: drawn questions to a model of texts, of a table and of a kernel, with values that are wrong, huge, "
    "nested, halved or of other columns, bodies that are no JSON, too large, in pieces, slow or cut short, other "
    "methods, paths and headers; SIGTERM in the middle of a question"
)
PROMISE = (
    "right questions get exactly the answers of Python, wrong ones their status of 4xx and one line, none a 500; slow "
    "ones are closed within 15 s; memory bounded; SIGTERM lets what has begun end, with code 0"
)
SHORT, FULL = 120, 12_000
FOUND: list[str] = []
CLOSED, SLOW = 15.0, 20  # seconds; connections
WAIT = 60.0  # seconds for an answer, and for the end
MEGABYTES = 600.0
BROKEN = (0, 400, 408)  # of a request that cannot be read, or did not arrive: no answer is one too


class Answer(NamedTuple):
    """The status, 0 where there was none, and the body."""

    status: int
    body: bytes

    @property
    def value(self) -> Any:
        return json.loads(self.body)

    @property
    def one_line(self) -> bool:
        """Whether it says what is wrong in one line, as JSON unless the request was not even HTTP."""
        with contextlib.suppress(ValueError):
            found = self.value
            line = found.get("error") if isinstance(found, dict) and len(found) == 1 else None
            return isinstance(line, str) and 10 < len(line) <= 1000 and "\n" not in line
        return self.status == 400 and b"\n" not in self.body.strip() and len(self.body) < 200


def run(cases: int, seed: int) -> Outcome:
    outcome, draw = Outcome(), generator(seed, NUMBER)
    with tempfile.TemporaryDirectory() as name:
        for subject in subjects():
            path = Path(name) / f"{subject.name}.rosenblatt"
            rosenblatt.save(subject.model, path)
            with (Path(name) / "said").open("w+") as said, listening("serve", str(path), said=said) as server:
                slow = _slow(server, SLOW if cases >= FULL else 1)
                for _ in range(cases // 3):
                    _ask(server, subject, draw, outcome)
                if cases >= FULL:
                    _closed(slow, outcome)
                size = server.megabytes()
                outcome.case(size < MEGABYTES, f"{subject.name}: the server took {size:.0f} MB")
                outcome.largest("the server, MB", size)
                _end(server, subject, draw, outcome)
                for one, _ in slow:
                    one.close()
                said.seek(0)
                lines = said.read()
                outcome.case(not lines, f"{subject.name}: it said {lines[-500:]!r}")
    return outcome


def _ask(server: LabProcess, subject: Subject, draw: random.Random, outcome: Outcome) -> None:
    """One question, and whether what comes back is right."""
    way = draw.random()
    if way < 0.45:
        path, body, wanted = good_body(subject, draw)
        found = _asked(server, draw, path, body)
        told = f"{subject.name}: {path} {body[:300]!r}: {found.status} {found.body[:300]!r}, not {str(wanted)[:300]}"
        outcome.case(found.status == 200 and found.value == wanted, told)
    elif way < 0.8:
        path, body, status, wanted = bad_body(subject, draw)
        found = _asked(server, draw, path, body)
        told = f"{subject.name}: {path} {body[:300]!r}: {found.status} {found.body[:300]!r}, not {status}"
        right = found.status == status and (found.value == wanted if status == 200 else found.one_line)
        outcome.case(right, told)
    elif way < 0.9:
        head, body, statuses = odd_head(server.port, subject, draw)
        found = _plain(server, [head + body])
        right = found.status in statuses and (found.status < 400 or head.startswith(b"HEAD ") or found.one_line)
        told = f"{subject.name}: {head[:300]!r}: {found.status} {found.body[:200]!r}, not {statuses}"
        outcome.case(right, told)
    elif way < 0.97:
        path, body, _ = good_body(subject, draw)
        whole = _head(server, path, len(body)) + body
        found = _plain(server, [whole[: draw.randrange(len(whole))]], cut=True)
        right = found.status in BROKEN and (not found.status or found.one_line)
        outcome.case(right, f"{subject.name}: a question that was cut short got {found}")
    else:
        size = draw.choice((4 * 2**20 + 1, 10**7, 10**12, 10**30))
        sent = _head(server, "/predict", size) + b" " * draw.choice((0, 1000, 10**6))
        found = _plain(server, [sent], cut=True)
        right = found.status == 413 if size < 2**64 else found.status in (0, 400, 413)  # no length of HTTP's
        right &= found.status == 0 or found.one_line
        outcome.case(right, f"{subject.name}: a body of {size} bytes got {found}")


def _head(server: LabProcess, path: str, size: int, more: str = "") -> bytes:
    lines = f"Host: 127.0.0.1:{server.port}\r\nContent-Length: {size}\r\nConnection: close\r\n{more}\r\n"
    return f"POST {path} HTTP/1.1\r\n{lines}".encode()


def _asked(server: LabProcess, draw: random.Random, path: str, body: bytes) -> Answer:
    """The answer to a body that is sent as some client would: at once, in pieces, or in chunks without its length."""
    way = draw.random()
    if way < 0.7:
        return _plain(server, [_head(server, path, len(body)) + body])
    cuts = sorted(draw.randrange(len(body) + 1) for _ in range(3))
    pieces = [body[low:high] for low, high in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    if way < 0.85:
        return _plain(server, [_head(server, path, len(body)), *pieces])
    chunks = [f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces if piece]
    head = _head(server, path, 0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    return _plain(server, [head, *chunks, b"0\r\n\r\n"])


def _plain(server: LabProcess, pieces: list[bytes], cut: bool = False) -> Answer:
    """What comes back on a connection of its own; with `cut`, nothing more is sent after the pieces."""
    with socket.create_connection(("127.0.0.1", server.port), WAIT) as one:
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(ConnectionError):  # refused before it was all sent
            for piece in pieces:
                one.sendall(piece)
        if cut:
            with contextlib.suppress(OSError):  # the other side was faster
                one.shutdown(socket.SHUT_WR)
        return _read(one)


def _read(one: socket.socket) -> Answer:
    got = b""
    with contextlib.suppress(ConnectionError):
        while piece := one.recv(1 << 16):
            got += piece
            head, end, body = got.partition(b"\r\n\r\n")
            size = [line[16:] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length: ")]
            if end and size and len(body) >= int(size[0]):
                break
    head, _, body = got.partition(b"\r\n\r\n")
    return Answer(int(head.split(b" ", 2)[1]) if head.startswith(b"HTTP/1.1 ") else 0, body)


def _slow(server: LabProcess, count: int) -> list[tuple[socket.socket, float]]:
    """Questions of which half came, and when."""
    opened = []
    for number in range(count):
        one = socket.create_connection(("127.0.0.1", server.port), WAIT)
        one.sendall(_head(server, "/predict", 1000)[: 40 + 20 * (number % 8)])
        opened.append((one, time.monotonic()))
    return opened


def _closed(slow: list[tuple[socket.socket, float]], outcome: Outcome) -> None:
    for one, begun in slow:
        one.settimeout(max(0.1, begun + CLOSED - time.monotonic()))
        try:
            found = _read(one)
            outcome.case(found.status in BROKEN, f"half of a question got {found}")
        except TimeoutError:
            outcome.case(False, f"half of a question was kept open for more than {CLOSED:g} s")


def _end(server: LabProcess, subject: Subject, draw: random.Random, outcome: Outcome) -> None:
    """SIGTERM while a question is on its way: it is answered, and the command ends with 0."""
    path, body, wanted = good_body(subject, draw)
    half = draw.randrange(len(body))
    with socket.create_connection(("127.0.0.1", server.port), WAIT) as one:
        one.sendall(_head(server, path, len(body)) + body[:half])
        _plain(server, [f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode()])
        server.process.send_signal(signal.SIGTERM)
        time.sleep(draw.choice((0.0, 0.05, 0.5)))
        one.sendall(body[half:])
        found = _read(one)
    outcome.case(found.status == 200 and found.value == wanted, f"{subject.name}: at its end it answered {found}")
    code = server.process.wait(WAIT)
    outcome.case(code == 0, f"{subject.name}: it ended with {code}")
