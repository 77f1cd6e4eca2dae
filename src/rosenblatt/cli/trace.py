"""`rosenblatt trace`: the step table of the notes, for any data; and the updates of a recorded model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from rosenblatt.cli.options import READING, asked, configured, is_model_file, reading
from rosenblatt.cli.outputs import check_outputs
from rosenblatt.cli.screen import pass_on, show

if TYPE_CHECKING:
    import numpy as np

    from rosenblatt.pipeline.config import Config
    from rosenblatt.traces import Trace

MOST_NUMBERS = 100_000_000  # in all rows together
ORDERS = ("given", "shuffled", "first-wrong", "worst-first")
COURSES = ("berkeley", "ucla", "cornell")
FIGURES = ("update", "angle", "losses", "line", "surface", "net")
# The worked pass of the notes starts here.
NOTES_START = "-1,0,0"
OF_DATA = (
    "label",
    "start",
    "classes",
    "passes",
    "ties",
    "no_bias",
    "margin",
    "rate",
    "shuffle",
    "order",
    "course",
    "by_plan",
    "presence",
    "test",
    "config",
)  # choose a run; a model had its own


@click.command()
@click.argument("data", default="notes")
@click.option("--label", help="Column to predict.")
@click.option(
    "--start",
    metavar="W",
    help="Weights to begin with, bias first: -1,0,0. With three classes or more, one vector for each class and `;` "
    "between: '0,1,1;0,2,0;0,0,3'. By default 0; for `notes` those of the notes.",
)
@click.option("--classes", metavar="A,B", help="All classes, where not every one has a row: -1,1.")
@click.option("--passes", type=click.IntRange(1), help="Stop after so many passes; by default 1.")
@click.option("--ties", type=click.Choice(["mistake", "positive", "negative"]), help="By default mistake.")
@click.option("--no-bias", is_flag=True, help="Learn no constant weight.")
@click.option("--margin", type=float, default=0.0, help="Learn from rows that are right by no more than this, too.")
@click.option("--rate", type=float, default=1.0, help="What an update is multiplied with.")
@click.option("--shuffle", type=int, metavar="SEED", help="Visit the rows in the shuffled order of this seed.")
@click.option("--order", type=click.Choice(ORDERS), help="Which row is visited next; by default that of the data.")
@click.option(
    "--as",
    "course",
    type=click.Choice(COURSES),
    help="Run and write it as that course does: ties, order, start, place of the bias (also in --start) and notation.",
)
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "markdown", "csv", "json", "html"]),
    default="text",
    help="What to print; html is a page that plays the run.",
)
@click.option("--out", type=click.Path(dir_okay=False), help="Write to this file, whole or not at all.")
@click.option("--plan", "by_plan", is_flag=True, help="Trace the features that train would use, scaled ones too.")
@click.option("--presence", is_flag=True, help="Take every value that is not 0 as 1: words that are there or not.")
@click.option("--test", metavar="FILE", help="A line for each pass, with the share of wrong rows of this file.")
@click.option("--orders", is_flag=True, help="Mistakes of every order, from 0, beside the bound of the theorem.")
@click.option("--losses", is_flag=True, help="A line for each pass in place of each step: updates and both losses.")
@click.option(
    "--batch", is_flag=True, help="Gradient descent on the perceptron loss: each step takes all rows at once."
)
@click.option("--figure", metavar="FILE", help="Draw a figure of the notes with this data, and write it as SVG.")
@click.option("--draw", "what", type=click.Choice(FIGURES), default="update", show_default=True, help="Which figure.")
@click.option("--step", type=click.IntRange(0), help="The step to draw, or after which; 0 is the start.")
@click.option("--last", type=click.IntRange(1), help="Show only so many steps at the end.")
@configured
@reading
@click.pass_context
def trace(
    context: click.Context,
    /,
    data: str,
    form: str,
    out: str | None,
    last: int | None,
    orders: bool,
    losses: bool,
    batch: bool,
    figure: str | None,
    what: str,
    step: int | None,
    **run: Any,
) -> None:
    """Print every step of the perceptron over DATA, by default in the order of its rows.

    DATA is a file, or a built-in set such as notes (the default), and, or, xor, apples. Numbers are taken as they
    are; categories become 0/1 columns, unless --config says otherwise or --plan asks for the features of train. DATA
    may also be a model that was trained with --record: then its updates are shown, over the features of its plan.
    """
    from rosenblatt.writing import write_whole

    if form == "html" and out in (None, "-"):
        raise click.UsageError("--to html makes a file; name it with --out run.html.")
    check_outputs(
        {"--out": out, "--figure": figure},
        {"DATA": data, **{f"--{name}": run[name] for name in ("label", "names", "config", "test")}},
    )
    if is_model_file(data):
        _refuse_options(context)
        steps, tested = _of_model(data, last), None
    else:
        steps, tested = _of_data(data, asked(context, run), **{name: run[name] for name in OF_DATA[1:-1]})
    if figure is not None:
        from rosenblatt.report.drawing import draw

        draw(steps, what, step=step, path=figure)
        show(f"wrote {figure}")
        return
    if orders:
        summary, shown = _all_orders(context, steps)
    elif batch:
        summary, shown = _at_once(steps, form)
    elif losses or tested is not None:
        summary, shown = _by_pass(steps, form, tested)
    else:
        summary = steps.summary()
        shown = _written(steps, form, None if steps.recorded else last, summary)
    if out in (None, "-"):
        pass_on(shown)
    else:
        write_whole(out, shown)
        show(f"wrote {out}: {summary}")


def _all_orders(context: click.Context, steps: Trace) -> tuple[str, str]:
    """The orders, in one line and as a table: runs from 0 by the rule that the bound is about."""
    from rosenblatt.report.orders import compare_orders

    chosen = [name for name in OF_DATA[1:-1] if context.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    if steps.recorded or set(chosen) - {"passes", "no_bias", "by_plan", "presence", "classes"}:
        raise click.UsageError("--orders compares runs from 0 over data, all choices but --passes and --no-bias fixed.")
    X = steps.X[:, 1:] if steps.bias else steps.X
    passes = {"passes": steps.passes} if "passes" in chosen else {}
    found = compare_orders(X, steps.truth, bias=steps.bias, classes=range(len(steps.classes)), **passes)
    return ", ".join(f"{name} {count}" for name, count in found.mistakes.items()), f"{found}\n"


def _by_pass(steps: Trace, form: str, tested: Trace | None) -> tuple[str, str]:
    """The losses after each pass, also on rows of a test: in one line, and as a whole."""
    from rosenblatt.harmless import csv_lines
    from rosenblatt.traces.table import aligned, markdown, passes_of

    if steps.recorded or form not in ("text", "markdown", "csv"):
        raise click.UsageError("--losses is for data, not for models, and for --to text, markdown or csv.")
    cells, summary = passes_of(steps, tested), steps.summary()
    if form == "text":
        return summary, f"{aligned(cells)}\n\n{summary}\n{steps.why()}\n"
    return summary, markdown(cells) if form == "markdown" else csv_lines(cells)


def _at_once(steps: Trace, form: str) -> tuple[str, str]:
    """A descent over all rows at once: in one line, and as a whole."""
    from rosenblatt.traces.descent import Descent, check_descent

    if steps.recorded or form == "html":
        raise click.UsageError("--batch is for data, not for models, and for --to text, markdown, csv or json.")
    descent, last = Descent(check_descent(steps)), steps.losses[-1]
    summary = descent.summary()
    if form == "text":
        rows = f"perceptron loss {last.perceptron:.6g}, 0/1 loss {last.zero_one:.6g}"
        return summary, f"{descent}\n\n{summary}\nRow by row: {steps.summary()}, {rows}\n"
    write = {"markdown": descent.to_markdown, "csv": descent.to_csv, "json": descent.to_json}
    return summary, write[form]()


def _refuse_options(context: click.Context) -> None:
    """A recorded model has its run and its rows with it, so nothing is left to choose."""
    given = [name for name in (*OF_DATA, *READING) if context.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    if given:
        why = "is for reading data" if given[0] in READING else "chooses a run"
        name = {"course": "as", "by_plan": "plan"}.get(given[0], given[0]).replace("_", "-")
        raise click.UsageError(f"--{name} {why}; that of a model is in its record.")


def _of_data(
    data: str,
    config: Config,
    *,
    start: str | None,
    classes: str | None,
    no_bias: bool,
    shuffle: int | None,
    by_plan: bool,
    presence: bool,
    test: str | None,
    **choices: Any,
) -> tuple[Trace, Trace | None]:
    """The trace of the rows, and the rows of a test in the same features, if there are any."""
    from dataclasses import replace

    import numpy as np

    from rosenblatt.cli.table import read_more, read_table
    from rosenblatt.learn.settings import check_seed
    from rosenblatt.traces import trace as run

    if shuffle is not None:
        check_seed("--shuffle", shuffle)
    table = read_table(data, config, by_plan, classes.split(",") if classes else ())
    if start is None and table.origin.source == "notes" and not no_bias and choices["course"] in (None, "berkeley"):
        start = NOTES_START
    # Classes that are numbers are in numeric order, so their names come after the run.
    choices |= {"seed": shuffle, "names": table.names, "classes": range(len(table.classes))}
    rows = _dense(table.X, presence)
    steps = run(rows, table.codes, start=_weights(start), bias=not no_bias, **choices)
    steps = replace(steps, classes=tuple(table.classes))
    if test is None:
        return steps, None
    more, codes = read_more(test, config, table)
    rows = _dense(more, presence)
    return steps, replace(steps, X=np.insert(rows, 0, 1.0, axis=1) if steps.bias else rows, truth=codes)


def _dense(rows: Any, presence: bool) -> np.ndarray:
    """All numbers of the rows; SettingError where they are too many to trace."""
    import numpy as np

    from rosenblatt.errors import SettingError

    if rows.shape[0] * rows.shape[1] > MOST_NUMBERS:
        raise SettingError(
            f"{rows.shape[0]} rows of {rows.shape[1]} features are more than the {MOST_NUMBERS} numbers that a trace "
            "holds. Take fewer rows, or train with --record and trace the model."
        )
    values = np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, np.float64)
    return (values != 0).astype(np.float64) if presence else values


def _of_model(path: str, last: int | None) -> Trace:
    """The updates of a recorded model."""
    from rosenblatt.errors import DataError
    from rosenblatt.store import load
    from rosenblatt.traces.updates import trace_updates

    model = load(path)
    try:
        return trace_updates(model, last)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def _written(steps: Trace, form: str, last: int | None, summary: str) -> str:
    """The trace in the form asked for, ending with a line break."""
    from rosenblatt.traces.table import left_out, to_text

    if form == "text":
        short, ended = left_out(steps), _ended(steps)
        more = f"\n{short}; --to csv has all" if short else ""
        return f"{to_text(steps, last)}\n\n{summary}{more}\n{ended}"
    whole = {"markdown": steps.to_markdown, "csv": steps.to_csv, "json": steps.to_json, "html": steps.to_html}[form]()
    return whole if whole.endswith("\n") else whole + "\n"


def _ended(steps: Trace) -> str:
    """Why the run stopped, and what the losses are at its ends; a model tells the first at most."""
    if not steps.stopped:
        return ""
    if steps.recorded:
        return f"{steps.why()}\n"
    first, last = steps.losses[0], steps.losses[-1]
    return (
        f"{steps.why()}\n0/1 loss {first.zero_one:.6g} → {last.zero_one:.6g}, perceptron loss {first.perceptron:.6g} → "
        f"{last.perceptron:.6g} (--losses has each pass)\n"
    )


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
