"""A call in a process of its own, forked from this warmed one: what it said, how long it took, how much memory."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import time
from collections.abc import Callable
from typing import NamedTuple

from rosenblatt.errors import RosenblattError

LIMIT = 60.0  # seconds after which a call that hangs is ended


class Apart(NamedTuple):
    """How the call ended: "done", "refused" (with the message), "crashed" (with the exception), "died" or "hung"."""

    ending: str
    said: str
    seconds: float  # of the processor, so that other work on the machine does not count; of the clock if it was ended
    megabytes: float  # by which the resident size grew


def apart(call: Callable[[], object], limit: float = LIMIT, room: int | None = None) -> Apart:
    """Runs the call in a child and waits for it. With `room`, the child may take so many bytes more than it has."""
    reader, writer = os.pipe()
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.close(reader)
        if room is not None:
            limit_memory(room)
        os.write(writer, json.dumps(_called(call)).encode()[:60_000])
        os._exit(0)
    os.close(writer)
    answer, _ = answer_of(child, reader, limit)
    seconds = time.perf_counter() - started
    if not answer:
        return Apart("hung" if seconds >= limit else "died", "", seconds, 0.0)
    ending, said, inside, grown = json.loads(answer)
    return Apart(ending, said, inside, grown)


def answer_of(child: int, reader: int, limit: float) -> tuple[bytes, int]:
    """What the child wrote before it ended, and how it ended; it is ended after so many seconds of the clock."""
    answer, until = b"", time.monotonic() + limit
    while True:
        if not select.select([reader], [], [], max(0.0, until - time.monotonic()))[0]:
            os.kill(child, signal.SIGKILL)
            break
        piece = os.read(reader, 1 << 16)
        if not piece:
            break
        answer += piece
    os.close(reader)
    return answer, os.waitpid(child, 0)[1]


def limit_memory(room: int) -> None:
    """Lets this process have so many bytes of addresses more: past that, memory is refused to it."""
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (now + room, now + room))


def _called(call: Callable[[], object]) -> tuple[str, str, float, float]:
    before, started = resident(), time.process_time()
    try:
        call()
        ending, said = "done", ""
    except RosenblattError as error:
        ending, said = "refused", str(error)
    except BaseException as error:
        ending, said = "crashed", f"{type(error).__name__}: {error}"[:500]
    return ending, said, time.process_time() - started, (peak() - before) / 1e6


def resident() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def peak() -> float:
    """The largest resident size of this process; a child's count starts at that of its parent when it forked."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
