"""`rosenblatt check`: verify a certificate by exact arithmetic, however it was found."""

from __future__ import annotations

import click


@click.command()
@click.argument("file")
@click.argument("data")
@click.option("--label", help="Column to predict.")
@click.option("--plan", "by_plan", is_flag=True, help="The certificate was made with --plan.")
def check(file: str, data: str, label: str | None, by_plan: bool) -> None:
    """Check the certificate FILE against DATA. Exit code 0 if it holds, 1 with the reason if it does not."""
    from pathlib import Path

    from rosenblatt.cli.table import read_table
    from rosenblatt.errors import DataError
    from rosenblatt.proofs import from_json

    try:
        text = Path(file).read_bytes()
    except OSError as error:
        raise DataError(f"{file}: cannot be read ({error.strerror}). Give the file that prove wrote.") from error
    try:
        verdict = from_json(text)
        table = read_table(data, label, by_plan)
        verdict.check(table.X, table.y)
    except DataError as error:
        raise DataError(f"{file}: {error}") from error
    click.echo(f"The certificate holds: {data} is {STATEMENTS[verdict.kind]}.")


STATEMENTS = {
    "separable": "separable",
    "inseparable": "not separable",
    "undecided": "undecided, and its bound on the margin is right",
}
