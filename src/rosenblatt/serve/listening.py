"""The socket of a server, and uvicorn as every server of ours sets it up."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from typing import Any

import uvicorn

from rosenblatt.errors import SettingError
from rosenblatt.serve.connections import IDLE
from rosenblatt.serve.work import Work

HERE = "127.0.0.1"
WAITING = 1024  # connections that the system keeps until they are let in


@dataclass
class Listening:
    """A server that listens; `serve` answers until it is told to stop."""

    socket: socket.socket
    server: uvicorn.Server
    work: Work

    @property
    def port(self) -> int:
        return int(self.socket.getsockname()[1])

    def serve(self) -> None:
        """Answers until `stop`, or until a signal in the main thread, which comes out as KeyboardInterrupt."""
        try:
            self.server.run(sockets=[self.socket])
        finally:
            self.work.stop()
            self.socket.close()

    def stop(self) -> None:
        """Lets `serve` return when what has begun is answered; may be called from any thread."""
        self.server.should_exit = True


def listen(port: int, host: str = HERE) -> socket.socket:
    """A socket that listens at this port, or at a free one for 0; SettingError where it cannot be had."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise SettingError(f"host {host!r} has no address here ({error}). Name another with --host.") from None
    # With the protocol named, asyncio sends small answers at once; otherwise each waits 40 ms for more to send.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(WAITING)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise SettingError(f"host {host!r} is no address of this machine. Name another with --host.") from None
        what = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
        raise SettingError(f"port {port} {what}. Name another with --port, or 0 for any free one.") from None
    return listening


def server_of(app: Any, http: Any, end: int, loop: str = "asyncio") -> uvicorn.Server:
    """uvicorn with connections of this class; `end` seconds for what has begun when it is told to stop."""
    config = uvicorn.Config(
        app,
        http=http,
        loop=loop,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        log_level="critical",
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=end,
        backlog=WAITING,
    )
    return uvicorn.Server(config)
