"""Signals that end a command: it takes away what it has half written, says so, and ends with the code of the signal."""

from __future__ import annotations

import signal
from types import FrameType

ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT")  # Python itself turns SIGINT into an exception
BASE = 128  # a shell reports a program that was ended by signal 15 as 143


class Ended(KeyboardInterrupt):
    """The process was asked to end: to whoever catches it the same as Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def end_in_order() -> None:
    """From now on these signals raise `Ended` in the main thread, so that every block's end is reached.

    One that the program was started to ignore stays ignored (nohup). The same signal again ends the process at once.
    """
    for name in ENDING:
        number = getattr(signal, name, None)  # not every system has all of them
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise Ended(number)


def code_of(stop: BaseException) -> int:
    """The exit code of a command that was stopped by this, or by what this was raised from."""
    ended = next((each for each in (stop, stop.__cause__) if isinstance(each, Ended)), None)
    return BASE + (signal.SIGINT if ended is None else ended.number)
