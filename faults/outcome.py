"""What a row finds, and the few things that all rows need."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rosenblatt.errors import RosenblattError

MOST_SHOWN = 20


@dataclass
class Outcome:
    """How many cases were tried, which of them broke the promise, and what was measured beside."""

    cases: int = 0
    broken: list[str] = field(default_factory=list)
    measured: dict[str, float] = field(default_factory=dict)

    def case(self, holds: bool, what: str) -> None:
        """One case; `what` says which, for the reader of a failure."""
        self.cases += 1
        if not holds:
            self.broken.append(what)

    def add(self, other: Outcome) -> None:
        self.cases += other.cases
        self.broken += other.broken
        for name, value in other.measured.items():
            self.measured[name] = max(value, self.measured.get(name, value))

    def largest(self, name: str, value: float) -> None:
        """Keeps the largest value seen under a name."""
        self.measured[name] = max(value, self.measured.get(name, value))


def refused(call: Callable[[], Any]) -> str | None:
    """The message with which our code refused; None if it did not. Any other exception is a crash and goes on."""
    try:
        call()
    except RosenblattError as error:
        return str(error)
    return None


def one_line(message: str | None) -> bool:
    """Whether a refusal is one that a person can read: a single line that says something."""
    return message is not None and 10 < len(message) < 2000 and "\n" not in message.strip()


def shared_out(cases: int, parts: int) -> Iterator[int]:
    """The cases dealt to so many parts, none empty-handed."""
    for part in range(parts):
        yield max(1, (cases * (part + 1)) // parts - (cases * part) // parts)


def generator(seed: int, row: int) -> random.Random:
    return random.Random(seed * 1000 + row)
