"""JSON that means one thing only. Python alone takes NaN, 1e999 as infinity, and the last of two equal names."""

from __future__ import annotations

import json
import math
from typing import Any


def read_strictly(text: str | bytes) -> Any:
    """What the JSON says; ValueError with the reason where it is none, or means more than one thing."""
    try:
        return json.loads(text, parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"it holds {name}, which is no number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"it holds {text[:30]}, which is too large")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("it names a field twice")
    return found
