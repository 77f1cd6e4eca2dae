"""Which address leads where. `questions` says what is answered; here are its limits and the form of the answer."""

from __future__ import annotations

import asyncio
import json
import os
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from rosenblatt.errors import OUT_OF_MEMORY, RosenblattError, SettingError
from rosenblatt.model import Model
from rosenblatt.serve.bodies import Early, TooLarge, read_body, read_json
from rosenblatt.serve.guard import Guard, Refused, problem
from rosenblatt.serve.questions import EXPLAIN, PREDICT, explained, predicted, read_question
from rosenblatt.serve.together import Together
from rosenblatt.serve.work import Work
from rosenblatt.store.export_html import to_html
from rosenblatt.web import policy_in

SMALL = 2**15  # bytes of a question that is answered at once; handing it to a thread would take longer
MOST_LARGE = 64  # larger ones that are read at the same time: what they hold stays in memory until they are answered
ALLOWED = {"/": "GET", "/predict": "POST", "/explain": "POST", "/health": "GET"}
PAGES = frozenset(["/"])  # which hold the model, and so are for those who may ask it


def make_app(
    model: Model, work: Work, health: Callable[[], dict[str, Any]], port: int, token: str, anywhere: bool
) -> Guard:
    """The application: who asks is looked at first."""
    return Guard(App(model, work, health), port, token, anywhere, PAGES)


class App:
    """Answers questions about one model."""

    def __init__(self, model: Model, work: Work, health: Callable[[], dict[str, Any]]) -> None:
        self.model, self.work, self.health = model, work, health
        self.together = Together(model)
        self.large = asyncio.Semaphore(MOST_LARGE)
        self.text_only = model.plan.only_text is not None
        self.page: Response | None = None  # made when somebody first asks for it

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self._response(Request(scope, receive)))(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        path, method = request.scope["path"], request.scope["method"]
        if path not in ALLOWED:
            return problem(404, f"there is nothing at this path. Ask {', '.join(ALLOWED)}.")
        if method not in (ALLOWED[path], "HEAD" if ALLOWED[path] == "GET" else ALLOWED[path]):
            return problem(405, f"{path} takes {ALLOWED[path]}; got {method}.")
        try:
            if path == "/":
                return await self._page(request)
            return as_json(self.health() if path == "/health" else await self._answer(request, path))
        except ClientDisconnect:
            return problem(408, "the request did not arrive whole.")
        except TooLarge as refused:
            return Early(refused)
        except Refused as refused:
            return problem(refused.status, str(refused))
        except RosenblattError as error:
            return problem(422, str(error))
        except MemoryError:
            return problem(503, OUT_OF_MEMORY)
        except Exception as error:
            if os.environ.get("ROSENBLATT_DEBUG"):
                traceback.print_exception(error)
            what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            return problem(500, f"a mistake in rosenblatt itself ({what}). Please report it.")

    async def _page(self, request: Request) -> Response:
        """The page of the model, which `export --to html` writes too: it decides by itself and asks nobody."""
        if self.page is None:
            try:
                made, _ = await self.work.run(str(request.client), partial(to_html, self.model, self.health()["model"]))
            except SettingError as error:
                raise Refused(404, f"this model has no page: {error} Ask {', '.join(set(ALLOWED) - PAGES)}.") from None
            policy = f"{policy_in(made.decode())}; frame-ancestors 'none'"
            self.page = Response(made, media_type="text/html", headers={"content-security-policy": policy})
        return self.page

    async def _answer(self, request: Request, path: str) -> dict[str, Any]:
        declared = request.headers.get("content-length", "")
        if not (declared.isdecimal() and int(declared[:20]) <= SMALL):
            async with self.large:
                body = await read_body(declared, request.stream())
                return await self.work.run(str(request.client), partial(self._done, path, body))
        body = await read_body(declared, request.stream())
        if path == "/predict" and self.text_only:
            question = read_question(read_json(body), PREDICT)
            if question.texts is not None and question.single:
                question.asked.check(self.model)
                return await self.together.answer(question)
            return predicted(self.model, question)
        return await self.work.run(str(request.client), partial(self._done, path, body))

    def _done(self, path: str, body: bytes) -> dict[str, Any]:
        """Everything about a larger question that takes time, for a thread."""
        if path == "/predict":
            return predicted(self.model, read_question(read_json(body), PREDICT))
        return explained(self.model, read_question(read_json(body), EXPLAIN))


def as_json(value: dict[str, Any]) -> Response:
    text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode("utf8", "replace"), media_type="application/json")
