"""`rosenblatt update`: learn from new or corrected rows, keeping the plan."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import click

from rosenblatt.cli.options import how_to_read, reading, say
from rosenblatt.cli.outputs import check_outputs, is_same_file
from rosenblatt.cli.screen import show
from rosenblatt.writing import holding


@click.command()
@click.argument("model")
@click.argument("data", default="-")
@click.option("--label", metavar="COLUMN", help="Otherwise the column that the model was trained to predict.")
@click.option("--passes", type=click.IntRange(1), default=1, show_default=True, help="Over the new rows.")
@click.option("--out", metavar="FILE", help="Otherwise the model file is replaced.")
@reading
def update(model: str, data: str, label: str | None, passes: int, out: str | None, **how: Any) -> None:
    """Learn from the rows of DATA on top of what the model knows; a new class is taken in."""
    # The model is no input here: to write over it is what this command is for.
    check_outputs({"--out": out or model}, {"DATA": data, "--label": label, "--names": how["names"]}, printed=())
    from rosenblatt.pipeline.update import update as learn_more
    from rosenblatt.store import load, save

    with _held(model, out) as check:
        loaded = load(model)
        table = loaded.read(data, label, **how_to_read(**how))
        new = learn_more(loaded, table, passes)
        check()
        save(new, out or model)
    entry = new.card["updates"][-1]
    wrong = "1 was a mistake" if entry["mistakes"] == 1 else f"{entry['mistakes']:,} were mistakes"
    show(f"learned  {entry['rows']:,} rows of {entry['source']}: {wrong} before")
    if entry["new_classes"]:
        show(f"classes  new: {', '.join(entry['new_classes'])}")
    show(f"wrote    {out or model}")


def _held(model: str, out: str | None) -> AbstractContextManager[Callable[[], None]]:
    """The model file for this command alone, where it is to be replaced: of two updates at once neither is lost."""
    if not is_same_file(out or model, model):
        return nullcontext(lambda: None)
    return holding(model, lambda: say(f"{model}: another command updates it; waiting for it."))
