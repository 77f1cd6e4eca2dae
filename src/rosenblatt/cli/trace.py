"""`rosenblatt trace`: the step table of the notes, for any data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rosenblatt.traces import Trace

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
@click.option("--margin", type=float, default=0.0, help="Learn from rows that are right by no more than this, too.")
@click.option("--rate", type=float, default=1.0, help="What an update is multiplied with.")
@click.option("--shuffle", type=int, metavar="SEED", help="Visit the rows in the shuffled order of this seed.")
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "markdown", "csv", "json", "html"]),
    default="text",
    help="What to print; html is a page that plays the run.",
)
@click.option("--out", type=click.Path(dir_okay=False), help="Write to this file, whole or not at all.")
@click.option("--last", type=click.IntRange(1), help="Show only so many steps at the end.")
def trace(
    data: str,
    label: str | None,
    start: str | None,
    passes: int,
    ties: str,
    no_bias: bool,
    margin: float,
    rate: float,
    shuffle: int | None,
    form: str,
    out: str | None,
    last: int | None,
) -> None:
    """Print every step of the perceptron over DATA, by default in the order of its rows.

    DATA is a file, or a built-in set such as notes (the default), and, or, xor, apples. Numbers are taken as they
    are; categories become 0/1 columns.
    """
    from dataclasses import replace

    from rosenblatt.cli.table import read_table
    from rosenblatt.traces import trace as run
    from rosenblatt.writing import write_whole

    if form == "html" and out is None:
        raise click.UsageError("--to html makes a file; name it with --out run.html.")
    table = read_table(data, label)
    X = table.X.toarray() if hasattr(table.X, "toarray") else table.X
    if start is None and table.origin.source == "notes" and not no_bias:
        start = NOTES_START
    # Classes that are numbers are in numeric order, so their names come after the run.
    steps = run(
        X,
        table.codes,
        start=_weights(start),
        passes=passes,
        ties=ties,
        bias=not no_bias,
        names=table.names,
        margin=margin,
        rate=rate,
        seed=shuffle,
    )
    steps = replace(steps, classes=tuple(table.classes))
    shown = _written(steps, form, last)
    if out is None:
        click.echo(shown, nl=False)
    else:
        write_whole(out, shown)
        click.echo(f"wrote {out}: {_summary(steps)}")


def _written(steps: Trace, form: str, last: int | None) -> str:
    """The trace in the form asked for, ending with a line break."""
    from rosenblatt.traces.table import left_out, to_text

    if form == "text":
        short = left_out(steps)
        more = f"\n{short}; --to csv has all" if short else ""
        return f"{to_text(steps, last)}\n\n{_summary(steps)}{more}\n"
    whole = {"markdown": steps.to_markdown, "csv": steps.to_csv, "json": steps.to_json, "html": steps.to_html}[form]()
    return whole if whole.endswith("\n") else whole + "\n"


def _summary(steps: Trace) -> str:
    passes = "1 pass" if steps.n_passes == 1 else f"{steps.n_passes} passes"
    return f"{passes}, {steps.n_mistakes} mistake{'' if steps.n_mistakes == 1 else 's'}"


def _weights(start: str | None) -> list[Any] | None:
    """The numbers of --start; classes are separated by semicolons where there are more than two."""
    from rosenblatt.errors import SettingError

    if start is None:
        return None
    try:
        rows = [[float(number) for number in row.split(",")] for row in start.split(";")]
    except ValueError:
        raise SettingError(f"--start {start!r}: write numbers with commas between, such as -1,0,0.") from None
    return rows[0] if len(rows) == 1 else rows
