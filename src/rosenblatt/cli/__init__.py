"""The command line: one file per command. Wrong data ends in one line on stderr and exit code 1, wrong usage in 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from rosenblatt import __version__
from rosenblatt.cli.evaluate import evaluate
from rosenblatt.cli.explain import explain
from rosenblatt.cli.export import export
from rosenblatt.cli.inspect import inspect
from rosenblatt.cli.predict import predict
from rosenblatt.cli.train import train
from rosenblatt.cli.update import update
from rosenblatt.errors import RosenblattError

INTERRUPTED = 130  # as a shell reports a program that Ctrl-C ended


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rosenblatt")
def commands() -> None:
    """Linear classifiers that show their working."""


for command in (train, predict, evaluate, explain, inspect, update, export):
    commands.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command that was typed; whatever goes wrong is one line, never a traceback."""
    raise SystemExit(_code(arguments))


def _code(arguments: Sequence[str] | None) -> int:
    try:
        done = commands(args=None if arguments is None else list(arguments), standalone_mode=False)
        sys.stdout.flush()
        return done if isinstance(done, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _failed("stopped.", INTERRUPTED)
    except RosenblattError as error:
        return _failed(str(error))
    except BrokenPipeError:
        # Nothing more can be written there, not even what the interpreter would flush at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _failed("whoever read the output has closed it; stopped.")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _failed(f"{where}{error.strerror or error}. Check the path, its permissions and the room on the disk.")
    except MemoryError:
        return _failed("the data does not fit into memory. Give fewer rows, or hash the words.")


def _failed(line: str, code: int = 1) -> int:
    click.echo(f"rosenblatt: {line}", err=True)
    return code
