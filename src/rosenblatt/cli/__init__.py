"""The command line: one file per command. Wrong data ends in one line on stderr and exit code 1, wrong usage in 2."""

from __future__ import annotations

import click

from rosenblatt import __version__
from rosenblatt.cli.export import export
from rosenblatt.cli.train import train
from rosenblatt.errors import RosenblattError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rosenblatt")
def commands() -> None:
    """Linear classifiers that show their working."""


commands.add_command(train)
commands.add_command(export)


def main() -> None:
    """Runs the command that was typed."""
    try:
        commands()
    except RosenblattError as error:
        click.echo(f"rosenblatt: {error}", err=True)
        raise SystemExit(1) from None
