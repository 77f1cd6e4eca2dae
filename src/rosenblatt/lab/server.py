"""The server: a socket on 127.0.0.1 alone, a token made at the start, and the address that holds it."""

from __future__ import annotations

import errno
import secrets
import socket
from dataclasses import dataclass

import uvicorn

from rosenblatt.errors import SettingError
from rosenblatt.lab.app import make_app
from rosenblatt.lab.connections import IDLE, Connection
from rosenblatt.lab.warm import warm_up
from rosenblatt.lab.work import Work

HOST = "127.0.0.1"


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
        return f"http://{HOST}:{self.port}/?token={self.token}"

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
    listening = _listen(port)
    token = secrets.token_urlsafe(24)
    work = Work()
    app = make_app(listening.getsockname()[1], token, work)
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        log_level="critical",
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=1,
        backlog=1024,
    )
    return Lab(listening, token, uvicorn.Server(config), work)


def _listen(port: int) -> socket.socket:
    # With the protocol named, asyncio sends small answers at once; otherwise each waits 40 ms for more to send.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(1024)
    except OSError as error:
        listening.close()
        what = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
        raise SettingError(f"port {port} {what}. Name another with --port, or 0 for any free one.") from None
    return listening
