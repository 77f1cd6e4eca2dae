"""What commands print for a person. Names, words and cells come from data, and must not drive the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import IO, Any

import click

from rosenblatt.harmless import UNSAFE, one_line

OWN = re.compile("(\x1b\\[(?:36|0)m)")  # the colours that we set ourselves


def show(text: str | Sequence[str], nl: bool = True, file: IO[Any] | None = None) -> None:
    """Prints a line, or several, with every other control character shown by a sign.

    A line end inside one is shown too: names and paths may hold it, and could forge a line otherwise.
    """
    click.echo("\n".join(map(_line, [text] if isinstance(text, str) else text)), nl=nl, file=file)


def _line(text: str) -> str:
    pieces = OWN.split(text)
    pieces[::2] = map(one_line, pieces[::2])  # the others are the colours
    return "".join(pieces)


def pass_on(content: str) -> None:
    """What another program may read goes out as it is; on a terminal it is shown."""
    if sys.stdout.isatty():
        show(content.split("\n"), nl=False)
    else:
        click.echo(content.encode("utf-8", "replace"), nl=False)  # as in a file, whatever the terminal speaks


def refuse_binary(stdout: bool) -> None:
    """What is no text is not for a terminal, where its bytes would be taken for commands."""
    if stdout and sys.stdout.isatty():
        raise click.UsageError("this is no text to be printed. Name a file with --out.")


def escaped(json: str) -> str:
    """JSON in which characters that are not harmless are written by their numbers."""
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", json)
