"""Who may ask. A page of another site can send requests to this machine, so each must prove where it comes from.

Host    must be this very address: a name that an attacker points at 127.0.0.1 is not (DNS rebinding)
Origin  must be this page, where a browser sends one; so must Sec-Fetch-Site
Token   where there is one, is needed for everything but pages and what is told of the server's health
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable
from hmac import compare_digest
from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
TOKEN = b"x-rosenblatt-token"
HERE = ("127.0.0.1", "localhost")
LONGEST = 1000  # characters of a line that says what is wrong


class Refused(Exception):
    """Why a call is not answered, in one line, and with which status."""

    def __init__(self, status: int, line: str):
        super().__init__(line)
        self.status = status


def problem(status: int, line: str) -> Response:
    """An answer that says what is wrong, in the one form that pages and programs know.

    The line may quote what was sent. Whatever that is, it stays one line, not too long, that UTF-8 can hold.
    """
    line = " ".join(line.split())
    line = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
    return Response(json.dumps({"error": line}), status, media_type="application/json")


class Guard:
    """Lets through what comes from this page or from a program with the token, and puts safe headers on every answer.

    token       needed to ask; nothing where none is
    locked      pages that need it too; a browser asks the person for it, as the password
    anywhere    whether the server is reached under names that it does not know, so that no Host is wrong
    """

    def __init__(
        self, app: ASGIApp, port: int, token: str, anywhere: bool = False, locked: frozenset[str] = frozenset()
    ):
        self.app, self.locked = app, locked
        self.token = token.encode()
        # A browser leaves out the port of its scheme.
        endings = {f":{port}", ""} if port == 80 else {f":{port}"}
        self.hosts = None if anywhere else {f"{name}{end}".encode() for name in HERE for end in endings}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(each for each in HEADERS if each[0] not in own)]
            await send(message)

        refused = self.refusal(scope["method"], scope["headers"], scope.get("path", ""))
        await (_answer(refused) if refused else self.app)(scope, receive, send_safely)

    def refusal(self, method: str, headers: Iterable[tuple[bytes, bytes]], path: str = "") -> Refused | None:
        """Why the request may not pass; None if it may."""
        given: dict[bytes, list[bytes]] = {}
        for name, value in headers:
            given.setdefault(name, []).append(value)
        hosts = given.get(b"host", [])
        if len(hosts) != 1 or not (self.hosts is None or hosts[0].lower() in self.hosts):
            return Refused(403, "wrong Host: open the address that the terminal printed.")
        if method in ("GET", "HEAD"):
            return LOCKED if path in self.locked and self.token and not self._known(given) else None
        schemes = (b"http://",) if self.hosts is not None else (b"http://", b"https://")
        origins = given.get(b"origin", [])
        if origins and origins not in ([scheme + hosts[0].lower()] for scheme in schemes):
            return Refused(403, "wrong Origin: only the page of this server may ask this.")
        if any(site != b"same-origin" for site in given.get(b"sec-fetch-site", ())):
            return Refused(403, "wrong Sec-Fetch-Site: only the page of this server may ask this.")
        return None if not self.token or self._known(given) else UNKNOWN

    def _known(self, given: dict[bytes, list[Any]]) -> bool:
        """Whether the token is there, and right: in a header of our own, as `Authorization: Bearer`, as a password."""
        tokens = [*given.get(TOKEN, ()), *given.get(b"authorization", ())]
        return len(tokens) == 1 and compare_digest(_token_in(tokens[0]), self.token)


def _token_in(header: bytes) -> bytes:
    """The token; of a browser that asked for a name and a password, the password."""
    if not header.startswith(b"Basic "):
        return header.removeprefix(b"Bearer ")
    try:
        return b64decode(header.removeprefix(b"Basic "), validate=True).partition(b":")[2]
    except ValueError:
        return b""


def _answer(refused: Refused) -> Response:
    response = problem(refused.status, str(refused))
    if refused is LOCKED:
        response.headers["www-authenticate"] = 'Basic realm="the token is the password", charset="UTF-8"'
    return response


LOCKED = Refused(401, "wrong or missing token: a browser asks for it as the password, under any name.")
UNKNOWN = Refused(
    401,
    "wrong or missing token: open the address that was printed, or send the token as the header X-Rosenblatt-Token.",
)
