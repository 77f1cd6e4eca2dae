"""Calls run in a few threads, one at a time for each session, so that nobody can keep the others waiting."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

THREADS = 4
MOST_WAITING = 256  # calls of all sessions
MOST_OF_ONE = 16  # calls of one session that wait
SECONDS = 20.0  # calls limit their own sizes; this is for what slipped through


class Busy(Exception):
    """There are too many calls already."""


class Work:
    """The threads and who waits for them."""

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="lab")
        self.waiting: Counter[str] = Counter()
        self.turns: dict[str, asyncio.Lock] = {}

    async def run(self, session: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """What the call returns; Busy if too many wait, TimeoutError if it takes too long."""
        if self.waiting[session] >= MOST_OF_ONE or self.waiting.total() >= MOST_WAITING:
            raise Busy
        self.waiting[session] += 1
        turn = self.turns.setdefault(session, asyncio.Lock())
        await turn.acquire()
        try:
            job = asyncio.get_running_loop().run_in_executor(self.threads, call, *arguments)
        except BaseException:
            self._over(session, turn)
            raise
        # A thread cannot be stopped: the session's turn ends when the call does, whether or not somebody still waits.
        job.add_done_callback(lambda _: self._over(session, turn))
        return await asyncio.wait_for(asyncio.shield(job), SECONDS)

    def _over(self, session: str, turn: asyncio.Lock) -> None:
        turn.release()
        self.waiting[session] -= 1
        if not self.waiting[session]:
            del self.waiting[session]
            self.turns.pop(session, None)

    def stop(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
