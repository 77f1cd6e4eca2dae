"""Calls run in a few threads, one at a time for each session, so that nobody can keep the others waiting."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

THREADS = 4
MOST_WAITING = 512  # calls of all sessions
MOST_OF_ONE = 16  # calls of one session
SECONDS = 20.0  # with the wait; calls limit their own sizes, and this is for what slipped through


class Busy(Exception):
    """There are too many calls already."""


class Work:
    """The threads, and who waits for them."""

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="lab")
        self.waiting: Counter[str] = Counter()
        self.turns: dict[str, asyncio.Lock] = {}

    async def run(self, session: str, call: Callable[[], Any]) -> Any:
        """What the call returns; Busy if too many wait, TimeoutError if it takes too long."""
        if self.waiting[session] >= MOST_OF_ONE or self.waiting.total() >= MOST_WAITING:
            raise Busy
        self.waiting[session] += 1
        turn = self.turns.setdefault(session, asyncio.Lock())
        job: asyncio.Future[Any] | None = None
        try:
            async with asyncio.timeout(SECONDS):
                await turn.acquire()
                try:
                    job = asyncio.get_running_loop().run_in_executor(self.threads, call)
                except BaseException:
                    turn.release()
                    raise
                # A thread cannot be stopped: the turn ends with the call, whether or not somebody still waits for it.
                job.add_done_callback(lambda done: self._over(session, turn, done))
                return await asyncio.shield(job)
        finally:
            if job is None:
                self._leave(session)

    def _over(self, session: str, turn: asyncio.Lock, job: asyncio.Future[Any]) -> None:
        turn.release()
        self._leave(session)
        if not job.cancelled():
            job.exception()  # seen, also when nobody waits any more

    def _leave(self, session: str) -> None:
        self.waiting[session] -= 1
        if not self.waiting[session]:
            del self.waiting[session]
            self.turns.pop(session, None)

    def stop(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
