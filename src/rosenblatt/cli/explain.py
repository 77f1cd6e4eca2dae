"""`rosenblatt explain`: what each feature of a row adds to the score of each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from rosenblatt.cli.options import how_to_read, print_json, reading
from rosenblatt.cli.screen import show
from rosenblatt.errors import DataError

if TYPE_CHECKING:
    from rosenblatt.data.table import Table
    from rosenblatt.learn.explain import Explanation
    from rosenblatt.model import Model


@click.command()
@click.argument("model")
@click.argument("data", required=False)
@click.option("--text", help="A message, instead of DATA.")
@click.option("--row", type=click.IntRange(1), default=1, show_default=True, help="Which row of DATA.")
@click.option("--features", type=click.IntRange(1), default=10, show_default=True, help="Shown for each class.")
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
    as_json: bool,
    **how: Any,
) -> None:
    """Show why the model decides as it does about a text or about a row of DATA."""
    if (data is None) == (text is None):
        raise click.UsageError('give a message with --text "…", or DATA and --row.')
    if text is not None and context.get_parameter_source("row") == ParameterSource.COMMANDLINE:
        raise click.UsageError(
            f"--row {row} chooses a row of DATA, and --text is the only message. Leave out one of them."
        )
    from rosenblatt.store import load

    loaded = load(model)
    table = loaded.texts([text]) if text is not None else _row(loaded, str(data), row, how)
    found = loaded.explain(table)
    if as_json:
        print_json({**_plain(found), **({"behind": _behind(loaded, table, features)} if loaded.record else {})})
        return
    lines = _lines(found, features, float(loaded.learner.threshold))
    if loaded.record:
        lines += ["", f"training rows behind the score of {_towards(loaded, table)}"]
        for part in _behind(loaded, table, features):
            text = " ".join(part["shown"].split())[:60]
            lines.append(f"  {part['part']:>+12.6g}  {part['label']}  {part['origin']}: {text}")
    show("\n".join(lines))


def _towards(model: Model, table: Table) -> str:
    """The class whose score is taken apart: the second of two, or the predicted one."""
    return model.classes.names[1] if len(model.classes.names) == 2 else model.predict(table)[0]


def _behind(model: Model, table: Table, count: int) -> list[dict[str, Any]]:
    return [row._asdict() for row in model.behind(table, _towards(model, table), count)]


def _row(model: Model, data: str, row: int, how: dict[str, Any]) -> Table:
    """One row of the data; rows before it are read in batches and dropped."""
    import numpy as np

    before = 0
    for table in model.read(data, batches=20_000, labelled=False, **how_to_read(**how)):
        if row <= before + table.n_rows:
            return table.take(np.array([row - before - 1]))
        before += table.n_rows
    raise DataError(f"{data}: there is no row {row}; the last is {before}. Name another with --row.")


def _plain(found: Explanation) -> dict[str, Any]:
    lines = [found.classes[1]] if len(found.contributions) == 1 else list(found.classes)
    return {
        "predicted": found.predicted,
        "scores": {name: float(score) for name, score in zip(lines, found.scores, strict=True)},
        "constant": {name: float(bias) for name, bias in zip(lines, found.bias, strict=True)},
        "contributions": {
            name: {str(found.names[j]): float(line[j]) for j in _order(line, len(line))}
            for name, line in zip(lines, found.contributions, strict=True)
        },
    }


def _order(line: Any, count: int) -> list[int]:
    """The features that add something, the largest first."""
    import numpy as np

    return [int(j) for j in np.argsort(-np.abs(line), kind="stable")[:count] if line[j]]


def _lines(found: Explanation, count: int, threshold: float) -> list[str]:
    """For two classes one sum, above 0 for the second; for more the predicted class and the next best."""
    import numpy as np

    if len(found.contributions) == 1:
        order, towards = [0], [found.classes[1]]
    else:
        order = [int(c) for c in np.argsort(-found.scores, kind="stable")[:2]]
        towards = [found.classes[c] for c in order]
    lines = [f"predicted {found.predicted}"]
    if len(found.contributions) == 1:
        lines[0] += f": the score {'is' if found.scores[0] > threshold else 'is not'} above {threshold:g}"
    for c, name in zip(order, towards, strict=True):
        line = found.contributions[c]
        shown = _order(line, count)
        width = max([8, *(len(str(found.names[j])) for j in shown)])
        lines += ["", f"score {found.scores[c]:+.6g} towards {name}"]
        lines += [f"  {found.names[j]!s:<{width}}  {found.values[j]:>10.4g}  {line[j]:>+12.6g}" for j in shown]
        rest = int(np.count_nonzero(line)) - len(shown)
        if rest:
            others = float(found.scores[c] - found.bias[c] - sum(float(line[j]) for j in shown))
            lines.append(f"  {f'{rest} more':<{width}}  {'':>10}  {others:>+12.6g}")
        lines.append(f"  {'constant':<{width}}  {'':>10}  {found.bias[c]:>+12.6g}")
    return lines
