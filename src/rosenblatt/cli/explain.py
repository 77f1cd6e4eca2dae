"""`rosenblatt explain`: what each feature of a row adds to the score of each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from rosenblatt.cli.options import how_to_read, print_json, reading
from rosenblatt.cli.screen import show
from rosenblatt.errors import DataError, SettingError

if TYPE_CHECKING:
    from rosenblatt.data.table import Table
    from rosenblatt.learn.explain import Explanation
    from rosenblatt.model import Decision, Model

SHOWN = 5  # classes with their probabilities
FEW = 3  # changes that are shown unasked


@click.command()
@click.argument("model")
@click.argument("data", required=False)
@click.option("--text", help="A message, instead of DATA.")
@click.option("--row", type=click.IntRange(1), default=1, show_default=True, help="Which row of DATA.")
@click.option("--features", type=click.IntRange(1), default=10, show_default=True, help="Shown for each class.")
@click.option("--positive", metavar="CLASS", help="Of two classes, the one whose score is taken apart.")
@click.option("--flip", is_flag=True, help="Also all of the fewest changes that turn the decision.")
@click.option("--json", "as_json", is_flag=True, help="All contributions as one JSON object.")
@reading
@click.pass_context
def explain(
    context: click.Context,
    /,
    model: str,
    data: str | None,
    text: str | None,
    row: int,
    features: int,
    positive: str | None,
    flip: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Show why the model decides as it does about a text or about a row of DATA.

    First what each word or value adds to the score; then, where the model keeps them, the training rows behind it; then
    the fewest changes that would turn the decision; and how all of this can be checked.
    """
    if (data is None) == (text is None):
        raise click.UsageError('give a message with --text "…", or DATA and --row.')
    if text is not None and context.get_parameter_source("row") == ParameterSource.COMMANDLINE:
        raise click.UsageError(
            f"--row {row} chooses a row of DATA, and --text is the only message. Leave out one of them."
        )
    from rosenblatt.model.answers import explanation_towards, plain_explanation
    from rosenblatt.store import load

    loaded = load(model)
    table = loaded.texts([text]) if text is not None else _row(loaded, str(data), row, how)
    try:
        found, decision = explanation_towards(loaded, table, positive)
    except SettingError:
        if not flip:
            raise
        # Votes are no sum, but what turns them can be found.
        print_json({"flip": loaded.flip(table).to_dict()}) if as_json else show(_turned(loaded, table, True)[1:])
        return
    if as_json:
        behind = {"behind": _behind(loaded, table, positive)[:features]} if _names_rows(loaded) else {}
        print_json({**plain_explanation(loaded, table, flip, positive), **behind})
        return
    lines = [*_lines(found, features, decision), *_in_place(loaded, table, found, features)]
    lines = [*lines, *_calibrated_lines(loaded, table, found.factors is not None)]
    if _names_rows(loaded):
        lines += _rows_behind(loaded, table, features, positive)
    elif loaded.record and not loaded.learner.kept:  # a curve has shown its rows already
        lines += ["", "training rows are kept, but no row has a part of the score: the rule adds no multiples of rows"]
    show([*lines, *_turned(loaded, table, flip), "", f"check    {_check(loaded, model)}"])


def _names_rows(model: Model) -> bool:
    return model.record is not None and model.record.shares is not None


def _in_place(model: Model, table: Table, found: Explanation, count: int) -> list[str]:
    """The texts with the signs of the heaviest features below them."""
    from rosenblatt.model.marked import marked
    from rosenblatt.report.marked import marked_lines

    line = found.line()
    towards = found.classes[1] if len(found.contributions) == 1 else found.predicted
    lines = []
    for each in marked(model.plan, table, found, line):
        below = marked_lines(each, count)
        if below:
            lines += ["", f"in {each.column}, + for {towards} and - against it; together {each.total:+.6g}", *below]
    return lines


