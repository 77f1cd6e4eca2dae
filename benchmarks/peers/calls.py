"""A call that is timed in turns with those of others, so that a busy moment of the machine hits nobody alone."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Calls:
    """A call, and the times it took, turn by turn."""

    call: Callable[[], Any] | None
    turns: list[float] = field(default_factory=list)
    spent: float = 0.0

    def take(self, seconds: float, patience: float) -> None:
        """One turn: the median time of so many seconds of calls, after a first that finds cold caches."""
        if self.call is None or (self.turns and self.spent > patience):
            return
        self.call()
        times: list[float] = []
        while not times or sum(times) < seconds:
            started = time.perf_counter()
            self.call()
            times.append(time.perf_counter() - started)
        self.turns.append(statistics.median(times))
        self.spent += sum(times)

    def median(self) -> float | None:
        """Of all turns."""
        return statistics.median(self.turns) if self.turns else None
