"""When to stop for lack of progress."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """The lowest value so far, and how many passes in a row did not get below it by more than the tolerance."""

    best: float = math.inf
    waited: int = 0

    def after(self, value: float, tol: float) -> Progress:
        waited = self.waited + 1 if value > self.best - tol else 0
        return Progress(min(self.best, value), waited)
