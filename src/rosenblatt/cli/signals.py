"""Signals that end a command: it takes away what it has half written, says so, and ends with the code of the signal."""

from __future__ import annotations

import _thread
import os
import select
import signal
import sys
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import Any

from rosenblatt.errors import LAST_WORDS

ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
BASE = 128  # a shell reports a program that was ended by signal 15 as 143
PATIENCE = 10.0  # seconds to end in after a thread ended, or could not begin, for want of memory
SOON = 0.05  # seconds after which a signal comes again that came where exceptions are lost
STARVED = threading.Event()  # a thread ended for want of memory, and somebody may wait for it
_LOOKING = threading.Lock()
_seen: set[int] = set()  # signals that Python has looked at
LOST_MEMORY = threading.Event()  # where nobody could be told, as in a destructor; what goes wrong later comes of it


class Ended(KeyboardInterrupt):
    """The process was asked to end: to whoever catches it the same as Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def end_in_order() -> None:
    """From now on these signals raise `Ended` in the main thread, so that every block's end is reached.

    One that the program was started to ignore stays ignored (nohup). The same signal again ends the process at once.
    """
    for number in map(_number, ENDING):
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _end)
    sys.unraisablehook = _lost
    threading.excepthook = _thread_ended
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    with suppress(RuntimeError):  # where no thread can be had; one of `threading` would have to be waited for
        _thread.start_new_thread(_remind, (reader,))


def _remind(reader: int) -> None:
    """A signal that comes just before the main thread waits for input is noted, and Python would look at it when input
    comes, which may be never. So it comes again, until it was looked at."""
    main = threading.main_thread().ident or 0  # to it, since a signal to another thread would not wake it
    before: set[Any] = set()
    while True:
        if not select.select([reader], [], [], PATIENCE)[0]:
            waiting = set(getattr(threading, "_limbo", ()))  # threads that were started and have not begun
            if waiting & before:
                _give_up()
            before = waiting
            continue
        for number in os.read(reader, 1):
            time.sleep(SOON)
            _send_again(main, number)  # which writes to the pipe once more
            if STARVED.is_set():
                for _ in range(round(PATIENCE / SOON)):
                    time.sleep(SOON)
                    _send_again(main, number)
                _give_up()


def _send_again(main: int, number: int) -> None:
    """Sends the signal to the main thread, unless it was looked at."""
    with _LOOKING:
        if number not in _seen and signal.getsignal(number) is _end:
            signal.pthread_kill(main, number)


def _give_up() -> None:
    """Ends the process: who waits for a thread that is gone, or for one that never began, does so for ever. What it was
    writing stays as a hidden part, which the next command removes."""
    os.write(2, LAST_WORDS)
    os._exit(1)


def _number(name: str) -> signal.Signals | None:
    """Of the signal; not every system has all of them."""
    return getattr(signal, name, None)


def _end(number: int, frame: FrameType | None) -> None:
    with _LOOKING:  # otherwise it could come again just after, and end the process at once
        _seen.add(number)
        if not STARVED.is_set():
            signal.signal(number, signal.SIG_DFL)
    if STARVED.is_set():
        raise MemoryError
    raise Ended(number)


def _lost(what: Any) -> None:
    """Python drops what is raised in a destructor or in a function that C calls, as a compiler does, and the command
    would go on. So the signal comes again, when that function has probably ended."""
    of_a_thread = getattr(what.object, "__func__", None) is threading.Thread._bootstrap  # type: ignore[attr-defined]
    if of_a_thread or isinstance(what.exc_value, MemoryError):
        LOST_MEMORY.set()
        if of_a_thread:  # it had no memory to begin, whatever the error that this led to
            _tell_of_a_thread()
        return
    if not isinstance(what.exc_value, Ended):
        sys.__unraisablehook__(what)
        return
    number = what.exc_value.number
    signal.signal(number, _end)
    main = threading.main_thread().ident  # to it, since a signal to another thread would not wake it
    again = threading.Timer(SOON, signal.pthread_kill, [main, number])
    again.daemon = True
    again.start()


def _thread_ended(what: threading.ExceptHookArgs) -> None:
    """A thread that has no memory to begin with, or to hand over what it found, ends, and who waits for it would wait
    for ever: so the main thread is told, by a signal, which `_end` takes for what it is."""
    if not issubclass(what.exc_type, MemoryError):
        threading.__excepthook__(what)
        return
    _tell_of_a_thread()


def _tell_of_a_thread() -> None:
    STARVED.set()
    ours = [number for number in map(_number, ENDING) if number is not None and signal.getsignal(number) is _end]
    for number in ours[:1]:
        signal.pthread_kill(threading.main_thread().ident or 0, number)


def code_of(stop: BaseException) -> int:
    """The exit code of a command that was stopped by this, or by what this was raised from."""
    ended = next((each for each in (stop, stop.__cause__) if isinstance(each, Ended)), None)
    return BASE + (signal.SIGINT if ended is None else ended.number)
