"""The server: a socket on 127.0.0.1 alone, a token made at the start, and the address that holds it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from rosenblatt.lab.app import make_app
from rosenblatt.lab.warm import warm_up
from rosenblatt.serve.connections import Connection
from rosenblatt.serve.listening import HERE, Listening, listen, server_of
from rosenblatt.serve.work import Work


@dataclass
class Lab(Listening):
    """A lab that listens."""

    token: str

    @property
    def address(self) -> str:
        """Where the page is, with the token that lets it ask."""
        return f"http://{HERE}:{self.port}/?token={self.token}"

    def serve(self) -> None:
        self.work.threads.submit(warm_up, lambda: self.server.should_exit)
        super().serve()


def open_lab(port: int = 0) -> Lab:
    """A lab on this port of 127.0.0.1, or on a free one for 0."""
    listening = listen(port)
    token = secrets.token_urlsafe(24)
    work = Work()
    app = make_app(listening.getsockname()[1], token, work)
    return Lab(listening, server_of(app, Connection, end=1), work, token)
