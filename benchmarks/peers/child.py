"""Work in a process of its own: a limit on its time, its peak of memory, and no harm if it ends badly."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Outcome:
    """What the child found, and in a few words why that is nothing, or not all."""

    found: dict[str, Any] | None
    failure: str = ""


Tell: TypeAlias = Callable[[dict[str, Any]], None]


def in_child(work: Callable[[Tell], dict[str, Any]], limit: float) -> Outcome:
    """The plain values that the work returns in a forked child, which sees everything that is prepared here.

    The work may tell what it has so far; that stands if its time runs out.
    The child starts with the memory of this process, from which free pages are given back first, so that growth of its
    peak is what the work needed beside its input.
    """
    give_back()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # later Pythons warn of threads; none of them runs a loop
        child = os.fork()
    if child == 0:
        _work_and_leave(work, writing)
    os.close(writing)
    started = time.monotonic()
    content = bytearray()
    try:
        while time.monotonic() - started < limit:
            ready = select.select([reading], [], [], max(0.0, limit - (time.monotonic() - started)))[0]
            if not ready:
                break
            block = os.read(reading, 1 << 16)
            if not block:
                return _ended(child, bytes(content))
            content += block
        return Outcome(_last(bytes(content)).get("found"), f"over {limit:g} s")
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(child, 0)


def peak_memory() -> int:
    """The most memory that this process ever held, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def give_back() -> None:
    """Collects garbage and returns free pages to the system."""
    import pyarrow as pa

    gc.collect()
    pa.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def silence() -> Iterator[None]:
    """Nothing that a library writes past Python reaches the terminal."""
    sys.stdout.flush()
    sys.stderr.flush()
    before = [os.dup(1), os.dup(2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in (1, 2):
            os.dup2(nowhere, number)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for number, old in zip((1, 2), before, strict=True):
            os.dup2(old, number)
            os.close(old)
        os.close(nowhere)


def _work_and_leave(work: Callable[[Tell], dict[str, Any]], writing: int) -> None:
    """Runs in the child and never returns: what the parent would do on its way out must not be done twice."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        with os.fdopen(writing, "w") as stream:

            def tell(found: dict[str, Any]) -> None:
                stream.write(json.dumps({"found": found}) + "\n")
                stream.flush()

            try:
                with silence():
                    tell(work(tell))
                code = 0
            except BaseException as error:
                what = " ".join(f"{type(error).__name__}: {error}".split())[:160]
                stream.write(json.dumps({"error": what}) + "\n")
    finally:
        os._exit(code)


def _ended(child: int, content: bytes) -> Outcome:
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return Outcome(None, f"ended by signal {os.WTERMSIG(status)}")
    answer = _last(content)
    return Outcome(answer.get("found"), answer.get("error", "" if "found" in answer else "no answer"))


def _last(content: bytes) -> dict[str, Any]:
    """The last whole line."""
    lines = content.split(b"\n")[:-1]
    answer: dict[str, Any] = json.loads(lines[-1]) if lines else {}
    return answer
