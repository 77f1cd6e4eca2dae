"""What commands print for a person. Names, words and cells come from data, and must not drive the terminal."""

from __future__ import annotations

import re
import sys
from typing import IO, Any

import click

from rosenblatt.harmless import UNSAFE, visible

OWN = re.compile("(\x1b\\[(?:36|0)m)")  # the colours that we set ourselves


def show(text: str, nl: bool = True, file: IO[Any] | None = None) -> None:
    """Prints the text, with every other control character shown by a sign."""
    pieces = OWN.split(text)
    pieces[::2] = map(visible, pieces[::2])  # the others are the colours
    click.echo("".join(pieces), nl=nl, file=file)


def pass_on(content: str) -> None:
    """What another program may read goes out as it is; on a terminal it is shown."""
    if sys.stdout.isatty():
        show(content, nl=False)
    else:
        click.echo(content, nl=False)


def escaped(json: str) -> str:
    """JSON in which characters that are not harmless are written by their numbers."""
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", json)
