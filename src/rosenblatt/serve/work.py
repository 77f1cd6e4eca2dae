"""Calls run in a few threads, one at a time for each session, so that nobody can keep the others waiting."""

from __future__ import annotations

import asyncio
import ctypes
import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rosenblatt.serve.guard import Refused

THREADS = 4
MOST_OF_ONE = 16  # calls of one session
SECONDS = 20.0  # with the wait; calls limit their own sizes, and this is for what slipped through


class Overdue(BaseException):
    """Raised inside a call for which nobody waits any more; no error, so nothing on the way takes it for one."""


class Call:
    """A call that can be told to stop: the next line of Python that its thread comes to raises Overdue.

    Compiled loops are not broken off; the call ends when the one it is in has ended.
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.lock = threading.Lock()
        self.thread: int | None = None  # that runs it, while it runs
        self.stopped = False

    def __call__(self) -> Any:
        with self.lock:
            if self.stopped:
                raise TimeoutError
            self.thread = threading.get_ident()
        try:
            try:
                return self.work()
            finally:
                with self.lock:
                    self.thread = None
                for _ in range(100):  # what was sent arrives here at the latest, and not in the thread's next call
                    pass
        except Overdue:
            raise TimeoutError from None

    def stop(self) -> None:
        """Ends the call soon, whether or not it has begun."""
        with self.lock:
            self.stopped = True
            if self.thread is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(Overdue))


class Work:
    """The threads, and who waits for them."""

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="calls")
        self.waiting: Counter[str] = Counter()
        self.turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def run(self, session: str, call: Callable[[], Any]) -> Any:
        """What the call returns; refused if too many of the session wait, or if it takes too long."""
        if self.waiting[session] >= MOST_OF_ONE:
            raise Refused(429, "the server is busy. Try again in a moment.")
        stoppable = Call(call)
        job = asyncio.create_task(self._in_turn(session, stoppable))
        self.waiting[session] += 1
        await asyncio.wait([job], timeout=SECONDS)
        if job.done():
            try:
                return job.result()
            finally:
                del (
                    job,
                    call,
                    stoppable,
                )  # an error knows this frame: it would keep itself, and what was sent, in memory
        stoppable.stop()
        job.add_done_callback(lambda done: done.cancelled() or done.exception())  # seen, though nobody waits for it
        raise Refused(408, "this takes too long. Send less at a time.")

    async def _in_turn(self, session: str, call: Call) -> Any:
        """The turn ends with the call, whether or not somebody still waits for it."""
        try:
            async with self.turns[session]:
                return await asyncio.get_running_loop().run_in_executor(self.threads, call)
        finally:
            self.waiting[session] -= 1
            if not self.waiting[session]:
                del self.waiting[session], self.turns[session]

    def stop(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
