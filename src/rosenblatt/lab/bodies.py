"""What a request carries: at most so many bytes, and JSON that means one thing only."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from typing import Any

MOST_BYTES = 4 * 2**20


class TooLarge(Exception):
    """The body is larger than allowed."""


class NotJson(ValueError):
    """The body is no JSON object of finite numbers and names that occur once."""


async def read_body(declared: str | None, parts: AsyncIterator[bytes]) -> bytes:
    """The whole body; TooLarge as soon as it is known to be, whether or not its length was declared."""
    if declared is not None and declared.isdecimal() and int(declared[:20]) > MOST_BYTES:
        raise TooLarge
    body = bytearray()
    async for part in parts:
        body += part
        if len(body) > MOST_BYTES:
            raise TooLarge
    return bytes(body)


def read_json(body: bytes) -> dict[str, Any]:
    """The object. Python's reader alone would take NaN, 1e999 as infinity, and the last of two equal names."""
    try:
        found = json.loads(
            body.decode("utf8"),
            parse_constant=_refuse_constant,
            parse_float=_finite,
            object_pairs_hook=_unique,
        )
    except RecursionError:
        raise NotJson("the JSON is nested too deeply.") from None
    except UnicodeDecodeError:
        raise NotJson("the JSON is not UTF-8.") from None
    except ValueError as error:  # too many digits come as a plain one
        raise NotJson(f"this is no JSON that the lab takes: {error}.") from None
    if not isinstance(found, dict):
        raise NotJson(f"a JSON object is needed; got {type(found).__name__}.")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:30]} is too large")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name occurs twice in one object")
    return found
