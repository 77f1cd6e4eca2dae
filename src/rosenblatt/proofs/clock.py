"""How much time is left."""

from __future__ import annotations

import math
import time
from numbers import Real
from typing import Any

from rosenblatt.errors import SettingError


class TimeIsUp(Exception):
    """Raised inside a step that cannot be finished in time; `prove` turns it into Undecided."""


class Clock:
    """Counts down from a limit in seconds; None is no limit."""

    def __init__(self, limit: Any = None):
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, Real) or not float(limit) >= 0):
            raise SettingError(f"time_limit must be 0 or more seconds, or None for no limit; got {limit!r}.")
        self.end = math.inf if limit is None else time.monotonic() + float(limit)

    @property
    def left(self) -> float:
        return max(0.0, self.end - time.monotonic())

    def is_up(self) -> bool:
        return time.monotonic() >= self.end

    def look(self) -> None:
        if self.is_up():
            raise TimeIsUp
