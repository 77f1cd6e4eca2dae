"""`rosenblatt update`: learn from new or corrected rows, keeping the plan; or forget rows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.options import how_to_read, reading, say
from rosenblatt.cli.outputs import check_outputs, is_same_file
from rosenblatt.cli.screen import show
from rosenblatt.writing import holding

if TYPE_CHECKING:
    from rosenblatt.model import Model


@click.command()
@click.argument("model")
@click.argument("data", required=False)
@click.option("--label", metavar="COLUMN", help="Otherwise the column that the model was trained to predict.")
@click.option("--passes", type=click.IntRange(1), default=None, help="Over the new rows. Default: 1.")
@click.option(
    "--forget", metavar="ROWS", help="Instead: forget these rows; DATA is then what the model was trained on."
)
@click.option("--out", metavar="FILE", help="Otherwise the model file is replaced.")
@reading
def update(
    model: str, data: str | None, label: str | None, passes: int | None, forget: str | None, out: str | None, **how: Any
) -> None:
    """Learn from the rows of DATA on top of what the model knows; a new class is taken in.

    With --forget a naive Bayes model becomes what it would be had it never counted ROWS, to the bit. DATA, the rows
    that it was trained on, then shows that they were among them and which copies remain, and is counted again where
    counts have fractions. `rosenblatt check MODEL DATA` verifies the receipt.
    """
    if forget is not None and passes is not None:
        raise click.UsageError("--passes is for learning; naive Bayes forgets rows by counting.")
    data = "-" if data is None and forget is None else data
    # The model is no input here: to write over it is what this command is for.
    inputs = {"DATA": data, "--forget": forget, "--label": label, "--names": how["names"]}
    check_outputs({"--out": out or model}, inputs, printed=())
    from rosenblatt.pipeline.forget import forget as forget_rows
    from rosenblatt.pipeline.update import update as learn_more
    from rosenblatt.store import load, save

    with _held(model, out) as check:
        loaded = load(model)
        tables = [None if each is None else loaded.read(each, label, **how_to_read(**how)) for each in (data, forget)]
        if tables[1] is not None:
            new = forget_rows(loaded, tables[1], tables[0])
        else:
            assert tables[0] is not None, "without rows to forget there are rows to learn from"
            new = learn_more(loaded, tables[0], passes or 1)
        check()
        save(new, out or model)
    show([*(_learned(new) if forget is None else _forgotten(new)), f"wrote    {out or model}"])
    if forget is not None:
        show(f"next     rosenblatt check {out or model} {data or 'DATA'}")


def _learned(model: Model) -> list[str]:
    entry = model.card["updates"][-1]
    wrong = "1 was a mistake" if entry["mistakes"] == 1 else f"{entry['mistakes']:,} were mistakes"
    new = [f"classes  new: {', '.join(entry['new_classes'])}"] if entry["new_classes"] else []
    return [f"learned  {entry['rows']:,} rows of {entry['source']}: {wrong} before", *new]


def _forgotten(model: Model) -> list[str]:
    receipt = model.card["forgotten"][-1]
    classes = ", ".join(f"{name} {count:,}" for name, count in receipt["classes"].items())
    copies, places = receipt["copies"], receipt["copies_at"]
    if copies is None:
        told = "not looked for; name the data of its training after the model to see whether some remain"
    elif copies:
        told = f"{copies:,} that hold the same remain: {'; '.join(places[:5])}{'; …' if copies > 5 else ''}"
    else:
        told = "none remain"
    return [
        f"forgot   {receipt['rows']:,} row{'' if receipt['rows'] == 1 else 's'} of {receipt['source']}: {classes}",
        f"words    {receipt['removed']:,} that only they had are removed",
        f"copies   {told}",
        f"kept     as they were: {', '.join(receipt['kept'])}",
    ]


def _held(model: str, out: str | None) -> AbstractContextManager[Callable[[], None]]:
    """The model file for this command alone, where it is to be replaced: of two updates at once neither is lost."""
    if not is_same_file(out or model, model):
        return nullcontext(lambda: None)
    return holding(model, lambda: say(f"{model}: another command updates it; waiting for it."))
