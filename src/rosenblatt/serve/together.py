"""Texts that arrive at the same time are looked at together: one look at a model costs more than one more text.

A question waits until everything that has arrived was read, which takes no time where nothing else has. Each row has
its score to itself, so that no answer depends on who asked at the same time.
"""

from __future__ import annotations

import asyncio
from typing import Any

from rosenblatt.model import Model
from rosenblatt.serve.questions import Question, answered, predicted

MOST = 64  # texts that are looked at together


class Together:
    """The questions that wait, and the model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.waiting: list[tuple[Question, asyncio.Future[dict[str, Any]]]] = []

    async def answer(self, question: Question) -> dict[str, Any]:
        """The answer to a question about one text."""
        loop = asyncio.get_running_loop()
        if not self.waiting:
            loop.call_soon(self._answer_all)
        future: asyncio.Future[dict[str, Any]] = loop.create_future()
        self.waiting.append((question, future))
        return await future

    def _answer_all(self) -> None:
        waiting, self.waiting = self.waiting[:MOST], self.waiting[MOST:]
        if self.waiting:
            asyncio.get_running_loop().call_soon(self._answer_all)
        try:
            scores = self.model.scores(
                self.model.texts([text for question, _ in waiting for text in question.texts or ()])
            )
        except Exception:  # somebody's text cannot be looked at: each for itself
            for question, future in waiting:
                self._settle(future, lambda question=question: predicted(self.model, question))
            return
        for place, (question, future) in enumerate(waiting):
            self._settle(
                future, lambda question=question, place=place: answered(self.model, question, scores[place : place + 1])
            )

    @staticmethod
    def _settle(future: asyncio.Future[dict[str, Any]], work: Any) -> None:
        if future.done():  # nobody waits any more
            return
        try:
            future.set_result(work())
        except Exception as error:
            future.set_exception(error)
