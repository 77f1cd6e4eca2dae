"""Connections whose requests are read by httptools, where the extra `serve` is installed: five times as fast as h11."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from rosenblatt.serve.connections import Deadlines

MOST_HEADERS = 2**16  # bytes; h11 has this limit by itself


class QuickConnection(Deadlines, HttpToolsProtocol):  # type: ignore[misc]
    """A connection under its deadlines, and with a limit on the bytes before a body."""

    unread = 0  # bytes of a request whose headers have not ended

    def data_received(self, data: bytes) -> None:
        if self._waits():
            self.unread += len(data)
        super().data_received(data)
        if self.unread > MOST_HEADERS and self._waits() and not self.transport.is_closing():
            self.send_400_response("")

    def on_headers_complete(self) -> None:
        self.unread = 0
        super().on_headers_complete()

    def _between(self) -> bool:
        return bool(self._waits())

    def _whole(self) -> bool:
        return not self._waits() and not self.cycle.more_body
