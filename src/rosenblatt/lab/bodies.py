"""What a request carries: at most so many bytes, and JSON that means one thing only."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from rosenblatt.strict_json import read_strictly

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
    """The object."""
    try:
        found = read_strictly(body.decode("utf8"))
    except UnicodeDecodeError:
        raise NotJson("the JSON is not UTF-8.") from None
    except ValueError as error:  # too many digits come as a plain one
        raise NotJson(f"this is no JSON that the lab takes: {error}.") from None
    if not isinstance(found, dict):
        raise NotJson(f"a JSON object is needed; got {type(found).__name__}.")
    return found
