"""JSON that means one thing only. Python alone takes NaN, 1e999 as infinity, and the last of two equal names."""

from __future__ import annotations

import json
import math
from typing import Any

DEEPEST = 100  # lists and tables within each other: whoever goes through them may call itself for each


def read_strictly(text: str | bytes, infinite: bool = False) -> Any:
    """What the JSON says; ValueError with the reason where it is none, or means more than one thing.

    infinite    takes the words that Python writes for numbers that are infinite or none, in files of our own
    """
    constants: Any = {} if infinite else {"parse_constant": _no_constant, "parse_float": _finite}
    try:
        value = json.loads(text, object_pairs_hook=_once, **constants)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    level = [value]
    for _ in range(DEEPEST):
        level = [each for outer in level for each in _inside(outer) if isinstance(each, dict | list)]
    if level:
        raise ValueError("it is nested too deeply")
    return value


def _inside(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


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
