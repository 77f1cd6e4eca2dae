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

ARRIVAL = 10.0  # seconds for a request to arrive
ANSWER = 40.0  # seconds for its answer to be made and taken; more than a call may take
IDLE = 10  # seconds between requests
MOST_CONNECTIONS = 1000


class Connection(H11Protocol):
    """One connection under its deadlines."""

    def __init__(self, *arguments: Any, **names: Any):
        super().__init__(*arguments, **names)
        self.clock: asyncio.TimerHandle | None = None
        self.arriving = False
        self.since = 0.0  # when it began to wait for a request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_request()
        if len(self.connections) > most_connections():
            self._make_room()

    def data_received(self, data: bytes) -> None:
        if not self.arriving and (self.cycle is None or self.cycle.response_complete):
            self._expect_request()  # these are its first bytes
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Sets the clock by what the connection is waiting for now."""
        if self.transport.is_closing() or (self.transport.get_write_buffer_size() and not self.arriving):
            return  # the clock that runs sees to it that the rest is taken
        if self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is not None:
            self._stop()  # idle between requests: uvicorn's own clock runs
            self.since = self.loop.time()
        elif self.conn.their_state not in (h11.IDLE, h11.SEND_BODY) and (self.arriving or self.clock is None):
            self._set(ANSWER)  # it is whole; perhaps it came together with the one before
            self.arriving = False

    def _expect_request(self) -> None:
        self._set(ARRIVAL)
        self.arriving = True
        self.since = self.loop.time()

    def _set(self, seconds: float) -> None:
        self._stop()
        self.clock = self.loop.call_later(seconds, self._too_late)

    def _stop(self) -> None:
        if self.clock is not None:
            self.clock.cancel()
            self.clock = None

    def _too_late(self) -> None:
        self.clock = None
        self.transport.abort()

    def _make_room(self) -> None:
        others = [other for other in self.connections if isinstance(other, Connection) and other is not self]
        others = [other for other in others if not other.transport.is_closing()]  # those leave in a moment
        waiting = [other for other in others if other.cycle is None or other.cycle.response_complete]
        if waiting and len(others) >= most_connections():
            min(waiting, key=lambda other: other.since).transport.abort()


@cache
def most_connections() -> int:
    """The limit, or half of the files that the system lets a process open, if that is less."""
    try:
        import resource
    except ImportError:  # not on Windows
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
