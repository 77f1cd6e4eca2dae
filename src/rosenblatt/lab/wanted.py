"""Reading what a page asks for: each value has the kind and size that is wanted, or one line says what it should be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rosenblatt.errors import SettingError

LARGEST = 1e100  # so that no sum of a run can overflow


def number(name: str, value: Any, low: float = -LARGEST, high: float = LARGEST) -> float:
    """A finite number between the two."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SettingError(f"{name} must be a number; got {shown(value)}.")
    if not low <= value <= high:
        raise SettingError(f"{name} must be a number from {low:g} to {high:g}; got {shown(value)}.")
    return float(value)


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number between the two."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)  # what JavaScript calls 3 may be written 3.0
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise SettingError(f"{name} must be a whole number from {low} to {high:,}; got {shown(value)}.")
    return value


def truth(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise SettingError(f"{name} must be true or false; got {shown(value)}.")
    return value


def one_of(name: str, value: Any, words: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in words:
        raise SettingError(f"{name} must be one of {', '.join(map(repr, words))}; got {shown(value)}.")
    return value


def text(name: str, value: Any, longest: int) -> str:
    """A string that can be written as UTF-8 and has at most so many characters."""
    if not isinstance(value, str):
        raise SettingError(f"{name} must be a text; got {shown(value)}.")
    if len(value) > longest:
        raise SettingError(f"{name} may have {longest:,} characters; got {len(value):,}.")
    return value.encode("utf8", "replace").decode("utf8")  # half a character of a broken link


def several(name: str, value: Any, most: int, least: int = 0) -> list[Any]:
    """A list of so many entries."""
    if not isinstance(value, list):
        raise SettingError(f"{name} must be a list; got {shown(value)}.")
    if not least <= len(value) <= most:
        raise SettingError(f"{name} must have {least:,} to {most:,} entries; got {len(value):,}.")
    return value


def shown(value: Any) -> str:
    """The value, short enough for a line."""
    try:
        found = repr(value)
    except ValueError:  # a whole number of thousands of digits
        return "a very long number"
    return found if len(found) <= 40 else f"{found[:37]}…"
