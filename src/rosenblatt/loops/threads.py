"""Running work on several parts at the same time; loops let go of the interpreter's lock."""

from __future__ import annotations

import os
from _thread import allocate_lock
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")
LOOK = 1.0  # seconds after which one who waits looks whether the threads still live


def thread_count() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool:
    """Threads that do tasks while the block lasts. At its end what was begun is waited for, the rest is left undone.

    Without threads a task is done by whoever asks for its result.
    Python's own pool may wait for ever where memory runs out: one of its threads then ends without a word, or keeps a
    lock that is written in Python. Here all locks are C's, and one who waits finds out that a thread has ended.
    """

    def __init__(self, threads: int) -> None:
        self.todo: SimpleQueue[Task[Any] | None] = SimpleQueue()
        self.threads = [Thread(target=_do_tasks, args=[self.todo], daemon=True) for _ in range(threads)]

    def __enter__(self) -> Pool:
        try:
            for each in self.threads:
                each.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def submit(self, work: Callable[..., B], *given: Any) -> Task[B]:
        """The work, which a thread will do."""
        task = Task(self, work, given)
        self.todo.put(task)
        return task

    def __exit__(self, *_: object) -> None:
        with suppress(Empty):
            while True:
                self.todo.get_nowait()
        for _each in self.threads:
            self.todo.put(None)
        for each in self.threads:
            if each.is_alive():
                each.join()


class Task(Generic[B]):
    """Work for a thread. There is room from the start for what comes of it: a thread needs no memory to tell."""

    __slots__ = ("done", "error", "given", "pool", "value", "work")

    def __init__(self, pool: Pool, work: Callable[..., B], given: tuple[Any, ...]) -> None:
        self.pool, self.work, self.given = pool, work, given
        self.value: B | None = None
        self.error: BaseException | None = MemoryError()  # of a thread that comes to nothing at all
        self.done = allocate_lock()
        self.done.acquire()

    def do(self) -> None:
        try:
            self.value = self.work(*self.given)
            self.error = None
        except BaseException as error:
            self.error = error
        finally:
            self.done.release()

    def result(self) -> B:
        """Waits for what the work returns, or raises what it raised; MemoryError where a thread ended instead."""
        if not self.pool.threads:
            self.do()
        while not self.done.acquire(timeout=LOOK):
            if not all(each.is_alive() for each in self.pool.threads):
                raise MemoryError
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]


def _do_tasks(todo: SimpleQueue[Task[Any] | None]) -> None:
    while (task := todo.get()) is not None:
        task.do()
        del task  # and what came of it, while this waits for the next


def in_threads(work: Callable[[A], B], parts: Sequence[A], threads: int | None = None) -> list[B]:
    """The work done on every part, on several threads; the results come in the order of the parts.

    One thread for each part unless told otherwise; with fewer, a thread that is done early takes the next part.
    """
    if len(parts) < 2:
        return [work(part) for part in parts]
    with Pool(min(threads or len(parts), len(parts))) as pool:
        tasks = [pool.submit(work, part) for part in parts]
        return [task.result() for task in tasks]
