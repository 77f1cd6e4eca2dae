"""A real lab for tests: in a thread of this process, on a free port, ended when the test or the module is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from rosenblatt.lab.server import Lab, open_lab


@contextmanager
def running_lab() -> Iterator[Lab]:
    lab = open_lab(0)
    thread = threading.Thread(target=lab.serve, daemon=True)
    thread.start()
    try:
        yield lab
    finally:
        lab.stop()
        thread.join(10)
        assert not thread.is_alive(), "the lab did not stop"


class Client:
    """A page without a browser: asks as api.js does, in a session of its own."""

    def __init__(self, lab: Lab):
        self.http = httpx.Client(
            base_url=f"http://127.0.0.1:{lab.port}", headers={"X-Rosenblatt-Token": lab.token}, timeout=30
        )
        self.session = self.http.post("/api/session", json={}).json()["session"]
        self.http.headers["X-Rosenblatt-Session"] = self.session

    def call(self, name: str, body: Any = None, /, **query: str) -> dict[str, Any]:
        """The answer; an AssertionError with the server's line where it is an error."""
        answer = self.ask(name, body, **query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ask(self, name: str, body: Any = None, /, **query: str) -> httpx.Response:
        given = {"content": body} if isinstance(body, bytes) else {"json": {} if body is None else body}
        return self.http.post(f"/api/{name}", params=query, **given)

    def close(self) -> None:
        self.http.close()
