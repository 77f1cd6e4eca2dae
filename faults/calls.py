"""System calls of a child that write, shown to its parent one at a time, who lets each pass or fails it. Linux alone.

The kernel asks (seccomp's user notifications), so it does not matter who makes the call: Python, numba, Arrow or a
thread of theirs. A call fails once, while those before and after it succeed.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import select
import socket
import stat
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from faults.child import ended, started
from faults.disk import ALLOW, CALL, CALLS, EQUAL, LOAD, MACHINE, NO_NEW_PRIVILEGES, RETURN, Step, program

ASK, SET_FILTER, LISTENER = 0x7FC00000, 1, 8
RECEIVE, SEND, GO_ON = 0xC0502100, 0xC0182101, 1
SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}
PIDFD_OPEN, PIDFD_GETFD = 434, 438
SHOWN = struct.Struct("QIIiIQ6Q")  # id, thread, flags, call, machine, instruction, arguments
ANSWER = struct.Struct("QqiI")  # id, value, error, flags
SHORT = -1  # instead of an error: half of the bytes are written
MOST_TEXT = 4096  # bytes of a name


class Write(NamedTuple):
    """A call: its kind as in CALLS, and the file that it is about."""

    kind: str
    path: str


Decide = Callable[[Write], int | None]


def overseen(call: Callable[[], object], decide: Decide, *streams: str | Path) -> int:
    """Makes the call in a child (child.started) and decides on everything that it writes; the code of its end.

    decide    is given each writing call; None lets it pass, a number is the error it gets, SHORT writes half of it
    """
    ours, theirs = socket.socketpair()

    def shown() -> None:
        ours.close()
        _show_calls(theirs)
        call()

    child = started(shown, *streams)
    theirs.close()
    with ours:
        listeners = socket.recv_fds(ours, 1, 1)[1]
    for listener in listeners:  # none where the child ended before
        _answer_all(listener, decide)
        os.close(listener)
    return ended(child)


def _show_calls(to: socket.socket) -> None:
    """From now on the writing calls of this process, and of all that it starts, wait for who has the listener."""
    machine, numbers = CALLS[platform.machine()]
    every = [number for kind in numbers.values() for number in kind]
    steps: list[Step] = [(LOAD, 0, 0, MACHINE), (EQUAL, 0, 1 + len(every), machine), (LOAD, 0, 0, CALL)]
    steps += [(EQUAL, len(every) - place, 0, number) for place, number in enumerate(every)]
    steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, ASK)]
    system = ctypes.CDLL(None, use_errno=True)
    listener = -1
    if system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
        number = SECCOMP_CALL[platform.machine()]
        listener = system.syscall(number, SET_FILTER, LISTENER, ctypes.byref(program(steps)))
    if listener < 0:
        raise OSError(ctypes.get_errno(), "the kernel takes no filter")
    socket.send_fds(to, [b"."], [listener])
    os.close(listener)
    to.close()


def _answer_all(listener: int, decide: Decide) -> None:
    """Until the last process that was shown has ended."""
    kinds = {number: kind for kind, numbers in CALLS[platform.machine()][1].items() for number in numbers}
    polled = select.poll()
    polled.register(listener, select.POLLIN)
    while not polled.poll()[0][1] & select.POLLHUP:
        shown = bytearray(SHOWN.size)
        with suppress(FileNotFoundError):  # the process ended, or a signal came, while the call waited
            fcntl.ioctl(listener, RECEIVE, shown, True)
            number, thread, _, call, _, _, *arguments = SHOWN.unpack(shown)
            path = _path_of(thread, kinds[call], arguments)
            wanted = None if path is None else decide(Write(kinds[call], path))
            if wanted == SHORT and call == CALLS[platform.machine()][1]["write"][0]:
                answer = ANSWER.pack(number, _write_half(thread, *arguments[:3]), 0, 0)
            elif wanted is None or wanted == SHORT:
                answer = ANSWER.pack(number, 0, 0, GO_ON)
            else:
                answer = ANSWER.pack(number, 0, -wanted, 0)
            fcntl.ioctl(listener, SEND, answer)


def _path_of(thread: int, kind: str, arguments: list[int]) -> str | None:
    """The file that the call is about; None for one that creates nothing, and for pipes and sockets."""
    if kind in ("write", "sync"):
        path = f"/proc/{thread}/fd/{ctypes.c_int(arguments[0]).value}"
        with suppress(OSError):  # no open file has this number
            return os.readlink(path) if stat.S_ISREG(os.stat(path).st_mode) else None
        return None
    if kind == "open" and not arguments[2] & (os.O_CREAT | os.O_TMPFILE & ~os.O_DIRECTORY):
        return None
    # The forms of a call that take a folder first have the name second.
    return next((name for name in (_text(thread, at) for at in arguments[:2]) if name), None)


def _text(thread: int, address: int) -> str:
    """The name that stands at the address; nothing where there is none."""
    with suppress(OSError, OverflowError):
        return os.fsdecode(_memory(thread, address, MOST_TEXT).partition(b"\0")[0])
    return ""


def _memory(thread: int, address: int, size: int) -> bytes:
    with open(f"/proc/{thread}/mem", "rb", 0) as memory:
        memory.seek(address)
        return memory.read(size)


def _write_half(thread: int, handle: int, address: int, size: int) -> int:
    """Writes half of what the thread wants to write, where it would be written; how many bytes these are."""
    process = next(line for line in Path(f"/proc/{thread}/status").read_text().splitlines() if line.startswith("Tgid"))
    system = ctypes.CDLL(None, use_errno=True)
    opened = system.syscall(PIDFD_OPEN, int(process.split()[1]), 0)
    copy = system.syscall(PIDFD_GETFD, opened, ctypes.c_int(handle), 0)
    try:
        return os.write(copy, _memory(thread, address, (size + 1) // 2))
    finally:
        os.close(copy)
        os.close(opened)
