"""The command line: one file per command. Wrong data ends in one line on stderr and exit code 1, wrong usage in 2."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import click

from rosenblatt import __version__
from rosenblatt.cli.cache import cache
from rosenblatt.cli.check import check
from rosenblatt.cli.estimate import estimate
from rosenblatt.cli.evaluate import evaluate
from rosenblatt.cli.explain import explain
from rosenblatt.cli.export import export
from rosenblatt.cli.help import Commands
from rosenblatt.cli.inspect import inspect
from rosenblatt.cli.lab import lab
from rosenblatt.cli.predict import predict
from rosenblatt.cli.prove import prove
from rosenblatt.cli.review import review
from rosenblatt.cli.screen import show
from rosenblatt.cli.serve import serve
from rosenblatt.cli.signals import LOST_MEMORY, STARVED, code_of, end_in_order
from rosenblatt.cli.streams import OUTPUT, forget_output, prepare
from rosenblatt.cli.trace import trace
from rosenblatt.cli.train import train
from rosenblatt.cli.update import update
from rosenblatt.errors import LAST_WORDS, OUT_OF_MEMORY, RosenblattError

DEBUG = "ROSENBLATT_DEBUG"
NO_MEMORY = re.compile(
    "cannot allocate memory|can't allocate (read )?lock|failed to map segment|can't start new thread", re.I
)
OBJECTS = 100_000  # new ones, after which Python looks for garbage; Python 3.11 would after 700


class Grouped(Commands):
    """The commands by what a person wants of them."""

    groups: Mapping[str, Sequence[str]] = {
        "Use": ("train", "predict", "explain", "evaluate"),
        "Trust": ("prove", "check", "review"),
        "Learn": ("lab", "trace", "estimate"),
        "Ship": ("export", "serve", "update", "inspect"),
    }
    gone: Mapping[str, str] = {"bench": "bench is no command any more. Run `make bench` in the source tree."}


@click.group(cls=Grouped, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rosenblatt")
def commands() -> None:
    """Linear classifiers that show their working."""


for command in (
    train,
    predict,
    evaluate,
    explain,
    inspect,
    update,
    export,
    serve,
    trace,
    estimate,
    prove,
    check,
    review,
    lab,
    cache,
):
    commands.add_command(command)


def main(arguments: Sequence[str] | None = None, of: click.Group = commands, name: str | None = None) -> None:
    """Runs the command that was typed; whatever goes wrong is one line, never a traceback.

    `of` are the commands, and `name` is what the program is called in its help.
    """
    if arguments is not None:
        raise SystemExit(_code(arguments, of, name))
    prepare()
    sys.meta_path.insert(0, NoPandas())
    gc.set_threshold(OBJECTS)  # what a program of its own loads stays until its end, so looking through it is in vain
    end_in_order()
    ended: list[int] = []
    atexit.register(_leave, ended)
    ended.append(_code(arguments, of, name))
    if STARVED.is_set():  # Python would wait for its threads, also for those that will never end
        _leave(ended)
    raise SystemExit(ended[0])


def _leave(ended: list[int]) -> None:
    """Ends the process as the last of what is done at exit, before the interpreter takes itself apart.

    A thread of Arrow that lets go of a Python file at that moment aborts the process (apache/arrow 34314), so that one
    of seventy commands that ended in an error ended with 134. It also took an eighth of the time of a short command.
    """
    if ended:  # otherwise an exception is on its way, which Python is to show
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(ended[0])


class NoPandas:
    """Spares a program of its own half a second: Arrow imports pandas, where it is installed, to look for its frames.

    No command is given any, and none needs pandas.
    """

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("the command line leaves pandas out", name=name)


def _code(arguments: Sequence[str] | None, of: click.Group, name: str | None) -> int:
    try:
        return _done(arguments, of, name)
    except MemoryError:  # while an error was told
        return _failed(OUT_OF_MEMORY)


def _done(arguments: Sequence[str] | None, of: click.Group, name: str | None) -> int:
    """Runs the command and tells what went wrong; its code."""
    try:
        done = of(args=None if arguments is None else list(arguments), prog_name=name, standalone_mode=False)
        sys.stdout.flush()
        return done if isinstance(done, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as stop:
        return _failed("stopped.", code_of(stop))
    except BrokenPipeError:
        forget_output()  # `head` has what it wanted
        return 1
    except Exception as error:
        if os.environ.get(DEBUG) and not isinstance(error, RosenblattError | OSError | MemoryError):
            raise
        return _told(error)


def _told(error: Exception) -> int:
    """One line for what went wrong."""
    if _lacks_memory(error):
        return _failed(OUT_OF_MEMORY)
    if isinstance(error, RosenblattError):
        return _failed(str(error))
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        what = (error.strerror or str(error)).removesuffix(".")
        if error.filename == OUTPUT:
            forget_output()
            return _failed(f"{where}cannot be written ({what}). Make room, or have it written elsewhere.")
        return _failed(f"{where}{what}. Check the path, its permissions and the room on the disk.")
    if LOST_MEMORY.is_set():
        return _failed(OUT_OF_MEMORY)
    what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return _failed(f"a mistake in rosenblatt itself ({what}). Please report it, with what {DEBUG}=1 shows.")


def _lacks_memory(error: BaseException | None) -> bool:
    """Whether the error, or one that it came from, says that memory ran out. Libraries that cannot be loaded for want
    of memory, and threads that cannot be started, say so in words alone."""
    while error is not None:
        number = getattr(error, "errno", None)
        if isinstance(error, MemoryError) or number == errno.ENOMEM or NO_MEMORY.search(str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


def _failed(line: str, code: int = 1) -> int:
    with suppress(OSError):  # where nobody can be told, the code tells
        try:
            show(f"rosenblatt: {line}", file=sys.stderr)
        except MemoryError:
            os.write(2, LAST_WORDS)
    return code
