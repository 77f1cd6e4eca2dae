"""Many inputs in one child, forked from this warmed process: a crash, a hang or too much memory names its input."""

from __future__ import annotations

import gc
import json
import mmap
import os
import resource
import signal
import struct
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

from faults.apart import answer_of, limit_memory, peak, resident
from rosenblatt.errors import RosenblattError

SECONDS = 1.0  # of the processor, for one input
TRIES = 3  # of an input that takes longer
ENDED = 10.0  # seconds of the processor after which a hang is ended
MEGABYTES = 200.0
ROOM = 1 << 30  # bytes of addresses; threads alone set aside some hundred million without using them
MOST_BROKEN = 50  # inputs of a batch that are told
SHOWN = 1 << 16  # bytes of an input that outlive the child
HEAD = struct.Struct("qq")  # the number of the input that is used, and its length
Use = Callable[[bytes], object]


class Batch(NamedTuple):
    """How many inputs were tried, those that broke the promise (what happened, the input), the slowest, the largest."""

    tried: int
    refused: int
    broken: list[tuple[str, bytes]]
    seconds: float
    megabytes: float


def run_batch(inputs: Callable[[], Iterator[bytes]], use: Use, again: Use | None = None, wall: float = 300.0) -> Batch:
    """Uses every input in a child; the inputs are made there too. After a death the child is not started again.

    again    what is done with an input that took too long, where `use` takes longer than what it measures
    """
    place = mmap.mmap(-1, HEAD.size + SHOWN)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            gc.freeze()
            limit_memory(ROOM)
            warnings.simplefilter("error")  # a warning about what somebody else wrote helps nobody
            try:
                found = _used(inputs(), use, again or use, place)
            except BaseException as error:  # in the making of an input: a mistake of the suite
                number, content = _last(place)
                what = f"after it: {type(error).__name__}: {error}"[:300]
                found = number + 1, 0, [(what, content.hex())], 0.0, 0.0
            answer = json.dumps(found).encode()
            while answer:
                answer = answer[os.write(writer, answer) :]
        finally:
            os._exit(0)
    os.close(writer)
    answer, status = answer_of(child, reader, wall)
    try:
        tried, refused, broken, seconds, megabytes = json.loads(answer)
    except ValueError:
        number, content = _last(place)
        how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "no answer"
        how = "a hang" if how in (f"signal {int(signal.SIGPROF)}", f"signal {int(signal.SIGKILL)}") else how
        return Batch(number + 1, 0, [(f"the process ended: {how}", content)], 0.0, 0.0)
    return Batch(tried, refused, [(what, bytes.fromhex(content)) for what, content in broken], seconds, megabytes)


def _last(place: mmap.mmap) -> tuple[int, bytes]:
    number, size = HEAD.unpack(place[: HEAD.size])
    return number, place[HEAD.size : HEAD.size + size]


def _used(inputs: Iterator[bytes], use: Use, again: Use, place: mmap.mmap) -> tuple[object, ...]:
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process
    broken: list[tuple[str, str]] = []
    before, slowest, tried, refused = resident(), 0.0, 0, 0
    largest = 0.0
    for number, content in enumerate(inputs):
        shown = content[:SHOWN]
        place[: HEAD.size + len(shown)] = HEAD.pack(number, len(shown)) + shown
        signal.setitimer(signal.ITIMER_PROF, ENDED)
        problem, seconds, was_refused = _tried(use, content)
        for _ in range(TRIES):  # perhaps something was loaded or compiled for the first time, or the machine was busy
            if seconds > SECONDS:
                problem, seconds, was_refused = _tried(again, content)
        tried, refused, slowest = tried + 1, refused + was_refused, max(slowest, seconds)
        megabytes = (peak() - before) / 1e6
        if seconds > SECONDS:
            problem = problem or f"{seconds:.1f} s"
        if megabytes > MEGABYTES >= largest:
            problem = problem or f"{megabytes:.0f} MB"
        largest = max(largest, megabytes)
        if problem and len(broken) < MOST_BROKEN:
            broken.append((problem, content.hex()))
    signal.setitimer(signal.ITIMER_PROF, 0)
    return tried, refused, broken, slowest, largest


def _tried(use: Use, content: bytes) -> tuple[str, float, bool]:
    """What went wrong, if anything; how long it took; whether it was refused by name."""
    problem, was_refused = "", False
    started = _cpu()
    try:
        use(content)
    except RosenblattError as error:
        was_refused = True
        if len(str(error)) < 10 or "\n" in str(error).strip():
            problem = f"refused with {str(error)[:200]!r}"
    except BaseException as error:
        problem = f"{type(error).__name__}: {error}"[:300]
    return problem, _cpu() - started, was_refused


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
