"""uvicorn's protocol with deadlines: a request that trickles in, an answer that nobody reads, an idle connection end.

uvicorn itself closes only connections that are idle between requests. Here every connection has one clock: so long for
a request to arrive whole, from its first byte or from the opening of the connection; then so long for its answer to be
taken. New connections are always let in; past the limit the one that has waited for a request the longest makes room.
"""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from rosenblatt.serve.guard import problem

ARRIVAL = 10.0  # seconds for a request to arrive
ANSWER = 40.0  # seconds for its answer to be made and taken; more than a call may take
IDLE = 10  # seconds between requests
MOST_CONNECTIONS = 1000


class Deadlines:
    """What is put before a protocol of uvicorn, so that each of its connections has a clock."""

    clock: asyncio.TimerHandle | None = None  # none while it is idle between requests: uvicorn's own runs
    arriving = False  # whether the clock is that of a request
    since = 0.0  # when the clock was set

    def connection_made(self: Any, transport: asyncio.Transport) -> None:
        super().connection_made(transport)  # type: ignore[misc]
        self._set(ARRIVAL, arriving=True)
        self._make_room()

    def data_received(self: Any, data: bytes) -> None:
        if not self.arriving and self._waits():
            self._set(ARRIVAL, arriving=True)  # these are its first bytes
        super().data_received(data)  # type: ignore[misc]
        self._look()

    def on_response_complete(self: Any) -> None:
        super().on_response_complete()  # type: ignore[misc]
        self._look()

    def connection_lost(self: Any, exc: Exception | None) -> None:
        self._set(None)
        super().connection_lost(exc)  # type: ignore[misc]

    def send_400_response(self: Any, msg: str) -> None:
        """What is said to bytes that are no request, in the form of every other refusal."""
        body = problem(400, "this is no HTTP request.").body
        head = f"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()

    def _look(self: Any) -> None:
        """Sets the clock by what the connection is waiting for now."""
        if self.transport.is_closing() or (self.transport.get_write_buffer_size() and not self.arriving):
            return  # the clock that runs sees to it that the rest is taken
        if self._between() and self.timeout_keep_alive_task is not None:
            self._set(None)
        elif self._whole() and (self.arriving or self.clock is None):
            self._set(ANSWER)  # perhaps it came together with the one before

    def _set(self: Any, seconds: float | None, arriving: bool = False) -> None:
        if self.clock is not None:
            self.clock.cancel()
        self.clock = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)
        self.arriving, self.since = arriving, self.loop.time()

    def _waits(self: Any) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _make_room(self: Any) -> None:
        if len(self.connections) <= most_connections():
            return
        others: list[Any] = [other for other in self.connections if isinstance(other, Deadlines) and other is not self]
        others = [other for other in others if not other.transport.is_closing()]  # those leave in a moment
        waiting = [other for other in others if other._waits()]
        if waiting and len(others) >= most_connections():
            min(waiting, key=lambda other: other.since).transport.abort()


class Connection(Deadlines, H11Protocol):  # type: ignore[misc]
    """A connection whose requests are read by h11, which is always there."""

    def _between(self) -> bool:
        return self.conn.their_state is h11.IDLE

    def _whole(self) -> bool:
        return self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)


@cache
def fastest_connection() -> type[Deadlines]:
    """The connection whose requests are read by httptools where that is installed, by h11 otherwise."""
    try:
        from rosenblatt.serve.quick_connections import QuickConnection
    except ImportError:
        return Connection
    return QuickConnection


@cache
def most_connections() -> int:
    """The limit, or half of the files that the system lets a process open, if that is less."""
    try:
        import resource
    except ImportError:  # not on Windows
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
