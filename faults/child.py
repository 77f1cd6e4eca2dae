"""A call in a child that is forked from this warmed process, with files for its streams; whoever started it waits."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from rosenblatt.cli import main
from rosenblatt.cli.signals import end_in_order
from rosenblatt.cli.streams import prepare
from rosenblatt.errors import RosenblattError

CRASHED = 70


def started(
    call: Callable[[], object],
    printed: str | Path = os.devnull,
    said: str | Path = os.devnull,
    given: str | Path = os.devnull,
) -> int:
    """The number of a child that makes the call and ends as a command would: 0, or 1 with one line in `said`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # later Pythons warn of threads; none of them runs here
        child = os.fork()
    if child:
        return child
    code = CRASHED
    try:
        gc.freeze()  # what the parent made is not looked at when the child tidies up
        new = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        for number, (path, how) in enumerate(((given, os.O_RDONLY), (printed, new), (said, new))):
            os.dup2(os.open(path, how, 0o666), number)
        streams = [open(number, mode, closefd=False) for number, mode in enumerate("rww")]  # noqa: SIM115
        sys.stdin, sys.stdout, sys.stderr = streams
        code = _called(call)
    finally:
        os._exit(code)


def _called(call: Callable[[], object]) -> int:
    try:
        call()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else CRASHED
    except RosenblattError as error:
        print(f"rosenblatt: {error}", file=sys.stderr)
        code = 1
    except BaseException:
        traceback.print_exc()
        code = CRASHED
    gc.collect()  # at the end of a process of its own, what nobody uses any more would be put away too
    sys.stdout.flush()
    sys.stderr.flush()
    return code


class Done(NamedTuple):
    """How a command ended, and what it wrote to its two streams."""

    code: int
    printed: str
    said: str


def command(arguments: Sequence[str], folder: Path) -> Done:
    """The command as in a process of its own, in this folder; what this process has loaded is there already."""

    def call() -> None:
        os.chdir(folder)
        prepare()
        end_in_order()
        main(arguments)

    with tempfile.TemporaryDirectory() as name:
        printed, said = Path(name) / "printed", Path(name) / "said"
        code = ended(started(call, printed, said))
        return Done(code, *(path.read_bytes().decode("utf8", "replace") for path in (printed, said)))


def load_commands(*commands: Sequence[str]) -> None:
    """Runs the commands in this process, so that children find loaded what they need."""
    for arguments in commands:
        with contextlib.suppress(SystemExit), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            main(arguments)


def ended(child: int, limit: float | None = None) -> int:
    """Waits for the child; its code, or minus the number of the signal that ended it. One that hangs for longer than
    the limit, in seconds, gets SIGALRM."""
    if limit is None:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    until = time.monotonic() + limit
    while True:
        process, status = os.waitpid(child, os.WNOHANG)
        if process:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            os.kill(child, signal.SIGALRM)
            until += limit
        time.sleep(0.002)
