"""The three streams that a process is started with: closed ones, full ones, and those that cannot say everything."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any

OUTPUT = "standard output"
# What a closed stream becomes: one that fails when it is used, except for messages, which may get lost. Left closed,
# the next file that is opened would take its number, and be written into.
CLOSED = {0: os.O_WRONLY, 1: os.O_RDONLY, 2: os.O_WRONLY}


class Output(io.FileIO):
    """Standard output, whose errors say that they are its own."""

    def write(self, piece: Any) -> int:
        try:
            return super().write(piece)
        except BrokenPipeError:
            raise
        except OSError as error:
            error.filename = OUTPUT
            raise


class Messages(io.FileIO):
    """Standard error, where nobody may listen: what cannot be said is dropped, and the work goes on."""

    def write(self, piece: Any) -> int:
        try:
            return super().write(piece)
        except OSError:
            return memoryview(piece).nbytes


def prepare() -> None:
    """Makes sure that all three are there, and that a sign which an encoding lacks is shown by its number."""
    for number, mode in CLOSED.items():
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest number that is free, which is this one
    sys.stdout = _text(io.BufferedWriter(Output(1, "w", closefd=False)), sys.stdout)
    sys.stderr = _text(io.BufferedWriter(Messages(2, "w", closefd=False)), sys.stderr)


def _text(stream: io.BufferedWriter, before: Any) -> io.TextIOWrapper:
    """The stream for text in place of the one before, if there was one."""
    errors = getattr(before, "errors", "strict")
    return io.TextIOWrapper(
        stream,
        encoding=getattr(before, "encoding", "utf-8"),
        errors="backslashreplace" if errors == "strict" else errors,
        line_buffering=getattr(before, "line_buffering", True),
        write_through=getattr(before, "write_through", False),
    )


def forget_output() -> None:
    """Nothing can be written any more, not even what the interpreter flushes at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def speaks_unicode() -> bool:
    """Whether standard output can say every character."""
    return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("_", "-").startswith("utf")
