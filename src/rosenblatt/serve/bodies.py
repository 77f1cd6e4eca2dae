"""What a request carries: at most so many bytes, and JSON that means one thing only."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from rosenblatt.serve.guard import Refused, problem
from rosenblatt.strict_json import read_strictly

LINGER, MOST_UNREAD = 2.0, 2**26  # seconds for the next part, and bytes, of a body that is read though it is refused
MOST_BYTES = 4 * 2**20
TOO_LARGE = f"the request is larger than {MOST_BYTES // 2**20} MB, the most that is taken. Send it in parts."


class TooLarge(Refused):
    """A body that was not read to its end."""


async def read_body(declared: str, parts: AsyncIterator[bytes]) -> bytes:
    """The whole body; refused as soon as it is known to be too large, whether or not its length was declared."""
    if declared.isdecimal() and int(declared[:20]) > MOST_BYTES:
        raise TooLarge(413, TOO_LARGE)
    body = bytearray()
    async for part in parts:
        body += part
        if len(body) > MOST_BYTES:
            raise TooLarge(413, TOO_LARGE)
    return bytes(body)


class Early(Response):
    """What is wrong with a request that is still arriving; it may arrive, or who sends all first would be cut off."""

    def __init__(self, refused: Refused) -> None:
        plain = problem(refused.status, str(refused))
        super().__init__(plain.body, plain.status_code, media_type=plain.media_type)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_open(message: Message) -> None:
            await send({**message, "more_body": True} if message["type"] == "http.response.body" else message)

        await super().__call__(scope, receive, send_open)
        unread = 0
        try:
            while unread < MOST_UNREAD:
                part = await asyncio.wait_for(receive(), LINGER)
                unread += len(part.get("body", b""))
                if not part.get("more_body", False):
                    break
        except TimeoutError:
            pass
        await send({"type": "http.response.body", "body": b"", "more_body": False})


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
