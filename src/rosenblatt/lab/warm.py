"""What a lab does before it is asked: it loads and compiles what a proof needs."""

from __future__ import annotations

from collections.abc import Callable

from rosenblatt.lab.calls import CALLS
from rosenblatt.lab.sessions import Session

POINTS = [[0, 0], [0, 1], [1, 0], [1, 1]]


def warm_up(stopped: Callable[[], bool]) -> None:
    """Proves something of two classes and of three, unless the lab is stopped meanwhile."""
    session = Session("warm")
    for labels in ([0, 0, 0, 1], [0, 1, 1, 2]):
        if not stopped():
            CALLS["proof"](session, {"points": POINTS, "labels": labels})