def _rows_behind(model: Model, table: Table, count: int, positive: str | None) -> list[str]:
    """The training rows that a score is the sum of: the largest parts, and the sum of the others."""
    parts = _behind(model, table, positive)
    lines = ["", f"training rows behind the score of {positive or _towards(model, table)}"]
    for part in parts[:count]:
        text = " ".join(part["shown"].split())[:60]
        lines.append(f"  {part['part']:>+12.6g}  {part['label']}  {part['origin']}: {text}")
    if len(parts) > count:
        lines.append(f"  {sum(part['part'] for part in parts[count:]):>+12.6g}  {len(parts) - count} more rows")
    return [*lines, f"  {sum(part['part'] for part in parts):>+12.6g}  together, the score"]


def _turned(model: Model, table: Table, full: bool) -> list[str]:
    """What would turn the decision; at length only where that was asked for."""
    try:
        found = model.flip(table)
    except SettingError as refused:
        return ["", f"turned   {refused}"] if full else []
    changes = found.changes if full else found.changes[:FEW]
    more = len(found.changes) - len(changes)
    lines = ["", f"turned   {found.said}", *(f"  {each}" for each in changes)]
    return [*lines, f"  and {more} more (--flip)"] if more else lines


def _check(model: Model, name: str) -> str:
    if model.record is not None and model.record.training is not None:
        return f"rosenblatt check {name} DATA replays every update on the training data"
    if model.learner.kept:
        return f"rosenblatt check {name} DATA verifies what the training rows in the file separate"
    return f"rosenblatt export {name} --to json has all that the score is made of"


def _calibrated_lines(model: Model, table: Table, posterior: bool) -> list[str]:
    """The most probable classes, the predicted one first; posterior    whether naive Bayes' own is shown before."""
    from rosenblatt.model.answers import calibrated

    found = calibrated(model, table).get("calibrated", {})
    order = sorted(found, key=lambda name: -found[name])[:SHOWN]
    own = " (naive Bayes' own posterior is above)" if posterior else ""
    return ["", f"probability{own}", *(f"  {found[name]:>12.4%}  {name}" for name in order)] if found else []


def _towards(model: Model, table: Table) -> str:
    """The class whose score is taken apart: the second of two, or the predicted one."""
    return model.classes.names[1] if len(model.classes.names) == 2 else model.predict(table)[0]


def _behind(model: Model, table: Table, positive: str | None) -> list[dict[str, Any]]:
    every, towards = 0 if model.record is None else len(model.record.origins), _towards(model, table)
    found = model.behind(table, towards, every)
    if positive not in (None, towards):  # of two classes: what speaks for the one speaks against the other
        found = [row._replace(part=0.0 - row.part) for row in found]
    return [row._asdict() for row in found]


def _row(model: Model, data: str, row: int, how: dict[str, Any]) -> Table:
    """One row of the data; rows before it are read in batches and dropped."""
    import numpy as np

    before = 0
    for table in model.read(data, batches=20_000, **how_to_read(labelled=False, **how)):
        if row <= before + table.n_rows:
            return table.take(np.array([row - before - 1]))
        before += table.n_rows
    raise DataError(f"{data}: there is no row {row}; the last is {before}. Name another with --row.")


def _lines(found: Explanation, count: int, decision: Decision) -> list[str]:
    """For two classes one sum and its threshold; for more the predicted class and the next best."""
    import numpy as np

    if len(found.contributions) == 1:
        reason = decision.reason(list(found.classes).index(found.predicted))
        lines, shown = [f"predicted {found.predicted}: {reason}"], [(0, found.classes[1])]
    else:
        order = [int(c) for c in np.argsort(-found.scores, kind="stable")[:2]]
        lines, shown = [f"predicted {found.predicted}"], [(c, found.classes[c]) for c in order]
    for c, name in shown:
        lines += ["", f"score {found.scores[c]:+.6g} towards {name}", *found.shown(c, count)]
    return lines if found.factors is None else [*lines, "", *found.factors.shown(count).split("\n")]
