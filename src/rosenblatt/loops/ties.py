"""When a row counts as wrong: the three conventions for ties and the margin, as two numbers and a direction."""

from __future__ import annotations

import math
from typing import NamedTuple

TIES = ("mistake", "positive", "negative")
BELOW_ZERO = -math.ulp(0.0)  # x <= BELOW_ZERO means x < 0, so that one comparison serves all conventions


class Bounds(NamedTuple):
    """A row is updated on when its lead, the true score less the best other, is at most one of two bounds.

    Two classes are the case where the lead is y * (w . f(x)). Which bound holds depends on whether the true class
    comes earlier or later in sorted order than the best other class.
    """

    earlier: float
    later: float
    last: bool  # among equally good other classes the last one counts, not the first


def bounds(ties: str = "mistake", margin: float = 0.0) -> Bounds:
    """The bounds of a convention of NOTES section 1; with a margin above 0 a tie is too close under each of them."""
    if margin > 0 or ties == "mistake":
        return Bounds(float(margin), float(margin), ties == "positive")
    if ties == "positive":  # the later class wins a tie: only an earlier true class is then wrong
        return Bounds(0.0, BELOW_ZERO, True)
    return Bounds(BELOW_ZERO, 0.0, False)
