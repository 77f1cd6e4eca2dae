"""What a lab does before it is asked: it loads and compiles what the first page will need."""

from __future__ import annotations

from rosenblatt.lab.calls import CALLS
from rosenblatt.lab.sessions import Session

POINTS = {"points": [[0, 0], [0, 1], [1, 0], [1, 1]], "settings": {"passes": 3}}


def warm_up() -> None:
    """Runs each call of the bench once, for two classes and for three."""
    session = Session("warm")
    CALLS["presets"](session, {})
    for labels in ([0, 0, 0, 1], [0, 1, 1, 2]):
        bench = {**POINTS, "labels": labels}
        CALLS["run"](session, bench)
        CALLS["proof"](session, bench)
        plane = {"window": [0, 1, 0, 1], "columns": 4, "rows": 4, "variants": ["final", "averaged", "voted", "pocket"]}
        CALLS["regions"](session, {**bench, **plane})
