"""What the server keeps for a page: in memory, under an id that nobody can guess, bounded in number, size and age."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

MOST_SESSIONS = 512
MOST_AGE = 4 * 3600.0  # seconds without a call
MOST_ALIKE = 6  # whose names begin with the same word; a person goes back a few runs, not a hundred
MOST_BYTES = 48 * 2**20  # of one session
MOST_BYTES_TOGETHER = 256 * 2**20

T = TypeVar("T")


@dataclass
class Session:
    """What is kept by name, the least recently used dropped first when there is too much of it.

    Calls of one session run one after the other, so nothing here needs a lock.
    """

    id: str
    used: float = 0.0
    size: int = 0
    kept: dict[str, tuple[Any, int]] = field(default_factory=dict)

    def keep(self, name: str, value: T, size: int) -> T:
        """Keeps the value, which takes about so many bytes, in place of what had the name.

        Of names that begin with the same word only the latest are kept, so that runs do not drive out a table.
        """
        self.drop(name)
        if size <= MOST_BYTES:
            self.kept[name] = value, size
            self.size += size
        alike = [other for other in self.kept if other.split(" ")[0] == name.split(" ")[0]]
        for other in alike[:-MOST_ALIKE]:
            self.drop(other)
        while self.size > MOST_BYTES:
            self.drop(next(iter(self.kept)))
        return value

    def get(self, name: str) -> Any:
        """What was kept under the name, or None."""
        if name in self.kept:
            self.kept[name] = self.kept.pop(name)  # now the last to be dropped
        return self.kept.get(name, (None, 0))[0]

    def drop(self, name: str) -> None:
        self.size -= self.kept.pop(name, (None, 0))[1]


class Sessions:
    """All sessions, those used last at the end."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self.clock = clock
        self.all: dict[str, Session] = {}

    def open(self) -> Session:
        """A new session; if there are too many, the one that was not used for the longest time ends."""
        session = Session(secrets.token_urlsafe(16), self.clock())
        self.all[session.id] = session
        self.tidy()
        return session

    def get(self, name: str) -> Session | None:
        """The session with this id, if there is one that is not too old."""
        self.tidy()
        session = self.all.pop(name, None)
        if session is not None:
            session.used = self.clock()
            self.all[name] = session
        return session

    def tidy(self) -> None:
        """Ends what is too old, then what was used least recently until the rest is few and fits into memory."""
        for oldest in [*self.all.values()]:
            together = sum(session.size for session in self.all.values())
            many = len(self.all) > MOST_SESSIONS or (together > MOST_BYTES_TOGETHER and len(self.all) > 1)
            if not many and self.clock() - oldest.used <= MOST_AGE:
                return
            del self.all[oldest.id]
