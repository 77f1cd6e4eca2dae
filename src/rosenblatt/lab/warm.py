"""What a lab does before it is asked: it loads and compiles what the first page will need."""

from __future__ import annotations

from collections.abc import Callable

from rosenblatt.lab.calls import CALLS
from rosenblatt.lab.sessions import Session

POINTS = {"points": [[0, 0], [0, 1], [1, 0], [1, 1]], "settings": {"passes": 3}}
PLANE = {"window": [0, 1, 0, 1], "columns": 4, "rows": 4, "variants": ["final", "averaged", "voted", "pocket"]}


def warm_up(stopped: Callable[[], bool]) -> None:
    """Runs the calls of the bench once, for two classes and for three, unless the lab is stopped meanwhile."""
    session = Session("warm")
    CALLS["presets"](session, {})
    for labels in ([0, 0, 0, 1], [0, 1, 1, 2]):
        for name, more in (("run", {}), ("regions", PLANE), ("proof", {})):
            if not stopped():
                CALLS[name](session, {**POINTS, "labels": labels, **more})
