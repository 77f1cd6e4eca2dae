"""The server: a socket on 127.0.0.1 alone, a token made at the start, and the address that holds it."""

from __future__ import annotations

import secrets
import socket
from dataclasses import dataclass

import uvicorn

from rosenblatt.lab.app import make_app
from rosenblatt.lab.warm import warm_up
from rosenblatt.serve.connections import Connection
from rosenblatt.serve.listening import HERE, listen, server_of
from rosenblatt.serve.work import Work


@dataclass
class Lab:
    """A lab that listens; `serve` answers until it is told to stop."""

    socket: socket.socket
    token: str
    server: uvicorn.Server
    work: Work

    @property
    def port(self) -> int:
        return int(self.socket.getsockname()[1])

    @property
    def address(self) -> str:
        """Where the page is, with the token that lets it ask."""
        return f"http://{HERE}:{self.port}/?token={self.token}"

    def serve(self) -> None:
        """Answers until `stop`, or until Ctrl-C in the main thread, which comes out as KeyboardInterrupt."""
        self.work.threads.submit(warm_up, lambda: self.server.should_exit)
        try:
            self.server.run(sockets=[self.socket])
        finally:
            self.work.stop()
            self.socket.close()

    def stop(self) -> None:
        """Lets `serve` return; may be called from any thread."""
        self.server.should_exit = True


def open_lab(port: int = 0) -> Lab:
    """A lab on this port of 127.0.0.1, or on a free one for 0."""
    listening = listen(port)
    token = secrets.token_urlsafe(24)
    work = Work()
    app = make_app(listening.getsockname()[1], token, work)
    return Lab(listening, token, server_of(app, Connection, end=1), work)
