"""Running a loop on several parts at the same time; loops let go of the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def thread_count() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(work: Callable[[A], B], parts: Sequence[A], threads: int | None = None) -> list[B]:
    """The work done on every part, on several threads; the results come in the order of the parts.

    One thread for each part unless told otherwise; with fewer, a thread that is done early takes the next part.
    """
    if len(parts) < 2:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(threads or len(parts)) as pool:
        return list(pool.map(work, parts))
