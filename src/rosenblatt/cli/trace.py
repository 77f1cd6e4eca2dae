"""`rosenblatt trace`: the step table of the notes, for any data."""

from __future__ import annotations

import click

# The worked pass of the notes starts here.
NOTES_START = "-1,0,0"


@click.command()
@click.argument("data", default="notes")
@click.option("--label", help="Column to predict.")
@click.option(
    "--start", help="Weights to begin with, bias first: -1,0,0. By default 0; for `notes` those of the notes."
)
@click.option("--passes", type=click.IntRange(1), default=1, show_default=True, help="Stop after so many passes.")
@click.option("--ties", type=click.Choice(["mistake", "positive", "negative"]), default="mistake", show_default=True)
@click.option("--no-bias", is_flag=True, help="Learn no constant weight.")
@click.option(
    "--to", "form", type=click.Choice(["text", "markdown", "csv", "json"]), default="text", help="What to print."
)
@click.option("--last", type=click.IntRange(1), help="Show only so many steps at the end.")
def trace(
    data: str, label: str | None, start: str | None, passes: int, ties: str, no_bias: bool, form: str, last: int | None
) -> None:
    """Print every step of the perceptron over DATA, in the order of its rows.

    DATA is a file, or a built-in set such as notes (the default), and, or, xor, apples. Numbers are taken as they
    are; categories become 0/1 columns.
    """
    from rosenblatt.cli.table import read_table
    from rosenblatt.errors import SettingError
    from rosenblatt.traces import trace as run
    from rosenblatt.traces.table import to_text

    table = read_table(data, label)
    X = table.X.toarray() if hasattr(table.X, "toarray") else table.X
    if start is None and table.origin.source == "notes" and not no_bias:
        start = NOTES_START
    try:
        weights = None if start is None else [float(number) for number in start.split(",")]
    except ValueError:
        raise SettingError(f"--start {start!r}: write numbers with commas between, such as -1,0,0.") from None
    steps = run(X, table.y, start=weights, passes=passes, ties=ties, bias=not no_bias, names=table.names)
    if form == "text":
        click.echo(to_text(steps, last))
        passes_made = "1 pass" if steps.n_passes == 1 else f"{steps.n_passes} passes"
        click.echo(f"\n{passes_made}, {steps.n_mistakes} mistakes")
    else:
        click.echo(
            {"markdown": steps.to_markdown, "csv": steps.to_csv, "json": steps.to_json}[form](), nl=form == "json"
        )
