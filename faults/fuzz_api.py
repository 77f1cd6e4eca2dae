"""Requests to the lab for the fuzzer, put to the application itself: everything but the sockets."""

from __future__ import annotations

import asyncio
import json
import random
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from faults.mutation import Kind, mutated, mutated_json
from rosenblatt.errors import RosenblattError
from rosenblatt.lab.app import make_app
from rosenblatt.lab.calls import CALLS, RAW_CALLS
from rosenblatt.serve.work import Work

PORT, TOKEN = 8765, "the-token"
POINTS = {"points": [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], "labels": [0, 1, 1, 1, 0]}
SETTINGS = {"passes": 5, "alpha": 1, "margin": 0, "ties": "mistake", "bias": True, "shuffle": True, "seed": 3,
            "start": [0, 1, 2]}  # fmt: skip
BENCH = {**POINTS, "classes": ["a", "b"], "features": ["x", "y"], "settings": SETTINGS}
BODIES: list[tuple[str, Any]] = [
    ("proof", BENCH), ("proof", {**POINTS, "labels": [0, 1, 2, 1, 0]}), ("open", {"name": "iris"}),
    ("pick", {"x": "petal length (cm)", "y": "petal width (cm)", "label": "label", "sample": 1}),
    ("builtin", {}),
]  # fmt: skip
TABLES = [b"height,width,class\n1.5,2,b\n3,4,a\n-1,0.25,b\n", b"a\tb\tlabel\n1\t2\tx\n3\t4\ty\n",
          b"text,label\nbuy now,spam\nhello friend,ham\nsee you,ham\ncheap pills,spam\n"]  # fmt: skip
WORDS = (b"{", b"}", b'"', b":", b",", b"[", b"]", b"null", b"NaN", b"1e400", b"\\ud800", b"\\u0000", b"\xff",
         b"[" * 500, b'"points"', b'"settings"', b"\n", b'""', b"label")  # fmt: skip


QUERIES = (b"", b"", b"name=x.csv", b"name=%00", b"delimiter=;", b"delimiter=%ff", b"name=" + b"a" * 500)


def api_kind() -> Kind:
    seeds = [b"\n".join([name.encode(), b"", json.dumps(body).encode()]) for name, body in BODIES]
    seeds += [b"\n".join([name.encode(), b"name=x.csv", table]) for name in RAW_CALLS for table in TABLES]
    return Kind(seeds, WORDS, api_user(), changed_request)


def changed_request(seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> bytes:
    """A request: the name of a call, its query and its body, each in its line; mostly the body is changed."""
    name, query, body = draw.choice(seeds).split(b"\n", 2)
    change = mutated if name.decode() in RAW_CALLS else mutated_json
    if draw.random() < 0.1:
        name = draw.choice([*CALLS, *RAW_CALLS]).encode()
    if draw.random() < 0.3:
        query = draw.choice(QUERIES)
    return b"\n".join([name, query, change([body], words, draw)])


def api_user() -> Callable[[bytes], object]:
    """Puts a request to the application; an AssertionError if the answer is a mistake of ours."""
    state: dict[str, Any] = {}
    for name, body in BODIES:  # what is computed once and kept, is, before any child is forked
        _answer(state, name, "", json.dumps(body).encode())
    for table in TABLES:
        for name in RAW_CALLS:
            _answer(state, name, "", table)
    state["app"].work.stop()
    state.clear()

    def use(content: bytes) -> object:
        name, query, body = content.split(b"\n", 2)
        status, answer = _answer(state, name.decode(), query.decode(), body)
        told = json.loads(answer)
        assert status == 200 or (400 <= status < 500 and list(told) == ["error"]), f"status {status}: {answer[:300]!r}"
        if status != 200:
            raise RosenblattError(told["error"])
        return told

    return use


class _App:
    """The application with a loop of its own and one session."""

    def __init__(self) -> None:
        self.work = Work()
        self.app = make_app(PORT, TOKEN, self.work)
        self.loop = asyncio.new_event_loop()
        weakref.finalize(self, self.loop.close)
        self.session = ""
        self.session = json.loads(self.ask("session", "", b"{}")[1])["session"]
        self.ask("open", "", b'{"name": "iris"}')

    def ask(self, name: str, query: str, body: bytes) -> tuple[int, bytes]:
        return self.loop.run_until_complete(self._ask(name, query, body))

    async def _ask(self, name: str, query: str, body: bytes) -> tuple[int, bytes]:
        sent: list[Any] = []
        headers = [(b"host", f"127.0.0.1:{PORT}".encode()), (b"x-rosenblatt-token", TOKEN.encode())]
        headers += [(b"x-rosenblatt-session", self.session.encode()), (b"content-length", str(len(body)).encode())]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
            "path": f"/api/{name}", "raw_path": f"/api/{name}".encode(), "query_string": query.encode(),
            "root_path": "", "headers": headers, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", PORT),
        }  # fmt: skip

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def _answer(state: dict[str, Any], name: str, query: str, body: bytes) -> tuple[int, bytes]:
    """From an application made on the first call: threads do not live on in a child that is forked later."""
    if "app" not in state:
        state["app"] = _App()
    found: tuple[int, bytes] = state["app"].ask(name, query, body)
    return found
