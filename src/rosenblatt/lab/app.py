"""Which address leads where. What a call does is its own matter; here are its limits and the form of its answer."""

from __future__ import annotations

import json
import os
import traceback
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from rosenblatt.errors import RosenblattError
from rosenblatt.lab.calls import CALLS, RAW_CALLS
from rosenblatt.lab.sessions import Session, Sessions
from rosenblatt.serve.bodies import read_body, read_json
from rosenblatt.serve.guard import Guard, Refused, problem
from rosenblatt.serve.work import Work
from rosenblatt.web import served

SESSION = "X-Rosenblatt-Session"
PAGE = ("lab/index.html", "/lab.css", "/lab.js")
FILES = {"/": "text/html", "/lab.css": "text/css", "/lab.js": "text/javascript"}  # what it consists of, and their types


def make_app(port: int, token: str, work: Work) -> Starlette:
    """The application for a server on this port, which does what whoever has the token asks."""
    served(*PAGE)  # made before anybody asks
    return Starlette(
        routes=[
            *(Route(path, _file) for path in FILES),
            Route("/api/{name}", partial(_answer, sessions=Sessions(), work=work), methods=["POST"]),
        ],
        middleware=[Middleware(Guard, port=port, token=token)],
    )


def _file(request: Request) -> Response:
    """The page, its style or its script."""
    path = request.url.path
    return Response(served(*PAGE)[path], media_type=FILES[path])


async def _answer(request: Request, sessions: Sessions, work: Work) -> Response:
    """The answer of a call, or what is wrong in one line."""
    name = request.path_params["name"]
    try:
        body = await read_body(request.headers.get("content-length", ""), request.stream())
        if name == "session":
            return _json({"session": sessions.open().id})
        if name not in CALLS and name not in RAW_CALLS:
            return problem(404, "there is no such call.")
        session = sessions.get(request.headers.get(SESSION, ""))
        if session is None:
            return problem(410, "this session is over. Load the page anew; what its link holds is kept.")
        return await work.run(session.id, partial(_done, name, session, body, dict(request.query_params)))
    except ClientDisconnect:
        return problem(408, "the request did not arrive whole.")
    except Refused as refused:
        return problem(refused.status, str(refused))
    except RosenblattError as error:
        return problem(422, str(error))
    except MemoryError:
        return problem(422, "this does not fit into memory. Give fewer points or passes.")
    except Exception as error:
        if os.environ.get("ROSENBLATT_DEBUG"):
            traceback.print_exception(error)
        what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        return problem(500, f"a mistake in rosenblatt itself ({what}). Please report it.")


def _done(name: str, session: Session, body: bytes, query: dict[str, str]) -> Response:
    """Everything about a call that takes time, for a thread: reading, the call, writing."""
    return _json(RAW_CALLS[name](session, body, query) if name in RAW_CALLS else CALLS[name](session, read_json(body)))


def _json(value: dict[str, Any]) -> Response:
    return Response(json.dumps(value, allow_nan=False, separators=(",", ":")), media_type="application/json")
