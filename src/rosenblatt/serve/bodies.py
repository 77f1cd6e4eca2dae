"""What a request carries: at most so many bytes, and JSON that means one thing only."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from rosenblatt.serve.guard import Refused
from rosenblatt.strict_json import read_strictly

MOST_BYTES = 4 * 2**20
TOO_LARGE = f"the request is larger than {MOST_BYTES // 2**20} MB, the most that is taken. Send it in parts."


async def read_body(declared: str, parts: AsyncIterator[bytes]) -> bytes:
    """The whole body; refused as soon as it is known to be too large, whether or not its length was declared."""
    if declared.isdecimal() and int(declared[:20]) > MOST_BYTES:
        raise Refused(413, TOO_LARGE)
    body = bytearray()
    async for part in parts:
        body += part
        if len(body) > MOST_BYTES:
            raise Refused(413, TOO_LARGE)
    return bytes(body)


def read_json(body: bytes) -> dict[str, Any]:
    """The object, of finite numbers and names that occur once."""
    if not body:
        raise Refused(400, "the request has no body; a JSON object is needed.")
    try:
        found = read_strictly(body.decode("utf8"))
    except UnicodeDecodeError:
        raise Refused(400, "the JSON is not UTF-8.") from None
    except ValueError as error:  # too many digits come as a plain one
        raise Refused(400, f"this is no JSON that can be taken: {error}.") from None
    if not isinstance(found, dict):
        raise Refused(400, f"a JSON object is needed; got {type(found).__name__}.")
    return found
