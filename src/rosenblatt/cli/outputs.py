"""Where a command writes: refused before any work goes into it where something that is needed would be lost."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import click

from rosenblatt.writing import check_folder


class WouldBeLost(click.ClickException):
    """Wrong usage, but in one line: how the command is used in general would not help."""

    exit_code = 2


def check_outputs(
    outputs: Mapping[str, str | None], inputs: Mapping[str, str | None], printed: Sequence[str] = ("--out",)
) -> None:
    """Refuses outputs that cannot be written, that are a file the command reads, or of which two are one file.

    Both are given by what the user calls them, such as --out and DATA. A file of an earlier command is replaced, and
    what lies in a folder that is read is not compared. Those named in `printed` take - for standard output.
    """
    files: dict[str, str] = {}
    for option, path in outputs.items():
        if path == "-" and option not in printed:
            raise WouldBeLost(f"{option} - : this is written to a file, not to standard output. Name a file.")
        if path is None or path == "-":
            continue
        check_folder(path)
        for name, given in inputs.items():
            if given is not None and os.path.isfile(given) and is_same_file(path, given):
                raise WouldBeLost(
                    f"{path}: {option} would write over {name}, which is read. Name another file with {option}."
                )
        for other, written in files.items():
            if is_same_file(path, written):
                raise WouldBeLost(f"{path}: {other} and {option} name the same file. Name another file with {option}.")
        files[option] = path


def is_same_file(one: str, other: str) -> bool:
    """Whether both paths lead to one file, also before it is there. Pipes and devices keep nothing to be lost."""
    if os.path.exists(one) and os.path.exists(other):
        return os.path.isfile(one) and os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)
