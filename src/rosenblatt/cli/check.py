"""`rosenblatt check`: verify what a file claims, however it was made: a certificate, or a model with its record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.options import asked, configured, is_model_file, reading
from rosenblatt.cli.screen import show

if TYPE_CHECKING:
    from rosenblatt.model import Model
    from rosenblatt.pipeline.config import Config


@click.command()
@click.argument("file")
@click.argument("data")
@click.option("--label", metavar="COLUMN", help="Column to predict; of a model otherwise that of its training.")
@click.option("--plan", "by_plan", is_flag=True, help="The certificate was made with --plan.")
@configured
@reading
@click.pass_context
def check(context: click.Context, /, file: str, data: str, by_plan: bool, **how: Any) -> None:
    """Check FILE against DATA. Exit code 0 if it holds, 1 with the reason if it does not.

    FILE is a certificate that prove wrote, which is checked in exact arithmetic; or a model trained with --record,
    whose run is made again on DATA, the whole data of its training: every update must be the one in the record, and
    the weights of the model must follow from them, or what the support rows of its kernel count. Or it is a model with
    a poly kernel over whole numbers, without a record: its list must separate every training row, which integers decide
    where floats could err. Or it is a model that has forgotten
    rows (update --forget): DATA is counted again, and the counts must be those of the rows that remain, to the bit.
    """
    if is_model_file(file) and by_plan:
        raise click.UsageError("--plan is for certificates; a model has its plan with it.")
    show((_model if is_model_file(file) else _certificate)(file, data, by_plan, asked(context, how)))


@contextmanager
def _about(file: str, data: str | None = None) -> Iterator[None]:
    """Puts the file before what is found wrong, unless that begins with its name or with that of the data."""
    from rosenblatt.errors import DataError

    named = tuple(f"{name}{sign}" for name in (file, data) if name is not None for sign in (": ", ", "))
    try:
        yield
    except DataError as error:
        raise DataError(str(error) if str(error).startswith(named) else f"{file}: {error}") from error


def _certificate(file: str, data: str, by_plan: bool, config: Config) -> str:
    from pathlib import Path

    from rosenblatt.cli.table import read_table
    from rosenblatt.errors import DataError
    from rosenblatt.proofs import from_json
    from rosenblatt.report.verdict import not_used

    try:
        text = Path(file).read_bytes()
    except OSError as error:
        raise DataError(
            f"{file}: cannot be read ({error.strerror}). Give the file that prove wrote, or a model trained with "
            "--record."
        ) from error
    with _about(file):
        verdict = from_json(text)
    table = read_table(data, config, by_plan)
    with _about(file, table.origin.source):
        verdict.check(table.X, table.y)
    bound = ", and its bound on the margin is right" if verdict.kind == "undecided" else ""
    return f"The certificate holds: {data} is {verdict.statement}{bound}.{not_used(table.left_out)}"


def _model(file: str, data: str, by_plan: bool, config: Config) -> str:
    from rosenblatt.model.audit import read_recorded, training_kept
    from rosenblatt.model.separated import provable
    from rosenblatt.store import load
    from rosenblatt.traces.replay import verify

    model = load(file)
    if model.card.get("forgotten"):
        return _receipt(file, model, data, config)
    if model.learner.separates and model.record is None:
        return _curve(file, model, data, config)
    with _about(file):
        _, training = training_kept(model)  # says what is missing before the data is read
    table = read_recorded(model, data, config.get("label"), **config.how)
    with _about(file, table.origin.source):
        verify(model, table)
    count = len(training.recording.steps)
    updates = f"{count:,} update{'' if count == 1 else 's'}"
    weights = f"{training.settings.weights} {'scores' if model.learner.separates else 'weights'}"
    passes = f"{training.passes} pass{'' if training.passes == 1 else 'es'}"
    proof = model.card.get("proof")
    separated = model.learner.separates and proof is not None and proof["separated"] and provable(model.learner)
    more = f" {_curve(file, model, data, config)}" if separated else ""
    return (
        f"The model holds: {passes} over {training.visited:,} of the {len(training.part):,} rows of {data} make its "
        f"{updates}, and these its {weights}.{more}"
    )


def _receipt(file: str, model: Model, data: str, config: Config) -> str:
    from rosenblatt.pipeline.forget import check_receipt

    table = model.read(data, config.get("label"), **config.how)
    with _about(file, table.origin.source):
        left = check_receipt(model, table)
    gone = sum(receipt["rows"] for receipt in model.card["forgotten"])
    forgotten = f"{gone:,} forgotten row{'' if gone == 1 else 's'}"
    return (
        f"The receipt holds: the model's counts are those of {left:,} of the {table.n_rows:,} rows of {data}, to the "
        f"bit; {forgotten} and the words that only they had are in none of them."
    )


def _curve(file: str, model: Model, data: str, config: Config) -> str:
    from rosenblatt.model.separated import check_separated

    with _about(file, data):
        table = model.read(data, config.get("label"), **config.how)
        found = check_separated(model, table)
    return (
        f"The list on {found.updates:,} support rows separates all {found.rows:,} training rows in {data}: "
        f"{found.rows - found.exact:,} by more than rounding could err, {found.exact:,} decided in integers."
    )
