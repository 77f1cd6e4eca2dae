"""Who may ask. A page of another site can send requests to this machine, so each must prove where it comes from.

Host    must be this very address: a name that an attacker points at 127.0.0.1 is not (DNS rebinding)
Origin  must be this page, where a browser sends one; so must Sec-Fetch-Site
Token   is known to whoever can read the terminal, and needed for everything but the page itself
"""

from __future__ import annotations

import json
from hmac import compare_digest
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
TOKEN = "X-Rosenblatt-Token"
LONGEST = 1000  # characters of a line that says what is wrong


class Refused(Exception):
    """Why a call is not answered, in one line, and with which status."""

    def __init__(self, status: int, line: str):
        super().__init__(line)
        self.status = status


def problem(status: int, line: str) -> Response:
    """An answer that says what is wrong, in the one form that the page knows.

    The line may quote what was sent. Whatever that is, it stays one line, not too long, that UTF-8 can hold.
    """
    line = " ".join(line.split())
    line = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
    return Response(json.dumps({"error": line}), status, media_type="application/json")


class Guard:
    """Lets through what comes from this page alone, and puts the headers of safety on every answer."""

    def __init__(self, app: ASGIApp, port: int, token: str):
        self.app = app
        self.token = token.encode()
        # A browser leaves out the port of its scheme.
        endings = {f":{port}", ""} if port == 80 else {f":{port}"}
        self.hosts = {f"{name}{end}" for name in ("127.0.0.1", "localhost") for end in endings}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = self.refusal(scope)
        await (problem(403, refusal) if refusal else self.app)(scope, receive, send_safely)

    def refusal(self, scope: dict[str, Any] | Scope) -> str:
        """Why the request may not pass; nothing if it may."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return "wrong Host: open the address that the terminal printed."
        if scope["method"] in ("GET", "HEAD"):
            return ""
        origins = headers.getlist("origin")
        if origins and origins != [f"http://{hosts[0].lower()}"]:
            return "wrong Origin: only the page of the lab may ask this."
        if any(site != "same-origin" for site in headers.getlist("sec-fetch-site")):
            return "wrong Sec-Fetch-Site: only the page of the lab may ask this."
        tokens = headers.getlist(TOKEN)
        if len(tokens) != 1 or not compare_digest(tokens[0].encode("latin-1"), self.token):
            return "wrong or missing token: open the address that the terminal printed."
        return ""
